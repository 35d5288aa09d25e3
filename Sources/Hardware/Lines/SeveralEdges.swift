import Runtime

/// A knob that has two or four edges a detent. A step is given only when all of them came in one direction, the moment
/// the next detent is reached, so a contact that bounces goes to and fro between two detents and gives nothing.
///
/// With four edges that is enough: to give a step the wrong way round, 7 of 11 edges in a row must go missing in just
/// the wrong places. With two there is only one place between two detents by which to tell the direction, and 3 of 5
/// edges are enough. So there whoever turns one way has to stop for a moment before a step the other way counts, as
/// every hand must, and edges that are too near each other to be in order give none.
struct SeveralEdges: Equatable, Sendable {
  /// No hand turns round without having stopped for so long.
  static let turningRound: Duration = .milliseconds(10)

  private var pair: ContactPair
  private let edges: Int
  private let rest: Int
  /// Quarters since the last detent; nil on a way that was not seen.
  private var travelled: Int?
  private var isBlurred = false
  /// The direction since the knob last stood still.
  private var way = 0

  init(_ form: KnobForm, first: Bool, second: Bool) {
    (edges, rest) = (form.edges.rawValue, form.rests.rawValue)
    pair = ContactPair(form.edges, first: first, second: second)
    lose()
  }

  private var isAtDetent: Bool { (pair.place - rest) & (edges - 1) == 0 }

  var levels: (first: Bool, second: Bool) { pair.levels }

  func agrees(first: Bool, second: Bool) -> Bool { pair.agrees(first: first, second: second) }

  mutating func see(first: Bool, second: Bool) {
    pair.see(first: first, second: second)
    lose()
  }

  mutating func lose() { travelled = isAtDetent ? 0 : nil }

  mutating func edge(of contact: Quadrature.Contact, closed: Bool, at moment: Moment) -> Int {
    let pause = pair.latestEdge.map { moment - $0 } ?? Self.turningRound
    if pause >= Self.turningRound { way = 0 }
    if isBlurred, pause >= ContactPair.settling {
      isBlurred = false
      lose()
    }
    let change = pair.take(contact, closed: closed, at: moment)
    if change == .blur { isBlurred = true }
    guard !isBlurred else { return 0 }
    switch change {
    case .none, .blur: return 0
    case .gap: lose()
    case .quarter(_, isOrdered: false) where edges == 2: lose()
    case .quarter(let quarter, _): return move(quarter)
    }
    return 0
  }

  private mutating func move(_ quarter: Int) -> Int {
    let sum = travelled.map { $0 + quarter }
    travelled = isAtDetent ? 0 : sum
    guard isAtDetent, let sum, abs(sum) == edges else { return 0 }
    let step = sum.signum()
    guard edges == 2 else { return step }
    if way == 0 { way = step }
    return way == step ? step : 0
  }
}
