/// What comes is dealt with in batches, each in order: what comes while one is under way goes with the next. A burst
/// costs a few ways to the disk and not one each, and who wants the disk meanwhile waits for one batch at most.
@MainLoop
package final class Batcher<Element: Sendable> {
  private let most: Int
  private let errands: BackgroundTasks
  private let deal: @MainLoop ([Element]) async -> Void
  private var waiting: [Element] = []
  private var isUnderWay = false

  /// `most` go into one batch.
  package init(most: Int, as errands: BackgroundTasks, _ deal: @escaping @MainLoop ([Element]) async -> Void) {
    (self.most, self.errands, self.deal) = (most, errands, deal)
  }

  package func add(_ element: Element) {
    waiting.append(element)
    guard !isUnderWay else { return }
    isUnderWay = true
    errands.start { await self.work() }
  }

  private func work() async {
    while !waiting.isEmpty {
      let batch = Array(waiting.prefix(most))
      waiting.removeFirst(batch.count)
      await deal(batch)
    }
    isUnderWay = false
  }
}
