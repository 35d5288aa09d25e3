import Runtime

/// Removes the bounces of a button's contact, which last some milliseconds. For libgpiod 1; with libgpiod 2 the kernel does
/// it.
///
/// A level counts once it has lasted for the whole period, measured by the kernel's timestamps, so a late reader sees
/// the same as a punctual one.
package struct Debounce: Sendable {
  /// The level without its bounces.
  package private(set) var level: Bool
  private var candidate: (level: Bool, since: Moment)?
  private let period: Duration

  package init(level: Bool, period: Duration) {
    self.level = level
    self.period = period
  }

  /// When the level that is there now will count, if nothing happens until then.
  package var due: Moment? { candidate.map { $0.since + period } }

  /// The line's last known level, bouncing or not.
  package var latest: Bool { candidate?.level ?? level }

  /// An edge at `moment`. Call `settle(by:)` first: what has lasted long enough before it counts.
  package mutating func edge(to level: Bool, at moment: Moment) {
    // The same level again: an edge went missing in between, so it has not lasted.
    candidate = level == self.level ? nil : (level, moment)
  }

  /// The new level, when one has lasted for the period by `now`.
  package mutating func settle(by now: Moment) -> Bool? {
    guard let candidate, candidate.since + period <= now else { return nil }
    self.candidate = nil
    level = candidate.level
    return level
  }
}
