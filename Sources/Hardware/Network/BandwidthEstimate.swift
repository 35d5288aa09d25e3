import Runtime

/// Estimates the bandwidth of the connection from real transfers. A value.
///
/// Measurements are weighted by their duration, because a second of transfer says more than a short burst from a buffer.
/// There are two moving averages, a quick and a slow one, and the lower one counts. So the estimate falls at once when the
/// connection gets slower, and rises only after it has been faster for a while. A very short transfer measures the round
/// trip, not the bandwidth, so short ones are collected until they are long enough. Transfers that our own limit slowed
/// down are not used.
package struct BandwidthEstimate: Equatable, Sendable {
  /// Fewer bytes than this are collected until there are enough.
  package static let leastBytes: Int64 = 16_384
  package static let leastTime: Duration = .milliseconds(50)
  /// Seconds until a measurement counts half.
  private static let (quick, slow) = (3.0, 12.0)
  /// With less measured time than this there is no estimate.
  package static let enough: Duration = .milliseconds(500)

  private struct Average: Equatable {
    let halfTime: Double
    var sum = 0.0
    var weight = 0.0

    /// The weights add up to less than one until many half times have passed; dividing by them mends that.
    var value: Double { weight > 0 ? sum / weight : 0 }

    mutating func take(_ value: Double, lasting seconds: Double) {
      // Not by `pow`: squaring a half is exact enough and the same everywhere.
      let keep = Self.power(seconds / halfTime)
      sum = sum * keep + value * (1 - keep)
      weight = weight * keep + (1 - keep)
    }

    /// A half to the power of `halves`.
    private static func power(_ halves: Double) -> Double {
      guard halves < 60 else { return 0 }
      var value = 1.0
      var rest = halves
      while rest >= 1 {
        value /= 2
        rest -= 1
      }
      // What is left, by the series of e to the power of x, with x between 0 and -ln 2.
      let x = -0.693_147_180_559_945_3 * rest
      var term = 1.0
      var sum = 1.0
      for number in 1...12 {
        term *= x / Double(number)
        sum += term
      }
      return value * sum
    }
  }

  private var fast = Average(halfTime: BandwidthEstimate.quick)
  private var steady = Average(halfTime: BandwidthEstimate.slow)
  private var bytes: Int64 = 0
  private var time: Duration = .zero
  private var known: Duration = .zero

  package init() {}

  /// Bits a second; nil while too little was seen.
  package var bitsPerSecond: Int64? {
    guard known >= Self.enough else { return nil }
    return Int64(min(fast.value, steady.value).rounded())
  }

  /// So much came over the line, by all transfers together, in a time in which at least one of them was under way.
  package mutating func take(_ count: Int64, in duration: Duration, wasHeldBack: Bool = false) {
    guard count >= 0, duration > .zero, duration < .seconds(3_600) else { return }
    if wasHeldBack {
      // Nor does what was gathered before belong to what comes after.
      (bytes, time) = (0, .zero)
      return
    }
    bytes += min(count, 1 << 40)
    time += duration
    guard time >= Self.leastTime, bytes >= Self.leastBytes || time >= .seconds(2) else { return }
    let seconds = Double(time.nanoseconds) / 1e9
    let rate = Double(bytes) * 8 / seconds
    fast.take(rate, lasting: seconds)
    steady.take(rate, lasting: seconds)
    known += time
    (bytes, time) = (0, .zero)
  }

  /// Another network: nothing of this is true any more.
  package mutating func forget() { self = BandwidthEstimate() }
}
