import Runtime

/// Receives what a transfer brings. It is called on the loop `net`, and all other transfers wait until it returns: so it
/// must return at once, and may not use a disk.
package protocol TransferReceiver: AnyObject, Sendable {
  /// Called with the head of the final answer, after all redirects. Return false to cancel the transfer.
  func began(_ head: AnswerHead) -> Bool
  /// `bytes` is valid only until this returns.
  func took(_ bytes: UnsafeRawBufferPointer)
  /// Called exactly once, after all other calls.
  func ended(_ end: Result<TransferEnding, TransferFailure>)
}

/// Figures of a transfer that is complete.
package struct TransferEnding: Sendable, Equatable {
  package var bytes: Int64
  /// Time since the first byte of the answer, without pauses of ours. It measures the speed of the connection.
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
