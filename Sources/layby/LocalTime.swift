import Glibc
import Offline
import Panel
import Runtime

/// The time of day where the board is; nil while the board's clock was never set.
enum LocalTime {
  /// Minutes since midnight.
  static func minute(at date: Int64) -> Int? {
    var conditions = TransferConditions()
    conditions.hear(date: date)
    return conditions.minute
  }

  /// Minutes since the week began, on Monday, and seconds.
  static func ofWeek() -> (minute: Int, second: Int)? {
    var seconds = time(nil)
    guard Int64(seconds) >= TransferConditions.firstCredible else { return nil }
    var parts = tm()
    localtime_r(&seconds, &parts)
    let day = (Int(parts.tm_wday) + 6) % 7
    return (day * OpeningHours.day + Int(parts.tm_hour) * 60 + Int(parts.tm_min), Int(parts.tm_sec))
  }

  static func ofDay() -> TimeOfDay? {
    ofWeek().map { TimeOfDay(minute: $0.minute % OpeningHours.day, second: $0.second) }
  }
}
