/// The refresh tokens of one session, one after the other. A device may lose power between sending a token and keeping what
/// it got for it, so the token before the newest is taken once more while the newest was never used, and gives that same
/// newest one again, however late. Whoever shows an older one has a copy, and the session ends.
struct RefreshChain: Equatable {
  /// The number of the newest token that was given. Each is worth one rotation.
  private(set) var newest: Int64

  enum Answer: Equatable {
    /// A new token of this number. Keep it before it is sent.
    case next(Int64)
    /// The newest again: its answer was lost on the way.
    case again(Int64)
    /// The token is good, and another key shows it. Who has the key goes on.
    case refused
    /// A copy is about. Nobody goes on.
    case over
  }

  /// `isSameKey`: the proof is by the key of the session's device.
  mutating func show(_ number: Int64, isSameKey: Bool) -> Answer {
    if number == newest - 1, isSameKey { return .again(newest) }
    // A larger number was given by a service whose database was put back from a copy since; only it can make tokens.
    guard number >= newest else { return .over }
    guard isSameKey else { return .refused }
    newest = number + 1
    return .next(newest)
  }
}
