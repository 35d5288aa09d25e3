import Runtime

/// Whether a kiosk is open just now. A value; the clock is told to it.
package struct KioskHours: Equatable, Sendable {
  package var hours: OpeningHours?

  package init(_ hours: OpeningHours?) { self.hours = hours }

  /// A moment of the week, as people say it.
  package struct Opening: Equatable, Sendable {
    /// From Monday on; nil: within a day.
    package var day: Int?
    /// `9:00`.
    package var clock: String

    package init(day: Int?, clock: String) { (self.day, self.clock) = (day, clock) }
  }

  package enum State: Equatable, Sendable {
    case open
    /// When it opens, if ever.
    case closed(Opening?)
  }

  /// `minute` is of the week; nil while the clock is not to be believed: then the music plays.
  package func state(at minute: Int?) -> State {
    guard let hours, let minute else { return .open }
    let state = hours.state(at: minute)
    if state.isOpen { return .open }
    guard let wait = state.changesIn else { return .closed(nil) }
    let then = (minute + wait) % OpeningHours.week
    let isSoon = wait < OpeningHours.day
    return .closed(
      Opening(day: isSoon ? nil : then / OpeningHours.day, clock: DayHours.clock(then % OpeningHours.day)))
  }
}
