import Runtime

/// How fast a server's line is: all its connections share it.
package struct Pace: Sendable {
  package var bytesASecond: Int?
  /// From a question to the first byte of its answer: there and back.
  package var delay: Duration

  package init(bytesASecond: Int? = nil, delay: Duration = .zero) {
    (self.bytesASecond, self.delay) = (bytesASecond, delay)
  }

  static let unpaced = Pace()
}

/// What a paced line may carry by now.
struct LineBudget {
  private var left = 0
  private var crumbs: Int64 = 0
  private var last = Moment.now

  /// A line does not save up what nobody sent.
  static let deepest: Duration = .milliseconds(10)

  /// What each of `count` connections may send; nil: anything.
  mutating func part(of pace: Pace, for count: Int, at now: Moment) -> Int? {
    guard let rate = pace.bytesASecond else { return nil }
    let elapsed = max((now - last).nanoseconds, 0)
    last = now
    let product = Int64(rate) * min(elapsed, 1_000_000_000) + crumbs
    crumbs = product % 1_000_000_000
    // At least one packet, or a slow line would never carry anything.
    let most = max(Int(Int64(rate) * Self.deepest.nanoseconds / 1_000_000_000), 1_500)
    left = min(left + Int(product / 1_000_000_000), most)
    return max(left / max(count, 1), 0)
  }

  mutating func spend(_ bytes: Int) { left -= bytes }
}
