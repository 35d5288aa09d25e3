/// Work that somebody sent off and does not wait for, and that a clean end has to: what was heard a moment before goes
/// into the history all the same.
@MainLoop
package final class BackgroundTasks {
  private var running = 0
  private var waiting = Waiters()

  nonisolated package init() {}

  package func start(_ errand: @escaping @MainLoop () async -> Void) {
    running += 1
    MainLoop.start {
      await errand()
      self.running -= 1
      self.waiting.wake()
    }
  }

  /// Returns when none is under way, those that were begun meanwhile included.
  package func over() async {
    while running > 0 {
      let seen = waiting.changes
      await withCheckedContinuation { waiting.add($0, since: seen) }
    }
  }
}
