import Runtime

/// What a touch screen says of one of its fingers.
package struct FingerEvent: Equatable, Sendable {
  package enum Change: Equatable, Sendable {
    case down(TouchPoint)
    case move(TouchPoint)
    case up
    /// It was none: a palm, or the screen is gone.
    case cancel
  }

  package var screen: Int32
  /// The screen's own number of the finger, as long as it is down.
  package var finger: Int32
  package var change: Change
  package var at: Moment

  package init(screen: Int32 = 0, finger: Int32 = 0, _ change: Change, at moment: Moment) {
    self.screen = screen
    self.finger = finger
    self.change = change
    at = moment
  }
}

extension TouchPoint {
  /// On the surface, however much beside it; nil when these are no numbers.
  package init?(within x: Double, _ y: Double) {
    guard x.isFinite, y.isFinite else { return nil }
    self.init(x: min(max(x, 0), 1.0.nextDown), y: min(max(y, 0), 1.0.nextDown))
  }

  /// Where it lies on the picture, when the surface is mounted like that.
  package func turned(_ rotation: TouchRotation) -> TouchPoint {
    let (right, lower) = (1.0.nextDown - x, 1.0.nextDown - y)
    return switch rotation {
    case .none: self
    case .quarter: TouchPoint(x: max(lower, 0), y: x)
    case .half: TouchPoint(x: max(right, 0), y: max(lower, 0))
    case .threeQuarters: TouchPoint(x: y, y: max(right, 0))
    }
  }
}
