import Runtime
import Synchronization

/// Small answers: an index, a probe, an address. They are gathered in memory, and so have a limit; and somebody waits for
/// them, so they have another of time.
extension Transfers {
  /// The answer whatever its status, or why there is none; longer than `limit` bytes is a failure, and so is one that is
  /// not whole in time. Ends early when the task is cancelled.
  package func get(
    _ request: TransferRequest, limit: Int, within time: TimeLimit
  ) async throws(TransferFailure) -> (head: AnswerHead, bytes: [UInt8]) {
    var whole = request
    (whole.most, whole.timeLimit) = (Int64(limit), time)
    // All of it is taken at once.
    whole.window = limit + 65_536
    let gathered = Gathered()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        gathered.whenEnded { continuation.resume(returning: $0) }
        let transfer = start(whole, for: gathered)
        gathered.cancelWith { transfer.cancel() }
      }
    } onCancel: {
      gathered.cancel()
    }
    return try result.get()
  }
}

/// Holds what came until it has ended.
private final class Gathered: TransferReceiver {
  typealias GetResult = Result<(head: AnswerHead, bytes: [UInt8]), TransferFailure>

  private struct State {
    var head: AnswerHead?
    var bytes: [UInt8] = []
    var tell: (@Sendable (GetResult) -> Void)?
    var stop: (@Sendable () -> Void)?
    var isCancelled = false
  }

  private let state = Mutex(State())

  func whenEnded(_ tell: @escaping @Sendable (GetResult) -> Void) { state.withLock { $0.tell = tell } }

  /// At once when it was cancelled before there was anything to cancel.
  func cancelWith(_ stop: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state -> Bool in
      state.stop = stop
      return state.isCancelled
    }
    if isLate { stop() }
  }

  func cancel() {
    let stop = state.withLock { state -> (@Sendable () -> Void)? in
      state.isCancelled = true
      return state.stop
    }
    stop?()
  }

  func began(_ head: AnswerHead) -> Bool {
    state.withLock { $0.head = head }
    return true
  }

  func took(_ bytes: UnsafeRawBufferPointer) { state.withLock { $0.bytes.append(contentsOf: bytes) } }

  func ended(_ end: Result<TransferEnding, TransferFailure>) {
    let (tell, head, bytes) = state.withLock { state in
      defer { state = State(isCancelled: state.isCancelled) }
      return (state.tell, state.head, state.bytes)
    }
    switch end {
    case .failure(let failure): tell?(.failure(failure))
    case .success:
      guard let head else { tell?(.failure(TransferFailure(.protocolError, from: ""))); return }
      tell?(.success((head, bytes)))
    }
  }
}
