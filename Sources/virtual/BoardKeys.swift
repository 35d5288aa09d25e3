import Hardware
import VirtualBoard

/// Makes the virtual board's knob and buttons move as somebody types on the terminal. `KeyParser`, which the player uses
/// on a terminal too, says what a key stands for.
enum BoardKeys {
  /// Milliseconds that a button is down for a long press: well above the player's limit for one.
  private static let longPress = 900

  /// What the hands have to do at the board. Nil when it has no such button; empty when there is nothing to do.
  static func moves(for input: Input) -> [Hands.Move]? {
    switch input {
    case .turn(let detents, _): Hands.turn(detents)
    // This board has no arrow keys; the knob does what they would.
    case .press(.up): Hands.turn(1)
    case .press(.down): Hands.turn(-1)
    case .press(.pageUp): Hands.turn(5)
    case .press(.pageDown): Hands.turn(-5)
    case .press(let button): line(of: button).map { Hands.press($0) }
    case .longPress(let button): line(of: button).map { Hands.press($0, for: longPress) }
    // `press` and `longPress` above also release the button, and there is nothing on the board for the others.
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
