import Runtime

/// How fast the device's own clock runs by ours. A device tells what it has played late, by up to a period, and never
/// early; so of each window only the frame count that is furthest ahead says something, and two windows far apart make
/// a rate of it. It is told and never used: nothing is resampled by it.
struct ClockDrift {
  private struct Mark {
    var frames: Int64
    var at: Moment
  }

  private static let window: Duration = .seconds(10)
  /// Before that a period would count for more than the clock.
  private static let least: Duration = .seconds(60)

  private let rate: Int64
  private var began: Moment?
  /// The best of the first window, and of the present one.
  private var first: Mark?
  private var best: Mark?
  private var windowBegan: Moment
  /// More by the device's clock than by ours in a million; nil until it has run for a minute without a break.
  private(set) var partsPerMillion: Double?

  init(rate: Int32) {
    self.rate = Int64(rate)
    windowBegan = Moment(nanoseconds: 0)
  }

  /// `frames` were played in all, without a break since the beginning.
  mutating func note(frames: Int64, at moment: Moment) {
    guard let began else {
      self.began = moment
      windowBegan = moment
      best = Mark(frames: frames, at: moment)
      return
    }
    if lead(frames, moment) > best.map({ lead($0.frames, $0.at) }) ?? -.infinity {
      best = Mark(frames: frames, at: moment)
    }
    guard moment - windowBegan >= Self.window, let best else { return }
    if let first {
      let time = Double((best.at - first.at).nanoseconds)
      if moment - began >= Self.least && time > 0 {
        let played = Double(best.frames - first.frames) * 1e9 / Double(rate)
        partsPerMillion = (played / time - 1) * 1e6
      }
    } else {
      first = best
    }
    self.best = nil
    windowBegan = moment
  }

  /// How far the device is ahead of a clock that keeps its rate, in frames.
  private func lead(_ frames: Int64, _ moment: Moment) -> Double {
    guard let began else { return 0 }
    return Double(frames) - Double((moment - began).nanoseconds) * Double(rate) / 1e9
  }
}
