import Hardware
import Runtime
import Synchronization
import TestSupport

/// Where a hand left the knob, and how many edges of each line it has made.
private final class Hand: Sendable {
  let state = Mutex((place: 0, first: UInt32(0), second: UInt32(0)))
}

/// A board with a knob and some buttons, the part that reads it, and the folder where its chips have their names.
struct Dash: Sendable {
  let lines: MadeUpLines
  let received = Received()
  let folder = TempFolder()
  private let hand = Hand()
  var plan = LinePlan(
    encoder: [.named("ENC_A"), .named("ENC_B")],
    buttons: [(.knob, .named("ENC_SW")), (.play, .named("BTN_PLAY")), (.next, .named("BTN_NEXT"))])

  /// Runs the part on the main loop while `body` uses the board; gives what was delivered and the codes that were told.
  func run(
    _ body: @escaping @Sendable (Dash, LinesPart) async -> Void
  ) async -> (inputs: [Input], codes: [String], fault: Fault?) {
    await TestMainLoop.alone {
      let part = await onMainLoop { [self] in
        LinesPart(
          plan: plan, from: lines, folder: folder.path, tell: { received.take($0) },
          deliver: { received.take($0, at: $1) })
      }
      let running = await onMainLoop { await RunningPart(part) }
      await body(self, part)
      let fault = await onMainLoop { await running.end() }
      return await onMainLoop { (received.inputs, received.codes, fault) }
    }
  }

  var now: Moment { TestMainLoop.time.now }

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

  /// As a hand that takes its time, from where it left the knob; or as it took it a while ago, of which the main loop
  /// hears only now.
  func turn(_ quarters: Int, each pace: Duration, losing lost: Set<Int> = [], toldLate: Bool = false) async {
    var knob = TurnedKnob(from: hand.state.withLock { $0.place })
    knob.turn(quarters)
    if toldLate { await wait(pace * abs(quarters)) }
    for (index, edge) in knob.edges.enumerated() {
      let isFirst = edge.contact == .first
      let number = hand.state.withLock { state in
        state.place += quarters.signum()
        if isFirst { state.first += 1 } else { state.second += 1 }
        return isFirst ? state.first : state.second
      }
      let moment = toldLate ? now - pace * (abs(quarters) - index) : now
      lines.edge(
        isFirst ? "ENC_A" : "ENC_B", edge.closed, at: moment, number: lines.countsAndDebounces ? number : 0,
        isLost: lost.contains(index))
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
    await onMainLoop { await settled() }
    await MainLoop.loop.advance(by: duration)
    await onMainLoop { await settled() }
  }
}
