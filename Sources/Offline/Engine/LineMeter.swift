import Runtime

/// How much came over the line, by all transfers together, for whoever estimates how fast the line is. A value: it is
/// told of what happens, and a few times a second it says what that came to.
package struct LineMeter {
  package struct Measurement: Equatable, Sendable {
    package var bytes: Int64
    package var duration: Duration
    /// At some time in it the disk, and not the line, said how fast it went.
    package var wasHeldBack: Bool
  }

  package static let turn: Duration = .milliseconds(250)

  private var transfers = 0
  private var since: Moment?
  private var bytes: Int64 = 0
  private var wasHeldBack = false

  package init() {}

  /// An answer's head is here: from now on bytes can come.
  package mutating func began(at now: Moment) {
    transfers += 1
    if since == nil { since = now }
  }

  package mutating func took(_ count: Int, wasHeldBack isHeld: Bool, at now: Moment) -> Measurement? {
    bytes += Int64(count)
    wasHeldBack = wasHeldBack || isHeld
    guard let since, now - since >= Self.turn else { return nil }
    return measured(since, now)
  }

  /// A transfer has ended. Call it only for those that were reported to `began`.
  package mutating func ended(at now: Moment) -> Measurement? {
    transfers = max(transfers - 1, 0)
    guard transfers == 0, let since else { return nil }
    return measured(since, now)
  }

  private mutating func measured(_ begin: Moment, _ now: Moment) -> Measurement {
    let measurement = Measurement(bytes: bytes, duration: now - begin, wasHeldBack: wasHeldBack)
    since = transfers > 0 ? now : nil
    (bytes, wasHeldBack) = (0, false)
    return measurement
  }
}
