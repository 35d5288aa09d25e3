import Application
import Runtime
import Testing

@testable import Panel

@Suite("The way back after going elsewhere in a song")
struct PlaceBeforeTests {
  /// Where somebody goes, from where, and where the way back leads then.
  struct Step: Sendable {
    let goal: Int
    let now: Int
    var start: Int?
    let back: Int?
  }

  struct Way: Sendable, CustomTestStringConvertible {
    let what: String
    let steps: [Step]
    var testDescription: String { what }
  }

  static let ways: [Way] = [
    Way(
      what: "leads to where one was before the last jump, and from there here again",
      steps: [
        Step(goal: 600, now: 60, back: 60), Step(goal: 9_000, now: 705, back: 705),
        Step(goal: 705, now: 9_020, back: 9_020), Step(goal: 9_020, now: 740, back: 740),
      ]),
    Way(
      what: "whoever goes on before a minute has passed is still on the way, and comes back to where it began",
      steps: [
        Step(goal: 600, now: 60, back: 60), Step(goal: 900, now: 610, start: 610, back: 60),
        Step(goal: 930, now: 905, start: 610, back: 60), Step(goal: 1_000, now: 989, back: 60),
        Step(goal: 60, now: 1_005, back: 1_005), Step(goal: 1_005, now: 65, back: 65),
        Step(goal: 2_000, now: 1_064, back: 65), Step(goal: 3_000, now: 2_060, back: 2_060),
      ]),
    Way(
      what: "of what is turned through, to where that began, however many detents it was",
      steps: [
        Step(goal: 65, now: 60, start: 60, back: 60), Step(goal: 1_800, now: 66, start: 60, back: 60),
        Step(goal: 1_795, now: 1_801, start: 60, back: 60), Step(goal: 1_900, now: 1_860, start: 1_860, back: 1_860),
      ]),
    Way(
      what: "whoever gives up what they turned has the way back that there was",
      steps: [
        Step(goal: 600, now: 60, back: 60), Step(goal: 700, now: 670, start: 670, back: 670),
        Step(goal: 670, now: 702, start: 670, back: 60), Step(goal: 800, now: 671, start: 670, back: 670),
      ]),
    Way(
      what: "and none where there was none",
      steps: [Step(goal: 700, now: 610, start: 610, back: 610), Step(goal: 610, now: 702, start: 610, back: nil)]),
  ]

  @Test("leads back", arguments: ways)
  func leads(way: Way) {
    var before = PlaceBefore()
    #expect(before.place(in: 1) == nil && before.place(in: nil) == nil)
    for step in way.steps {
      before.go(
        to: .seconds(step.goal), from: .seconds(step.now), turnedFrom: step.start.map { .seconds($0) }, in: 1)
      #expect(before.place(in: 1) == step.back.map { .seconds($0) } && before.place(in: 2) == nil)
    }
    // Another song has its own.
    before.go(to: .seconds(5), from: .seconds(7), turnedFrom: nil, in: 2)
    #expect(before.place(in: 2) == .seconds(7) && before.place(in: 1) == nil)
  }
}
