import Runtime

/// A line between a server and whoever asks it.
struct LineShape: Sendable {
  var bytesASecond: Int
  var roundTrip: Duration = .zero
}

/// How far a line is with what it has to carry: never faster than it is, over any time, and what nobody sent for a
/// while is lost.
struct LinePace {
  /// Whoever drives the line comes late now and then.
  static let depth: Duration = .milliseconds(20)

  private let bytesASecond: Int
  /// Until then it is busy with what it was given.
  private var busyUntil: Moment

  init(bytesASecond: Int, at now: Moment) { (self.bytesASecond, busyUntil) = (bytesASecond, now) }

  /// What it can be given now.
  func allowance(at now: Moment) -> Int {
    let idle = max((now - start(now)).nanoseconds, 0)
    return Int(idle) * bytesASecond / 1_000_000_000
  }

  mutating func carry(_ bytes: Int, at now: Moment) {
    // Rounded up: it is not to be faster by that.
    let took = (bytes * 1_000_000_000 + bytesASecond - 1) / bytesASecond
    busyUntil = start(now) + .nanoseconds(Int64(took))
  }

  private func start(_ now: Moment) -> Moment { max(busyUntil, now - Self.depth) }
}

/// What a server sends on a new connection before it has heard how that goes: ten packets (RFC 6928), and twice as many
/// with each round trip. Over the loopback there is nothing of it.
struct SlowStart {
  static let first = 10 * 1_460

  private let roundTrip: Duration
  private var began: Moment?

  init(roundTrip: Duration) { self.roundTrip = roundTrip }

  /// All that may be sent by now, since its first byte.
  mutating func limit(at now: Moment) -> Int {
    guard roundTrip > .zero else { return .max }
    let start = began ?? now
    began = start
    let turns = (now - start).nanoseconds / roundTrip.nanoseconds
    // More than any line holds.
    guard turns < 20 else { return .max }
    return Self.first * (2 << Int(turns) - 1)
  }
}
