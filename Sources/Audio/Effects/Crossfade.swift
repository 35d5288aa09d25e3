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
      // The angle is turned from frame to frame, and looked up anew before rounding can add up.
      let part = min(count - done, 512)
      var (old, new) = gains(at: position + done, of: length)
      if old == 0 || new == 0 {
        let rest = new == 0 ? min(1, part) : part
        target.advanced(by: 2 * done).update(from: (old == 0 ? head : tail) + 2 * done, count: 2 * rest)
        done += rest
        continue
      }
      let end = min(done + part, max(length - position, done + 1))
      for frame in done..<end {
        let (left, right) = (2 &* frame, 2 &* frame &+ 1)
        let mixedLeft = Double(tail[left]) * old + Double(head[left]) * new
        let mixedRight = Double(tail[right]) * old + Double(head[right]) * new
        target[left] = Samples.integer(mixedLeft)
        target[right] = Samples.integer(mixedRight)
        let next = old * turn.cos - new * turn.sin
        new = new * turn.cos + old * turn.sin
        old = next
      }
      done = end
    }
  }
}
