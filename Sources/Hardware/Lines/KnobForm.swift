import Runtime

/// How a knob is built, from which follows what its edges mean. board.conf says it, or `KnobCalibration` found it out.
package struct KnobForm: Hashable, Sendable {
  package var edges: KnobEdges
  package var rests: KnobRest
  /// It turns the other way round.
  package var isReversed: Bool

  package init(edges: KnobEdges = .four, rests: KnobRest = .open, isReversed: Bool = false) {
    (self.edges, self.rests, self.isReversed) = (edges, rests, isReversed)
  }
}

/// How many edges the two contacts together make from one detent to the next.
package enum KnobEdges: Int, CaseIterable, Sendable {
  case one = 1
  case two = 2
  case four = 4
}

/// Which contacts are closed at a detent, in the order of a turn clockwise. With two edges for each detent, every second
/// detent has the opposite levels. With one edge, each of the four positions is a detent, and this value is not used.
package enum KnobRest: Int, CaseIterable, Sendable {
  case open, first, both, second
}

/// How much further a long list goes when the knob is turned quickly.
package enum KnobAcceleration: CaseIterable, Sendable {
  case off, gentle, strong
}

extension Settings {
  package var knobForm: KnobForm {
    get { KnobForm(edges: self[.knobEdges], rests: self[.knobRests], isReversed: self[.knobReversed]) }
    set {
      (self[.knobEdges], self[.knobRests], self[.knobReversed]) = (newValue.edges, newValue.rests, newValue.isReversed)
    }
  }
}
