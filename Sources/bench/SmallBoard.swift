/// A Raspberry Pi Zero 2 W on a battery of 1,200 mAh at 3.7 V, one of the smallest that is sold for it. Nobody has
/// measured Layby there: what its processor would take is reckoned from what this machine's took.
enum SmallBoard {
  /// A busy core there, above an idle one.
  private static let wattsOfCore = 0.5
  /// So much longer its core needs for the same, at most.
  private static let slower = 12.0
  private static let wattHours = 1.2 * 3.7

  /// Percent of the battery that an hour of playing takes, beside what the board takes for being on.
  static func batteryShare(secondsPerMinute: Double) -> Double {
    let busy = secondsPerMinute / 60 * slower
    return busy * wattsOfCore / wattHours * 100
  }
}
