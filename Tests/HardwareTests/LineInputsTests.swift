import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Edges of lines as inputs")
struct LineInputsTests {
  /// Wires by their place: the knob's two, its switch, play.
  static let plan = LinePlan(
    encoder: [.named("ENC_A"), .named("ENC_B")], buttons: [(.knob, .named("ENC_SW")), (.play, .named("BTN_PLAY"))])

  private static let open: [Int: Bool] = [0: false, 1: false, 2: false, 3: false]

  private static func at(_ microseconds: Int) -> Moment { Moment(nanoseconds: Int64(microseconds) * 1_000) }

  private func begun(_ plan: LinePlan = plan, levels: [Int: Bool] = open, debounced: Bool = true) -> LineInputs {
    var inputs = LineInputs(plan)
    inputs.begin(levels, debounced: debounced)
    return inputs
  }

  /// Edges of a knob that is turned by quarters of a detent, one each `pace` microseconds.
  private func turning(_ quarters: Int, from start: Int, pace: Int = 1_000) -> [(wire: Int, edge: LineEdge)] {
    var knob = TurnedKnob()
    knob.turn(quarters)
    return knob.edges.enumerated().map { index, edge in
      (edge.contact == .first ? 0 : 1, LineEdge(offset: 0, rises: edge.closed, at: Self.at(start + index * pace)))
    }
  }

  private func press(_ wire: Int, _ rises: Bool, at: Int) -> (wire: Int, edge: LineEdge) {
    (wire, LineEdge(offset: 0, rises: rises, at: Self.at(at)))
  }

