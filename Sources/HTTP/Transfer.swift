import Runtime

/// A transfer that was begun, for whoever wants to hold it back or call it off, from any thread. It goes on without
/// this, too.
package final class Transfer: Sendable {
  package let id: UInt64
  private let transfers: Transfers

  init(_ id: UInt64, of transfers: Transfers) { (self.id, self.transfers) = (id, transfers) }

  /// Its receiver hears that it was cancelled, unless it has ended before; its socket is closed then.
  package func cancel() {
    transfers.soon { [id] transfers in transfers.cancel(id) }
  }

  /// Somebody has begun to listen to it, or listens no more.
  package func urgency(_ urgency: TransferRequest.Urgency) {
    transfers.soon { [id] transfers in transfers.urgency(urgency, of: id) }
  }

  /// `bytes` that came are dealt with, and as many more may come.
  package func credit(_ bytes: Int) {
    transfers.soon { [id] transfers in transfers.give(back: bytes, to: id) }
  }
}
