import Glibc
import Runtime
import Services

/// From when to when licences hold, and what else they ask for.
struct LicenceTerms: Equatable {
  var from: Int64
  var until: Int64?
  /// They hold while a statement says that the subscription goes on.
  var needsSubscription = false
  /// So many days from the first time that a track of it is played.
  var playDays: Int64?
  /// The tracks are played as they come and not kept.
  var isForStreaming = false
  /// The best that they are for; nil when they are for all there is.
  var quality: Quality?

  static let day: Int64 = 86_400
  static let usualDays: Int64 = 30

  init(from: Int64, days: Int64?, needsSubscription: Bool, quality: Quality?) {
    (self.from, self.needsSubscription, self.quality) = (from, needsSubscription, quality)
    until = days.map { from + $0 * Self.day }
  }

  init(_ words: [String], now: Int64 = Int64(time(nil))) throws(Fault) {
    var (from, days, rest) = (now, Int64?.some(Self.usualDays), words[...])
    while let word = rest.popFirst() {
      switch word {
      case "--for-good": days = nil
      case "--subscription": needsSubscription = true
      case "--streaming": isForStreaming = true
      case "--days": days = try Self.days(rest.popFirst(), word, most: 36_500)
      case "--play-days": playDays = try Self.days(rest.popFirst(), word, most: 366)
      case "--from":
        guard let seconds = rest.popFirst().flatMap(Self.seconds) else {
          throw Fault(.malformed, "D-103", "--from needs a day, such as 2026-11-28")
        }
        from = seconds
      default: throw Fault(.malformed, "D-104", "\(shownBriefly(word)) is nothing that can be said of licences")
      }
    }
    (self.from, until) = (from, days.map { from + $0 * Self.day })
  }

  static func days(_ word: String?, _ option: String, most: Int64) throws(Fault) -> Int64 {
    guard let count = word.flatMap({ Int64($0) }), (1...most).contains(count) else {
      throw Fault(.malformed, "D-102", "\(option) needs a number from 1 to \(most)")
    }
    return count
  }

  private static func seconds(of day: String) -> Int64? {
    let parts = day.split(separator: "-").compactMap { Int32($0) }
    guard parts.count == 3, (1_970...9_999).contains(parts[0]), (1...12).contains(parts[1]), (1...31).contains(parts[2])
    else { return nil }
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday) = (parts[0] - 1_900, parts[1] - 1, parts[2])
    return Int64(timegm(&date))
  }

  var members: [(String, JSON)] {
    var members: [(String, JSON)] = []
    if let until { members.append(("exp", JSON(until))) }
    if needsSubscription { members.append(("needs", "subscription")) }
    if let playDays { members.append(("play_days", JSON(playDays))) }
    if let quality { members.append(("quality", JSON(quality.indexName))) }
    if isForStreaming { members.append(("use", "streaming")) }
    return members
  }
}
