import Runtime

/// A knob that has a detent at every edge: it rests in all four places, so nothing in its levels tells a bounce from a
/// detent and one back. Only time does: an edge counts when it has lasted, or as soon as the other contact moves, which
/// it does only when the first has come to rest.
///
/// What goes missing cannot be told either: when one edge of a slow turn is lost, the next one is a step the other way.
/// So whoever reads the edges compares the levels before what is left to last counts.
struct EveryEdge: Equatable, Sendable {
  private var pair: ContactPair
  /// The place up to which steps were given.
  private(set) var settled: Int
  /// Since when the contacts are somewhere else than that, one quarter away.
  private var moved: Moment?
  /// On a way that was not seen: nothing counts until both contacts have been quiet.
  private var isLost = false
  /// When the contact moved that made the last step.
  private(set) var steppedAt = Moment(nanoseconds: 0)

  /// As sharp as for a knob with so many edges a detent.
  init(_ edges: KnobEdges = .one, first: Bool, second: Bool) {
    pair = ContactPair(edges, first: first, second: second)
    settled = pair.place
  }

  /// Where the contacts are now, whether they stay there or not.
  var place: Int { pair.place }

  var levels: (first: Bool, second: Bool) { pair.levels }

  func agrees(first: Bool, second: Bool) -> Bool { pair.agrees(first: first, second: second) }

  mutating func see(first: Bool, second: Bool) {
    pair.see(first: first, second: second)
    (settled, moved, isLost) = (pair.place, nil, false)
  }

  mutating func lose() { isLost = true }

  var due: Moment? { (isLost ? pair.latestEdge : moved).map { $0 + ContactPair.settling } }

  mutating func edge(of contact: Quadrature.Contact, closed: Bool, at moment: Moment) -> Int {
    let step = settle(by: moment)
    let before = pair.place
    switch pair.take(contact, closed: closed, at: moment) {
    case .none: if moved != nil { moved = moment }
    case .gap, .blur, .quarter(_, isOrdered: false): isLost = true
    case .quarter where isLost: break
    case .quarter:
      defer { moved = pair.place == settled ? nil : moment }
      // The other contact moves on: what stood until now was meant.
      if moved != nil, pair.place != settled { return step + count(before) }
    }
    return step
  }

  /// What has lasted long enough.
  mutating func settle(by now: Moment) -> Int {
    guard let due = due ?? (isLost ? now : nil), due <= now else { return 0 }
    defer { (settled, moved, isLost) = (pair.place, nil, false) }
    return isLost ? 0 : count(pair.place)
  }

  private mutating func count(_ place: Int) -> Int {
    let quarter = (place - settled) & 3
    if let moved { steppedAt = moved }
    settled = place
    return quarter == 1 ? 1 : quarter == 3 ? -1 : 0
  }
}
