import Runtime

/// How often something may be asked: so many at once, and then so many a second. A value.
struct RequestRate {
  private let most: Double
  private let perSecond: Double
  private var left: Double
  private var since: Moment?

  init(most: Int, perSecond: Int) {
    (self.most, self.perSecond, left) = (Double(most), Double(perSecond), Double(most))
  }

  /// Whether one more may be asked now; if so it counts.
  mutating func allows(at now: Moment) -> Bool {
    if let since { left = min(most, left + max(Double((now - since).milliseconds), 0) / 1_000 * perSecond) }
    // A part of a millisecond is not lost.
    if since.map({ (now - $0).milliseconds > 0 }) ?? true { since = now }
    guard left >= 1 else { return false }
    left -= 1
    return true
  }

  mutating func count(at now: Moment) throws(Fault) {
    guard allows(at: now) else {
      throw Fault(.busy, "E-197", "layby-keys is asked too often; it goes on in a moment")
    }
  }
}
