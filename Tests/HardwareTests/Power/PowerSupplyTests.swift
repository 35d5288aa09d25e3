import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("What feeds this machine")
struct PowerSupplyTests {
  private func supply(_ files: [String: String]) -> PowerSupply? { PowerSupply(name: "x") { files[$0] } }

  @Test(
    "a battery's level is what its driver tells, in whatever form",
    arguments: [
      (["capacity": "71"], 71), (["capacity": "130"], 100), (["capacity": "-1"], 0),
      (["energy_now": "25000000", "energy_full": "50000000"], 50),
      (["charge_now": "900000", "charge_full": "1000000"], 90), (["charge_now": "900000"], nil),
      (["charge_now": "1", "charge_full": "0"], nil), (["capacity_level": "Low"], 15), (["capacity": "x"], nil),
      (["capacity": "99999999999999999999", "capacity_level": "High"], 80), ([:], nil),
      (["energy_now": "9999999999999999", "energy_full": "9999999999999999"], 100),
    ] as [([String: String], Int?)])
  func levels(files: [String: String], level: Int?) throws {
    let found = try #require(supply(files.merging(["type": "Battery"]) { own, _ in own }))
    guard case .battery(let read, _, _) = found.kind else {
      Issue.record("no battery")
      return
    }
    #expect(read == level)
  }

  @Test(
    "what feeds a mouse, is not there, or says nothing is none of this machine's",
    arguments: [
      ["type": "Battery", "scope": "Device", "capacity": "50"], ["type": "Battery", "present": "0"], ["type": "USB"],
      ["type": "BMS", "capacity": "50"], ["capacity": "50"], ["type": "Mains", "scope": "Device", "online": "1"], [:],
    ])
  func none(files: [String: String]) { #expect(supply(files) == nil) }

  private static func battery(
    _ level: Int?, _ status: PowerSupply.Status = .discharging, holds: Int64? = nil
  ) -> PowerSupply { PowerSupply(name: "b", kind: .battery(level: level, holds: holds, status)) }

  private static func line(_ isOnline: Bool) -> PowerSupply { PowerSupply(name: "l", kind: .line(isOnline: isOnline)) }

  @Test(
    "several supplies are one: any line is power from outside, batteries count by what they hold",
    arguments: [
      ([], false, nil, true), ([line(false)], false, nil, true), ([line(true)], false, nil, true),
      ([battery(40)], true, 40, false), ([battery(40, .charging)], true, 40, true),
      ([battery(100, .full)], true, 100, true), ([battery(80, .notCharging)], true, 80, true),
      ([battery(40, .unknown)], true, 40, false), ([battery(40), line(true)], true, 40, true),
      ([battery(40), line(false), line(true)], true, 40, true), ([battery(90, .full), line(false)], true, 90, false),
      ([battery(40, .charging), line(false)], true, 40, true), ([battery(20), battery(60)], true, 40, false),
      ([battery(20, holds: 3), battery(60, holds: 1)], true, 30, false),
      ([battery(20, holds: 3), battery(60)], true, 40, false), ([battery(nil), battery(60)], true, 60, false),
      ([battery(nil)], true, nil, false),
    ] as [([PowerSupply], Bool, Int?, Bool)])
  func together(supplies: [PowerSupply], hasBattery: Bool, level: Int?, isPlugged: Bool) {
    let reading = PowerReading(supplies)
    #expect(reading.hasBattery == hasBattery && reading.level == level && reading.isPlugged == isPlugged)
  }
}

@Suite("A battery's level without its wavering")
struct LevelFilterTests {
  /// What is told after each reading, a minute apart.
  private func told(_ readings: [Int?]) -> [Int?] {
    var filter = LevelFilter()
    return readings.enumerated().map { place, reading in
      filter.take(reading, at: Moment(nanoseconds: Int64(place) * 60_000_000_000))
      return filter.level
    }
  }

  @Test("the first reading counts; one that errs is passed over; a jump is believed when it is seen again")
  func jumps() {
    #expect(told([80, 80, 0, 80, 80]) == [80, 80, 80, 80, 80])
    #expect(told([80, 80, nil, 80, 80]) == [80, 80, 80, 80, 80])
    #expect(told([100, 9, 9]) == [100, 100, 9])
    #expect(told([50, nil, nil, nil]) == [50, 50, nil, nil])
    #expect(told([nil, nil, 60, 60, 60]) == [nil, nil, nil, 60, 60])
  }

  @Test("it sinks by one and by one, and turns round for three and not for two")
  func course() {
    #expect(told([22, 22, 21, 21, 20, 20, 21, 20, 21, 21, 20, 19, 19]).suffix(8) == [20, 20, 20, 20, 20, 20, 20, 19])
    #expect(told([20, 19, 19, 21, 21, 21]).last == 19)
    #expect(told([20, 19, 19, 22, 22, 22]).last == 22)
  }

  @Test("readings of one second are one, the last of them")
  func together() {
    var filter = LevelFilter()
    filter.take(80, at: Moment(nanoseconds: 0))
    for step in 0..<5 { filter.take(9, at: Moment(nanoseconds: 60_000_000_000 + Int64(step) * 1_000_000)) }
    #expect(filter.level == 80 && filter.isUnsettled)
    filter.take(9, at: Moment(nanoseconds: 62_000_000_000))
    #expect(filter.level == 9 && !filter.isUnsettled)
  }

  @Test("a battery that sinks, wavering by one and now and then read wrong, is told falling all the way")
  func walk() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var filter = LevelFilter()
      var (last, wrongAgo) = (100, 9)
      for step in 0..<1_000 {
        let real = 100 - step / 10
        var reading: Int? = min(max(real + Int.random(in: -1...1, using: &dice), 0), 100)
        wrongAgo += 1
        if step > 3, wrongAgo > 3, Int.random(in: 0..<20, using: &dice) == 0 {
          reading = Bool.random(using: &dice) ? nil : Int.random(in: 0...100, using: &dice)
          wrongAgo = 0
        }
        filter.take(reading, at: Moment(nanoseconds: Int64(step) * 60_000_000_000))
        guard let level = filter.level else {
          Issue.record("no level, seed \(seed), step \(step)")
          return
        }
        // Turning round waits for more than the wavering; a reading errs by one, and the middle one is of a step before.
        #expect(abs(level - real) <= LevelFilter.wavering + 2, "seed \(seed), step \(step): \(level) for \(real)")
        // Which way it goes is not known at first.
        if step > 30 { #expect(level <= last, "seed \(seed), step \(step): \(last) became \(level)") }
        last = level
      }
    }
  }
}
