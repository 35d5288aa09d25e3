import Glibc
import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Knobs and buttons that are wired wrongly or broken", .serialized)
struct BadWiringTests {
  private func knob(_ form: KnobForm) -> Quadrature {
    let levels = TurnedKnob.levels(form.rests.rawValue)
    return Quadrature(form, first: levels.first, second: levels.second)
  }

  /// All that is given when the edges come that `hears` lets through.
  private func steps(_ form: KnobForm, clicks: Int, hears: (TurningHand.Edge) -> [TurningHand.Edge]) -> [Int] {
    var decoder = knob(form)
    var steps: [Int] = []
    for edge in TurningHand(form: form).edges(clicks: clicks).flatMap(hears) {
      if let due = decoder.due, due < edge.at { steps.append(decoder.settle(by: due)) }
      steps.append(decoder.edge(of: edge.contact, closed: edge.closed, at: edge.at))
    }
    steps.append(decoder.settle(by: Moment(nanoseconds: 1 << 60)))
    return steps.filter { $0 != 0 }
  }

  @Test(
    "an encoder with a missing phase gives nothing, or to and fro where each edge is a detent: never further than one",
    arguments: KnobFormsTests.forms)
  func missingPhase(form: KnobForm) {
    for contact in [Quadrature.Contact.first, .second] {
      let given = steps(form, clicks: 20) { $0.contact == contact ? [] : [$0] }
      if form.edges != .one { #expect(given == []) }
      var place = 0
      for step in given {
        place += step
        #expect(abs(place) <= 1)
      }
    }
  }

  @Test("an encoder whose lines touch gives nothing", arguments: KnobFormsTests.forms)
  func touching(form: KnobForm) {
    let given = steps(form, clicks: 20) { edge in
      let other: Quadrature.Contact = edge.contact == .first ? .second : .first
      return [edge, TurningHand.Edge(at: edge.at + .microseconds(10), contact: other, closed: edge.closed)]
    }
    #expect(given == [])
  }

  @Test("an encoder whose lines are swapped turns the other way, by as many detents", arguments: KnobFormsTests.forms)
  func swapped(form: KnobForm) {
    let swapped = KnobForm(
      edges: form.edges, rests: form.rests == .first ? .second : form.rests == .second ? .first : form.rests)
    var decoder = knob(swapped)
    var sum = 0
    for edge in TurningHand(form: form).edges(clicks: 7) {
      let other: Quadrature.Contact = edge.contact == .first ? .second : .first
      if let due = decoder.due, due < edge.at { sum += decoder.settle(by: due) }
      sum += decoder.edge(of: other, closed: edge.closed, at: edge.at)
    }
    sum += decoder.settle(by: Moment(nanoseconds: 1 << 60))
    #expect(sum == -7)
  }

  @Test(
    "a knob's line that floats turns nothing; where each edge is a detent and it floats slowly, to and fro by one",
    arguments: KnobFormsTests.forms)
  func floating(form: KnobForm) {
    for period in [Duration.microseconds(20), .microseconds(700), .milliseconds(4)] {
      var decoder = knob(form)
      let levels = TurnedKnob.levels(form.rests.rawValue)
      let isSlow = form.edges == .one && period > .milliseconds(1)
      var place = 0
      for number in 0..<2_000 {
        let closed = (number % 2 == 0) != levels.second
        place += decoder.edge(of: .second, closed: closed, at: TurningHand.start + period * number)
        #expect(isSlow ? abs(place) <= 1 : place == 0, "\(period)")
      }
    }
  }

  @Test("a button's line that floats is pressed once at most, when it comes to rest")
  func floatingButton() async {
    let dash = Dash(lines: MadeUpLines())
    let result = await dash.run { dash, _ in
      for number in 0..<200 {
        dash.button("BTN_PLAY", number % 2 == 0)
        await dash.wait(.milliseconds(2))
      }
      #expect(await onMainLoop { dash.received.inputs } == [])
      dash.button("BTN_PLAY", true)
      await dash.wait(.milliseconds(20))
    }
    #expect(result.inputs == [.press(.play)])
  }

  @Test("a button that is stuck down is pressed once, and everything else goes on")
  func stuck() async {
    let dash = Dash(lines: MadeUpLines())
    let result = await dash.run { dash, _ in
      dash.button("BTN_PLAY", true)
      await dash.wait(.seconds(3_600))
      dash.turn(4)
      dash.button("BTN_NEXT", true)
      await dash.wait(.milliseconds(20))
    }
    #expect(result.inputs == [.press(.play), .turn(1), .press(.next)])
  }

  @Test("a chip that is unplugged in the middle of a detent: what was turned before counts, and nothing else")
  func unpluggedWhileTurned() async {
    for form in KnobFormsTests.forms where form.rests == .open {
      var dash = Dash(lines: MadeUpLines())
      dash.plan = LinePlan(encoder: [.named("ENC_A"), .named("ENC_B")], knob: form)
      _ = (dash.folder.path / "gpiochip0").withCString { mkdir($0, 0o700) }
      let edges = form.edges.rawValue
      let result = await dash.run { dash, _ in
        await dash.turn(edges * 2, each: .milliseconds(6))
        await dash.turn(edges / 2, each: .milliseconds(1))
        dash.lines.change { $0.directory.chips = [] }
        _ = (dash.folder.path / "gpiochip0").withCString { rmdir($0) }
        await dash.wait(.seconds(1))
        // Turned on while nobody listens, and back with the chip.
        await dash.turn(edges - edges / 2, each: .milliseconds(6))
        let levels = TurnedKnob.levels(3 * edges)
        dash.lines.change { state in
          (state.coming, state.active, state.directory.chips) = ([:], [], [MadeUpLines.dash])
          if levels.first { state.active.insert(LineDirectory.Location(chip: MadeUpLines.chip, offset: 0)) }
          if levels.second { state.active.insert(LineDirectory.Location(chip: MadeUpLines.chip, offset: 1)) }
        }
        await dash.wait(LinesPart.longestPause)
        await dash.turn(edges, each: .milliseconds(6))
        await dash.wait(.seconds(1))
      }
      #expect(result.inputs == [.turn(1), .turn(1), .turn(1)], "\(form)")
      #expect(result.codes == ["H-210", "H-202"])
    }
  }

  @Test("a line's name that two chips have keeps its button closed and says so; the others work")
  func nameTwice() async {
    let dash = Dash(
      lines: MadeUpLines(chips: [
        MadeUpLines.dash,
        LineDirectory.Chip(path: FilePath("/dev/gpiochip1"), name: "gpiochip1", lines: [.init(name: "BTN_PLAY")]),
      ]))
    let result = await dash.run { dash, _ in
      dash.turn(4)
      dash.button("BTN_NEXT", true)
      await dash.wait(.milliseconds(20))
    }
    #expect(result.inputs == [.turn(1), .press(.next)])
    #expect(result.codes == ["H-216"])
  }
}
