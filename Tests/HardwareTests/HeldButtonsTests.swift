import Hardware
import Runtime
import Testing

@Suite("Buttons that are held while the program starts")
struct HeldButtonsTests {
  private let lines = MadeUpLines()

  private func held(_ buttons: [Button]) throws -> HeldButtons? {
    let wired: [(Button, LineName)] = [
      (.play, try #require(LineName("BTN_PLAY"))), (.next, try #require(LineName("BTN_NEXT"))),
    ]
    return HeldButtons(buttons, LinePlan(buttons: wired), lines)
  }

  private func press(_ name: String, _ isDown: Bool) {
    lines.edge(name, isDown, at: Moment(nanoseconds: 0), isLost: true)
  }

  @Test("count when all of them are down all the time, and not one alone")
  func together() throws {
    for name in ["BTN_PLAY", "BTN_NEXT"] {
      #expect(try held([.play, .next])?.areDown == false)
      press(name, true)
    }
    let both = try #require(try held([.play, .next]))
    var looks = 0
    #expect(both.stayDown(for: .seconds(10), looking: .milliseconds(50)) { _ in looks += 1 })
    #expect(looks == 200)
    looks = 0
    let isHeld = both.stayDown(for: .seconds(10), looking: .milliseconds(50)) { _ in
      looks += 1
      if looks == 120 { press("BTN_NEXT", false) }
    }
    #expect(!isHeld && looks == 120)
  }

  @Test("without a line for one of them nobody waits, and the lines are free again")
  func missing() throws {
    press("BTN_PLAY", true)
    #expect(try held([.play, .mute]) == nil)
    lines.change { $0.directory.chips = [] }
    #expect(try held([.play, .next]) == nil)
    lines.change { $0.directory.chips = [MadeUpLines.dash] }
    do { #expect(try held([.play, .next]) != nil) }
    #expect(lines.holders.isEmpty)
  }

  @Test(
    "two or three are named; one alone is pressed too easily",
    arguments: ["back", "back, back", "back mute", "a, b", ""])
  func refused(text: String) {
    #expect(Setting<[Button]>.eraseButtons.type.parse(text) == nil)
  }

  @Test("what is written is read again", arguments: [[], [.back, .mute], [.play, .next, .knob]] as [[Button]])
  func written(buttons: [Button]) {
    let type = Setting<[Button]>.eraseButtons.type
    #expect(type.parse(type.format(buttons)) == buttons)
  }
}
