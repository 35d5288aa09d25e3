internal import CLinux
import Glibc

/// A point on the boot clock: it never jumps when the date is set and goes on while the board sleeps, so it is the
/// only clock that rules and timers see. Nanoseconds since the kernel started.
package struct Moment: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  package static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  package static func + (moment: Moment, duration: Duration) -> Moment {
    let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(duration.nanoseconds)
    return Moment(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }

  package static func - (moment: Moment, duration: Duration) -> Moment {
    let (difference, overflow) = moment.nanoseconds.subtractingReportingOverflow(duration.nanoseconds)
    return Moment(nanoseconds: overflow ? .min : difference)
  }

  package static func - (left: Moment, right: Moment) -> Duration {
    .nanoseconds(left.nanoseconds.subtractingReportingOverflow(right.nanoseconds).partialValue)
  }
}

extension Duration {
  /// Saturates at the ends of Int64: 292 years are for ever.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, beyond) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return beyond ? (seconds < 0 ? .min : .max) : sum
  }

  package var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
