import Runtime
import Testing

@testable import Rights

@Suite("The honest clock")
struct HonestClockTests {
  private static let day: Int64 = 86_400
  private static let year: Int64 = 365 * day
  private static let now: Int64 = 1_800_000_000

  private static func reading(
    _ system: Int64, up uptime: Int64, byNetwork: Bool = false, battery: Bool = false, boot: String = "second"
  ) -> HonestClock.Reading {
    .init(system: system, uptime: uptime, boot: boot, isSynchronised: byNetwork, hasBattery: battery)
  }

  /// What it says after a day on which a time server was there, and then another start.
  private static func after(_ reading: HonestClock.Reading) -> HonestClock.Time {
    var before = HonestClock()
    _ = before.read(Self.reading(now, up: 100, byNetwork: true, boot: "first"))
    return before.read(reading)
  }

  @Test("each of these starts after a known day gives this time, and says who witnesses it")
  func table() {
    let cases: [(String, HonestClock.Reading, Int64, HonestClock.Witness)] = [
      ("a time server", Self.reading(Self.now + 5 * Self.day, up: 60, byNetwork: true), 5 * Self.day, .network),
      ("a time server that went back", Self.reading(Self.now - Self.day, up: 60, byNetwork: true), 60, .power),
      ("a battery's clock", Self.reading(Self.now + 5 * Self.day, up: 60, battery: true), 5 * Self.day, .battery),
      ("a battery's clock, a tick behind", Self.reading(Self.now + 58, up: 60, battery: true), 60, .battery),
      ("a battery's clock, back a day", Self.reading(Self.now - Self.day, up: 60, battery: true), 60, .power),
      ("a battery's clock, on a year", Self.reading(Self.now + Self.year, up: 60, battery: true), 60, .power),
      (
        "a battery's clock after 40 days off", Self.reading(Self.now + 40 * Self.day, up: 60, battery: true),
        40 * Self.day, .battery
      ),
      ("no clock, 1970", Self.reading(60, up: 60), 60, .power),
      ("no clock, 2038", Self.reading(2_147_483_648, up: 60), 60, .power),
      ("a battery's clock of 2099", Self.reading(4_070_908_800, up: 60, battery: true), 60, .power),
      ("29 days on without a network", Self.reading(1_000, up: 29 * Self.day), 29 * Self.day, .power),
    ]
    for (what, reading, since, witness) in cases {
      let time = Self.after(reading)
      #expect(time == HonestClock.Time(now: Self.now + since, witness: witness), "\(what)")
    }
  }

  @Test("within one run time only goes on, by the power's own count, whatever the clock is set to")
  func within() {
    var clock = HonestClock()
    _ = clock.read(Self.reading(Self.now, up: 10, byNetwork: true))
    #expect(clock.read(Self.reading(Self.now - Self.year, up: 110)).now == Self.now + 100)
    #expect(clock.read(Self.reading(Self.now + Self.year, up: 210)).now == Self.now + 200)
    // A step of a time server counts.
    let stepped = clock.read(Self.reading(Self.now + 400, up: 310, byNetwork: true))
    #expect(stepped == HonestClock.Time(now: Self.now + 400, witness: .network))
    #expect(clock.read(Self.reading(0, up: 360)).now == Self.now + 450)
    // Another start, and another program that reads what was kept.
    #expect(clock.read(Self.reading(0, up: 5, boot: "third")).now == Self.now + 455)
    #expect(clock.read(Self.reading(0, up: 9, boot: "third")).now == Self.now + 459)
  }

  @Test("a time server leads no further back than was proven, and a wrong one is put right by the next")
  func servers() {
    var clock = HonestClock()
    _ = clock.read(Self.reading(Self.now, up: 10, byNetwork: true))
    // Twenty-nine days later one says that no time has passed.
    let later = 29 * Self.day
    let back = clock.read(Self.reading(Self.now + 60, up: 10 + later, byNetwork: true))
    #expect(back == HonestClock.Time(now: Self.now + later, witness: .power))
    // One says 2099, and the next what time it is.
    let on = clock.read(Self.reading(4_070_908_800, up: 20 + later, byNetwork: true))
    #expect(on == HonestClock.Time(now: 4_070_908_800, witness: .network))
    let right = clock.read(Self.reading(Self.now + later + 30, up: 30 + later, byNetwork: true))
    #expect(right == HonestClock.Time(now: Self.now + later + 30, witness: .network))
    // After a year in a drawer it is right, again and again.
    for hours in 0..<3 {
      let time = Self.now + later + Self.year + Int64(hours) * 3_600
      let drawer = clock.read(Self.reading(time, up: 100 + Int64(hours) * 3_600, byNetwork: true, boot: "third"))
      #expect(drawer == HonestClock.Time(now: time, witness: .network))
    }
  }

  @Test("a time server that lies gives back what a battery alone has counted, and no more")
  func lies() {
    var clock = HonestClock()
    _ = clock.read(Self.reading(Self.now, up: 10, byNetwork: true, boot: "first"))
    let month = Self.now + 30 * Self.day
    let counted = clock.read(Self.reading(month, up: 3_600, battery: true))
    #expect(counted == HonestClock.Time(now: month, witness: .battery))
    let lie = clock.read(Self.reading(Self.now + 3_610, up: 3_610, byNetwork: true))
    #expect(lie == HonestClock.Time(now: Self.now + 3_610, witness: .network))
    // Behind what has passed with power it is not believed.
    var other = HonestClock()
    _ = other.read(Self.reading(Self.now, up: 10, byNetwork: true))
    let early = other.read(Self.reading(Self.now + 60, up: 10 + Self.day, byNetwork: true))
    #expect(early == HonestClock.Time(now: Self.now + Self.day, witness: .power))
  }

  @Test("a time server that is a little further off each time leads nowhere while what a service has signed holds")
  func drifting() {
    for step in [Int64(-500), 500] {
      var clock = HonestClock()
      clock.learn(Self.now, at: Self.reading(0, up: 10))
      for turn in 1...100 as ClosedRange<Int64> {
        let said = Self.reading(Self.now + turn + turn * step, up: 10 + turn, byNetwork: true)
        #expect(abs(clock.read(said).now - Self.now - turn) <= 600, "turn \(turn)")
      }
    }
  }

  @Test("numbers that no clock has end at those that one could have")
  func bounds() {
    for system in [Int64.min, -1, .max] {
      for synchronised in [true, false] {
        var clock = HonestClock(floor: Self.now, proven: Self.now, boot: "", uptime: 0)
        let time = clock.read(Self.reading(system, up: .max / 2, byNetwork: synchronised, battery: true))
        #expect(HonestClock.possible.contains(time.now))
      }
    }
  }

  @Test("a clock that was set on, and back, costs nothing once a time server is there")
  func forwardAndBack() {
    var clock = HonestClock()
    _ = clock.read(Self.reading(Self.now, up: 10, byNetwork: true))
    #expect(clock.read(Self.reading(Self.now + 100 * Self.day, up: 20, battery: true)).witness == .battery)
    #expect(clock.floor == Self.now + 100 * Self.day)
    let back = clock.read(Self.reading(Self.now + 30, up: 40, byNetwork: true))
    #expect(back == HonestClock.Time(now: Self.now + 30, witness: .network) && clock.floor == Self.now + 30)
  }

  @Test("a new device believes what it has")
  func new() {
    var clock = HonestClock()
    #expect(clock.read(Self.reading(1_000, up: 5)) == HonestClock.Time(now: 1_000, witness: .power))
  }
}
