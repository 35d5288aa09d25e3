import Runtime

/// How a knob is built: what its edges mean. The board's file says it, or it was found out by turning the knob.
package struct KnobForm: Hashable, Sendable {
  package var edges: KnobEdges
  package var rests: KnobRest
  /// It turns the other way round.
  package var isReversed: Bool

  package init(edges: KnobEdges = .four, rests: KnobRest = .open, isReversed: Bool = false) {
    (self.edges, self.rests, self.isReversed) = (edges, rests, isReversed)
  }
}

/// How many edges of its two contacts together lie between two detents.
package enum KnobEdges: Int, CaseIterable, Sendable {
  case one = 1
  case two = 2
  case four = 4
}

/// Which contacts are closed at a detent: in the order of a turn clockwise. With two edges a detent, the other two are
/// at every second one; with one edge each of the four is at one, and this says nothing.
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
