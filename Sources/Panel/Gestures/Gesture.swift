import Hardware
import Runtime

/// What a hand did, told apart from how contacts moved.
package enum Gesture: Equatable, Sendable {
  /// `far` as in `Input`: rows of a long list.
  case turn(Int, far: Int? = nil)
  case press(Button)
  /// It is still held.
  case long(Button)
  /// It is held on, behind a long press; told once.
  case longAgain(Button)
  case double(Button)
  /// The second of two, the first of which was told without waiting for it.
  case pressAgain(Button)
  /// Turned while the button was held.
  case turnPressed(Button, by: Int)
  /// Both are held, in the order of their names.
  case chord(Button, Button)
  /// What is no hand's doing goes through as it is.
  case other(Input)

  /// As it was written down, or typed: `knob`, `long knob`, `turn -3`, `turn 2 with knob`.
  package init?(words: String) {
    let parts = words.split(separator: " ").map(String.init)
    func button(_ index: Int) -> Button? { index < parts.count ? Button(named: parts[index]) : nil }
    switch (parts.first, parts.count) {
    case ("turn", 2):
      guard let steps = Int(parts[1]) else { return nil }
      self = .turn(steps)
    case ("turn", 4) where parts[2] == "with":
      guard let steps = Int(parts[1]), let held = button(3) else { return nil }
      self = .turnPressed(held, by: steps)
    case ("long", 2), ("double", 2):
      guard let pressed = button(1) else { return nil }
      self = parts[0] == "long" ? .long(pressed) : .double(pressed)
    case (_, 1):
      guard let pressed = button(0) else { return nil }
      self = .press(pressed)
    default: return nil
    }
  }
}

/// Which gestures mean something just now. What means nothing is not waited for: a button that is bound to nothing but a
/// press is pressed the moment it goes down.
package struct Bindings: Equatable, Sendable {
  package var long: Set<Button> = []
  /// The buttons of `long` that mean something else when they are held on after that.
  package var longAgain: Set<Button> = []
  package var double: Set<Button> = []
  /// A press of these is told without waiting for a second one, which is told as `pressAgain`.
  package var doubleAfterPress: Set<Button> = []
  /// Turned while held.
  package var turned: Set<Button> = []
  package var chords: [(Button, Button)] = []
  /// Pressed again and again while they are held.
  package var repeating: Set<Button> = []

  package init(_ set: (inout Bindings) -> Void = { _ in }) { set(&self) }

  func has(_ one: Button, _ other: Button) -> Bool {
    chords.contains { $0 == (one, other) || $0 == (other, one) }
  }

  /// A press of it is told from another gesture only when it ends.
  func waits(for button: Button) -> Bool {
    long.contains(button) || double.contains(button) || turned.contains(button)
      || chords.contains { $0.0 == button || $0.1 == button }
  }

  package static func == (one: Bindings, other: Bindings) -> Bool {
    one.long == other.long && one.longAgain == other.longAgain && one.double == other.double
      && one.doubleAfterPress == other.doubleAfterPress && one.turned == other.turned
      && one.repeating == other.repeating && one.chords.elementsEqual(other.chords, by: ==)
  }
}
