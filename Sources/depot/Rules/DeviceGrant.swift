/// The waiting of a device for a person who lets it in (RFC 8628): what it is told each time it asks.
struct DeviceGrant: Equatable {
  enum State: String {
    /// Nobody has typed its code yet. Then: approved, refused; or it ends.
    case pending
    /// A person let it in. The next question takes the tokens: used.
    case approved
    /// A person said no.
    case refused
    /// It had its tokens, or they were lost on the way to it.
    case used
  }

  enum Answer: Equatable { case pending, slowDown, expired, refused, approved, again }

  static let seconds: Int64 = 900
  static let firstWait: Int64 = 5
  /// It waits no longer than this between two questions, however often it was too quick.
  static let longestWait: Int64 = 60

  var state = State.pending
  /// So many seconds have to be between two questions.
  var wait = Self.firstWait
  var asked: Int64?
  let ends: Int64

  mutating func ask(at now: Int64) -> Answer {
    guard now < ends else { return .expired }
    let isTooSoon = asked.map { now - $0 < wait } ?? false
    asked = now
    switch state {
    case .pending where isTooSoon:
      wait = min(wait + 5, Self.longestWait)
      return .slowDown
    case .pending: return .pending
    case .refused: return .refused
    case .approved:
      state = .used
      return .approved
    // The same tokens, if nothing was done with them since.
    case .used: return .again
    }
  }

  /// False when it is over, or somebody decided already.
  mutating func decide(_ isApproved: Bool, at now: Int64) -> Bool {
    guard now < ends, state == .pending else { return false }
    state = isApproved ? .approved : .refused
    return true
  }
}
