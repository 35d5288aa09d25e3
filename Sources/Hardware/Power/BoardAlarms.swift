import Runtime

/// When an owner is told that the power supply is too weak, or the board too hot, and when that is over. A value: readings
/// and the time go in.
package struct BoardAlarms: Equatable, Sendable {
  package struct Reading: Equatable, Sendable {
    /// Nil without a sensor of the supply's voltage.
    package var isUndervolted: Bool?
    /// How hot the hottest sensor is; nil without a sensor.
    package var degrees: Int?

    package init(isUndervolted: Bool?, degrees: Int?) { (self.isUndervolted, self.degrees) = (isUndervolted, degrees) }
  }

  package enum Change: Equatable, Sendable {
    case undervoltage(Bool)
    case heat(Bool)
  }

  /// From here on every Raspberry Pi makes itself slower.
  package static let tooHot = 80
  package static let coolEnough = 72
  /// The voltage sags briefly under load. The alarm is withdrawn so long after the last low reading.
  package static let calm: Duration = .seconds(60)

  package private(set) var reading = Reading(isUndervolted: nil, degrees: nil)
  /// How often the voltage has begun to be too low since the program's start; nil without a sensor.
  package private(set) var undervoltages: Int?
  private var wasUndervolted = false
  package private(set) var isHot = false
  private var lastUndervolted: Moment?

  package init() {}

  /// The alarm stands.
  package var isUndervolted: Bool { lastUndervolted != nil }

  package mutating func hear(_ new: Reading, at now: Moment) -> [Change] {
    reading = new
    var changes: [Change] = []
    if let isLow = new.isUndervolted {
      undervoltages = (undervoltages ?? 0) + (isLow && !wasUndervolted ? 1 : 0)
      wasUndervolted = isLow
    }
    if new.isUndervolted == true {
      if lastUndervolted == nil { changes.append(.undervoltage(true)) }
      lastUndervolted = now
    } else if let last = lastUndervolted, now - last >= Self.calm {
      lastUndervolted = nil
      changes.append(.undervoltage(false))
    }
    // A sensor that does not answer for a moment has not cooled.
    let degrees = new.degrees ?? (isHot ? Self.tooHot : .min)
    let isHotNow = isHot ? degrees > Self.coolEnough : degrees >= Self.tooHot
    if isHotNow != isHot { changes.append(.heat(isHotNow)) }
    isHot = isHotNow
    return changes
  }
}
