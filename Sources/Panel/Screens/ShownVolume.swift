import Runtime

/// The volume is shown while it is turned, and for two seconds after. What it is at a start is no change.
struct ShownVolume {
  static let lasts: Duration = .seconds(2)

  private var known: Int?
  private var until: Moment?

  mutating func isShown(_ volume: Int, at now: Moment) -> Bool {
    if let known, known != volume { until = now + Self.lasts }
    known = volume
    return until.map { now < $0 } ?? false
  }

  /// When it is no longer shown; nil when it is not.
  func end(after now: Moment) -> Moment? { until.flatMap { $0 > now ? $0 : nil } }
}
