import Runtime

/// What a key stands for.
package enum KeyMeaning: Hashable, Sendable {
  case button(Button)
  case turn(Int)
  /// The key does nothing: board.conf says so, or it was chosen on the panel.
  case nothing

  /// A page of a list is so many detents.
  package static let far = 5

  package static let all: [KeyMeaning] =
    Button.allCases.map { .button($0) } + [.turn(1), .turn(-1), .turn(far), .turn(-far), .nothing]

  /// As board.conf has it.
  package var name: String {
    switch self {
    case .button(let button): button.name
    case .turn(let steps): "turn_\(abs(steps) > 1 ? "far_" : "")\(steps < 0 ? "left" : "right")"
    case .nothing: Setting.keyNothing
    }
  }

  /// When it goes down.
  var input: Input? {
    switch self {
    case .button(let button): .press(button)
    case .turn(let steps): .turn(steps)
    case .nothing: nil
    }
  }
}
