/// What a finger did on a touch screen.
package enum Touch: Equatable, Sendable {
  case tap(TouchPoint)
  /// It stays where it is; nothing more comes of it when it is lifted.
  case hold(TouchPoint)
  /// Where it came down, and how far it has moved since the last one, in parts of the whole.
  case drag(TouchPoint, across: Double, down: Double)
  /// Lifted while it was quick, and after its drags: who follows the drags leaves this alone.
  case swipe(Swipe, from: TouchPoint)
}

package enum Swipe: Sendable { case left, right, up, down }

/// In parts of the whole, from the upper left.
package struct TouchPoint: Equatable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}
