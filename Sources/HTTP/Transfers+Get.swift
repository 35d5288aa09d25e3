import Runtime
import Synchronization

/// Small answers that somebody waits for: an index, a probe, an address. They are collected in memory, so their size is
/// limited, and so is their time.
extension Transfers {
  /// Returns the answer whatever its status is. It fails when the answer is longer than `limit` bytes or not complete in
  /// time, and when the task is cancelled.
  package func get(
    _ request: TransferRequest, limit: Int, within time: TimeLimit
  ) async throws(TransferFailure) -> (head: AnswerHead, bytes: [UInt8]) {
    var whole = request
    (whole.most, whole.timeLimit) = (Int64(limit), time)
    // The window is the whole answer, so no byte has to be given back.
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

/// Collects the answer until the transfer ends.
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

  /// Keeps what cancels the transfer. If the task was cancelled before, calls it at once.
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
