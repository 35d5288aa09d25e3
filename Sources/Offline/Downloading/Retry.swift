import Runtime

/// Whether and when a transfer that failed is tried again. What counts are attempts without progress: a line that breaks
/// in every tunnel and brings something each time is tried for ever.
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
  private static let shortestPause: Duration = .milliseconds(100)

  /// In a row, without progress.
  package var attempts = 0
  /// The address was fetched anew and nothing has come since.
  package var hasNewAddress = false
  /// The furthest that any attempt has come; one that starts over has to come further to have progressed.
  package var furthest: Int64 = 0

  package init() {}

  package init(attempts: Int, hasNewAddress: Bool, furthest: Int64) {
    (self.attempts, self.hasNewAddress, self.furthest) = (attempts, hasNewAddress, furthest)
  }

  /// So much is durable.
  package mutating func reached(_ bytes: Int64) {
    guard bytes >= furthest + Self.step else { return }
    furthest = bytes
    attempts = 0
    hasNewAddress = false
  }

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
    guard attempts < Self.limit else { return .give(up: trouble) }
    let asked = min(max(serverAsks ?? .zero, .zero), Self.longestPause)
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
