import Glibc
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Hardware

@Suite("The light around")
struct AmbientLightTests {
  private static func at(_ seconds: Int) -> Moment { Moment(nanoseconds: Int64(seconds) * 1_000_000_000) }

  /// What is known after readings, five seconds apart.
  private func after(_ readings: [Double?], every seconds: Int = 5) -> [Bool?] {
    var light = AmbientLight()
    return readings.enumerated().map { index, lux in
      light.read(lux, at: Self.at(index * seconds))
      return light.isBright
    }
  }

  @Test(
    "the first reading counts at once", arguments: [(0, false), (39, false), (119, false), (120, true), (90_000, true)])
  func first(lux: Int, isBright: Bool) { #expect(after([Double(lux)]) == [isBright]) }

  @Test("it is night after ten seconds of dark, and day after thirty of light")
  func lasting() {
    #expect(after([500, 10, 10, 10]) == [true, true, true, false])
    #expect(
      after([1] + Array(repeating: 500, count: 8)) == [false, false, false, false, false, false, false, true, true])
  }

  @Test("street lamps, bridges and a hand over the sensor change nothing")
  func flicker() {
    let lamps = (0..<60).map { $0 % 3 == 0 ? 300.0 : 3 }
    #expect(after(lamps.map { $0 == 300 ? 2 : 300 }.prefix(1) + lamps).allSatisfy { $0 == false })
    let bridges = (0..<60).map { $0 % 6 == 3 ? 5.0 : 20_000 }
    #expect(after(bridges).allSatisfy { $0 == true })
  }

  @Test("between both bounds it stays as it was, from either side")
  func between() {
    #expect(after([500] + Array(repeating: 60, count: 40)).last == true)
    #expect(after([5] + Array(repeating: 100, count: 40)).last == false)
  }

  @Test("a sensor that is silent is believed for a minute, and what was before a long pause is forgotten")
  func silent() {
    #expect(after([500, nil, nil, 5, nil, 5, 5]) == [true, true, true, true, true, false, false])
    var light = AmbientLight()
    light.read(500, at: Self.at(0))
    light.read(nil, at: Self.at(60))
    #expect(light.isBright == true)
    light.read(nil, at: Self.at(61))
    #expect(light.isBright == nil)
    light.read(500, at: Self.at(70))
    light.read(1, at: Self.at(400))
    #expect(light.isBright == false, "the first after a pause counts at once")
  }

  @Test(
    "whatever it reads, it never changes sooner than it may, and always to what it reads",
    arguments: 1...60 as ClosedRange<UInt64>)
  func walk(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var light = AmbientLight()
    var now = 0
    var changedAt = 0
    for step in 0..<500 {
      now += Int.random(in: 1...9, using: &generator)
      let lux = Double.random(in: 0...250, using: &generator)
      let before = light.isBright
      light.read(step % 17 == 3 ? nil : lux, at: Self.at(now))
      guard let before, let after = light.isBright, after != before else { continue }
      #expect(after ? lux >= AmbientLight.brightFrom : lux < AmbientLight.darkBelow, "seed \(seed)")
      #expect(now - changedAt >= (after ? 30 : 10), "seed \(seed)")
      changedAt = now
    }
  }
}

@Suite("The headlights' line")
struct HeadlightsLineTests {
  @Test("the kernel is asked to keep a flash of the lights to itself, and a button's bouncing as ever")
  func debounce() {
    let plan = LinePlan(buttons: [(.play, .named("P"))], headlights: .named("LIGHTS"))
    #expect(plan.debounce(of: 0) == .milliseconds(5) && plan.debounce(of: 1) == .seconds(1))
  }
}

@Suite("A sensor of the light around")
struct LightSensorTests {
  private let folder = TempFolder()

  private func add(_ device: String, _ files: [String: String]) throws {
    try Folder.make(folder.path / device)
    for (name, text) in files { try AtomicFile.replace(folder.path / device / name, with: Array("\(text)\n".utf8)) }
  }

