internal import CLinux

/// What the system's clock says, and who sets it.
package enum WallClock {
  /// In seconds, and whether a time server has set the clock and holds it: both of one moment.
  package static var now: (seconds: Int64, isHeld: Bool) {
    var seconds: Int64 = 0
    let isHeld = layby_clock(&seconds) == 1
    return (seconds, isHeld)
  }

  /// The kernel has set it at the start by a clock that went on while the board was off.
  package static let hasBattery: Bool = {
    // Without such a clock there is none of this.
    let said = try? AtomicFile.read(FilePath("/sys/class/rtc/rtc0/hctosys"), limit: 16)
    return said?.first == UInt8(ascii: "1")
  }()

  /// Another one after each start of the board; empty where the kernel does not say it.
  package static let boot: String = {
    // In a container without it every start is another one.
    let said = try? AtomicFile.read(FilePath("/proc/sys/kernel/random/boot_id"), limit: 64)
    return String(decoding: (said ?? []).filter { $0 > 0x20 }, as: UTF8.self)
  }()
}
