import Hardware
import Runtime

/// What most players do with an encoder, to be compared with: the table of transitions between the four places, added up
/// from detent to detent. With one edge a detent each transition is a step.
struct FullStepDecoder {
  /// By the place before and the place after, both as two bits, the second contact's first: 1 clockwise, -1 back.
  private static let transitions = [
    0, 1, -1, 0,
    -1, 0, 0, 1,
    1, 0, 0, -1,
    0, -1, 1, 0,
  ]

  private let edges: Int
  /// Both contacts' levels at which it rests.
  private let detents: Set<Int>
  private var levels: Int
  private var travelled = 0

  init(_ form: KnobForm) {
    func bits(_ place: Int) -> Int {
      let levels = TurnedKnob.levels(place)
      return (levels.second ? 2 : 0) + (levels.first ? 1 : 0)
    }
    edges = form.edges.rawValue
    levels = bits(form.rests.rawValue)
    detents = Set(stride(from: 0, to: 4, by: form.edges.rawValue).map { bits(form.rests.rawValue + $0) })
  }

  /// 1 for a detent clockwise, -1 for one back, else 0.
  mutating func edge(of contact: Quadrature.Contact, closed: Bool) -> Int {
    let bit = contact == .first ? 1 : 2
    let before = levels
    levels = closed ? levels | bit : levels & ~bit
    travelled += Self.transitions[before * 4 + levels]
    guard detents.contains(levels) else { return 0 }
    defer { travelled = 0 }
    return abs(travelled) == edges ? travelled.signum() : 0
  }
}
