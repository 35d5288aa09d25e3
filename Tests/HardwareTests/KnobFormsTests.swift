import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Knobs of every form")
struct KnobFormsTests {
  static let forms = KnobEdges.allCases.flatMap { edges in
    KnobRest.allCases.prefix(edges.rawValue).map { KnobForm(edges: edges, rests: $0) }
  }
  static let two = KnobForm(edges: .two)
  static let one = KnobForm(edges: .one)

  @Test("so many detents turned are so many detents given, quickly or slowly, wherever it rests", arguments: forms)
  func detents(form: KnobForm) {
    for pace in [TurnedKnob.quick, TurnedKnob.slow] {
      for count in [1, 2, 7, -1, -3] {
        var knob = TurnedKnob(from: form.rests.rawValue)
        knob.turn(form.edges.rawValue * count)
        #expect(
          knob.steps(form, pace: pace).map(\.step) == Array(repeating: count.signum(), count: abs(count)),
          "\(count) at \(pace)")
      }
    }
  }

  @Test("a detent is given by its last edge, and where each edge is one, when it has lasted or the next one comes")
  func moments() {
    for edges in [KnobEdges.four, .two] {
      var knob = TurnedKnob()
      knob.turn(2 * edges.rawValue)
      var decoder = Quadrature(KnobForm(edges: edges))
      let steps = decoder.take(knob.edges)
      #expect(
        steps.enumerated().filter { $0.element == 1 }.map(\.offset) == [edges.rawValue - 1, 2 * edges.rawValue - 1])
      #expect(decoder.due == nil)
      #expect(decoder.latestStep == Moment(nanoseconds: 0) + TurnedKnob.quick * (2 * edges.rawValue - 1))
    }
    var knob = TurnedKnob()
    knob.turn(2)
    var decoder = Quadrature(Self.one)
    #expect(decoder.take(knob.edges) == [0, 1])
    #expect(decoder.latestStep == Moment(nanoseconds: 0), "it was turned when the first contact moved")
    let moved = Moment(nanoseconds: 0) + TurnedKnob.quick
    #expect(decoder.due == moved + .microseconds(1_500))
    #expect(decoder.settle(by: moved + .microseconds(1_499)) == 0)
    #expect(decoder.settle(by: moved + .microseconds(1_500)) == 1)
    #expect(decoder.latestStep == moved)
    #expect(decoder.due == nil)
  }

  @Test("after a rest of 20 ms a knob is turned back as quickly as it came, and that step counts")
  func backAfterRest() {
    let form = KnobForm(edges: .two, rests: .open)
    var decoder = Quadrature(form)
    let edges: [(Quadrature.Contact, Bool, Duration)] = [
      (.first, true, .zero), (.second, true, .microseconds(500)),
      (.second, false, .microseconds(20_500)), (.first, false, .microseconds(21_000)),
    ]
    let steps = edges.map { decoder.edge(of: $0.0, closed: $0.1, at: Moment(nanoseconds: 0) + .seconds(1) + $0.2) }
    #expect(steps == [0, 1, 0, -1])
  }

  @Test(
    "in every slow walk of ten edges, what was given is where the knob is, at each detent it comes to", arguments: forms
  )
  func everyWalk(form: KnobForm) {
    let edges = form.edges.rawValue
    for bits in 0..<UInt64(1 << 10) {
      var knob = TurnedKnob(from: form.rests.rawValue)
      for place in 0..<10 { knob.turn(bits >> UInt64(place) & 1 == 1 ? 1 : -1) }
      let steps = knob.steps(form, pace: TurnedKnob.slow)
      #expect(steps.allSatisfy { abs($0.step) == 1 }, "walk \(bits)")
      // Where each edge is a detent it is given with the next one, so its sum is one behind until it has lasted.
      let isLate = form.edges == .one
      var (sum, next) = (0, 0)
      for (index, edge) in knob.edges.enumerated() where !isLate || index == 9 {
        while next < steps.count, steps[next].edge <= index {
          sum += steps[next].step
          next += 1
        }
        if edge.position % edges == 0, edge.position != edges * sum { Issue.record("walk \(bits), edge \(index)") }
        if abs(edge.position - edges * sum) >= edges { Issue.record("walk \(bits), edge \(index)") }
      }
    }
  }

  @Test("a contact that goes to and fro within its bounce gives nothing at rest, and one detent when it is turned")
  func bouncing() {
    for form in Self.forms {
      for way in [1, -1] {
        var decoder = decoder(form)
        var now = Moment(nanoseconds: 1_000_000_000)
        // At rest: the next contact is touched, five times.
        var knob = TurnedKnob(from: form.rests.rawValue)
        for _ in 0..<5 { for turn in [way, -way] { knob.turn(turn) } }
        var sum = 0
        for edge in knob.edges {
          now = now + .microseconds(300)
          sum += decoder.edge(of: edge.contact, closed: edge.closed, at: now)
        }
        sum += decoder.settle(by: now + .seconds(1))
        #expect(sum == 0, "\(form)")
        // Turned: each contact comes to rest after five.
        now = now + .seconds(1)
        knob = TurnedKnob(from: form.rests.rawValue)
        for _ in 0..<form.edges.rawValue { for turn in [way, -way, way, -way, way] { knob.turn(turn) } }
        for (number, edge) in knob.edges.enumerated() {
          now = now + (number % 5 == 0 ? .milliseconds(4) : .microseconds(300))
          sum += decoder.edge(of: edge.contact, closed: edge.closed, at: now)
        }
        sum += decoder.settle(by: now + .seconds(1))
        #expect(sum == way, "\(form)")
      }
    }
  }

  private func decoder(_ form: KnobForm) -> Quadrature {
    let levels = TurnedKnob.levels(form.rests.rawValue)
    return Quadrature(form, first: levels.first, second: levels.second)
  }

  @Test("where each edge is a detent, one that lasts is a detent and its way back is one back; what is over is nothing")
  func everyEdge() {
    func steps(_ pauses: [Duration]) -> Int {
      var decoder = Quadrature(Self.one)
      var now = Moment(nanoseconds: 0)
      var sum = 0
      for (number, pause) in pauses.enumerated() {
        sum += abs(decoder.edge(of: .first, closed: number % 2 == 0, at: now))
        now = now + pause
        sum += abs(decoder.settle(by: now))
      }
      return sum
    }
    #expect(steps([.milliseconds(1), .milliseconds(1)]) == 0)
    #expect(steps([.milliseconds(2), .milliseconds(2)]) == 2)
    #expect(steps([.milliseconds(1), .milliseconds(1), .milliseconds(2)]) == 1)
    // Told again it has bounced, and lasts from then on.
    var decoder = Quadrature(Self.one)
    let start = Moment(nanoseconds: 0)
    #expect(decoder.edge(of: .first, closed: true, at: start) == 0)
    #expect(decoder.edge(of: .first, closed: true, at: start + .milliseconds(1)) == 0)
    #expect(decoder.settle(by: start + .milliseconds(2)) == 0 && decoder.settle(by: start + .milliseconds(3)) == 1)
  }

  @Test("turned one way, with two edges a detent, it takes the loss of three of ten edges to give a step the other way")
  func everyLossOfTwo() {
    for way in [1, -1] {
      for length in 1...10 {
        var knob = TurnedKnob()
        knob.turn(way * length)
        for seen in 0..<UInt64(1) << UInt64(length) {
          let steps = knob.steps(Self.two, seen: seen).map(\.step)
          #expect(steps.count <= length / 2)
          if steps.contains(-way) {
            #expect(length - seen.nonzeroBitCount >= 3, "\(length) edges, seen \(seen)")
          }
        }
      }
    }
  }

  @Test(
    "it takes the loss of three edges to give a step the other way; of one, where each is a detent and no levels are read"
  )
  func leastLoss() {
    let cases = [
      (Self.two, TurnedKnob.quick, 3), (Self.two, TurnedKnob.slow, 3), (Self.one, TurnedKnob.quick, 1),
      (Self.one, TurnedKnob.slow, 1),
    ]
    for (form, pace, expected) in cases {
      var knob = TurnedKnob()
      knob.turn(8)
      var least = Int.max
      for seen in 0..<UInt64(1 << 8) where knob.steps(form, seen: seen, pace: pace).contains(where: { $0.step < 0 }) {
        least = min(least, 8 - seen.nonzeroBitCount)
      }
      #expect(least == expected, "\(form) at \(pace)")
    }
  }

  @Test("two contacts' edges that come in the wrong order, because they were too near, give no step the other way")
  func wrongOrder() {
    for form in Self.forms where form.edges != .four {
      for swapped in 0..<7 {
        var decoder = decoder(form)
        var knob = TurnedKnob(from: form.rests.rawValue)
        knob.turn(8)
        var order = Array(0..<8)
        order.swapAt(swapped, swapped + 1)
        var steps: [Int] = []
        for (number, index) in order.enumerated() {
          // The second of the two came 40 microseconds behind the first.
          let late: Duration = number == swapped + 1 ? TurnedKnob.quick - .microseconds(40) : .zero
          let now = Moment(nanoseconds: 0) + TurnedKnob.quick * number - late
          steps.append(decoder.edge(of: knob.edges[index].contact, closed: knob.edges[index].closed, at: now))
        }
        steps.append(decoder.settle(by: Moment(nanoseconds: 1_000_000_000)))
        #expect(steps.allSatisfy { $0 >= 0 }, "\(form), swapped \(swapped): \(steps)")
      }
    }
  }

  @Test("read in a place that it never saw, it gives nothing until a detent, and then counts", arguments: forms)
  func readBetween(form: KnobForm) {
    for start in 0...3 {
      let edges = form.edges.rawValue
      var knob = TurnedKnob(from: form.rests.rawValue + start)
      knob.turn(8)
      let levels = TurnedKnob.levels(form.rests.rawValue + start)
      var decoder = Quadrature(form, first: !levels.first, second: !levels.second)
      decoder.see(first: levels.first, second: levels.second)
      let steps = decoder.take(knob.edges) + [decoder.settle(by: Moment(nanoseconds: 1_000_000_000))]
      #expect(steps.reduce(0, +) == (8 - (edges - start % edges) % edges) / edges)
      #expect(steps.allSatisfy { $0 >= 0 })
    }
  }

  @Test("after a loss that was told, nothing counts on the way to the next detent", arguments: forms)
  func told(form: KnobForm) {
    var decoder = decoder(form)
    var knob = TurnedKnob(from: form.rests.rawValue)
    knob.turn(12)
    let half = max(form.edges.rawValue / 2, 1)
    _ = decoder.take(knob.edges[..<half])
    decoder.lose()
    let rest = form.edges.rawValue - half
    var now = Moment(nanoseconds: 20_000_000)
    var steps: [Int] = []
    for edge in knob.edges[half...].prefix(rest) {
      steps.append(decoder.edge(of: edge.contact, closed: edge.closed, at: now))
      now = now + TurnedKnob.quick
    }
    #expect(steps.allSatisfy { $0 == 0 })
    _ = decoder.settle(by: now + .seconds(1))
    now = now + .seconds(1)
    for edge in knob.edges[(half + rest)...].prefix(form.edges.rawValue) {
      steps.append(decoder.edge(of: edge.contact, closed: edge.closed, at: now))
      now = now + TurnedKnob.quick
    }
    steps.append(decoder.settle(by: now + .seconds(1)))
    #expect(steps.reduce(0, +) == 1)
  }
}
