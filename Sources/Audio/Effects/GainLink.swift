import Glibc

/// How loud everything is: what the settings say to all tracks, times what the track at hand needs. A change takes
/// 5 ms, a straight line from one loudness to the other.
final class GainLink: Effect {
  let latency = 0
  /// Of the track at hand. Taken at once before the first frame, over the ramp later.
  var track: Float = 1 { didSet { aim() } }
  private let settings: Float
  private let ramp: Int
  private var gain: Float = 1
  private var target: Float = 1
  private var step: Float = 0
  private var left = 0
  private var isFresh = true

  init(decibels: Double, rate: Int32) {
    settings = Self.factor(decibels)
    ramp = max(1, Int(rate) / 200)
    aim()
  }

  static func factor(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  private func aim() {
    let wanted = settings * track
    guard wanted != target || isFresh else { return }
    target = wanted
    if isFresh {
      gain = wanted
      left = 0
    } else {
      left = ramp
      step = (wanted - gain) / Float(ramp)
    }
  }

  /// Without a ramp.
  func jump(to track: Float) {
    let wasFresh = isFresh
    isFresh = true
    self.track = track
    aim()
    isFresh = wasFresh
  }

  func reset() {
    isFresh = true
    aim()
  }

  @_noLocks
  func process(_ frames: UnsafeMutablePointer<SIMD2<Float>>, count: Int) {
    guard count > 0 else { return }
    isFresh = false
    let ramped = min(left, count)
    if ramped > 0 {
      var now = gain
      let step = step
      for frame in 0..<ramped {
        now += step
        frames[frame] *= now
      }
      left -= ramped
      gain = left == 0 ? target : now
    }
    let steady = gain
    if steady == 1 { return }
    for frame in ramped..<count { frames[frame] *= steady }
  }
}
