import Runtime

/// How many rows of a long list one detent moves: one at a slow turn, more when somebody spins the knob.
///
/// It uses the kernel's timestamps of the detents, so a late main loop does not make a slow turn look quick. A turn is
/// quick only if the last three pauses were short and all in one direction. So a single twitch does not count, turning
/// back begins slowly, and whoever slows down before the row that they look for moves row by row.
package struct Acceleration: Equatable, Sendable {
  /// A pause no longer than this counts for so many rows.
  private struct Pace: Equatable, Sendable {
    let pause: Duration
    let rows: Int
  }

  /// An easy turn of a knob of 24 detents is two turns in three seconds, or 60 ms a detent; a flick is 10 to 15 ms.
  private static let gentle = [
    Pace(pause: .milliseconds(15), rows: 5), Pace(pause: .milliseconds(25), rows: 3),
    Pace(pause: .milliseconds(40), rows: 2),
  ]
  private static let strong = [
    Pace(pause: .milliseconds(15), rows: 16), Pace(pause: .milliseconds(25), rows: 8),
    Pace(pause: .milliseconds(35), rows: 4), Pace(pause: .milliseconds(50), rows: 2),
  ]
  /// So many pauses have to be quick.
  package static let pauses = 3

  private let paces: [Pace]
  private var way = 0
  private var last: Moment?
  /// The latest ones, all of this way.
  private var recent: [Duration] = []

  package init(_ strength: KnobAcceleration = .off) {
    paces =
      switch strength {
      case .off: []
      case .gentle: Self.gentle
      case .strong: Self.strong
      }
  }

  /// So many rows for detents that were turned since the last time, up to `moment`; clockwise when positive.
  package mutating func rows(for detents: Int, at moment: Moment) -> Int {
    guard !paces.isEmpty, detents != 0 else { return detents }
    if detents.signum() != way { (way, last, recent) = (detents.signum(), nil, []) }
    if let last {
      let pause = max(moment - last, .zero) / abs(detents)
      recent = (recent + Array(repeating: pause, count: min(abs(detents), Self.pauses))).suffix(Self.pauses)
    }
    last = moment
    guard recent.count == Self.pauses, let slowest = recent.max() else { return detents }
    return detents * (paces.first { slowest <= $0.pause }?.rows ?? 1)
  }
}
