import Runtime

/// Smooths the level of a battery. A value: readings go in, the level comes out.
///
/// A gauge can be wrong for a moment, so the median of the last three readings counts, and a missing battery counts after
/// two readings. Readings also vary by one percent up and down with the load. So the level changes its direction only for
/// a difference of more than two percent; a sinking level falls step by step without rising in between.
package struct LevelFilter: Sendable {
  /// Readings that are nearer than this are one: a driver tells the same thing several times.
  package static let apart: Duration = .seconds(1)

  /// A change by no more than this, against the direction of the last one, is not told.
  package static let wavering = 2

  private enum Course { case none, up, down }

  private var readings: [(at: Moment, level: Int?)] = []
  private var course = Course.none
  package private(set) var level: Int?

  package init() {}

  /// What was read last does not agree with what is told: another reading soon would settle it.
  package var isUnsettled: Bool {
    guard let last = readings.last?.level, let level else { return readings.last?.level != level }
    return abs(last - level) > Self.wavering
  }

  package mutating func take(_ reading: Int?, at moment: Moment) {
    if let last = readings.last, moment - last.at < Self.apart, readings.count > 1 {
      readings[readings.count - 1].level = reading
    } else {
      readings.append((moment, reading))
    }
    if readings.count > 3 { readings.removeFirst() }
    move(to: middle)
  }

  private var middle: Int? {
    let known = readings.compactMap(\.level).sorted()
    // The first one is all that is known, and of two the earlier one stands until the third.
    if readings.count < 3 { return readings.first?.level ?? nil }
    // Two of three say that there is none.
    if known.count < 2 { return nil }
    return known.count == 3 ? known[1] : nearest(of: known)
  }

  private func nearest(of two: [Int]) -> Int {
    guard let level else { return two[0] }
    return abs(two[0] - level) <= abs(two[1] - level) ? two[0] : two[1]
  }

  private mutating func move(to new: Int?) {
    guard let new, let old = level else {
      if level != new { course = .none }
      return level = new
    }
    if new == old { return }
    let way = new > old ? Course.up : .down
    guard way == course || course == .none || abs(new - old) > Self.wavering else { return }
    course = way
    level = new
  }
}
