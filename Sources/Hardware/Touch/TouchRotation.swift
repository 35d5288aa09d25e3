import Runtime

/// How a touch screen is mounted: clockwise.
package enum TouchRotation: CaseIterable, Sendable {
  case none, quarter, half, threeQuarters
}
