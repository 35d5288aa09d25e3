import Runtime

/// What can be set of the hardware watchdog.
package enum SupervisorSettings {
  package static let settings: [SettingEntry] = [
    SettingEntry(.watchdogDevice),
    SettingEntry(.watchdogTimeout),
  ]
}

extension Setting<FilePath?> {
  package static var watchdogDevice: Self {
    Setting(
      .board, "watchdog", "device", .device("/dev/watchdog0"), nil,
      "The hardware watchdog that resets the board when the program hangs.")
  }
}

extension Setting<Duration> {
  package static var watchdogTimeout: Self {
    Setting(
      .board, "watchdog", "timeout", .duration(.seconds(2)...(.seconds(120))), .seconds(15),
      "How long after the program's last sign of life the watchdog resets the board.", example: "30s")
  }
}
