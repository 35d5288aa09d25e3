import Runtime

/// What a person did to the board, whatever they did it with: a knob on GPIO lines, a wheel of an input device, a key
/// of the terminal, or `layby press`. Hardware sends it upwards; what it means there is the panel's to say.
package enum Input: Equatable, Sendable {
  /// Detents, clockwise when positive. `far` is set when the knob was turned quickly: the number of rows that a long
  /// list moves by. Nothing else uses it, least of all the volume.
  case turn(Int, far: Int? = nil)
  /// It went down.
  case press(Button)
  /// The button was let go. A source that cannot see that sends it right after the press.
  case release(Button)
  /// A long press from a source that cannot hold a button, such as a terminal.
  case longPress(Button)
  /// A finger on a touch screen.
  case touch(Touch)
  /// Another sound begins or ends (`[lines] give_way`). No person did it.
  case otherSound(Bool)
  /// The ignition line has changed, or only bounced: each edge is told. No person did it at the panel.
  case ignition(Bool)
  /// The car's headlights are on or off; nil while that is unknown.
  case headlights(Bool?)
  /// End the program. Only the keys of a terminal give it.
  case quit

  /// `rows` as `Acceleration` counts them; those of a knob that was turned to and fro mean no more than its detents.
  static func turned(_ detents: Int, far rows: Int) -> Input {
    let isFurther = rows.signum() == detents.signum() && abs(rows) > abs(detents)
    return .turn(detents, far: isFurther ? rows : nil)
  }
}

/// What one finger did on the panel's glass. A second finger means nothing.
package enum Touch: Equatable, Sendable {
  /// Down and up again in one place.
  case tap(TouchPoint)
  /// It stays in one place; told while it is still down, and its lifting means nothing more.
  case hold(TouchPoint)
  /// It was put down there, and has moved by so much since the last time this was told: fractions of the surface, to
  /// the right and down.
  case drag(TouchPoint, across: Double, down: Double)
  /// It moved quickly and far along one axis and was lifted. Its drags were told before: a list that follows the finger
  /// uses those and leaves the swipe alone, and what does not follow it, such as a cover or a page, uses the swipe
  /// alone.
  case swipe(Swipe, from: TouchPoint)
}

package enum Swipe: Equatable, CaseIterable, Sendable {
  case left, right, up, down
}

/// Fractions of the surface, 0..<1: to the right and down.
package struct TouchPoint: Equatable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// An input, and when the contact moved: the kernel's timestamp, not the time at which the main loop read it.
package struct TimedInput: Equatable, Sendable {
  package var input: Input
  package var at: Moment

  package init(_ input: Input, at moment: Moment) { (self.input, at) = (input, moment) }
}

/// Buttons by what is printed on them. Their names are those of `layby press NAME` and of board.conf.
package enum Button: String, CaseIterable, Sendable {
  /// The switch under the knob.
  case knob
  case play, next, previous, forward, rewind
  /// Of a keyboard or a cross: where they point to on the panel.
  case up, down
  case pageUp = "page_up"
  case pageDown = "page_down"
  case back, home
  case louder, quieter, mute
  case help
  case power

  package var name: String { rawValue }

  /// Nil when no button is called so.
  package init?(named name: String) { self.init(rawValue: name.lowercased()) }
}
