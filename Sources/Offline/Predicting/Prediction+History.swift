import Runtime

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
