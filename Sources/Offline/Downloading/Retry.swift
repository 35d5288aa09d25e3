import Runtime

/// Whether and when a transfer that failed is tried again. What counts are attempts without progress: a line that breaks
/// in every tunnel and brings something each time is tried for ever. What is not the item's own trouble does not end it:
/// after its attempts it waits.
///
/// Stored with its download, so that a board that is switched off in between does not begin to count anew.
package struct Retry: Equatable, Sendable {
  package enum Verdict: Equatable, Sendable {
    /// Nothing is held meanwhile: no connection, no place among those that run.
    case again(after: Duration)
    /// At once, with a new address or permission.
    case address
    case wait(WaitReason)
    case give(up: Trouble)
  }

  package static let limit = 3
  package static let firstPause: Duration = .seconds(2)
  /// What a server asks for is believed up to here.
  package static let longestPause: Duration = .seconds(6 * 3_600)
  /// Further than this is progress.
  package static let step: Int64 = 16 << 10
  /// A server that says to come back later than this is taken at its word; otherwise it is looked after by `OutageProbe`.
  package static let longEnough: Duration = .seconds(60)
  private static let shortestPause: Duration = .milliseconds(100)

  /// In a row, without progress.
  package var attempts = 0
  /// The address was fetched anew and nothing has come since.
  package var hasNewAddress = false
  /// The furthest that any attempt has come; one that starts over has to come further to have progressed.
  package var furthest: Int64 = 0

  /// Of those attempts, and of those before a wait, the ones that failed by the item's own trouble: what others have used
  /// up is not laid to its charge. Not stored; what was the item's own when the power went still is.
  private var own = 0

  package init() {}

  package init(attempts: Int, hasNewAddress: Bool, furthest: Int64, last: Trouble?) {
    (self.attempts, self.hasNewAddress, self.furthest) = (attempts, hasNewAddress, furthest)
    own = last?.waitsAfterAll == nil ? attempts : 0
  }

  package static func == (left: Retry, right: Retry) -> Bool {
    (left.attempts, left.hasNewAddress, left.furthest) == (right.attempts, right.hasNewAddress, right.furthest)
  }

  /// So much is durable.
  package mutating func reached(_ bytes: Int64) {
    guard bytes >= furthest + Self.step else { return }
    furthest = bytes
    (attempts, own) = (0, 0)
    hasNewAddress = false
  }

  /// It was given up: one attempt more, and another address if it needs one.
  mutating func takeChance() { (attempts, own, hasNewAddress) = (Self.limit - 1, Self.limit - 1, false) }

  package mutating func failed(
    _ trouble: Trouble, serverAsks: Duration? = nil, using generator: inout some RandomNumberGenerator
  ) -> Verdict {
    switch trouble.remedy {
    case .wait(let reason): return .wait(reason)
    case .none: return .give(up: trouble)
    case .address: return newAddress(because: trouble)
    case .once: attempts = max(attempts + 1, Self.limit - 1)
    case .again: attempts += 1
    }
    let reason = trouble.waitsAfterAll
    if reason == nil { own = trouble.remedy == .once ? max(own + 1, Self.limit - 1) : own + 1 }
    let asked = min(max(serverAsks ?? .zero, .zero), Self.longestPause)
    if attempts >= Self.limit {
      if reason == nil, own >= Self.limit { return .give(up: trouble) }
      // When that is over one attempt shows it, and not three.
      attempts = Self.limit - 1
      if let reason, asked < Self.longEnough { return .wait(reason) }
    }
    return .again(after: max(asked + pause(using: &generator), Self.shortestPause))
  }

  /// Uses up no attempt; but an address that is new and does not serve either is the end of it.
  package mutating func newAddress(because trouble: Trouble) -> Verdict {
    if hasNewAddress { return .give(up: trouble) }
    hasNewAddress = true
    return .address
  }

  /// Anything up to twice as much as the last time, so that many that failed together do not come together again.
  private func pause(using generator: inout some RandomNumberGenerator) -> Duration {
    let most = Self.firstPause.nanoseconds << Int64(min(max(attempts - 1, 0), 10))
    return .nanoseconds(Int64.random(in: 0...most, using: &generator))
  }
}
