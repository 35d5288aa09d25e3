import Runtime

/// Makes detents from the edges of a knob's two contacts, for every form of knob. With bad edges it may drop a detent, but
/// makes none up.
///
/// `closed` takes the wiring into account (active low or high). Position 0 is where both are open. In a clockwise turn the
/// first contact closes first.
package struct Quadrature: Equatable, Sendable {
  package enum Contact: Sendable {
    case first, second
  }

  private var several: SeveralEdges
  /// Instead of that, where each edge is a detent.
  private var every: EveryEdge?
  private var steppedAt = Moment(nanoseconds: 0)

  /// The contacts as they are now: closed or not.
  package init(_ form: KnobForm = KnobForm(), first: Bool = false, second: Bool = false) {
    several = SeveralEdges(form, first: first, second: second)
    every = form.edges == .one ? EveryEdge(first: first, second: second) : nil
  }

  /// The contact closed or opened. Gives 1 for a detent clockwise, -1 for one back, else 0.
  package mutating func edge(of contact: Contact, closed: Bool, at moment: Moment) -> Int {
    if let step = every?.edge(of: contact, closed: closed, at: moment) { return step }
    let step = several.edge(of: contact, closed: closed, at: moment)
    if step != 0 { steppedAt = moment }
    return step
  }

  /// When something will have happened although no edge comes.
  package var due: Moment? { every?.due }

  package mutating func settle(by now: Moment) -> Int { every?.settle(by: now) ?? 0 }

  /// When the contact moved that made the last step.
  package var latestStep: Moment { every?.steppedAt ?? steppedAt }

  /// Closed or not, as the edges tell it.
  package var levels: (first: Bool, second: Bool) { every?.levels ?? several.levels }

  package func agrees(first: Bool, second: Bool) -> Bool {
    every?.agrees(first: first, second: second) ?? several.agrees(first: first, second: second)
  }

  /// The levels were read, and edges had gone missing before.
  package mutating func see(first: Bool, second: Bool) {
    every?.see(first: first, second: second)
    several.see(first: first, second: second)
  }

  /// Edges went missing.
  package mutating func lose() {
    every?.lose()
    several.lose()
  }
}
