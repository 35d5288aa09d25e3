import Hardware
import Runtime
import TestSupport

/// A hand that turns a knob of some form click by click, as somebody does who was asked to.
struct TurningHand {
  struct Edge {
    let at: Moment
    let contact: Quadrature.Contact
    let closed: Bool
  }

  var form: KnobForm
  /// From one edge of a click to the next, and from click to click.
  var pace: Duration = .milliseconds(8)
  var rest: Duration = .milliseconds(250)
  var trace: BouncingKnob.Trace = []

  static let start = Moment(nanoseconds: 1_000_000_000)

  /// In the place from which it is turned.
  var levels: (first: Bool, second: Bool) { TurnedKnob.levels(form.rests.rawValue) }

  /// Edges of so many clicks clockwise, or back.
  func edges(clicks: Int) -> [Edge] {
    var knob = TurnedKnob(from: form.rests.rawValue)
    knob.turn((form.isReversed ? -1 : 1) * clicks * form.edges.rawValue)
    var edges: [Edge] = []
    var now = Self.start + .seconds(1)
    for (number, edge) in knob.edges.enumerated() {
      edges.append(Edge(at: now, contact: edge.contact, closed: edge.closed))
      for (place, time) in trace.enumerated() {
        edges.append(
          Edge(at: now + .microseconds(time), contact: edge.contact, closed: (place % 2 == 0) != edge.closed))
      }
      now = now + ((number + 1) % form.edges.rawValue == 0 ? rest : pace)
    }
    return edges
  }

  /// What is found out when these edges come, `wanted` were asked for and then nothing comes any more.
  func outcome(wanted: Int, _ edges: [Edge]) -> KnobCalibration.Outcome? {
    var calibration = KnobCalibration(
      detents: wanted, first: levels.first, second: levels.second, at: Self.start)
    for edge in edges {
      // As a timer would: at each moment at which something is due.
      while let due = calibration.due, due < edge.at { calibration.settle(by: due) }
      calibration.edge(of: edge.contact, closed: edge.closed, at: edge.at)
    }
    while let due = calibration.due { calibration.settle(by: due) }
    return calibration.outcome
  }

  func outcome(clicks: Int, of wanted: Int) -> KnobCalibration.Outcome? {
    outcome(wanted: wanted, edges(clicks: clicks))
  }
}
