import Glibc

/// Each looks at what was listened to in one way, and says how sure it is of what.
enum Predictors {
  typealias Claim = (item: ItemKey, score: Double, reason: Prediction.Reason)

  /// Nothing older says anything of today.
  private static let window = 8 * 7
  private static let lately = 14
  private static let sessions = 5
  /// Nobody's queue is listened to much further.
  private static let queued = 20

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

  /// Each play counts half as much three days later: what somebody is fond of changes within the two weeks.
  private static func often(_ plays: [Prediction.Play], _ day: Int) -> [Claim] {
    var counts: [ItemKey: (plays: Int, weight: Double)] = [:]
    for play in plays where day - play.day < lately {
      let before = counts[play.item] ?? (0, 0)
      counts[play.item] = (before.plays + 1, before.weight + exp2(-Double(day - play.day) / 3))
    }
    return counts.map { item, count in
      // Once or twice is no habit; three times within a day or two is.
      (item, min(0.5 + 0.09 * count.weight, 0.97), .oftenLately(plays: count.plays))
    }.filter { $0.1 > Prediction.claimsAbove }
  }

  /// Plays at this hour: on this day of the week they count whole, on others of its kind half; ten are certain.
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
    guard let now = bySession[current], now.count > 1 else { return [] }
    var likes: [(session: Int, similarity: Double, items: Set<ItemKey>)] = []
    for (session, items) in bySession where session != current {
      // Of this one, as far as it has come: it is not over yet, and an earlier one is.
      let similarity = Double(items.intersection(now).count) / Double(now.count)
      if similarity > 0.3 { likes.append((session, similarity, items)) }
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
