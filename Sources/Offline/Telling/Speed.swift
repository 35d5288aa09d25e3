import Runtime

/// How fast something came lately: over the last eight seconds, by seconds.
package struct Speed: Equatable, Sendable {
  private static let seconds = 8
  private var bytes = [Int64](repeating: 0, count: Self.seconds)
  private var last: Int64 = 0
  private var first: Int64?

  package init() {}

  package mutating func took(_ count: Int, at now: Moment) {
    let second = Self.second(now)
    forget(upTo: second)
    first = first ?? second
    bytes[Int(second % Int64(Self.seconds))] += Int64(count)
  }

  package func perSecond(at now: Moment) -> Int64 {
    guard let first else { return 0 }
    var copy = self
    let second = Self.second(now)
    copy.forget(upTo: second)
    let span = min(second - first + 1, Int64(Self.seconds))
    return copy.bytes.reduce(0, +) / max(span, 1)
  }

  private static func second(_ moment: Moment) -> Int64 { max(moment.nanoseconds, 0) / 1_000_000_000 }

  private mutating func forget(upTo second: Int64) {
    guard second > last else { return }
    let many = min(second - last, Int64(Self.seconds))
    // After a long pause it begins anew, or the pause would count as slowness.
    if many == Int64(Self.seconds) { first = nil }
    for step in 0..<many { bytes[Int((second - step) % Int64(Self.seconds))] = 0 }
    last = second
  }
}
