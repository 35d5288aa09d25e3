import Runtime

/// What is known of the time where a clock may be wrong, be set by anybody, or have stood still with the power. A value:
/// whoever reads the clocks and keeps this is elsewhere.
package struct HonestClock: Equatable, Sendable {
  /// What clocks say at one moment. In seconds; `uptime` counts sleep too, and begins with the start of the board.
  package struct Reading: Equatable, Sendable {
    package var system: Int64
    package var uptime: Int64
    /// A time server has set the clock and holds it.
    package var isSynchronised: Bool
    /// A clock with a battery went on while the board was off.
    package var hasBattery: Bool

    package init(system: Int64, uptime: Int64, isSynchronised: Bool, hasBattery: Bool) {
      (self.system, self.uptime) = (system, uptime)
      (self.isSynchronised, self.hasBattery) = (isSynchronised, hasBattery)
    }
  }

  /// Who says what time it is.
  package enum Witness: String, Sendable {
    /// A time server.
    case network
    /// The clock with a battery, which anybody can set.
    case battery
    /// Nobody: it is at least so late, since so long the board has had power.
    case power
  }

  package struct Time: Equatable, Sendable {
    package var now: Int64
    package var witness: Witness
  }

  /// It is at least so late, as far as any clock was believed.
  package private(set) var floor: Int64
  /// The latest time that a time server has said.
  package private(set) var sure: Int64
  /// The floor and the uptime when the clock was last read in this run.
  private var last: (floor: Int64, uptime: Int64)?

  package static func == (left: Self, right: Self) -> Bool {
    left.floor == right.floor && left.sure == right.sure
  }

  package init(floor: Int64 = 0, sure: Int64 = 0) { (self.floor, self.sure) = (floor, sure) }

  /// From 1970 to the end of 9999.
  static let known: ClosedRange<Int64> = 0...253_402_300_799

  /// A battery's clock is believed so far beyond the floor. Whoever sets it by a year has not made a year pass.
  static let mostAway: Int64 = 120 * 86_400

  package mutating func read(_ said: Reading) -> Time {
    var reading = said
    reading.system = min(max(said.system, Self.known.lowerBound), Self.known.upperBound)
    // Since the last reading, or since the start of the board.
    let since = last.map { max(reading.uptime - $0.uptime, 0) } ?? max(reading.uptime, 0)
    let powered = min((last?.floor ?? floor) + since, Self.known.upperBound)
    let time: Time
    if reading.isSynchronised, reading.system >= sure {
      // It may lie below a floor that a wrong battery's clock has made.
      time = Time(now: reading.system, witness: .network)
      sure = reading.system
    } else if floor == 0 {
      // A new device: what it says is all there is.
      time = Time(now: reading.system, witness: reading.hasBattery ? .battery : .power)
    } else if reading.hasBattery, reading.system >= powered, reading.system <= powered + Self.mostAway {
      time = Time(now: reading.system, witness: .battery)
    } else {
      time = Time(now: powered, witness: .power)
    }
    floor = time.now
    last = (floor, reading.uptime)
    return time
  }
}