  private func lux(_ name: String? = nil) throws -> Double? { try LightSensor(named: name, in: folder.path).lux() }

  @Test(
    "lux is what the driver made of it, or its count with offset and scale; nonsense is no light",
    arguments: [
      (["in_illuminance_input": "312"], 312), (["in_illuminance_input": "0.5"], 0.5),
      (["in_illuminance_raw": "100", "in_illuminance_scale": "0.25"], 25),
      (["in_illuminance_raw": "100", "in_illuminance_offset": "-20", "in_illuminance_scale": "2"], 160),
      (["in_illuminance0_raw": "7"], 7), (["in_illuminance0_input": "8"], 8),
      (["in_illuminance_input": "9", "in_illuminance_raw": "100"], 9),
      (["in_illuminance_input": "nan"], nil), (["in_illuminance_input": "-3"], nil),
      (["in_illuminance_input": "99999999999"], nil), (["in_illuminance_input": "inf"], nil),
      (["in_illuminance_raw": "0x10"], nil),
    ] as [([String: String], Double?)])
  func reads(files: [String: String], expected: Double?) throws {
    try add("iio:device0", files)
    #expect(try lux() == expected)
  }

  @Test("the first that measures light is taken, or the one that is named by its chip or its folder")
  func names() throws {
    try add("iio:device0", ["name": "bmp280", "in_pressure_input": "100"])
    try add("iio:device1", ["name": "bh1750", "in_illuminance_raw": "11"])
    try add("iio:device2", ["name": "tsl2561", "in_illuminance_input": "22"])
    #expect(try lux() == 11)
    #expect(try lux("tsl2561") == 22 && lux("iio:device2") == 22)
    let fault = try faultOf { _ = try lux("bmp280") }
    #expect(fault.code == "H-630" && fault.message.contains("bh1750, tsl2561"))
  }

  @Test("one that is there and does not answer is no missing one")
  func silent() throws {
    // What cannot be read as a file is as good as a chip that does not answer.
    try Folder.make(folder.path / "iio:device0")
    try Folder.make(folder.path / "iio:device0" / "in_illuminance_raw")
    try AtomicFile.replace(folder.path / "iio:device0" / "name", with: Array("bh1750\n".utf8))
    #expect(try lux() == nil && lux("bh1750") == nil)
  }

  @Test("a board that has none says so")
  func none() throws {
    #expect(try faultOf { _ = try lux() }.code == "H-631")
    #expect(try faultOf { _ = try LightSensor(in: folder.path / "nowhere").lux() }.code == "H-631")
  }

  @Test(
    "numbers are plain",
    arguments: [("1", 1), ("1.25", 1.25), ("-2", -2), ("1e9", nil), ("", nil), (" 1", nil)] as [(String, Double?)])
  func numbers(text: String, number: Double?) { #expect(LightSensor.number(text) == number) }
}

@Suite("Looking at the light around", .serialized)
struct AmbientPartTests {
  @MainLoop
  private final class Watcher {
    let folder = TempFolder()
    var isWanted = true
    var told: [Bool?] = []
    var faults: [String] = []
    private(set) lazy var part = AmbientPart(
      LightSensor(in: folder.path), mayBeMissing: true, by: .onLoop(MainLoop.loop), isWanted: { self.isWanted },
      changed: { self.told.append($0) }, tell: { self.faults.append($0.code) })

    nonisolated init() {}

    func shine(_ lux: Int) {
      try? Folder.make(folder.path / "iio:device0")
      try? AtomicFile.replace(folder.path / "iio:device0" / "in_illuminance_input", with: Array("\(lux)\n".utf8))
    }

    var file: FilePath { folder.path / "iio:device0" / "in_illuminance_input" }

    /// The chip is there and does not answer, until it shines again.
    func fallSilent() {
      _ = file.withCString { unlink($0) }
      try? Folder.make(file)
    }

