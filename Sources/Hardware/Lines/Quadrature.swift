/// A knob's two contacts in, detents out: a full-step table for four edges a detent.
///
/// At a detent both contacts are open; clockwise the first closes first. A step is given only when all four edges of
/// one direction came, so bouncing contacts walk to and fro in the table and give nothing.
///
/// A level may be told twice. Straight after itself that is a bounce: the kernel looks at the level when the
/// interrupt's thread runs, and quick bounces are over by then. With the other contact's edges in between, edges have
/// gone missing; then nothing counts until the next detent. So a missed edge at worst drops a step. To give a step the
/// wrong way round, 7 of 11 edges in a row must go missing in just the wrong places.
package struct Quadrature: Equatable, Sendable {
  package enum Contact: Sendable {
    case first, second
  }

  private enum Place: Equatable, Sendable {
    case detent
    /// So many edges on the way clockwise.
    case clockwise(Int)
    case back(Int)
    /// Somewhere between two detents, on a way that was not seen.
    case unknown
  }

  private var first = false
  private var second = false
  private var place = Place.detent
  /// Whose edge came last.
  private var latest: Contact?

  /// The contacts as they are now: closed or not.
  package init(first: Bool = false, second: Bool = false) { see(first: first, second: second) }

  /// The contact closed or opened. Gives 1 for a detent clockwise, -1 for one back, else 0.
  package mutating func edge(of contact: Contact, closed: Bool) -> Int {
    let before = contact == .first ? first : second
    if contact == .first { first = closed } else { second = closed }
    let isBounce = latest == contact
    latest = contact
    guard before != closed else {
      if !isBounce { lose() }
      return 0
    }
    let (next, step) = Self.next(after: place, first: first, second: second)
    place = next
    return step
  }

  package func agrees(first: Bool, second: Bool) -> Bool { self.first == first && self.second == second }

  /// The levels were read, and edges had gone missing before.
  package mutating func see(first: Bool, second: Bool) {
    (self.first, self.second, latest) = (first, second, nil)
    lose()
  }

  /// Edges went missing.
  package mutating func lose() { place = first || second ? .unknown : .detent }

  private static func next(after place: Place, first: Bool, second: Bool) -> (Place, Int) {
    switch (place, first, second) {
    case (.clockwise(3), false, false): (.detent, 1)
    case (.back(3), false, false): (.detent, -1)
    case (_, false, false): (.detent, 0)

    case (.detent, true, false), (.clockwise(2), true, false): (.clockwise(1), 0)
    case (.clockwise(1), true, true), (.clockwise(3), true, true): (.clockwise(2), 0)
    case (.clockwise(2), false, true): (.clockwise(3), 0)

    case (.detent, false, true), (.back(2), false, true): (.back(1), 0)
    case (.back(1), true, true), (.back(3), true, true): (.back(2), 0)
    case (.back(2), true, false): (.back(3), 0)

    default: (.unknown, 0)
    }
  }
}
