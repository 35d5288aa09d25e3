import Panel
import Runtime
import Testing

@Suite("Day and night on the panel")
struct DaylightTests {
  private static let hours = DayHours(from: 7 * 60, to: 20 * 60)

  struct Case: Sendable {
    let colours: PanelColours
    var lights: Bool?
    var isBright: Bool?
    var minute: Int?
    let isDay: Bool
  }

  static let cases = [
    // What the owner chose comes first.
    Case(colours: .night, lights: false, isBright: true, minute: 720, isDay: false),
    Case(colours: .day, lights: true, isBright: false, minute: 0, isDay: true),
    // Then the car's lights, then the sensor, then the time.
    Case(colours: .auto, lights: true, isBright: true, minute: 720, isDay: false),
    Case(colours: .auto, lights: false, isBright: false, minute: 0, isDay: true),
    Case(colours: .auto, isBright: true, minute: 0, isDay: true),
    Case(colours: .auto, isBright: false, minute: 720, isDay: false),
    Case(colours: .auto, minute: 419, isDay: false), Case(colours: .auto, minute: 420, isDay: true),
    Case(colours: .auto, minute: 1_199, isDay: true), Case(colours: .auto, minute: 1_200, isDay: false),
    // Dark when nobody knows.
    Case(colours: .auto, isDay: false),
  ]

  @Test("the owner's choice, the headlights, the sensor, the time: the first that tells", arguments: cases)
  func order(one: Case) {
    var daylight = Daylight(one.colours, hours: Self.hours)
    (daylight.lights, daylight.isBright, daylight.minute) = (one.lights, one.isBright, one.minute)
    #expect(daylight.theme == (one.isDay ? .day : .night))
    #expect(daylight.goesByTime == (one.colours == .auto && one.lights == nil && one.isBright == nil))
  }

  @Test("hours may go over midnight")
  func overMidnight() {
    var daylight = Daylight(.auto, hours: DayHours(from: 22 * 60, to: 6 * 60))
    for (minute, isDay) in [(0, true), (359, true), (360, false), (1_319, false), (1_320, true)] {
      daylight.minute = minute
      #expect(daylight.theme == (isDay ? .day : .night), "\(minute)")
    }
    daylight.hours = nil
    #expect(daylight.theme == .night)
  }
}
