import Runtime

/// Whether a kiosk is open just now, and when that is to be looked at again. A value; the clock is told to it.
package struct KioskHours: Equatable, Sendable {
  package var hours: OpeningHours?

  package init(_ hours: OpeningHours?) { self.hours = hours }

  package struct Standing: Equatable, Sendable {
    package var isOpen: Bool
    /// As people say it, while it is closed: `9:00`.
    package var opensAt: String?
    /// In so many minutes it is looked at again: a clock may be set meanwhile.
    package var lookAgainIn: Int
  }

  /// `minute` is of the week; nil while the clock is not to be believed: then the music plays.
  package func standing(at minute: Int?) -> Standing {
    guard let hours else { return Standing(isOpen: true, opensAt: nil, lookAgainIn: Self.often) }
    guard let minute else { return Standing(isOpen: true, opensAt: nil, lookAgainIn: 1) }
    let state = hours.state(at: minute)
    let again = min(max(state.changesIn ?? Self.often, 1), Self.often)
    let opensAt = state.isOpen ? nil : state.changesIn.map { DayHours.clock((minute + $0) % OpeningHours.day) }
    return Standing(isOpen: state.isOpen, opensAt: opensAt, lookAgainIn: again)
  }

  static let often = 30
}
