import Runtime

/// The time of day, as the panel shows it: `14:05`.
package struct TimeOfDay: Equatable, Sendable {
  /// Since midnight, where the board is.
  package var minute: Int
  /// Of that minute.
  package var second: Int

  package init(minute: Int, second: Int) { (self.minute, self.second) = (minute, second) }

  var text: String { "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)" }
  var untilNextMinute: Duration { .seconds(60 - min(max(second, 0), 59)) }
}
