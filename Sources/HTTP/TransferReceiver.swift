import Runtime

/// Who a transfer's bytes are for. It is called on the loop `net`, where all other transfers wait meanwhile: it must
/// return at once, and touch no disk.
package protocol TransferReceiver: AnyObject, Sendable {
  /// The answer that counts: after all redirects. False: its bytes are not wanted, and the transfer is cancelled.
  func began(_ head: AnswerHead) -> Bool
  /// The bytes are gone when it returns.
  func took(_ bytes: UnsafeRawBufferPointer)
  /// Exactly once, and last.
  func ended(_ end: Result<TransferEnding, TransferFailure>)
}

/// How a transfer went whose every byte has come.
package struct TransferEnding: Sendable, Equatable {
  package var bytes: Int64
  /// From the answer's first byte, without the time in which we wanted nothing: what the line gives.
  package var receiving: Duration
  package var wasConnected: Bool
  package var version: AnswerHead.Version

  /// Nil for an answer that is too short to tell.
  package var bytesASecond: Int64? {
    let microseconds = receiving.nanoseconds / 1_000
    guard bytes >= 65_536, microseconds > 0 else { return nil }
    return Int64(Double(bytes) * 1_000_000 / Double(microseconds))
  }
}
