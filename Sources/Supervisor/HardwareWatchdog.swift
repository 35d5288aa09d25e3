internal import CLinux
import Glibc
import Runtime

/// The board's own watchdog: a counter in hardware that resets the whole board unless it is fed in time. It owns the
/// device, and opening it starts the counter.
///
/// Only `standDown` stops the counter, at a stop that somebody asked for. However else this ends, by a crash, a kill
/// or just by being let go of, the counter goes on: the next start of the program feeds it, or the board is reset.
/// Lives on the main loop.
@MainLoop
package final class HardwareWatchdog {
  /// What is asked of the driver; tests put their own answers in its place. Seconds, nil when it cannot.
  struct Driver {
    var setTimeout: (_ device: Int32, _ seconds: Int32) -> Int32?
    var timeout: (_ device: Int32) -> Int32?
  }

  /// So long after the last feeding the board is reset: what the driver chose, which may not be what was asked for.
  package let timeout: Duration
  private let device: FilePath
  private let descriptor: Descriptor
  private var isArmed = true
  private var hasFailed = false
  private let log = Log("watchdog")
  /// Told once when it can be fed no more.
  package var tell: @MainLoop (Fault) -> Void = { _ in }

  /// For a driver that does not say how long it waits: the shortest of common counters.
  private static let unknownTimeout: Duration = .seconds(3)

  package convenience init(opening device: FilePath, timeout: Duration) throws(Fault) {
    try self.init(
      taking: try Descriptor.open(device, O_WRONLY | O_NONBLOCK, code: "R-160"), named: device, timeout: timeout,
      driver: .kernel)
  }

  init(
    taking descriptor: consuming Descriptor, named device: FilePath, timeout asked: Duration, driver: Driver
  ) throws(Fault) {
    let seconds = Int32(clamping: max(1, asked.components.seconds))
    let set = driver.setTimeout(descriptor.number, seconds)
    let real = driver.timeout(descriptor.number) ?? set
    if let real, real > 0 {
      timeout = .seconds(Int(real))
    } else {
      timeout = min(.seconds(Int(seconds)), Self.unknownTimeout)
    }
    self.device = device
    self.descriptor = descriptor
    log.notice("armed", ["device": device, "asked_s": seconds, "timeout_s": timeout.components.seconds])
    // Opening it has started the counter with whatever was left of the last time.
    try send(Self.food)
  }

  private static let food: UInt8 = 0

  /// The counter starts again from its timeout. A device that takes no food is told of once; each time it is tried.
  package func feed() {
    guard isArmed else { return }
    do throws(Fault) {
      try send(Self.food)
      hasFailed = false
    } catch {
      if !hasFailed { tell(error) }
      hasFailed = true
      log.error("not fed", ["reason": error.message])
    }
  }

  /// Stops the counter; one that is built never to stop goes on, and then the next start must come within its timeout.
  package func standDown() {
    guard isArmed else { return }
    isArmed = false
    do throws(Fault) {
      try send(UInt8(ascii: "V"))
      log.notice("disarmed", ["device": device])
    } catch {
      log.error("not disarmed", ["reason": error.message])
    }
  }

  private func send(_ byte: UInt8) throws(Fault) {
    try descriptor.writeAll([byte], code: "R-161", doing: "feed the watchdog \(device)")
  }
}

extension HardwareWatchdog.Driver {
  nonisolated static var kernel: Self {
    Self(
      setTimeout: { device, seconds in
        var seconds = seconds
        return ioctl(device, UInt(layby_watchdog_set_timeout), &seconds) == 0 ? seconds : nil
      },
      timeout: { device in
        var seconds: Int32 = 0
        return ioctl(device, UInt(layby_watchdog_get_timeout), &seconds) == 0 ? seconds : nil
      })
  }
}
