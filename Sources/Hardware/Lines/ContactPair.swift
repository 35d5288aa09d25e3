import Runtime

/// The levels of a knob's two contacts, from their edges, and how reliable each edge is.
///
/// The same level may be reported twice. If nothing came in between, it was a bounce: the kernel reads the level when the
/// interrupt's thread runs, and a quick bounce is over by then. If edges of the other contact came in between, edges were
/// lost.
///
/// One bouncing contact does no harm: the knob seems to go to and fro between two positions. When both bounce at once, the
/// direction cannot be known, until both have been quiet for a while.
struct ContactPair: Equatable, Sendable {
  enum Change: Equatable {
    /// The level that it had.
    case none
    /// It cannot have that level unless edges went missing.
    case gap
    /// A quarter of a turn through all four places: 1 clockwise, -1 back.
    case quarter(Int, Order)
    case blur
  }

  /// Which of the two contacts moved first.
  enum Order {
    /// The other contact's edge is so near that either may have been the first.
    case unknown
    /// As the stamps say; but the other contact's edge is no further than bounces go.
    case likely
    case sure
  }

  private struct Side: Equatable {
    var closed = false
    var edge: Moment?
  }

  /// No hand moves a contact twice within this and the other in between: both bounce. One that is spun ten times a
  /// second makes an edge each millisecond, 2 or 4, as it has four edges a detent, two or one.
  private let blur: Duration
  /// Lines have interrupts of their own, and one that is a little later may be told first.
  static let nearest: Duration = .microseconds(50)
  /// A contact that has not moved for so long has come to rest. The quickest hands turn back 2 ms after the last edge,
  /// and contacts that bounce for 5 ms in all are never quiet for so long in between.
  static let quiet: Duration = .microseconds(1_500)

  private var first = Side()
  private var second = Side()
  /// Whose edge came last.
  private(set) var latest: Quadrature.Contact?
  private(set) var latestEdge: Moment?

  init(_ edges: KnobEdges, first: Bool, second: Bool) {
    blur =
      switch edges {
      case .four: .microseconds(400)
      case .two: .microseconds(800)
      case .one: .milliseconds(2)
      }
    see(first: first, second: second)
  }

  /// In the order of a turn clockwise: both open, the first closed, both, the second.
  var place: Int { first.closed ? (second.closed ? 2 : 1) : (second.closed ? 3 : 0) }

  var levels: (first: Bool, second: Bool) { (first.closed, second.closed) }

  /// Where the contacts were before this one moved to the level that it has, and which way that was.
  func cameFrom(_ contact: Quadrature.Contact) -> (place: Int, quarter: Int) {
    var before = self
    if contact == .first { before.first.closed.toggle() } else { before.second.closed.toggle() }
    return (before.place, (place - before.place) & 3 == 1 ? 1 : -1)
  }

  func agrees(first: Bool, second: Bool) -> Bool { levels == (first, second) }

  mutating func see(first: Bool, second: Bool) {
    (self.first.closed, self.second.closed, latest) = (first, second, nil)
  }

  mutating func take(_ contact: Quadrature.Contact, closed: Bool, at moment: Moment) -> Change {
    let (own, other) = contact == .first ? (first, second) : (second, first)
    let isOwn = latest == contact
    let isBlurred = latest != nil && !isOwn && own.edge.map { moment - $0 < blur } ?? false
    let apart = other.edge.map { moment - $0 }
    let order: Order =
      if let apart, apart < Self.nearest, !isOwn { .unknown } else if let apart, apart < blur { .likely } else { .sure }
    let before = place
    let side = Side(closed: closed, edge: moment)
    if contact == .first { first = side } else { second = side }
    (latest, latestEdge) = (contact, moment)
    if isBlurred { return .blur }
    guard own.closed != closed else { return isOwn ? .none : .gap }
    return .quarter((place - before) & 3 == 1 ? 1 : -1, order)
  }
}
