import Hardware
import Kit
import Runtime

/// What a part delivered and told, and a way to wait for it.
@Deck
final class Received {
  private(set) var inputs: [Input] = []
  /// Of each of them.
  private(set) var moments: [Moment] = []
  private(set) var faults: [Fault] = []
  private var waiting: (isThere: @Deck () -> Bool, continuation: CheckedContinuation<Void, Never>)?

  nonisolated init() {}

  var codes: [String] { faults.map(\.code) }

  func take(_ input: Input) { take(input, at: Deck.loop.now) }

  func take(_ input: Input, at moment: Moment) {
    inputs.append(input)
    moments.append(moment)
    wake()
  }

  func take(_ fault: Fault) {
    faults.append(fault)
    wake()
  }

  func wait(for count: Int) async { await wait { self.inputs.count >= count } }

  func wait(forFaults count: Int) async { await wait { self.faults.count >= count } }

  private func wait(until isThere: @escaping @Deck () -> Bool) async {
    await withCheckedContinuation { continuation in
      if isThere() { continuation.resume() } else { waiting = (isThere, continuation) }
    }
  }

  private func wake() {
    guard let (isThere, continuation) = waiting, isThere() else { return }
    waiting = nil
    continuation.resume()
  }
}

/// A part that runs, and the fault it ended with.
@Deck
final class RunningPart {
  private(set) var fault: Fault?
  private var task: Task<Void, Never>?

  /// Returns when the part has done what it does at once, and waits.
  init(_ part: any Part) async {
    task = Deck.start {
      do throws(Fault) { try await part.run() } catch { self.fault = error }
    }
    await settled()
  }

  /// Cancels, and suspends until the part has ended.
  func end() async -> Fault? {
    task?.cancel()
    await task?.value
    return fault
  }
}

/// Returns when the deck has nothing left to do that is due now: what can be read has been read.
@Deck
func settled() async {
  for _ in 0..<4 { await Deck.loop.nextRound() }
}
