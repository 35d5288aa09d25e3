import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("A weak power supply, and a hot board")
struct BoardAlarmsTests {
  private static func reading(_ isUndervolted: Bool?, _ degrees: Int? = nil) -> BoardAlarms.Reading {
    .init(isUndervolted: isUndervolted, degrees: degrees)
  }

  @Test("a voltage that sags again and again is one alarm, over a minute after the last time; each time is counted")
  func sagging() {
    var alarms = BoardAlarms()
    let start = Moment(nanoseconds: 0)
    #expect(alarms.hear(Self.reading(false), at: start) == [] && alarms.undervoltages == 0)
    #expect(alarms.hear(Self.reading(true), at: start) == [.undervoltage(true)])
    for second in stride(from: 2, to: 40, by: 4) {
      #expect(alarms.hear(Self.reading(false), at: start + .seconds(second)) == [])
      #expect(alarms.hear(Self.reading(true), at: start + .seconds(second + 2)) == [])
    }
    #expect(alarms.undervoltages == 11)
    #expect(alarms.hear(Self.reading(false), at: start + .seconds(99)) == [] && alarms.isUndervolted)
    #expect(alarms.hear(Self.reading(false), at: start + .seconds(100)) == [.undervoltage(false)])
    #expect(!alarms.isUndervolted && alarms.undervoltages == 11)
  }

  @Test("a sensor that is silent for a moment is no end of a low voltage")
  func silent() {
    var alarms = BoardAlarms()
    for isLow in [true, nil, true, nil] {
      _ = alarms.hear(Self.reading(isLow), at: Moment(nanoseconds: 0))
      #expect(alarms.undervoltages == 1)
    }
  }

  @Test("where nobody measures there is no alarm and no count")
  func unmeasured() {
    var alarms = BoardAlarms()
    #expect(
      alarms.hear(Self.reading(nil), at: Moment(nanoseconds: 0)) == [] && alarms.undervoltages == nil && !alarms.isHot)
  }

  @Test("it is hot from 80 degrees until it has cooled to 72; a sensor that is silent for a moment changes nothing")
  func heat() {
    var alarms = BoardAlarms()
    let steps: [(Int?, [BoardAlarms.Change])] = [
      (79, []), (80, [.heat(true)]), (95, []), (nil, []), (73, []), (72, [.heat(false)]), (79, []), (nil, []),
    ]
    for (degrees, expected) in steps {
      #expect(alarms.hear(Self.reading(nil, degrees), at: Moment(nanoseconds: 0)) == expected, "\(degrees ?? -1)")
    }
  }

  @Test(
    "the kernel's file is read of the one driver that has it",
    arguments: [
      ("rpi_volt", "1\n", true), ("rpi_volt", "0\n", false), ("rpi_volt", "", nil), ("rpi_volt", "yes\n", nil),
      ("nct6775", "1\n", nil),
    ] as [(String, String, Bool?)])
  func file(name: String, alarm: String, expected: Bool?) throws {
    let folder = TempFolder()
    for (sensor, driver) in [("hwmon0", "cpu_thermal"), ("hwmon1", name)] {
      try Folder.make(folder.path / sensor)
      try AtomicFile.replace(folder.path / sensor / "name", with: Array("\(driver)\n".utf8))
    }
    try AtomicFile.replace(folder.path / "hwmon1/in0_lcrit_alarm", with: Array(alarm.utf8))
    #expect(UndervoltageAlarm(folder.path).isOn() == expected)
    #expect(UndervoltageAlarm(folder.path / "none").isOn() == nil)
  }

  @Test("each is told while it lasts: at an event, and when it was read by time")
  func told() async throws {
    let (volts, zones) = (TempFolder(), TempFolder())
    @Sendable func write(_ path: FilePath, _ text: String) throws {
      try AtomicFile.replace(path, with: Array("\(text)\n".utf8))
    }
    try Folder.make(volts.path / "hwmon0")
    try Folder.make(zones.path / "thermal_zone0")
    try write(volts.path / "hwmon0/name", "rpi_volt")
    try write(volts.path / "hwmon0/in0_lcrit_alarm", "0")
    try write(zones.path / "thermal_zone0/type", "cpu-thermal")
    try write(zones.path / "thermal_zone0/temp", "50000")
    let bell = try Bell()
    var surroundings = BoardAlarmsPart.Surroundings()
    surroundings.undervoltage = UndervoltageAlarm(volts.path)
    surroundings.heat = HeatSensors(zones.path)
    surroundings.news = { () throws(Fault) in RungNews(bell) }
    let given = surroundings
    let notices = NoticeBoard()
    @Sendable func standing() async -> [String] { await onMainLoop { notices.active.map(\.notice.code) } }
    try await TestMainLoop.alone {
      let part = await onMainLoop { BoardAlarmsPart(notices, in: given, by: .onLoop(MainLoop.loop)) }
      let running = await onMainLoop { await RunningPart(part) }
      #expect(await standing() == [])
      try write(volts.path / "hwmon0/in0_lcrit_alarm", "1")
      bell.ring()
      await MainLoop.loop.advance(by: .milliseconds(1))
      #expect(await standing() == ["H-614"])
      try write(volts.path / "hwmon0/in0_lcrit_alarm", "0")
      try write(zones.path / "thermal_zone0/temp", "81000")
      await MainLoop.loop.advance(by: BoardAlarmsPart.readsAfter)
      // A minute without a low voltage has gone by.
      #expect(await standing() == ["H-615"])
      #expect(await onMainLoop { notices.active.last?.notice.message.contains("81 °C") } == true)
      try write(zones.path / "thermal_zone0/temp", "60000")
      await MainLoop.loop.advance(by: BoardAlarmsPart.readsAfter)
      #expect(await standing() == [])
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }
}
