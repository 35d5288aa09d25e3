import Runtime

/// Decodes a knob with a detent at every edge. It rests with any levels, so a bounce has the same edges as one detent
/// forth and back. Only time tells them apart: an edge counts when its level has lasted, or as soon as the other contact
/// moves, because that happens only after the first one has stopped bouncing.
///
/// Lost edges cannot be noticed from the edges alone: after a lost edge of a slow turn, the next one looks like a step
/// back. So the reader compares the levels before an edge counts because it lasted. When the next edge shows that one was
/// lost, edges that have not counted yet are dropped.
struct EveryEdge: Equatable, Sendable {
  private var pair: ContactPair
  /// An edge counts when it has lasted for so long.
  private let lasting: Duration
  /// The place up to which steps were given.
  private(set) var settled: Int
  /// Since when the contacts are one quarter away from there.
  private var moved: Moment?
  /// On a way that was not seen: nothing counts until both contacts have been quiet.
  private var isLost = false
  /// When the contact moved that made the last step.
  private(set) var steppedAt = Moment(nanoseconds: 0)

  /// As sharp as for a knob with so many edges a detent.
  init(_ edges: KnobEdges = .one, lasting: Duration = ContactPair.quiet, first: Bool, second: Bool) {
    pair = ContactPair(edges, first: first, second: second)
    self.lasting = lasting
    settled = pair.place
  }

  /// Where the contacts are now, whether they stay there or not.
  var place: Int { pair.place }

  var levels: (first: Bool, second: Bool) { pair.levels }

  func agrees(first: Bool, second: Bool) -> Bool { pair.agrees(first: first, second: second) }

  mutating func see(first: Bool, second: Bool) {
    pair.see(first: first, second: second)
    believe(pair.place)
  }

  mutating func lose() { (moved, isLost) = (nil, true) }

  var due: Moment? { (isLost ? pair.latestEdge : moved).map { $0 + lasting } }

  mutating func edge(of contact: Quadrature.Contact, closed: Bool, at moment: Moment) -> Int {
    let before = pair.place
    if isLost, pair.latestEdge.map({ moment - $0 >= lasting }) ?? true { believe(before) }
    let hasLasted = moved.map { moment - $0 >= lasting } ?? false
    let change = pair.take(contact, closed: closed, at: moment)
    if change == .gap { lose() }
    switch change {
    case _ where isLost: return 0
    case .none:
      let step = hasLasted ? count(before) : 0
      if moved != nil { moved = moment }
      return step
    case .gap, .blur, .quarter(_, .unknown):
      defer { lose() }
      return hasLasted ? count(before) : 0
    case .quarter:
      // The other contact moves on: what stood until now was meant. Else this one came back, after a bounce or a rest.
      let step = moved != nil && (hasLasted || pair.place != settled) ? count(before) : 0
      moved = pair.place == settled ? nil : moment
      return step
    }
  }

  /// What has lasted long enough.
  mutating func settle(by now: Moment) -> Int {
    guard let due = due ?? (isLost ? now : nil), due <= now else { return 0 }
    if isLost { believe(pair.place) }
    return count(pair.place)
  }

  /// Takes the contacts' place as it is. How they came there gives no step.
  private mutating func believe(_ place: Int) { (settled, moved, isLost) = (place, nil, false) }

  private mutating func count(_ place: Int) -> Int {
    let quarter = (place - settled) & 3
    if let moved { steppedAt = moved }
    (settled, moved) = (place, nil)
    return quarter == 1 ? 1 : quarter == 3 ? -1 : 0
  }
}
