import Hardware
import Kit
import Runtime

/// A board with a knob and some buttons, the part that reads it, and the folder where its chips have their names.
struct Dash: Sendable {
  let lines: MadeUpLines
  let received = Received()
  let folder = TempFolder()
  var plan = LinePlan(
    encoder: [.named("ENC_A"), .named("ENC_B")],
    buttons: [(.knob, .named("ENC_SW")), (.play, .named("BTN_PLAY")), (.next, .named("BTN_NEXT"))])

  /// Runs the part on the deck while `body` uses the board; gives what was delivered and the codes that were told.
  func run(
    _ body: @escaping @Sendable (Dash, RunningPart) async -> Void
  ) async -> (inputs: [Input], codes: [String], fault: Fault?) {
    await TestDeck.alone {
      let running = await onDeck { [self] in
        await RunningPart(
          LinesPart(
            plan: plan, from: lines, folder: folder.path, tell: { received.take($0) },
            deliver: { received.take($0, at: $1) }))
      }
      await body(self, running)
      let fault = await onDeck { await running.end() }
      return await onDeck { (received.inputs, received.codes, fault) }
    }
  }

  var now: Moment { TestDeck.time.now }

  func turn(_ quarters: Int, losing lost: Set<Int> = []) {
    var knob = TurnedKnob()
    knob.turn(quarters)
    for (index, edge) in knob.edges.enumerated() {
      let name = edge.contact == .first ? "ENC_A" : "ENC_B"
      lines.edge(
        name, edge.closed, at: now + .microseconds(index * 1_000),
        number: lines.countsAndDebounces ? UInt32(index / 2 + 1) : 0,
        isLost: lost.contains(index))
    }
    lines.ring()
  }

  /// As a hand that takes its time, or as it took it a while ago, of which the deck hears only now.
  func turn(_ quarters: Int, each pace: Duration, losing lost: Set<Int> = [], toldLate: Bool = false) async {
    var knob = TurnedKnob()
    knob.turn(quarters)
    if toldLate { await wait(pace * quarters) }
    for (index, edge) in knob.edges.enumerated() {
      lines.edge(
        edge.contact == .first ? "ENC_A" : "ENC_B", edge.closed, at: toldLate ? now - pace * (quarters - index) : now,
        number: lines.countsAndDebounces ? UInt32(index / 2 + 1) : 0, isLost: lost.contains(index))
      guard !toldLate else { continue }
      if !lost.contains(index) { lines.ring() }
      await wait(pace)
    }
    lines.ring()
  }

  func button(_ name: String, _ isDown: Bool, number: UInt32 = 0) {
    lines.edge(name, isDown, at: now, number: number)
    lines.ring()
  }

  /// Lets virtual time go on, and the part do what it does then.
  func wait(_ duration: Duration) async {
    await onDeck { await settled() }
    await Deck.loop.advance(by: duration)
    await onDeck { await settled() }
  }
}
