import Hardware
import Runtime
import TestSupport

/// Edges of a knob that a hand turns to and fro, with something difficult about it.
struct KnobTrace {
  enum Kind: CaseIterable {
    /// The way back begins 2 to 50 ms after the last edge.
    case reversals
    /// In between it is turned half the way to the next detent, and back.
    case halfTurns
    /// Contacts bounce, and the hand turns back as quickly.
    case bouncingReversals
    /// One edge of every third turn is lost, or two neighbouring ones.
    case lostEdge, lostPair
    /// In every third turn two neighbouring edges are so near each other that they come in the wrong order.
    case swappedStamps

    var losesEdges: Bool { self == .lostEdge || self == .lostPair }
    var isWhole: Bool { !losesEdges && self != .swappedStamps }
  }

  struct Edge {
    let at: Duration
    let contact: Quadrature.Contact
    let closed: Bool
    var isLost = false
  }

  /// So many detents one way.
  struct Turn {
    let from: Duration
    let way: Int
    let detents: Int
  }

  /// What came of a trace, held against how it was turned.
  struct Score: Equatable {
    var lost = 0
    var wrong = 0
    var invented = 0
  }

  let kind: Kind
  let form: KnobForm
  private(set) var edges: [Edge] = []
  private(set) var turns: [Turn] = []
  private var generator: SeededGenerator
  private var position = 0
  private var now: Duration = .zero

  static let gaps = 2...50

  /// At least so many detents.
  init(_ kind: Kind, of form: KnobForm, detents: Int, seed: UInt64) {
    (self.kind, self.form) = (kind, form)
    generator = SeededGenerator(seed: seed)
    var made = 0
    while made < detents {
      if kind == .halfTurns { turnHalf() }
      let count = Int.random(in: 1...6, using: &generator)
      turn(count)
      made += count
    }
  }

  var detents: Int { turns.reduce(0) { $0 + $1.detents } }

  /// Steps with the moments of their edges.
  func score(_ steps: [(at: Duration, step: Int)]) -> Score {
    var score = Score()
    var rest = steps.sorted { $0.at < $1.at }[...]
    for (number, turn) in turns.enumerated() {
      let end = number + 1 < turns.count ? turns[number + 1].from : .seconds(1 << 30)
      let own = rest.prefix { $0.at < end }
      rest = rest.dropFirst(own.count)
      let right = own.filter { $0.step == turn.way }.count
      score.lost += max(turn.detents - right, 0)
      score.invented += max(right - turn.detents, 0)
      score.wrong += own.count - right
    }
    return score
  }

  /// What the plain decoder makes of the same edges.
  var peers: Score {
    var decoder = FullStepDecoder(form)
    return score(
      edges.filter { !$0.isLost }.map { ($0.at, decoder.edge(of: $0.contact, closed: $0.closed)) }
        .filter { $0.1 != 0 })
  }

  // MARK: Turning

  private mutating func turn(_ count: Int) {
    // Each gap in turn.
    now += .milliseconds(
      kind.isWhole ? Self.gaps.lowerBound + turns.count % Self.gaps.count : Int.random(in: Self.gaps, using: &generator)
    )
    let way = turns.count.isMultiple(of: 2) ? 1 : -1
    turns.append(Turn(from: now, way: way, detents: count))
    let begin = edges.count
    move(way * count * form.edges.rawValue, pace: .milliseconds(Int.random(in: 2...12, using: &generator)))
    if turns.count.isMultiple(of: 3) { spoil(begin..<edges.count) }
  }

  private mutating func turnHalf() {
    let quarters = max(form.edges.rawValue / 2, 1) * (Bool.random(using: &generator) ? 1 : -1)
    for quarters in [quarters, -quarters] {
      now += .milliseconds(Int.random(in: Self.gaps, using: &generator))
      // Where each edge is a detent, that was one.
      if form.edges == .one { turns.append(Turn(from: now, way: quarters, detents: 1)) }
      move(quarters, pace: .milliseconds(2))
    }
  }

  private mutating func move(_ quarters: Int, pace: Duration) {
    var knob = TurnedKnob(from: form.rests.rawValue + position)
    knob.turn(quarters)
    position += quarters
    for (number, edge) in knob.edges.enumerated() {
      if number > 0 { now += pace }
      edges.append(Edge(at: now, contact: edge.contact, closed: edge.closed))
      guard kind == .bouncingReversals else { continue }
      let trace = BouncingKnob.traces[Int.random(in: 0..<BouncingKnob.traces.count, using: &generator)]
      for (place, time) in trace.enumerated() {
        edges.append(
          Edge(at: now + .microseconds(time), contact: edge.contact, closed: (place % 2 == 0) != edge.closed))
      }
    }
  }

  private mutating func spoil(_ range: Range<Int>) {
    guard range.count >= 2 else { return }
    let first = Int.random(in: range.dropLast(), using: &generator)
    switch kind {
    case .lostEdge: edges[first].isLost = true
    case .lostPair:
      edges[first].isLost = true
      edges[first + 1].isLost = true
    case .swappedStamps:
      let (one, other) = (edges[first], edges[first + 1])
      edges[first] = Edge(at: one.at, contact: other.contact, closed: other.closed)
      edges[first + 1] = Edge(at: one.at + .microseconds(40), contact: one.contact, closed: one.closed)
    case .reversals, .halfTurns, .bouncingReversals: break
    }
  }
}
