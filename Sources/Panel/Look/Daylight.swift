import Runtime

/// Which colours, by what is known of the light outside. Pure.
package struct Daylight: Equatable, Sendable {
  package var colours: PanelColours
  package var hours: DayHours?
  /// The car's lights are on; nil where no line tells.
  package var lights: Bool?
  /// Since midnight; nil while the clock is not to be believed.
  package var minute: Int?

  package init(_ colours: PanelColours, hours: DayHours?) { (self.colours, self.hours) = (colours, hours) }

  /// Dark when nothing is known: it dazzles nobody.
  package var theme: Theme {
    switch colours {
    case .night: .night
    case .day: .day
    case .auto: isDay ? .day : .night
    }
  }

  private var isDay: Bool {
    if let lights { return !lights }
    guard let minute, let hours else { return false }
    return hours.from < hours.to
      ? (hours.from..<hours.to).contains(minute) : minute >= hours.from || minute < hours.to
  }
}
