import Runtime

/// For whom the panel is drawn.
package enum PanelProfile: String, Equatable, Sendable, CaseIterable {
  case home
  /// Large letters and few choices, for glances; nothing moves that need not.
  case car
  /// For people who pass by: only what they are allowed.
  case kiosk
}

/// Which colours the panel has.
package enum PanelColours: String, Equatable, Sendable, CaseIterable {
  case night, day
  /// By the line that tells that the car's lights are on, by a light sensor, or by the time of day.
  case auto
}
