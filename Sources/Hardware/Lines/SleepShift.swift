import Glibc
import Runtime

/// How far CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC, with which the kernel stamps edges, and which stops while the board
/// sleeps.
///
/// The two clocks cannot be read at the same moment, and if the thread is interrupted in between, the difference is too
/// large. So one is read before and after the other, and the try with the least time between counts. A known value is kept
/// until it changes by more than the error of a reading, so all edges between two sleeps get the same shift.
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
    if moved + moved > best.width + known.width || best.width + best.width < known.width {
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
