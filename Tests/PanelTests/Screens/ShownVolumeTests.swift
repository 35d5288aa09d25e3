import Runtime
import Testing

@testable import Panel

@Suite("The volume on the panel")
struct ShownVolumeTests {
  private func at(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000) }

  @Test("what it is at a start is no change; a turn shows it for two seconds, each turn anew")
  func turned() {
    var volume = ShownVolume()
    // What it was turned to, when, and whether it is shown then.
    let steps: [(volume: Int, at: Int64, isShown: Bool)] = [
      (40, 0, false), (40, 500, false), (42, 1_000, true), (44, 2_500, true), (44, 4_499, true), (44, 4_500, false),
      (0, 9_000, true),
    ]
    for step in steps {
      let isShown = volume.isShown(step.volume, at: at(step.at))
      #expect(isShown == step.isShown, "at \(step.at)")
      #expect((volume.end(after: at(step.at)) != nil) == step.isShown)
    }
    #expect(volume.end(after: at(9_000)) == at(11_000))
  }

  @Test("the time of day is written with two digits of minutes, and says how long it holds")
  func time() {
    #expect(TimeOfDay(minute: 0, second: 0).text == "0:00" && TimeOfDay(minute: 845, second: 30).text == "14:05")
    #expect(TimeOfDay(minute: 1, second: 59).untilNextMinute == .seconds(1))
    #expect(TimeOfDay(minute: 1, second: 0).untilNextMinute == .seconds(60))
  }
}
