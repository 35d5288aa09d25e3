import Runtime

/// How far a touch screen is mounted turned, clockwise.
package enum TouchRotation: CaseIterable, Sendable {
  case none, quarter, half, threeQuarters
}
