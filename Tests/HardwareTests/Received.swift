import Hardware
import Runtime
import TestSupport

/// What a part delivered and told, and a way to wait for it.
@MainLoop
final class Received {
  private(set) var inputs: [Input] = []
  /// Of each of them.
  private(set) var moments: [Moment] = []
  private(set) var faults: [Fault] = []
  private var waiting: (isThere: @MainLoop () -> Bool, continuation: CheckedContinuation<Void, Never>)?

  nonisolated init() {}

  var codes: [String] { faults.map(\.code) }

  func take(_ input: Input) { take(input, at: MainLoop.loop.now) }

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

  private func wait(until isThere: @escaping @MainLoop () -> Bool) async {
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
@MainLoop
final class RunningPart {
  private(set) var fault: Fault?
  private var task: Task<Void, Never>?

  /// Returns when the part has done what it does at once, and waits.
  init(_ part: any Part) async {
    task = MainLoop.start {
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

/// Returns when the main loop has nothing left to do that is due now: what can be read has been read.
@MainLoop
func settled() async {
  for _ in 0..<4 { await MainLoop.loop.nextRound() }
}
