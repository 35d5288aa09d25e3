import Hardware
import Runtime
import TestSupport
import Testing

/// Contacts that bounce: each time one closes or opens it goes to and fro before it rests.
struct BouncingKnob {
  /// When it goes to and fro after it first moved, in microseconds; an even number.
  typealias Trace = [Int]

  /// As oscilloscopes show worn contacts: one clean, one that lets go once more, a chatter that dies down, one that
  /// falls back late, and a spike.
  static let traces: [Trace] = [[], [110, 180], [40, 60, 95, 150, 240, 310], [20, 45, 260, 390], [5, 9]]

  /// Every trace as long as `longest`, at any places.
  static func trace(_ longest: Int, using generator: inout SeededGenerator) -> Trace {
    (0..<2 * Int.random(in: 0...4, using: &generator)).map { _ in Int.random(in: 0...longest, using: &generator) }
      .sorted()
  }

  /// What is given for `quarters`, one each `pace`, and what the contacts make of each.
  static func steps(
    _ form: KnobForm, quarters: Int, pace: Duration, trace: (Int) -> Trace
  ) -> [Int] {
    var knob = TurnedKnob(from: form.rests.rawValue)
    knob.turn(quarters)
    var edges: [(at: Moment, contact: Quadrature.Contact, closed: Bool)] = []
    for (number, edge) in knob.edges.enumerated() {
      let moment = Moment(nanoseconds: 1_000_000_000) + pace * number
      edges.append((moment, edge.contact, edge.closed))
      for (place, time) in trace(number).enumerated() {
        edges.append((moment + .microseconds(time), edge.contact, place % 2 == 0 ? !edge.closed : edge.closed))
      }
    }
    let ordered = edges.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    let levels = TurnedKnob.levels(form.rests.rawValue)
    var decoder = Quadrature(form, first: levels.first, second: levels.second)
    var steps: [Int] = []
    for edge in ordered {
      let step = decoder.edge(of: edge.contact, closed: edge.closed, at: edge.at)
      if step != 0 { steps.append(step) }
    }
    let last = decoder.settle(by: Moment(nanoseconds: 1 << 60))
    return last == 0 ? steps : steps + [last]
  }
}

@Suite("A knob whose contacts bounce")
struct BounceTests {
  static let forms = KnobFormsTests.forms

  @Test("gives each detent once, at 2 ms an edge, whatever bounces until shortly before the next", arguments: forms)
  func shorter(form: KnobForm) {
    for seed in UInt64(1)...20 {
      var generator = SeededGenerator(seed: seed)
      let way = seed % 2 == 0 ? 1 : -1
      let steps = BouncingKnob.steps(form, quarters: way * 400, pace: .milliseconds(2)) { _ in
        BouncingKnob.trace(1_500, using: &generator)
      }
      #expect(steps == Array(repeating: way, count: 400 / form.edges.rawValue), "seed \(seed)")
    }
  }

  @Test("gives each detent once, at half a millisecond an edge, as contacts bounce at best, with two edges or four")
  func quickest() {
    for form in Self.forms where form.edges != .one {
      for trace in BouncingKnob.traces where (trace.last ?? 0) <= 180 {
        let steps = BouncingKnob.steps(form, quarters: 400, pace: .microseconds(500)) { _ in trace }
        #expect(steps == Array(repeating: 1, count: 400 / form.edges.rawValue), "\(form), \(trace)")
      }
    }
  }

  @Test(
    "never gives one the other way, at half a millisecond an edge, whatever kind of contact it is", arguments: forms)
  func everyKind(form: KnobForm) {
    for seed in UInt64(1)...50 {
      var generator = SeededGenerator(seed: seed)
      let steps = BouncingKnob.steps(form, quarters: -400, pace: .microseconds(500)) { _ in
        BouncingKnob.traces[Int.random(in: 0..<BouncingKnob.traces.count, using: &generator)]
      }
      #expect(steps.allSatisfy { $0 == -1 } && steps.count <= 400 / form.edges.rawValue, "seed \(seed)")
    }
  }

  @Test("drops what is a blur when both contacts bounce over each other for longer than an edge takes")
  func overlapping() {
    for form in Self.forms {
      for seed in UInt64(1)...50 {
        var generator = SeededGenerator(seed: seed)
        let blurred = BouncingKnob.steps(form, quarters: 80, pace: .microseconds(500)) { number in
          // It begins cleanly, as every turn begins slowly.
          number < 4 ? [] : BouncingKnob.trace(900, using: &generator)
        }
        #expect(blurred.count <= 80 / form.edges.rawValue, "\(form), seed \(seed)")
        #expect(blurred.filter { $0 < 0 }.isEmpty, "\(form), seed \(seed): \(blurred)")
      }
    }
  }
}
