/// A date as servers write it, in any of the three forms they may use. Seconds since 1970.
package enum HTTPDate {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`. `now` decides which
  /// century two digits mean.
  package static func seconds(_ text: String, now: Int64?) -> Int64? {
    let words = text.split { " ,-".contains($0) }.map(String.init)
    // The day of the week says nothing more.
    guard words.count >= 5, words.count <= 6 else { return nil }
    let isOldest = !text.contains(",")
    guard isOldest ? words.count == 5 : words.count == 6 && words[5] == "GMT" else { return nil }
    let (day, month) = isOldest ? (words[2], words[1]) : (words[1], words[2])
    let (year, clock) = isOldest ? (words[4], words[3]) : (words[3], words[4])
    guard let number = months.firstIndex(of: month), let date = Int(day), (1...31).contains(date),
      let whole = Self.year(year, now: now), let time = Self.time(clock)
    else { return nil }
    return days(whole, number + 1, date) * 86_400 + time
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func year(_ text: String, now: Int64?) -> Int? {
    guard let number = Int64(digits: text) else { return nil }
    if text.utf8.count == 4 { return (1970...9999).contains(number) ? Int(number) : nil }
    guard text.utf8.count == 2 else { return nil }
    // More than fifty years ahead means the last century.
    let thisYear = 1970 + Int((now ?? 0) / 31_556_952)
    let sameCentury = thisYear / 100 * 100 + Int(number)
    return sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury
  }

  private static func time(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = Int64(digits: parts[0]), let minute = Int64(digits: parts[1]),
      let second = Int64(digits: parts[2]), hour < 24, minute < 60, second < 61
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  /// Days since 1970 of a date in the Gregorian calendar; years begin in March, so that a leap day is the last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era * 146_097 + dayOfEra - 719_468)
  }
}
