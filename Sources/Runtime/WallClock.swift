internal import CLinux

/// Who sets the system's clock.
package enum WallClock {
  /// A time server has set it, and holds it.
  package static var isHeld: Bool { layby_clock_is_held() == 1 }

  /// The kernel has set it at the start by a clock that went on while the board was off.
  package static var hasBattery: Bool {
    // Without such a clock there is none of this.
    let said = try? AtomicFile.read(FilePath("/sys/class/rtc/rtc0/hctosys"), limit: 16)
    return said?.first == UInt8(ascii: "1")
  }
}
