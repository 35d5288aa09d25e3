import Hardware
import Runtime
import Synchronization
import TestSupport
import Testing

@Suite("A knob that is turned quickly to and fro, beside a plain full-step decoder", .serialized)
struct KnobTraceTests {
  /// What came of the trace, and what the plain decoder makes of it.
  private func expectNoWorse(_ trace: KnobTrace, _ steps: [(at: Duration, step: Int)], _ how: String) {
    let (score, peers) = (trace.score(steps), trace.peers)
    let what: Comment = "\(trace.kind), \(trace.form), \(how): \(score) of \(trace.detents), the plain one \(peers)"
    #expect(score.wrong == 0, what)
    #expect(score.invented == 0, what)
    #expect(score.lost <= peers.lost, what)
    #expect(score.lost == 0 || !trace.kind.isWhole, what)
  }

  @Test(
    "no step is the other way, and no more are lost: none at any reversal, half turn or bounce",
    arguments: KnobTrace.Kind.allCases, KnobFormsTests.forms)
  func decoder(kind: KnobTrace.Kind, form: KnobForm) {
    // Where each edge is a detent, what is lost is told by the levels that the part reads.
    guard form.edges != .one || !kind.losesEdges else { return }
    for seed in UInt64(1)...2 {
      let trace = KnobTrace(kind, of: form, detents: 2_000, seed: seed)
      let levels = TurnedKnob.levels(form.rests.rawValue)
      var knob = Quadrature(form, first: levels.first, second: levels.second)
      var steps: [(at: Duration, step: Int)] = []
      func note(_ step: Int) { if step != 0 { steps.append((knob.latestStep - Self.start, step)) } }
      for edge in trace.edges where !edge.isLost {
        let moment = Self.start + edge.at
        while let due = knob.due, due < moment { note(knob.settle(by: due)) }
        note(knob.edge(of: edge.contact, closed: edge.closed, at: moment))
      }
      note(knob.settle(by: Moment(nanoseconds: 1 << 62)))
      expectNoWorse(trace, steps, "seed \(seed)")
    }
  }

  private static let start = Moment(nanoseconds: 1_000_000_000)

  /// One of each, the part between the kernel's lines and whoever hears of turns.
  private static let boards = KnobTrace.Kind.allCases.flatMap { kind in
    KnobEdges.allCases.flatMap { edges in [false, true].map { (kind, KnobForm(edges: edges), $0) } }
  }

  @Test("the same of what is delivered from a board's lines, with either version of the library", arguments: boards)
  func board(kind: KnobTrace.Kind, form: KnobForm, counts: Bool) async {
    let trace = KnobTrace(kind, of: form, detents: 150, seed: 7)
    var dash = Dash(lines: MadeUpLines(countsAndDebounces: counts))
    dash.plan = LinePlan(encoder: [.named("ENC_A"), .named("ENC_B")], knob: form)
    let begun = Mutex(Self.start)
    let result = await dash.run { dash, _ in
      let start = dash.now
      begun.withLock { $0 = start }
      var numbers = (first: UInt32(0), second: UInt32(0))
      for edge in trace.edges {
        await dash.wait(start + edge.at - dash.now)
        let isFirst = edge.contact == .first
        if isFirst { numbers.first += 1 } else { numbers.second += 1 }
        dash.lines.edge(
          isFirst ? "ENC_A" : "ENC_B", edge.closed, at: dash.now,
          number: counts ? (isFirst ? numbers.first : numbers.second) : 0, isLost: edge.isLost)
        if !edge.isLost { dash.lines.ring() }
      }
      await dash.wait(.seconds(1))
    }
    let start = begun.withLock { $0 }
    let moments = await onMainLoop { dash.received.moments }
    let steps = zip(moments, result.inputs).map { moment, input in
      let step = if case .turn(let detents, _) = input { detents } else { 0 }
      return (at: moment - start, step: step)
    }
    #expect(steps.allSatisfy { abs($0.step) == 1 })
    expectNoWorse(trace, steps, "numbered \(counts)")
  }
}
