import Runtime

/// What may be wanted next, from what was listened to. Plain rules, each of which says why; nothing is learned that cannot
/// be told in a sentence. For those who have asked for it; `TransferPolicy` says on which network and at what battery.
package struct Prediction: Sendable {
  package struct Play: Equatable, Sendable {
    package var item: ItemKey
    /// Since 1970, where the listener is.
    package var day: Int
    package var hour: Int
    /// Plays without a long pause between them belong to one session.
    package var session: Int

    package init(_ item: ItemKey, day: Int, hour: Int, session: Int) {
      (self.item, self.day, self.hour, self.session) = (item, day, hour, session)
    }

    var weekday: Int { Prediction.weekday(of: day) }
  }

  /// A list that a source makes for this listener, as it is now.
  package struct Personal: Equatable, Sendable {
    package var name: String
    package var items: [ItemKey]

    package init(_ name: String, _ items: [ItemKey]) { (self.name, self.items) = (name, items) }
  }

  package enum Reason: Hashable, Sendable {
    case queue
    case list(String)
    case oftenLately(plays: Int)
    case thisHour(weekday: Int, hour: Int)
    case similarSessions(Int)

    package var words: String {
      switch self {
      case .queue: "it is next in the queue"
      case .list(let name): "it is in \(name)"
      case .oftenLately(let plays): "played \(plays) times in two weeks"
      case .thisHour(let weekday, let hour): "often on \(Self.day(weekday)) \(PartOfDay(hour: hour))"
      case .similarSessions(1): "played along with this before"
      case .similarSessions(let count): "played along with this \(count) times"
      }
    }

    package static func isWeekend(_ weekday: Int) -> Bool { weekday >= 5 }

    private static func day(_ weekday: Int) -> String { isWeekend(weekday) ? "weekend" : "weekday" }

    /// The text in the database. `init(stored:)` gives nil for one that only a later version knows.
    var stored: String {
      switch self {
      case .queue: "queue"
      case .list(let name): "list " + name.filter { !$0.isNewline }
      case .oftenLately(let plays): "lately \(plays)"
      case .thisHour(let weekday, let hour): "hour \(weekday) \(hour)"
      case .similarSessions(let count): "similar \(count)"
      }
    }

    init?(stored: some StringProtocol) {
      let parts = stored.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let rest = parts.count > 1 ? parts[1] : ""
      let numbers = rest.split(separator: " ").compactMap { Int($0) }
      switch (parts.first, numbers.count) {
      case ("queue", _): self = .queue
      case ("list", _): self = .list(String(rest))
      case ("lately", 1): self = .oftenLately(plays: numbers[0])
      case ("hour", 2): self = .thisHour(weekday: numbers[0], hour: numbers[1])
      case ("similar", 1): self = .similarSessions(numbers[0])
      default: return nil
      }
    }
  }

  package enum PartOfDay: String, Sendable, CustomStringConvertible {
    case mornings, afternoons, evenings, nights

    package init(hour: Int) {
      self =
        switch hour {
        case 5..<11: .mornings
        case 11..<17: .afternoons
        case 17..<22: .evenings
        default: .nights
        }
    }

    package var description: String { rawValue }
  }

  package struct Candidate: Equatable, Sendable {
    package var item: ItemKey
    /// 0 to 1: how sure it is.
    package var score: Double
    /// The strongest first.
    package var reasons: [Reason]
  }

  /// Below this nothing is claimed.
  package static let claimsAbove = 0.7
  /// A reason that is weaker counts, and is not told beside a better one.
  package static let toldAbove = 0.3
  package static let budget: Int64 = 1_000_000_000
  package static let mostInARound = 50

  /// Oldest first.
  package var history: [Play]
  package var queue: [ItemKey] = []
  package var lists: [Personal] = []

  package init(history: [Play]) { self.history = history }

  /// Everything that is claimed at this hour, the surest first. Reasons that do not depend on each other add up: what two
  /// of them doubt by half is doubted by a quarter.
  package func candidates(day: Int, hour: Int) -> [Candidate] {
    var doubts: [ItemKey: Double] = [:]
    var reasons: [ItemKey: [(reason: Reason, score: Double)]] = [:]
    for one in Predictors.all(self, day: day, hour: hour) {
      doubts[one.item, default: 1] *= 1 - min(max(one.score, 0), 1)
      reasons[one.item, default: []].append((one.reason, one.score))
    }
    var found: [Candidate] = []
    for (item, doubt) in doubts where 1 - doubt > Self.claimsAbove {
      let sorted = (reasons[item] ?? []).sorted { $0.score > $1.score }
      // "Often" is not said of what is nearly chance.
      let told = sorted.prefix(1) + sorted.dropFirst().filter { $0.score >= Self.toldAbove }
      found.append(Candidate(item: item, score: 1 - doubt, reasons: told.map(\.reason)))
    }
    return found.sorted { $0.score != $1.score ? $0.score > $1.score : $0.item < $1.item }
  }

  /// 0 is Monday; the first of January 1970 was a Thursday.
  static func weekday(of day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }

  /// Weekly lists are looked at anew on Mondays, daily ones each day; what has left them is dropped.
  package static func isLookedAtAnew(isWeekly: Bool, lastLook: Int?, today: Int) -> Bool {
    guard let lastLook else { return true }
    guard isWeekly else { return today != lastLook }
    let monday = today - weekday(of: today)
    return lastLook < monday || lastLook > today
  }
}

extension [Prediction.Reason] {
  /// In plain words, for the command line and the log.
  package var words: String { map(\.words).joined(separator: "; ") }

  var stored: String { map(\.stored).joined(separator: "\n") }

  init(stored: String) { self = stored.split(separator: "\n").compactMap { Prediction.Reason(stored: $0) } }
}

/// That an item was listened to.
package struct ItemPlay: Equatable, Sendable {
  package var item: ItemKey
  /// Seconds since 1970, by the clock that the board had.
  package var at: Int64

  package init(_ item: ItemKey, at: Int64) { (self.item, self.at) = (item, at) }
}

extension Prediction {
  /// A longer silence ends a session; a long piece is none.
  private static let longestPause: Int64 = 45 * 60
  private static let day: Int64 = 86_400
  /// Nothing older says anything of today.
  package static let remembers = 56 * day

  /// Days and hours where the listener is; `zone`: how many seconds they were ahead then.
  package static func plays(_ plays: [ItemPlay], zone: (Int64) -> Int64) -> [Play] {
    var (found, session, last): ([Play], Int, Int64?) = ([], 0, nil)
    for play in plays.sorted(by: { $0.at < $1.at }) {
      if let last, play.at - last > longestPause { session += 1 }
      last = play.at
      let (day, hour) = local(play.at, zone: zone)
      found.append(Play(play.item, day: day, hour: hour, session: session))
    }
    return found
  }

  package static func local(_ date: Int64, zone: (Int64) -> Int64) -> (day: Int, hour: Int) {
    let (seconds, isBeyond) = date.addingReportingOverflow(zone(date))
    guard !isBeyond else { return (0, 0) }
    // Before 1970, too, a day begins at midnight.
    let second = (seconds % day + day) % day
    return (Int((seconds - second) / day), Int(second / 3_600))
  }
}
