import Runtime

/// How often a PIN may be tried. Five times at once; from then on each wrong one closes it for longer, up to ten minutes,
/// and that is not undone by pulling the plug: a try is counted before it is looked at, and whoever keeps the count
/// across starts gives it back. Four digits then last for weeks.
package struct PinGuard: Equatable, Sendable {
  package enum Verdict: Equatable, Sendable {
    case right, wrong
    /// Not looked at before then.
    case closed(Duration)
    /// Not looked at, since the try cannot be stored: a full disk would allow any number of them.
    case uncounted
  }

  static let free = 5
  static let firstWait: Duration = .seconds(30)
  static let longestWait: Duration = .seconds(600)

  /// Since the last right one.
  package private(set) var tries: Int
  private var closedUntil: Moment?

  /// `now`: the start, from which on whoever was closed out waits once more.
  package init(tries: Int = 0, at now: Moment) {
    self.tries = min(max(tries, 0), 1_000)
    closedUntil = Self.wait(after: self.tries).map { now + $0 }
  }

  private static func wait(after tries: Int) -> Duration? {
    guard tries >= free else { return nil }
    return min(firstWait * (1 << min(tries - free, 10)), longestWait)
  }

  /// Nil when it may be tried now, and then it counts as tried.
  package mutating func begin(at now: Moment) -> Duration? {
    if let closedUntil, now < closedUntil { return closedUntil - now }
    tries = min(tries + 1, 1_000)
    closedUntil = Self.wait(after: tries).map { now + $0 }
    return nil
  }

  /// After `begin`.
  package mutating func end(_ typed: String, is pin: String) -> Bool {
    guard Self.areSame(typed, pin) else { return false }
    (tries, closedUntil) = (0, nil)
    return true
  }

  /// Takes as long whatever is typed.
  static func areSame(_ typed: String, _ pin: String) -> Bool {
    let (one, other) = (Array(typed.utf8), Array(pin.utf8))
    var difference = UInt8(one.count == other.count ? 0 : 1)
    for index in 0..<longest {
      let left = index < one.count ? one[index] : 0
      let right = index < other.count ? other[index] : 0
      difference |= left ^ right
    }
    return difference == 0 && one.count <= longest
  }

  static let longest = 12
}
