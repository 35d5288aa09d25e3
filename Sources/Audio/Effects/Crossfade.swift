import Glibc

/// One track fades out while the next fades in, equally loud in sum all the way: the squares of both gains make 1, as
/// two sounds that know nothing of each other add up by their power.
package enum Crossfade {
  /// At `position` of `length` frames: the first is the old track alone, `length` would be the new one alone.
  package static func gains(at position: Int, of length: Int) -> (tail: Double, head: Double) {
    if position <= 0 { return (1, 0) }
    if position >= length { return (0, 1) }
    let angle = Double(position) / Double(length) * (.pi / 2)
    return (cos(angle), sin(angle))
  }

  /// `count` frames from `position` on: `tail` fades out, `frames` fade in, `relation` times as loud, and the sum takes
  /// their place. Sine and cosine of every frame: a crossfade is seconds of an evening.
  static func mix(
    _ tail: UnsafePointer<Int32>, into frames: UnsafeMutablePointer<SIMD2<Float>>, relation: Float, position: Int,
    length: Int, count: Int
  ) {
    for frame in 0..<count {
      let (old, new) = gains(at: position + frame, of: length)
      let ending = SIMD2(Float(tail[2 &* frame]), Float(tail[2 &* frame &+ 1])) * 0x1p-31
      frames[frame] = ending * Float(old) + frames[frame] * (Float(new) * relation)
    }
  }
}
