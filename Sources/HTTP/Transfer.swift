import Runtime

/// Controls a running transfer, from any thread. Letting go of this object does not end the transfer.
package final class Transfer: Sendable {
  package let id: UInt64
  private let transfers: Transfers

  init(_ id: UInt64, of transfers: Transfers) { (self.id, self.transfers) = (id, transfers) }

  /// Unless it has ended, its receiver is told `cancelled`. By then its socket is closed.
  package func cancel() {
    transfers.soon { [id] transfers in transfers.cancel(id) }
  }

  /// Call it when somebody begins to listen to the music, or stops.
  package func urgency(_ urgency: TransferRequest.Urgency) {
    transfers.soon { [id] transfers in transfers.urgency(urgency, of: id) }
  }

  /// The receiver has processed `bytes` bytes, so as many more may come.
  package func credit(_ bytes: Int) {
    transfers.soon { [id] transfers in transfers.give(back: bytes, to: id) }
  }
}
