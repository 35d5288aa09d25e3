import Rights
import Runtime

/// Tells people while there is time that licences end, or that a subscription is not paid: once at each start, and then
/// once a day. What has ended says so itself when it is played. It runs on the main loop.
@MainLoop
final class LicenceWarnings {
  private let notices: NoticeBoard
  /// What was told last, by source.
  private var told: [String: Notice] = [:]

  init(_ notices: NoticeBoard) { self.notices = notices }

  func follow(_ rights: any RightsKeeper) async {
    do throws(Fault) {
      let lines = try await rights.asked { keeper throws(Fault) in try keeper.lines() }
      follow(Self.notices(lines.map { ($0.source, $0.verdict) }))
    } catch {}  // whatever is played says what is wrong, and in a minute it is asked again
  }

  private func follow(_ now: [String: Notice]) {
    for (source, notice) in now.sorted(by: { $0.key < $1.key }) where told[source] != notice {
      notices.post(notice, inPlaceOf: told[source])
    }
    told = now
  }

  /// One for each source of which something ends soon, by what ends first; a subscription counts before a licence, since
  /// being online does not put that right.
  nonisolated static func notices(_ standings: [(source: String, verdict: Verdict)]) -> [String: Notice] {
    var (ending, unpaid): ([String: Int64], [String: Int64?]) = ([:], [:])
    for (source, verdict) in standings {
      switch verdict {
      case .endsSoon(let days): ending[source] = min(days, ending[source] ?? days)
      case .unpaid(let days):
        unpaid[source] = .some([days, unpaid[source] ?? nil].compactMap { $0 }.min())
      case .plays, .ended, .playedOut, .unpaidTooLong, .withoutSubscription, .unknownSubscription, .takenBack,
        .otherRegion, .otherDevice, .timeLost, .restored, .notYet:
        break
      }
    }
    return ending.reduce(into: [:]) { $0[$1.key] = Self.ending($1.key, $1.value) }
      .merging(unpaid.map { ($0.key, Self.unpaid($0.key, $0.value)) }) { $1 }
  }

  nonisolated private static func ending(_ source: String, _ days: Int64) -> Notice {
    Notice(
      "X-290", "Licences of \(source) end soon; online they are renewed. Days left: \(days).",
      names: [source, "\(days)"])
  }

  nonisolated private static func unpaid(_ source: String, _ days: Int64?) -> Notice {
    guard let days else {
      return Notice("X-292", "The subscription of \(source) is not paid; its music plays for now.", names: [source])
    }
    return Notice(
      "X-291", "The subscription of \(source) is not paid; its music plays for now. Days left: \(days).",
      names: [source, "\(days)"])
  }
}
