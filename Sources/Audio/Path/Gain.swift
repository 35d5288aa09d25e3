import Glibc

/// Loudness as a whole number, 1.0 = 2^30: exact at both ends, and the same on every machine.
enum Gain {
  static let unity: Int64 = 1 << 30

  static func fixed(_ gain: Double) -> Int64 {
    gain.isNaN ? 0 : Int64((min(max(gain, 0), 1) * Double(unity)).rounded())
  }

  /// 10 ms: too long to click, too short to be heard as a fade.
  static func rampLength(atRate rate: Int32) -> Int { max(1, Int(rate) / 100) }

  /// One loudness for all; unity leaves every bit as it is.
  static func apply(
    _ gain: Int64, _ source: UnsafePointer<Int32>, count: Int, into target: UnsafeMutablePointer<Int32>
  ) {
    if gain == unity {
      target.update(from: source, count: 2 * count)
    } else if gain == 0 {
      target.update(repeating: 0, count: 2 * count)
    } else {
      for sample in 0..<2 &* count {
        target[sample] = Int32(truncatingIfNeeded: (Int64(source[sample]) &* gain &+ 1 << 29) &>> 30)
      }
    }
  }

  /// Loudness after `done` of `ramp.length` frames.
  static func at(_ done: Int, of ramp: Ramp) -> Int64 {
    done >= ramp.length ? ramp.to : ramp.from + (ramp.to - ramp.from) * Int64(done) / Int64(ramp.length)
  }

  static func apply(
    _ ramp: Ramp, _ source: UnsafePointer<Int32>, count: Int, into target: UnsafeMutablePointer<Int32>
  ) {
    for frame in 0..<count {
      let gain = at(ramp.done &+ frame &+ 1, of: ramp)
      target[2 &* frame] = Int32(truncatingIfNeeded: (Int64(source[2 &* frame]) &* gain &+ 1 << 29) &>> 30)
      target[2 &* frame &+ 1] = Int32(truncatingIfNeeded: (Int64(source[2 &* frame &+ 1]) &* gain &+ 1 << 29) &>> 30)
    }
  }
}

/// A straight way from one loudness to another; finished when `done` is `length`.
struct Ramp: Equatable {
  var from: Int64
  var to: Int64
  var length: Int
  var done = 0
  /// Only because somebody speaks, or has spoken.
  var givesWay = false

  init(at gain: Int64) {
    from = gain
    to = gain
    length = 1
    done = 1
  }

  var isFinished: Bool { done >= length }
  var gain: Int64 { Gain.at(done, of: self) }
  var left: Int { length - done }

  /// From where it is now.
  mutating func turn(to target: Int64, over frames: Int) {
    let now = gain
    self = Ramp(at: now)
    guard now != target else { return }
    to = target
    length = frames
    done = 0
  }
}
