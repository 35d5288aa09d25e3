/// What a device may believe of the time at least and at most. It is reckoned from what the clocks of the season truly
/// said, as the table in the page of Rights has it, and not from what `HonestClock` has kept.
struct TimeBounds {
  /// What the board's clocks say at one moment.
  struct Clocks {
    var now: Int64
    var boot: Int
    var bootedAt: Int64
    /// How far the system's clock is ahead of the time.
    var offset: Int64 = 0
    var isSynchronised = false
    let hasBattery: Bool
  }

  struct Side {
    var floor: Int64 = 0
    /// By time servers, a service, and the power since.
    var proven: Int64 = 0

    mutating func pass(_ seconds: Int64) {
      floor += seconds
      if proven != 0 { proven += seconds }
    }
  }

  private(set) var least = Side()
  private(set) var most = Side()
  private(set) var boot = 0
  private(set) var signedBoot = 0
  private var at: Int64 = 0

  /// Time servers may differ by so much, and what lies closer together is not told apart.
  static let slack: Int64 = 700
  private static let mostAway: Int64 = 120 * 86_400

  /// `isLost`: nothing is known of the time that was, so the first clock is believed.
  mutating func read(_ clocks: Clocks, isLost: Bool) {
    let isFirst = boot == 0
    let since = boot == clocks.boot ? clocks.now - at : clocks.now - clocks.bootedAt
    (at, boot) = (clocks.now, clocks.boot)
    least.pass(since)
    most.pass(since)
    let system = max(clocks.now + clocks.offset, 0)
    if signedBoot == boot {
      (least.floor, most.floor) = (clocks.now - Self.slack, clocks.now + Self.slack)
    } else if clocks.isSynchronised {
      server(system, isRight: clocks.offset == 0, clocks.now)
    } else if isLost || isFirst {
      (least.floor, most.floor) = (min(least.floor, system), max(most.floor, system))
    } else if clocks.hasBattery {
      if clocks.offset == 0, clocks.now <= least.floor + Self.mostAway { least.floor = max(least.floor, clocks.now) }
      if system <= most.floor + Self.mostAway { most.floor = max(most.floor, system) }
    }
  }

  private mutating func server(_ system: Int64, isRight: Bool, _ now: Int64) {
    guard isRight else {
      // It leads back as far as nothing was proven, and on as far as it likes.
      if least.proven == 0 { least.proven = min(system, now) }
      least.floor = min(least.floor, max(system, least.proven - Self.slack))
      (most.floor, most.proven) = (max(most.floor, system), max(most.proven, system))
      return
    }
    least.floor = now
    if least.proven == 0 || now <= least.proven + Self.mostAway { least.proven = max(least.proven, now) }
    // One that was wrong may have proven more; then this one is not believed.
    most.floor = now >= most.proven - 600 ? now : max(most.floor, now)
    most.proven = max(most.proven, now)
  }

  mutating func learn(_ clocks: Clocks) {
    (at, boot, signedBoot) = (clocks.now, clocks.boot, clocks.boot)
    least = Side(floor: clocks.now, proven: clocks.now)
    most = least
  }

  /// Nobody may have led the device astray.
  func areRight(at now: Int64) -> Bool { abs(least.floor - now) <= Self.slack && abs(most.floor - now) <= Self.slack }
}
