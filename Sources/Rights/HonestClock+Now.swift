import Glibc
import Runtime

extension HonestClock.Reading {
  /// What this machine's clocks say.
  package static var now: Self {
    var span = timespec()
    clock_gettime(CLOCK_BOOTTIME, &span)
    let clock = WallClock.now
    return Self(
      system: clock.seconds, uptime: Int64(span.tv_sec), boot: WallClock.boot, isSynchronised: clock.isHeld,
      hasBattery: WallClock.hasBattery)
  }
}
