/// How much what a container holds is wanted, and until when that holds: what was asked for a moment ago goes before what
/// was asked for last week, unless that is what is listened to.
package struct ContainerRank: Equatable, Sendable {
  package static let isNewFor: Int64 = 86_400
  package static let isLatelyFor: Int64 = 14 * 86_400
  /// How many items of a container that comes next get the rank of a start. The others get the rank of what is played.
  package static let start = 10

  package var isPredicted = false
  /// It was asked for in this run, whatever the clock said then.
  package var isNew = false
  /// Seconds since 1970, by the clock that the board had.
  package var wantedAt: Int64
  /// Anything of it.
  package var playedAt: Int64?
  /// Something of it is played now.
  package var isPlayed = false
  /// Something of it comes next, and nothing is played.
  package var isNext = false

  package init(wantedAt: Int64) { self.wantedAt = wantedAt }

  /// The ranks of the first items of a container, and of its other items.
  package struct Pair: Equatable, Sendable {
    package var start: Rank
    package var rest: Rank

    package func rank(at place: Int) -> Rank { place < ContainerRank.start ? start : rest }
  }

  package func ranks(at date: Int64) -> Pair {
    var rest = self
    // It is played soon.
    (rest.isNext, rest.isPlayed) = (false, isNext || isPlayed)
    return Pair(start: rank(at: date), rest: rest.rank(at: date))
  }

  /// The rank of its first items. A clock that was set back makes nothing old.
  package func rank(at date: Int64) -> Rank {
    if isPredicted { return .predicted }
    if isNew || date - wantedAt < Self.isNewFor { return .askedFor }
    if isNext { return .start }
    if let playedAt, date - playedAt < Self.isLatelyFor { return .recentlyPlayed }
    return isPlayed ? .currentPlaylist : .older
  }
}
