import Hardware
import Runtime
import Testing

@Suite("What a battery that runs out means for the board")
struct BatteryGuardTests {
  /// Levels as they come, one every ten seconds: on battery, `+` with the charger, `-` says nothing.
  struct Course: Sendable, CustomTestStringConvertible {
    let name: String
    var rules = BatteryGuard.Rules()
    let levels: String
    let expected: [String]

    var testDescription: String { name }
  }

  static let courses: [Course] = [
    Course(name: "enough", levels: "80 20 10 6 6 6", expected: []),
    Course(name: "low: nothing is written, but saved", levels: "6 5 4 3", expected: ["holdWrites 1", "save 1"]),
    Course(
      name: "it wavers, and goes on only when it is clearly above", levels: "5 6 8 5 8 9",
      expected: ["holdWrites 0", "save 0", "writeAgain 5"]),
    Course(
      name: "a charger undoes it at once", levels: "5 5+ 5+ 4",
      expected: ["holdWrites 0", "save 0", "writeAgain 1", "holdWrites 3", "save 3"]),
    Course(
      name: "empty for half a minute", levels: "4 2 2 1 1 1",
      expected: ["holdWrites 0", "save 0", "warn 1", "save 4", "powerOff 4"]),
    Course(
      name: "empty for a moment, by a gauge that errs", levels: "60 0 60 60 60 60",
      expected: ["holdWrites 1", "save 1", "warn 1", "writeAgain 2", "calledOff 2"]),
    Course(
      name: "plugged in at the last moment", levels: "2 2 2+ 2+ 2+ 2+ 2+",
      expected: ["holdWrites 0", "save 0", "warn 0", "writeAgain 2", "calledOff 2"]),
    Course(
      name: "it falls silent, and a battery that says nothing is not empty", levels: "2 2 - - - - -",
      expected: ["holdWrites 0", "save 0", "warn 0", "writeAgain 2", "calledOff 2"]),
    Course(name: "it never says anything", levels: "- - - - - -", expected: []),
    Course(name: "empty on the charger", levels: "0+ 0+ 0+ 0+ 0+", expected: []),
    Course(
      name: "never, as the owner wants it", rules: .init(writeUntil: 0, offBelow: 0), levels: "5 0 0 0 0 0",
      expected: []),
    Course(
      name: "the owner's own levels", rules: .init(writeUntil: 30, offBelow: 10), levels: "31 30 10 10 10 10",
      expected: ["holdWrites 1", "save 1", "warn 2", "save 5", "powerOff 5"]),
  ]

  @Test("levels lead to what they should, in order", arguments: courses)
  func lives(course: Course) {
    var battery = BatteryGuard(course.rules)
    var said: [String] = []
    for (step, word) in course.levels.split(separator: " ").enumerated() {
      let now = Moment(nanoseconds: Int64(step) * 10_000_000_000)
      said += battery.settle(by: now).map { "\($0.rawValue) \(step)" }
      let level = Int(word.filter(\.isNumber))
      let state = PowerState(hasBattery: true, level: level, isPlugged: word.hasSuffix("+"))
      said += battery.hear(state, at: now).map { "\($0.rawValue) \(step)" }
    }
    #expect(said == course.expected)
  }

  @Test("a board without a battery has no such levels")
  func mains() {
    var battery = BatteryGuard()
    #expect(battery.hear(PowerState(), at: Moment(nanoseconds: 0)) == [] && battery.due == nil)
    #expect(battery.hear(PowerState(hasBattery: false, level: 1, isPlugged: false), at: Moment(nanoseconds: 0)) == [])
  }

  @Test("a board that was not switched off tries again later")
  func stayed() {
    var battery = BatteryGuard()
    let empty = PowerState(hasBattery: true, level: 1, isPlugged: false)
    _ = battery.hear(empty, at: Moment(nanoseconds: 0))
    let due = Moment(nanoseconds: 0) + BatteryGuard.lasts
    #expect(battery.settle(by: due) == [.save, .powerOff] && battery.due == nil)
    battery.stayed(at: due)
    #expect(battery.due == due + Ignition.triesAgainAfter)
    #expect(battery.settle(by: due + Ignition.triesAgainAfter) == [.save, .powerOff])
  }
}
