import Hardware
import Runtime
import TestSupport

/// A knob as it is turned: edges of its contacts, clockwise the first contact first.
struct TurnedKnob {
  struct Edge: Equatable {
    let contact: Quadrature.Contact
    let closed: Bool
    /// Quarters from where it began.
    let position: Int
  }

  /// The place in which it began: 0 with both open, and on clockwise.
  let start: Int
  private(set) var edges: [Edge] = []
  private(set) var position = 0

  init(from start: Int = 0) { self.start = start }

  /// Which contacts are closed in a place.
  static func levels(_ place: Int) -> (first: Bool, second: Bool) {
    switch place & 3 {
    case 0: (false, false)
    case 1: (true, false)
    case 2: (true, true)
    default: (false, true)
    }
  }

  mutating func turn(_ quarters: Int) {
    for _ in 0..<abs(quarters) {
      let before = Self.levels(start + position)
      position += quarters.signum()
      let after = Self.levels(start + position)
      let contact: Quadrature.Contact = before.first == after.first ? .second : .first
      edges.append(
        Edge(contact: contact, closed: contact == .first ? after.first : after.second, position: position))
    }
  }

  /// Steps that are given when only the edges are seen whose bit in `seen` is set, with the place of each, and at last
  /// what has lasted. An edge comes each `pace`.
  func steps(
    _ form: KnobForm = KnobForm(), seen: UInt64 = .max, pace: Duration = TurnedKnob.quick
  ) -> [(edge: Int, step: Int)] {
    let levels = Self.levels(start)
    var knob = Quadrature(form, first: levels.first, second: levels.second)
    var steps = edges.indices.compactMap { index -> (edge: Int, step: Int)? in
      guard index > 63 || seen >> UInt64(index) & 1 == 1 else { return nil }
      let step = knob.take(edges[index], number: index, pace: pace)
      return step == 0 ? nil : (index, step)
    }
    let last = knob.settle(by: Moment(nanoseconds: 0) + pace * edges.count + .seconds(1))
    if last != 0 { steps.append((edges.count - 1, last)) }
    return steps
  }

  /// As quick as a hand can spin it.
  static let quick: Duration = .milliseconds(2)
  /// As a hand that turns to and fro.
  static let slow: Duration = .milliseconds(12)
}

extension Quadrature {
  /// The edge comes as the so-manieth.
  mutating func take(_ edge: TurnedKnob.Edge, number: Int, pace: Duration = TurnedKnob.quick) -> Int {
    self.edge(of: edge.contact, closed: edge.closed, at: Moment(nanoseconds: 0) + pace * number)
  }

  /// All of them, `pace` apart.
  mutating func take(_ edges: some Collection<TurnedKnob.Edge>, pace: Duration = TurnedKnob.quick) -> [Int] {
    edges.enumerated().map { take($0.element, number: $0.offset, pace: pace) }
  }
}
