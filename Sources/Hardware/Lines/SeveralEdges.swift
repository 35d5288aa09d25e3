import Runtime

/// A knob that has two or four edges a detent. A step is given only when all of them came in one direction, the moment
/// the next detent is reached, so a contact that bounces goes to and fro between two detents and gives nothing, and
/// whoever turns back, however soon, loses nothing.
///
/// Edges that go missing betray themselves by a level that is told twice. One such level says from where the contact
/// came, and so how far the knob is from a detent. Two in a row, one of each contact, are a pair of neighbouring edges
/// that was lost, and then the same two again: a whole turn through all four places. So the next step counts in both
/// cases.
///
/// To give a step the wrong way round, with four edges a detent 7 of 11 edges in a row must go missing in just the wrong
/// places. With two there is only one place between two detents by which to tell the direction, and 3 of 5 edges are
/// enough. So there edges that are too near each other to be in order give no step, and a step back counts only when its
/// edges are further from each other than bounces go, or when the knob had stopped.
struct SeveralEdges: Equatable, Sendable {
  /// A level that was told twice, and nothing since.
  private struct Gap: Equatable {
    let contact: Quadrature.Contact
    /// Quarters since the last detent, as it was meant to be before.
    let travelled: Int?
  }

  private var pair: ContactPair
  private let edges: Int
  private let rest: Int
  /// Quarters since the last detent; nil on a way that was not seen.
  private var travelled: Int?
  private var gap: Gap?
  private var isBlurred = false
  /// With two edges a detent: the direction since the knob last stood still, and whether all edges since the last detent
  /// were further from each other than bounces go.
  private var way = 0
  private var isSure = true
  /// After so long without an edge it stands still.
  private static let still: Duration = .milliseconds(10)

  init(_ form: KnobForm, first: Bool, second: Bool) {
    (edges, rest) = (form.edges.rawValue, form.rests.rawValue)
    pair = ContactPair(form.edges, first: first, second: second)
    lose()
  }

  private var isAtDetent: Bool { isDetent(pair.place) }

  private func isDetent(_ place: Int) -> Bool { (place - rest) & (edges - 1) == 0 }

  var levels: (first: Bool, second: Bool) { pair.levels }

  func agrees(first: Bool, second: Bool) -> Bool { pair.agrees(first: first, second: second) }

  /// One contact's edge went missing: the knob is still on the same side of the last detent when it had been clearly on
  /// that side before.
  mutating func see(first: Bool, second: Bool) {
    let before = gap?.travelled ?? travelled ?? 0
    let isOne = (first == pair.levels.first) != (second == pair.levels.second)
    pair.see(first: first, second: second)
    lose()
    guard isOne, travelled == nil, abs(before) >= 2 else { return }
    let quarters = (pair.place - rest) & (edges - 1)
    travelled = before > 0 ? quarters : quarters - edges
  }

  mutating func lose() { (travelled, gap) = (isAtDetent ? 0 : nil, nil) }

  mutating func edge(of contact: Quadrature.Contact, closed: Bool, at moment: Moment) -> Int {
    let pause = pair.latestEdge.map { moment - $0 } ?? Self.still
    if pause >= Self.still { way = 0 }
    if isBlurred, pause >= ContactPair.quiet {
      isBlurred = false
      lose()
    }
    let change = pair.take(contact, closed: closed, at: moment)
    if change == .blur { isBlurred = true }
    guard !isBlurred else { return 0 }
    switch change {
    case .none, .blur: return 0
    case .gap: bridge(contact)
    case .quarter(_, .unknown) where edges == 2: lose()
    case .quarter(let quarter, let order):
      if order != .sure { isSure = false }
      return move(quarter)
    }
    return 0
  }

  private mutating func move(_ quarter: Int) -> Int {
    gap = nil
    let sum = travelled.map { $0 + quarter }
    travelled = isAtDetent ? 0 : sum
    guard isAtDetent else { return 0 }
    let isSure = self.isSure
    self.isSure = true
    guard let sum, abs(sum) == edges else { return 0 }
    let step = sum.signum()
    guard edges == 2 else { return step }
    if way == 0 || isSure { way = step }
    return way == step ? step : 0
  }

  /// An edge to the level that the contact already had.
  private mutating func bridge(_ contact: Quadrature.Contact) {
    if let gap, gap.contact != contact {
      travelled = isAtDetent ? 0 : gap.travelled
      self.gap = nil
      return
    }
    gap = Gap(contact: contact, travelled: travelled)
    let (before, quarter) = pair.cameFrom(contact)
    if isAtDetent {
      travelled = 0
    } else if isDetent(before) {
      travelled = quarter
    } else if let travelled, travelled.signum() != quarter {
      self.travelled = nil
    }
  }
}