    func answer(_ lux: Int) {
      _ = file.withCString { rmdir($0) }
      shine(lux)
    }

    func pullOut() {
      _ = file.withCString { unlink($0) }
      _ = (folder.path / "iio:device0").withCString { rmdir($0) }
    }

    func pass(_ seconds: Int) async { for _ in 0..<seconds { await MainLoop.loop.advance(by: .seconds(1)) } }
  }

  private func watch(_ body: @escaping @MainLoop @Sendable (Watcher) async -> Void) async {
    await aloneOnMainLoop {
      let watcher = Watcher()
      let life = MainLoop.start { try? await watcher.part.run() }
      await body(watcher)
      life.cancel()
      await watcher.pass(10)
    }
  }

  @Test("day and night are told when they change, and not before")
  func tells() async {
    await watch { watcher in
      watcher.shine(500)
      await watcher.pass(60)
      watcher.shine(3)
      await watcher.pass(7)
      #expect(watcher.told == [true])
      await watcher.pass(20)
      #expect(watcher.told == [true, false] && watcher.faults.isEmpty)
    }
  }

  @Test("while nobody wants to know it sleeps, and looks at once when it is woken")
  func sleeps() async {
    await watch { watcher in
      watcher.isWanted = false
      watcher.shine(500)
      await watcher.pass(100)
      #expect(watcher.told.isEmpty)
      watcher.part.wake()
      await watcher.pass(1)
      #expect(watcher.told.isEmpty, "still nobody")
      watcher.isWanted = true
      watcher.part.wake()
      await watcher.pass(1)
      #expect(watcher.told == [true])
    }
  }

  @Test("one that fails once is read on, and the night that comes meanwhile is seen")
  func silent() async {
    await watch { watcher in
      watcher.shine(500)
      await watcher.pass(12)
      watcher.fallSilent()
      await watcher.pass(11)
      #expect(watcher.told == [true])
      watcher.answer(3)
      await watcher.pass(20)
      #expect(watcher.told == [true, false] && watcher.faults.isEmpty)
      // And one that stays silent is believed no longer than a minute.
      watcher.fallSilent()
      await watcher.pass(80)
      #expect(watcher.told == [true, false, nil] && watcher.faults.isEmpty)
      // It is told once, and when it has answered again and fallen silent anew.
      await watcher.pass(600)
      #expect(watcher.faults == ["H-632"])
      watcher.answer(3)
      await watcher.pass(80)
      #expect(watcher.told == [true, false, nil, false])
      watcher.fallSilent()
      await watcher.pass(300)
      #expect(watcher.faults == ["H-632", "H-632"])
    }
  }

  @Test("one that is pulled out tells nothing any more, and that is told")
  func pulledOut() async {
    await watch { watcher in
      watcher.shine(500)
      await watcher.pass(12)
      watcher.pullOut()
      await watcher.pass(6)
      #expect(watcher.told == [true, nil])
      watcher.shine(1)
      await watcher.pass(6)
      #expect(watcher.told == [true, nil, false], "it is looked for soon")
    }
  }

  @Test("a driver that comes a little after us is found without anybody's help", arguments: [1, 5, 20, 40])
  func late(seconds: Int) async {
    await watch { watcher in
      await watcher.pass(seconds)
      watcher.shine(500)
      await watcher.pass(seconds + 3)
      #expect(watcher.told == [true] && watcher.faults.isEmpty)
    }
  }

  @Test("one that is not there is no news where none was named, and is looked for again when somebody comes much later")
  func missing() async {
    await watch { watcher in
      await watcher.pass(70)
      watcher.shine(500)
      watcher.part.wake()
      await watcher.pass(20)
      #expect(watcher.told.isEmpty && watcher.faults.isEmpty)
      await watcher.pass(600)
      #expect(watcher.told.isEmpty)
      watcher.part.wake()
      await watcher.pass(1)
      #expect(watcher.told == [true])
    }
  }
}
