import Runtime

/// Decides which time to believe, since a board's clock may be wrong, be set by anybody, or have stopped with the power. It is
/// a value: `DeviceRights` gives it what the clocks say, and stores it.
package struct HonestClock: Equatable, Sendable {
  /// What clocks say at one moment. In seconds; `uptime` counts sleep too, and begins with the start of the board.
  package struct Reading: Equatable, Sendable {
    package var system: Int64
    package var uptime: Int64
    /// Another one after each start of the board.
    package var boot: String
    /// A time server has set the clock and holds it.
    package var isSynchronised: Bool
    /// A clock with a battery went on while the board was off.
    package var hasBattery: Bool

    package init(system: Int64, uptime: Int64, boot: String, isSynchronised: Bool, hasBattery: Bool) {
      (self.system, self.uptime, self.boot) = (system, uptime, boot)
      (self.isSynchronised, self.hasBattery) = (isSynchronised, hasBattery)
    }
  }

  /// Which clock the time was taken from.
  package enum Witness: String, Sendable {
    /// A time server.
    case network
    /// A service that signs what time it is, and the power since.
    case service
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
  private(set) var floor: Int64
  /// It is at least so late, by what time servers or a service have said and the time with power since. Not even a time
  /// server leads back before it.
  private(set) var proven: Int64
  /// When it was read last: in which run of the board, and how long after its start.
  private(set) var boot: String
  private(set) var uptime: Int64
  /// The run of the board in which a service signed the time; empty when none has.
  private(set) var signedBoot: String

  init(floor: Int64 = 0, proven: Int64 = 0, boot: String = "", uptime: Int64 = 0, signedBoot: String = "") {
    (self.floor, self.proven, self.boot, self.uptime) = (floor, proven, boot, uptime)
    self.signedBoot = signedBoot
  }

  /// From 1970 to the end of 9999.
  static let possible: ClosedRange<Int64> = 0...253_402_300_799

  /// So far beyond what is known a clock is believed that somebody may have set. Whoever sets it by a year has not made a
  /// year pass. What a time server says counts beyond that too, and is not taken for proven.
  static let mostAway: Int64 = 120 * 86_400
  /// Time servers differ, and clocks drift.
  private static let slack: Int64 = 600
  /// The seconds of the clock and those since the start do not change at the same moment.
  private static let tick: Int64 = 2

  package mutating func read(_ reading: Reading) -> Time {
    let system = Self.bounded(reading.system)
    let since = max(reading.boot == boot ? reading.uptime - uptime : reading.uptime, 0)
    let powered = Self.bounded(floor + since)
    proven = proven == 0 ? 0 : Self.bounded(proven + since)
    let time: Time
    if signedBoot == reading.boot, !signedBoot.isEmpty {
      // Time servers are believed as far as they say the same as what was signed and the power since. Measured from what is
      // believed, one that is a little further off each time would lead anywhere.
      let isNear = abs(system - proven) <= Self.slack
      time =
        reading.isSynchronised && isNear
        ? Time(now: system, witness: .network) : Time(now: powered, witness: .service)
    } else if reading.isSynchronised, system >= proven - Self.slack {
      time = Time(now: system, witness: .network)
      if proven == 0 || system <= proven + Self.mostAway { proven = max(system, proven) }
    } else if floor == 0 {
      // A new device: what it says is all there is.
      time = Time(now: system, witness: reading.hasBattery ? .battery : .power)
    } else if reading.hasBattery, (powered - Self.tick...powered + Self.mostAway).contains(system) {
      time = Time(now: max(system, powered), witness: .battery)
    } else {
      time = Time(now: powered, witness: .power)
    }
    (floor, boot, uptime) = (time.now, reading.boot, reading.uptime)
    return time
  }

  /// A service has signed that it is so late. That leads back too, since nobody else can have said it: it puts right what a
  /// wrong time server did.
  mutating func learn(_ signed: Int64, at reading: Reading) {
    let time = Self.bounded(signed)
    (floor, proven, boot, uptime, signedBoot) = (time, time, reading.boot, reading.uptime, reading.boot)
  }

  private static func bounded(_ time: Int64) -> Int64 { min(max(time, possible.lowerBound), possible.upperBound) }
}
