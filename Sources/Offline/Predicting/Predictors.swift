import Glibc

/// Each looks at what was listened to in one way, and says how sure it is of what.
enum Predictors {
  typealias Claim = (item: ItemKey, score: Double, reason: Prediction.Reason)

  /// Nothing older says anything of today.
  private static let window = 8 * 7
  private static let lately = 14
  private static let pausesToBeOver = 3
  private static let sessions = 5
  /// Two may be in common by chance, of which nothing follows.
  private static let leastInCommon = 3
  /// Nobody's queue is listened to much further.
  static let queued = 20

  static func all(_ prediction: Prediction, day: Int, hour: Int) -> [Claim] {
    let known = prediction.history.filter { day - $0.day < window && $0.day <= day }
    let current = known.last?.session
    var claims = queue(prediction.queue) + lists(prediction.lists)
    claims += often(known, day) + thisHour(known, day, hour) + similar(known, current)
    return claims
  }

  private static func queue(_ queue: [ItemKey]) -> [Claim] {
    // The next one is nearly certain, and each after it a little less.
    queue.prefix(queued).enumerated().map { ($1, 0.98 - 0.01 * Double($0), .queue) }
  }

  private static func lists(_ lists: [Prediction.Personal]) -> [Claim] {
    lists.flatMap { list in list.items.map { ($0, 0.9, .list(list.name)) } }
  }

  private struct Fondness {
    var plays = 0
    var weight = 0.0
    /// Counted in plays of anything, because days on which nobody listens say nothing.
    var first = 0
    var last = 0
  }

  /// Each play counts half as much three days later: what somebody is fond of changes within the two weeks. And what has
  /// not come for three times as long as it usually lets one wait is over at once, however often it came before.
  private static func often(_ plays: [Prediction.Play], _ day: Int) -> [Claim] {
    let recent = plays.filter { day - $0.day < lately }
    var counts: [ItemKey: Fondness] = [:]
    for (number, play) in recent.enumerated() {
      var fondness = counts[play.item] ?? Fondness(first: number)
      fondness.plays += 1
      fondness.weight += exp2(-Double(day - play.day) / 3)
      fondness.last = number
      counts[play.item] = fondness
    }
    var claims: [Claim] = []
    for (item, fondness) in counts {
      // Once or twice is no habit; three times within a day or two is.
      let score = min(0.5 + 0.09 * fondness.weight, 0.97)
      let pause = max((fondness.last - fondness.first) / max(fondness.plays - 1, 1), 1)
      guard score > Prediction.claimsAbove, recent.count - 1 - fondness.last <= pausesToBeOver * pause else { continue }
      claims.append((item, score, .oftenLately(plays: fondness.plays)))
    }
    return claims
  }

  /// Plays within an hour of this one. On this day of the week they count whole, on others of its kind half; ten give the
  /// highest score.
  private static func thisHour(_ plays: [Prediction.Play], _ day: Int, _ hour: Int) -> [Claim] {
    let weekday = Prediction.weekday(of: day)
    var frequency: [ItemKey: Double] = [:]
    for play in plays {
      let distance = abs(play.hour - hour)
      guard min(distance, 24 - distance) <= 1 else { continue }
      if play.weekday == weekday {
        frequency[play.item, default: 0] += 1
      } else if (play.weekday < 5) == (weekday < 5) {
        frequency[play.item, default: 0] += 0.5
      }
    }
    return frequency.map { ($0, min($1 / 10, 0.97), .thisHour(weekday: weekday, hour: hour)) }
  }

  /// What was played in the sessions most like this one, and not yet in this one.
  private static func similar(_ plays: [Prediction.Play], _ current: Int?) -> [Claim] {
    guard let current else { return [] }
    let bySession = Dictionary(grouping: plays, by: \.session).mapValues { Set($0.map(\.item)) }
    guard let now = bySession[current], now.count >= leastInCommon else { return [] }
    var likes: [(session: Int, similarity: Double, items: Set<ItemKey>)] = []
    for (session, items) in bySession where session != current {
      let common = items.intersection(now).count
      // Of this one, as far as it has come: it is not over yet, and an earlier one is.
      let similarity = Double(common) / Double(now.count)
      if common >= leastInCommon, similarity > 0.3 { likes.append((session, similarity, items)) }
    }
    likes.sort { $0.similarity != $1.similarity ? $0.similarity > $1.similarity : $0.session > $1.session }
    var doubts: [ItemKey: (doubt: Double, count: Int)] = [:]
    for like in likes.prefix(sessions) {
      for item in like.items.subtracting(now) {
        let before = doubts[item] ?? (1, 0)
        doubts[item] = (before.doubt * (1 - like.similarity * 0.8), before.count + 1)
      }
    }
    return doubts.map { ($0, 1 - $1.doubt, .similarSessions($1.count)) }
  }
}
