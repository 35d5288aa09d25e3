internal import CAV
import DecoderProtocol

/// Turns the times that a file gives its packets into samples, where these times are good enough for that. Some kinds
/// of file round them to milliseconds: there nothing is said, and samples are counted from the beginning.
struct SampleClock {
  private let numerator: Int64
  private let denominator: Int64
  let rate: Int64
  private var origin: Int64?
  private var isTrusted: Bool

  init(timeBase: AVRational, rate: Int32) {
    numerator = Int64(max(timeBase.num, 1))
    denominator = Int64(max(timeBase.den, 1))
    self.rate = Int64(rate)
    // A tick is one sample, a whole part of one, or two (a decoder that doubles the rate).
    let perSecond = numerator * self.rate
    isTrusted = perSecond > 0 && (denominator % perSecond == 0 || perSecond == 2 * denominator)
  }

  mutating func start(at time: Int64) {
    origin = isReasonable(time) ? time : nil
    if origin == nil { isTrusted = false }
  }

  /// From one time that is wrong on, none is believed.
  mutating func compare(_ time: Int64, with sample: Int64) {
    if isTrusted, self.sample(at: time) != sample { isTrusted = false }
  }

  /// Nil when it cannot be told.
  func sample(at time: Int64) -> Int64? {
    guard isTrusted, let origin, isReasonable(time) else { return nil }
    return samples(in: time - origin)
  }

  /// Nil when ticks are no samples.
  func samples(in ticks: Int64) -> Int64? {
    guard isTrusted, isReasonable(ticks) else { return nil }
    let (product, overflow) = ticks.multipliedReportingOverflow(by: numerator * rate)
    guard !overflow, product % denominator == 0, (0...Reply.farthest).contains(product / denominator) else {
      return nil
    }
    return product / denominator
  }

  func time(of sample: Int64) -> Int64? {
    guard isTrusted, let origin, (0...Reply.farthest).contains(sample) else { return nil }
    let (product, overflow) = sample.multipliedReportingOverflow(by: denominator)
    let (time, isBehindAll) = origin.addingReportingOverflow(product / (numerator * rate))
    return overflow || isBehindAll ? nil : time
  }

  /// The time of the first sample, in ticks; nil where times are not to be trusted.
  var firstTime: Int64? { isTrusted ? origin : nil }

  private func isReasonable(_ time: Int64) -> Bool { time != layby_av_no_time && abs(time) <= 1 << 60 }
}
