import Runtime
import Testing

@testable import Rights

@Suite("The honest clock")
struct HonestClockTests {
  private static let day: Int64 = 86_400
  private static let year: Int64 = 365 * day
  private static let now: Int64 = 1_800_000_000

  private static func reading(
    _ system: Int64, up uptime: Int64, byNetwork: Bool = false, battery: Bool = false
  ) -> HonestClock.Reading {
    .init(system: system, uptime: uptime, isSynchronised: byNetwork, hasBattery: battery)
  }

  /// What it says after a day on which a time server was there, and then another start.
  private static func after(_ reading: HonestClock.Reading) -> HonestClock.Time {
    var before = HonestClock()
    _ = before.read(Self.reading(now, up: 100, byNetwork: true))
    var clock = HonestClock(floor: before.floor, sure: before.sure)
    return clock.read(reading)
  }

  @Test("each of these starts after a known day gives this time, and says who witnesses it")
  func table() {
    let cases: [(String, HonestClock.Reading, Int64, HonestClock.Witness)] = [
      ("a time server", Self.reading(Self.now + 5 * Self.day, up: 60, byNetwork: true), 5 * Self.day, .network),
      ("a time server that went back", Self.reading(Self.now - Self.day, up: 60, byNetwork: true), 60, .power),
      ("a battery's clock", Self.reading(Self.now + 5 * Self.day, up: 60, battery: true), 5 * Self.day, .battery),
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
    // An uptime that goes back is another start that nobody told.
    #expect(clock.read(Self.reading(0, up: 5)).now == Self.now + 450)
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
