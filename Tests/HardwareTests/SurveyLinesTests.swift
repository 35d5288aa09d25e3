import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Survey of the board's lines")
struct SurveyLinesTests {
  private static let plan = LinePlan(
    encoder: [.named("ENC_A"), .named("ENC_B")], buttons: [(.play, .named("BTN_PLAY"))])

  private func finding(
    _ chips: [LineDirectory.Chip], plan: LinePlan = plan, closed: Bool = false
  ) throws -> Finding {
    let machine = MadeUpMachine.goodBoard()
    if closed { machine.setMode("dev/gpiochip0", 0o600) }
    let survey = machine.survey(plan: plan, lines: LineDirectory(chips: chips))
    return try #require(survey["knob and buttons"])
  }

  private func dash(_ change: (inout LineDirectory.Chip) -> Void = { _ in }) -> [LineDirectory.Chip] {
    var chip = MadeUpLines.dash
    change(&chip)
    return [chip]
  }

  @Test("a board without lines of its own is told nothing of them")
  func none() { #expect(MadeUpMachine.goodBoard().survey()["knob and buttons"] == nil) }

  @Test("lines that are there and free, or held by the player itself, work")
  func works() throws {
    let free = try finding(dash())
    #expect(free.verdict == .works)
    #expect(free.advice == nil)
    #expect(free.seen == "lines ENC_A, ENC_B, BTN_PLAY")
    #expect(try finding(dash { $0.lines[0].holder = "layby" }).verdict == .works)
  }

  @Test("a line of no such name is told with those there are; the others can be used")
  func missing() throws {
    let found = try finding(dash { $0.lines[3].name = "BTN_PLAX" })
    #expect(found.verdict == .limited)
    #expect(found.seen.contains("BTN_PLAY") && found.seen.contains("BTN_PLAX"))
    #expect(found.seen.contains("ENC_A, ENC_B can be used"))
    #expect(found.advice?.contains("gpioinfo") == true)
  }

  @Test("a line that another has is told with its name")
  func taken() throws {
    let found = try finding(dash { $0.lines[1].holder = "spi0 CS1" })
    #expect(found.verdict == .limited)
    #expect(found.seen.contains("the line ENC_B of the knob is taken by \"spi0 CS1\""))
    #expect(found.advice?.contains("another line") == true)
    #expect(try finding(dash { $0.lines[1].holder = "" }).seen.contains("taken by the kernel"))
  }

  @Test("without the chip nothing works, and one thing is said")
  func noChip() throws {
    let found = try finding([])
    #expect(found.verdict == .missing)
    #expect(found.seen.components(of: "no GPIO chip") == 1)
    let other = LinePlan(buttons: [(.play, .at(chip: "gpiochip7", offset: 0))])
    #expect(try finding(dash(), plan: other).seen.contains("there is no GPIO chip gpiochip7"))
  }

  @Test("a chip that this user may not open is forbidden, and the way in is told")
  func forbidden() throws {
    let fault = Fault(.denied, "H-201", "the GPIO chip /dev/gpiochip0 may not be used")
    let found = try finding(
      dash {
        $0.lines = []
        $0.fault = fault
      }, closed: true)
    #expect(found.verdict == .forbidden)
    #expect(found.seen == fault.message)
    #expect(found.advice?.contains("/dev/gpiochip0") == true)
    #expect(!found.stopsTheMusic)
  }
}

extension String {
  /// How often `part` stands in it.
  fileprivate func components(of part: String) -> Int {
    indices.filter { self[$0...].hasPrefix(part) }.count
  }
}