  @Test("each edge of the ignition is told at once with its moment, and how it stands when it is opened")
  func ignition() {
    let plan = LinePlan(ignition: .named("ACC"))
    var inputs = LineInputs(plan)
    inputs.begin([0: true], debounced: false, at: Self.at(5))
    #expect(inputs.due == Moment(nanoseconds: 0))
    #expect(inputs.settle(by: Self.at(6)) == [TimedInput(.ignition(true), at: Self.at(5))])
    #expect(inputs.due == nil)
    #expect(inputs.take([press(0, false, at: 10)]) == [TimedInput(.ignition(false), at: Self.at(10))])
    // The edge between two of a kind went missing.
    #expect(
      inputs.take([press(0, false, at: 20)])
        == [TimedInput(.ignition(true), at: Self.at(20)), TimedInput(.ignition(false), at: Self.at(20))])
    #expect(inputs.agrees(with: [0: false]) && !inputs.agrees(with: [0: true]))
    #expect(inputs.see([0: true], at: Self.at(30)) == [TimedInput(.ignition(true), at: Self.at(30))])
    // Gone it says nothing, and back it says how it stands.
    #expect(inputs.end([0], at: Self.at(35)) == [])
    #expect(inputs.take([press(0, false, at: 40)]) == [])
    inputs.begin([0: true], debounced: true, at: Self.at(50))
    #expect(inputs.settle(by: Self.at(50)) == [TimedInput(.ignition(true), at: Self.at(50))])
  }

  @Test("a thousand edges of the ignition in one go are its first and how it stood in the end")
  func ignitionStorm() {
    var inputs = LineInputs(LinePlan(ignition: .named("ACC")))
    inputs.begin([0: true], debounced: true, at: Self.at(0))
    _ = inputs.settle(by: Self.at(0))
    for count in [1_000, 1_001] {
      let edges = (1...count).map { press(0, $0 % 2 == 0, at: $0) }
      let told = inputs.take(edges)
      #expect(told.first == TimedInput(.ignition(false), at: Self.at(1)))
      #expect(told.last == TimedInput(.ignition(count % 2 == 0), at: Self.at(count)))
      #expect(told.count <= 3)
    }
  }

  @Test("edges count in the order of their time, however they were read")
  func order() {
    let edges =
      turning(8, from: 0) + [press(3, true, at: 20_000), press(3, false, at: 30_000)] + turning(-4, from: 40_000)
    let expected: [Input] = [.turn(2), .press(.play), .release(.play), .turn(-1)]
    var byLine = begun()
    #expect(byLine.take((0...3).flatMap { wire in edges.filter { $0.wire == wire } }).map(\.input) == expected)
    for seed in UInt64(1)...50 {
      var generator = SeededGenerator(seed: seed)
      var shuffled = begun()
      #expect(shuffled.take(edges.shuffled(using: &generator)).map(\.input) == expected, "seed \(seed)")
    }
  }

  @Test("however edges are cut into goes, as many detents and presses come of them")
  func goes() {
    for seed in UInt64(1)...100 {
      var generator = SeededGenerator(seed: seed)
      var edges: [(wire: Int, edge: LineEdge)] = []
      for round in 0..<10 {
        edges += turning(4 * Int.random(in: -5...5, using: &generator), from: round * 100_000)
        edges += [press(3, true, at: round * 100_000 + 50_000), press(3, false, at: round * 100_000 + 60_000)]
      }
      var whole = begun(debounced: false)
      let once = whole.take(edges).map(\.input) + whole.settle(by: Self.at(2_000_000)).map(\.input)
      var cut = begun(debounced: false)
      var inGoes: [Input] = []
      var rest = edges[...]
      while !rest.isEmpty {
        let count = min(Int.random(in: 1...9, using: &generator), rest.count)
        inGoes += cut.take(Array(rest.prefix(count))).map(\.input)
        rest = rest.dropFirst(count)
      }
      inGoes += cut.settle(by: Self.at(2_000_000)).map(\.input)
      #expect(sum(inGoes) == sum(once), "seed \(seed)")
      #expect(inGoes.filter { $0 == .press(.play) }.count == 10, "seed \(seed)")
    }
  }

  private func sum(_ inputs: [Input]) -> Int {
    inputs.reduce(0) { if case .turn(let count, _) = $1 { $0 + count } else { $0 } }
  }

  static let wirings: [(LineBias, Bool)] = [
    (.pullUp, true), (.pullUp, false), (.pullDown, false), (.pullDown, true), (.none, true), (.none, false),
  ]

  @Test("clockwise is clockwise, whatever level the resistors pull to and whatever active means", arguments: wirings)
  func wiring(bias: LineBias, activeLow: Bool) {
    let plan = LinePlan(encoder: [.named("A"), .named("B")], bias: bias, activeLow: activeLow)
    // An open contact leaves its line where the resistor pulls it; without one the board's own pulls it to inactive.
    let restsHigh = bias == .pullUp || bias == .none && activeLow
    let restsActive = restsHigh != activeLow
    var inputs = begun(plan, levels: [0: restsActive, 1: restsActive])
    let edges = turning(12, from: 0).map { wire, edge in
      (wire: wire, edge: LineEdge(offset: 0, rises: edge.rises != restsActive, at: edge.at))
    }
    #expect(inputs.take(edges).map(\.input) == [.turn(3)])
  }

  @Test("reversed it turns the other way round, and buttons stay what they are")
  func reversed() {
    let plan = LinePlan(
      encoder: [.named("A"), .named("B")], knob: KnobForm(isReversed: true), buttons: [(.knob, .named("S"))])
    var inputs = begun(plan, levels: [0: false, 1: false, 2: false])
    #expect(inputs.take(turning(4, from: 0) + [press(2, true, at: 9_000)]).map(\.input) == [.turn(-1), .press(.knob)])
  }

  @Test("the headlights' line is told as it stands, and changes only for good: a second, as the kernel or we count it")
  func headlights() {
    let plan = LinePlan(buttons: [(.play, .named("P"))], headlights: .named("LIGHTS"))
    #expect(plan.hasHands && !LinePlan(headlights: .named("LIGHTS")).hasHands)
    var inputs = begun(plan, levels: [0: false, 1: true], debounced: false)
    #expect(inputs.settle(by: Self.at(2_000_000)).map(\.input) == [.headlights(true)])
    // Flashed for half a second.
    #expect(inputs.take([press(1, false, at: 3_000_000), press(1, true, at: 3_500_000)]).map(\.input) == [])
    #expect(inputs.settle(by: Self.at(9_000_000)).map(\.input) == [])
    #expect(inputs.take([press(1, false, at: 10_000_000)]).map(\.input) == [])
    #expect(inputs.settle(by: Self.at(10_999_000)).map(\.input) == [])
    #expect(inputs.settle(by: Self.at(11_000_000)).map(\.input) == [.headlights(false)])
    // What the kernel has stilled counts as it comes.
    var stilled = begun(plan, levels: [0: false, 1: false])
    #expect(stilled.settle(by: Self.at(0)).map(\.input) == [.headlights(false)])
    #expect(stilled.take([press(1, true, at: 1_000)]).map(\.input) == [.headlights(true)])
  }

  @Test("the line of another sound is told as it stands when it is opened, and whenever it changes for good")
  func otherSound() {
    let plan = LinePlan(encoder: [], otherSound: .named("CALL"))
    var inputs = begun(plan, levels: [0: false])
    #expect(inputs.settle(by: Self.at(0)).map(\.input) == [.otherSound(false)])
    #expect(inputs.take([press(0, true, at: 1_000)]).map(\.input) == [.otherSound(true)])
    #expect(inputs.take([press(0, false, at: 9_000)]).map(\.input) == [.otherSound(false)])
    // A line that bounces, where the kernel does not still it, and one that is active already when it comes back.
    var bouncing = begun(plan, levels: [0: true], debounced: false)
    #expect(bouncing.settle(by: Self.at(100_000)).map(\.input) == [.otherSound(true)])
    #expect(bouncing.take([press(0, false, at: 200_000), press(0, true, at: 201_000)]).map(\.input) == [])
    #expect(bouncing.settle(by: Self.at(300_000)).map(\.input) == [])
  }

  @Test("a button held down from the start was not pressed; its release and next press count")
  func held() {
    var inputs = begun(levels: [0: false, 1: false, 2: false, 3: true])
    #expect(inputs.settle(by: Self.at(100_000)).map(\.input) == [])
    #expect(inputs.take([press(3, false, at: 200_000)]).map(\.input) == [.release(.play)])
    #expect(inputs.take([press(3, true, at: 300_000)]).map(\.input) == [.press(.play)])
  }

  @Test("without the kernel's help a press counts once it has lasted, and stands in order with the turns")
  func debounced() {
    var inputs = begun(debounced: false)
    let bounces = [press(3, true, at: 0), press(3, false, at: 500), press(3, true, at: 1_000)]
    #expect(inputs.take(bounces + turning(4, from: 2_000)).map(\.input) == [.turn(1)])
    #expect(inputs.due == Self.at(6_000))
    #expect(inputs.settle(by: Self.at(5_999)).map(\.input) == [])
    #expect(inputs.settle(by: Self.at(6_000)).map(\.input) == [.press(.play)])
    #expect(inputs.due == nil)
    // Read late, it is the same: the press counts before the turn that came when it had lasted.
    var late = begun(debounced: false)
    #expect(late.take(bounces + turning(4, from: 7_000)).map(\.input) == [.press(.play), .turn(1)])
  }

  @Test("a gap in the numbers asks for a look, and drops the step it is in")
  func numbers() {
    var inputs = begun()
    var edges = turning(8, from: 0)
    for index in edges.indices { edges[index].edge.number = UInt32(index / 2 + 1) }
    // Two edges of each line are lost: without numbers this would look like another walk.
    let seen = [edges[0], edges[1], edges[6], edges[7]]
    #expect(inputs.take(seen).map(\.input) == [])
    #expect(inputs.mustLook)
    #expect(inputs.see(Self.open, at: Self.at(50_000)).map(\.input) == [])
    #expect(!inputs.mustLook)
    #expect(inputs.take(turning(4, from: 60_000)).map(\.input) == [.turn(1)])
  }

  @Test("numbers without a gap ask for nothing, over the end of their range too")
  func noGap() {
    var inputs = begun()
    #expect(
      inputs.take([numbered(3, true, 1), numbered(3, false, 2)]).map(\.input) == [.press(.play), .release(.play)])
    #expect(!inputs.mustLook)
    #expect(inputs.take([numbered(3, true, 4)]).map(\.input) == [.press(.play)])
    #expect(inputs.mustLook)
    _ = inputs.see([3: true], at: Self.at(0))
    _ = inputs.take([numbered(3, false, .max)])
    _ = inputs.see([3: false], at: Self.at(0))
    #expect(
      inputs.take([numbered(3, true, 0), numbered(3, false, 1)]).map(\.input) == [.press(.play), .release(.play)])
  }

  private func numbered(_ wire: Int, _ rises: Bool, _ number: UInt32) -> (wire: Int, edge: LineEdge) {
    (wire, LineEdge(offset: 0, rises: rises, at: Self.at(0), number: number))
  }

  @Test("levels that differ from what the edges said count as the edge that was missed")
  func missed() {
    var inputs = begun()
    #expect(inputs.agrees(with: Self.open))
    #expect(!inputs.agrees(with: [3: true]))
    #expect(inputs.see([0: false, 1: false, 2: false, 3: true], at: Self.at(1_000)).map(\.input) == [.press(.play)])
    #expect(inputs.agrees(with: [3: true]))
    // The edge that was on its way after all is no second press.
    #expect(inputs.take([press(3, true, at: 900)]).map(\.input) == [])
    #expect(inputs.settle(by: Self.at(100_000)).map(\.input) == [])
  }

  @Test("after a queue that ran over nobody knows the way: the levels are asked for, and the next detent is no step")
  func ranOver() {
    var inputs = begun()
    let edges = turning(8, from: 0)
    #expect(inputs.take(Array(edges[..<2]), isWhole: false).map(\.input) == [])
    #expect(inputs.mustLook)
    #expect(inputs.take(Array(edges[2..<4])).map(\.input) == [])
    #expect(inputs.take(Array(edges[4...])).map(\.input) == [.turn(1)])
  }

  @Test("wires that are gone say nothing, and come back as they then are")
  func gone() {
    var inputs = begun(debounced: false)
    #expect(inputs.take([press(3, true, at: 0)]).map(\.input) == [])
    #expect(inputs.end([0, 1, 2, 3], at: Self.at(1_000)) == [], "it had not lasted")
    #expect(inputs.due == nil)
    #expect(inputs.take(turning(4, from: 10_000) + [press(3, false, at: 20_000)]).map(\.input) == [])
    inputs.begin(Self.open, debounced: false)
    #expect(inputs.take(turning(4, from: 30_000)).map(\.input) == [.turn(1)])
  }

  @Test("a button that is down when its line goes is released, once, behind what was turned; others are not")
  func goneWhileHeld() {
    var inputs = begun()
    #expect(inputs.take([press(3, true, at: 0)]).map(\.input) == [.press(.play)])
    #expect(inputs.end([3], at: Self.at(2_000)) == [TimedInput(.release(.play), at: Self.at(2_000))])
    #expect(inputs.end([0, 1, 2, 3], at: Self.at(3_000)) == [])
    // Another sound is over then, and nobody knows of the lights any more: both would stay for ever.
    var sounding = begun(LinePlan(otherSound: .named("CALL")), levels: [0: true])
    #expect(sounding.settle(by: Self.at(0)).map(\.input) == [.otherSound(true)])
    #expect(sounding.end([0], at: Self.at(1_000)) == [TimedInput(.otherSound(false), at: Self.at(1_000))])
    #expect(sounding.end([0], at: Self.at(2_000)) == [])
    var silent = begun(LinePlan(otherSound: .named("CALL")), levels: [0: false])
    #expect(silent.settle(by: Self.at(0)).map(\.input) == [.otherSound(false)] && silent.end([0], at: Self.at(1)) == [])
    for isOn in [true, false] {
      var lit = begun(LinePlan(headlights: .named("LIGHTS")), levels: [0: isOn])
      #expect(lit.settle(by: Self.at(2_000_000)).map(\.input) == [.headlights(isOn)])
      #expect(lit.end([0], at: Self.at(3_000_000)).map(\.input) == [.headlights(nil)])
    }
  }

  @Test("each input has the moment of its edge, debounce counted, however late it is read")
  func moments() {
    var inputs = begun(debounced: false)
    let edges = turning(4, from: 1_000) + [press(3, true, at: 10_000)] + turning(-4, from: 40_000)
    let expected = [
      TimedInput(.turn(1), at: Self.at(4_000)), TimedInput(.press(.play), at: Self.at(15_000)),
      TimedInput(.turn(-1), at: Self.at(43_000)),
    ]
    let given = inputs.take(edges) + inputs.settle(by: Self.at(900_000))
    #expect(given == expected)
  }
}
