import Glibc
import Runtime

/// How much later the boot clock is than the clock by which the kernel stamps edges, which stands still while the
/// board sleeps.
///
/// The two cannot be read at once, and a thread that has to wait in between reads a shift that is too large. So one
/// is read before and after the other, the narrowest of some tries counts, and a shift that is known stays until it
/// has moved by more than the reading's own width: between two sleeps all edges get the same.
package struct SleepShift: Sendable {
  private var known: (shift: Duration, width: Duration)?

  private static let tries = 3

  package init() {}

  package mutating func now(
    monotonic: () -> Moment = Self.monotonic, boot: () -> Moment = { Moment.now }
  ) -> Duration {
    var best = Self.read(monotonic, boot)
    for _ in 1..<Self.tries {
      let other = Self.read(monotonic, boot)
      if other.width < best.width { best = other }
    }
    guard let known else {
      self.known = best
      return best.shift
    }
    let moved = best.shift > known.shift ? best.shift - known.shift : known.shift - best.shift
    // A far narrower reading is a better one of the same shift.
    if moved > (best.width + known.width) / 2 || best.width < known.width / 2 {
      self.known = best
      return best.shift
    }
    return known.shift
  }

  private static func read(_ monotonic: () -> Moment, _ boot: () -> Moment) -> (shift: Duration, width: Duration) {
    let before = monotonic()
    let middle = boot()
    let width = monotonic() - before
    return (middle - before - width / 2, width)
  }

  package static func monotonic() -> Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
