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

  /// `count` frames of a crossfade of `length`, from `position` on. `into` may be one of the two.
  package static func mix(
    _ tail: UnsafePointer<Int32>, _ head: UnsafePointer<Int32>, into target: UnsafeMutablePointer<Int32>,
    position: Int, length: Int, count: Int
  ) {
    let angle = .pi / 2 / Double(max(length, 1))
    let turn = (cos: cos(angle), sin: sin(angle))
    var done = 0
    while done < count {
      let (start, place) = (2 * done, position + done)
      if place <= 0 || place >= length {
        let alone = place >= length ? count - done : min(count - done, 1 - place)
        (target + start).update(from: (place <= 0 ? tail : head) + start, count: 2 * alone)
        done += alone
        continue
      }
      let part = min(min(count - done, length - place), 512)
      mix(tail + start, head + start, into: target + start, count: part, gains(at: place, of: length), turn)
      done += part
    }
  }

  /// The angle is turned from frame to frame, over so few that rounding cannot add up.
  @_noLocks
  private static func mix(
    _ tail: UnsafePointer<Int32>, _ head: UnsafePointer<Int32>, into target: UnsafeMutablePointer<Int32>, count: Int,
    _ gains: (tail: Double, head: Double), _ turn: (cos: Double, sin: Double)
  ) {
    var (old, new) = gains
    for frame in 0..<count {
      let (left, right) = (2 &* frame, 2 &* frame &+ 1)
      target[left] = Samples.integer(Double(tail[left]) * old + Double(head[left]) * new)
      target[right] = Samples.integer(Double(tail[right]) * old + Double(head[right]) * new)
      (old, new) = (old * turn.cos - new * turn.sin, new * turn.cos + old * turn.sin)
    }
  }
}
