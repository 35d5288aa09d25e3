import Hardware
import VirtualBoard

/// The terminal's keys as edges of the board's lines. The desk's table says what a key stands for; what this board has
/// no button for is told.
enum BoardKeys {
  /// As long as a finger that means it.
  private static let held = 900

  /// Nil when the board has no such button.
  static func moves(for input: Input) -> [Hands.Move]? {
    switch input {
    case .turn(let detents, _): Hands.turn(detents)
    // It has nothing but its knob to point with.
    case .press(.up): Hands.turn(1)
    case .press(.down): Hands.turn(-1)
    case .press(.pageUp): Hands.turn(5)
    case .press(.pageDown): Hands.turn(-5)
    case .press(let button): line(of: button).map { Hands.press($0) }
    case .longPress(let button): line(of: button).map { Hands.press($0, for: held) }
    // Its finger goes up by itself.
    case .quit, .otherSound, .ignition, .headlights, .touch, .release: []
    }
  }

  private static func line(of button: Button) -> Hands.Switch? {
    switch button {
    case .knob: .knob
    case .play: .play
    case .next: .next
    case .previous: .previous
    case .back: .back
    case .mute: .mute
    default: nil
    }
  }

  static let brief =
    "arrows: knob · Enter: press it · Space: play · n p: next, previous · m: mute · x: pull the plug · q: quit"
}
