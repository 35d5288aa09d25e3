import Hardware
import Kit
import Runtime
import Testing

@Suite("The part that reads lines, and its knob", .serialized)
struct LinesPartKnobTests {
  @Test(
    "where each edge is a detent, whichever edges of a turn are lost, no step is the other way if the levels tell of it",
    arguments: [false, true])
  func lostDetents(counts: Bool) async {
    for lost in [[0], [1], [2], [3], [0, 1], [0, 2], [1, 2], [0, 1, 2], [1, 2, 3]] as [Set<Int>] {
      var dash = Dash(lines: MadeUpLines(countsAndDebounces: counts))
      dash.plan = LinePlan(encoder: [.named("ENC_A"), .named("ENC_B")], knob: KnobForm(edges: .one))
      let result = await dash.run { dash, _ in
        await dash.turn(4, each: .milliseconds(12), losing: lost)
        await dash.wait(.milliseconds(60))
        // And on it goes.
        for number in 0..<4 {
          dash.lines.edge(
            number % 2 == 0 ? "ENC_A" : "ENC_B", number < 2, at: dash.now, number: counts ? UInt32(number / 2 + 3) : 0)
          dash.lines.ring()
          await dash.wait(.milliseconds(12))
        }
      }
      #expect(result.inputs.allSatisfy { $0 == .turn(1) }, "lost \(lost): \(result.inputs)")
      #expect(result.inputs.count >= 3, "lost \(lost): \(result.inputs)")
    }
  }

  @Test("where each edge is a detent, a single one counts once it has lasted, with its own moment")
  func singleDetents() async {
    var dash = Dash(lines: MadeUpLines())
    dash.plan = LinePlan(encoder: [.named("ENC_A"), .named("ENC_B")], knob: KnobForm(edges: .one))
    let result = await dash.run { dash, _ in
      let moved = dash.now
      dash.turn(1)
      await dash.wait(.microseconds(4_999))
      #expect(await onDeck { dash.received.inputs } == [])
      await dash.wait(.microseconds(1))
      #expect(await onDeck { dash.received.moments } == [moved])
    }
    #expect(result.inputs == [.turn(1)])
  }

  @Test("a burst that waited for a late deck is as slow as it was turned; a spin is a spin, and counts its detents")
  func spun() async {
    for (pace, expected) in [(Duration.milliseconds(20), Input.turn(6)), (.milliseconds(4), .turn(6, far: 12))] {
      var dash = Dash(lines: MadeUpLines())
      dash.plan = LinePlan(encoder: [.named("ENC_A"), .named("ENC_B")], haste: .gentle)
      let result = await dash.run { dash, _ in
        await dash.turn(24, each: pace, toldLate: true)
        await dash.wait(.seconds(1))
      }
      #expect(result.inputs == [expected])
    }
  }
}
