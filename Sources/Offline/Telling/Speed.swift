import Runtime

/// How fast something came lately: over the last eight seconds, by seconds.
package struct Speed: Equatable, Sendable {
  private static let seconds = 8
  private var bytes = [Int64](repeating: 0, count: Self.seconds)
  private var last: Int64 = 0
  private var begin: Moment?

  package init() {}

  package mutating func took(_ count: Int, at now: Moment) {
    let second = Self.second(now)
    forget(upTo: second)
    begin = begin ?? now
    bytes[Int(second % Int64(Self.seconds))] += Int64(count)
  }

  /// 0 while it is not known: of less than a second nobody can say.
  package func perSecond(at now: Moment) -> Int64 {
    var copy = self
    copy.forget(upTo: Self.second(now))
    guard let begin = copy.begin, now - begin >= .seconds(1) else { return 0 }
    // The oldest second is whole, and of the newest some has passed.
    let most = Int64(Self.seconds - 1) * 1_000 + now.nanoseconds / 1_000_000 % 1_000
    return copy.bytes.reduce(0, +) * 1_000 / max(min((now - begin).milliseconds, most), 1_000)
  }

  private static func second(_ moment: Moment) -> Int64 { max(moment.nanoseconds, 0) / 1_000_000_000 }

  private mutating func forget(upTo second: Int64) {
    guard second > last else { return }
    let many = min(second - last, Int64(Self.seconds))
    // After a long pause it begins anew, or the pause would count as slowness.
    if many == Int64(Self.seconds) { begin = nil }
    for step in 0..<many { bytes[Int((second - step) % Int64(Self.seconds))] = 0 }
    last = second
  }
}
