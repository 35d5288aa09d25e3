import Runtime

/// Which colours, by what is known of the light outside. Pure.
package struct Daylight: Equatable, Sendable {
  package var colours: PanelColours
  package var hours: DayHours?
  /// The car's lights are on; nil where no line tells.
  package var lights: Bool?
  /// It is bright, as a sensor has it; nil where none tells.
  package var isBright: Bool?
  /// Since midnight; nil while the clock is not to be believed.
  package var minute: Int?

  package init(_ colours: PanelColours, hours: DayHours?) { (self.colours, self.hours) = (colours, hours) }

  /// Nothing better tells.
  package var goesByTime: Bool { colours == .auto && lights == nil && isBright == nil }

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
    if let isBright { return isBright }
    guard let minute, let hours else { return false }
    return hours.from < hours.to
      ? (hours.from..<hours.to).contains(minute) : minute >= hours.from || minute < hours.to
  }
}
