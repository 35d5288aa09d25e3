import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite(
    "A board whose power supply is too weak, or that is too hot", .serialized,
    .enabled(if: SmallDisk.isPossible, "no folder of the kernel's can be replaced here"))
  struct BoardAlarmTests {
    /// Stands before the program, which then sees these sensors, and nothing else in the kernel's folder of devices.
    private static func pretend(_ alarm: String, thousandths: Int, in home: Home) throws -> [String] {
      let devices = home.folder / "devices"
      let (sensor, zone) = (devices / "hwmon/hwmon0", devices / "thermal/thermal_zone0")
      for path in [devices, sensor.folder, sensor, zone.folder, zone] { try Folder.make(path) }
      try home.write("rpi_volt\n", to: sensor / "name")
      try home.write(alarm + "\n", to: sensor / "in0_lcrit_alarm")
      try home.write("cpu-thermal\n", to: zone / "type")
      try home.write("\(thousandths)\n", to: zone / "temp")
      let mounts = "mount --bind '\(devices)' /sys/class && exec \"$@\""
      return ["unshare", "--map-root-user", "--mount", "sh", "-c", mounts, "sh"]
    }

    @Test("tells both on the panel, in its language, and plays on; the socket tells figures")
    func told() async throws {
      let home = try Home(owner: "[panel]\nlanguage = de\n")
      let music = try await home.flac("music")
      let player = try await RunningPlayer(
        playing: [music], in: home, through: try Self.pretend("1", thousandths: 81_500, in: home))
      try await player.tells("H-614", "The power supply is too weak")
      try await player.tells("H-615", "too hot (81 °C)")
      let alarms = try await player.ask("status")["power"]?["alarms"]
      #expect(alarms == ["undervoltage": true, "undervoltages": 1, "degrees": 81, "hot": true])
      try await player.until("the panel says it") {
        try await player.panelWords().contains("Das Gerät ist zu heiß")
      }
      try await player.plays(music)
      try await player.stop()
    }

    @Test("says nothing where all is well")
    func well() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home, through: try Self.pretend("0", thousandths: 55_000, in: home))
      try await player.until("the sensors were read") {
        try await player.ask("status")["power"]?["alarms"]
          == ["undervoltage": false, "undervoltages": 0, "degrees": 55, "hot": false]
      }
      #expect(!player.said.contains("H-614") && !player.said.contains("H-615"))
      try await player.stop()
    }
  }
}
