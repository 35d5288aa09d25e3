import Runtime

/// Why nothing could be found out about a knob.
package enum KnobTrouble: Equatable, Sendable {
  /// No edge of either line.
  case nothing
  /// No edge of this one.
  case silent(Quadrature.Contact, isClosed: Bool)
  /// Both lines always move at once.
  case together
  /// There were edges, but each time the line went back to the level that it had before.
  case bounces
  /// Edges without end, of one line or of both.
  case swinging(Quadrature.Contact?)
  /// Another number of clicks was seen than was asked for.
  case miscounted(Int, of: Int)
  case toAndFro
  case unclear

  /// What a person reads who has the knob in hand.
  package func fault(_ lines: KnobLines) -> Fault {
    func name(_ contact: Quadrature.Contact) -> LineName { contact == .first ? lines.first : lines.second }
    switch self {
    case .nothing:
      return Fault(
        .missing, "H-250",
        "nothing came of either line, \(lines.first) or \(lines.second): is the knob on these, and its middle pin on "
          + "ground?")
    case .silent(let contact, let isClosed):
      let state =
        isClosed ? "closed all the time, as if it were wired to ground" : "open all the time, as if its wire were off"
      return Fault(.missing, "H-251", "the line \(name(contact)) of the knob never moves; it is \(state)")
    case .together:
      return Fault(
        .malformed, "H-252",
        "the lines \(lines.first) and \(lines.second) always move together: they touch, or are one and the same")
    case .bounces:
      return Fault(
        .malformed, "H-253",
        "the lines \(lines.first) and \(lines.second) only twitch: the knob was not turned, or is worn")
    case .swinging(let contact):
      let what = contact.map { "the line \(name($0)) swings" } ?? "the lines \(lines.first) and \(lines.second) swing"
      return Fault(.malformed, "H-254", "\(what) without end: nothing holds a line that is wired to nothing, see bias")
    case .miscounted(let clicks, let wanted):
      return Fault(
        .malformed, "H-255", "\(clicks) clicks were seen and \(wanted) were asked for; turn it slowly, click by click")
    case .toAndFro: return Fault(.malformed, "H-256", "it was turned both ways; turn it clockwise only")
    case .unclear:
      return Fault(.malformed, "H-257", "its clicks cannot be told apart; turn it slowly, from one click to the next")
    }
  }
}
