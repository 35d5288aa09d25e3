import Runtime

/// How much something is wanted, most first.
package enum Rank: Int64, Sendable, CaseIterable, Comparable {
  /// The player reads it as it grows; nothing else is more urgent.
  case playing = 0
  case askedFor = 1
  /// The start of what is about to be played.
  case start = 2
  case recentlyPlayed = 3
  case currentPlaylist = 4
  case older = 5
  case predicted = 6

  /// After so long it is overdue, and gets its turn whatever else is wanted more.
  package var patience: Duration {
    switch self {
    case .playing: .zero
    case .askedFor: .seconds(10 * 60)
    case .start: .seconds(30 * 60)
    case .recentlyPlayed: .seconds(3 * 3_600)
    case .currentPlaylist: .seconds(6 * 3_600)
    case .older: .seconds(24 * 3_600)
    case .predicted: .seconds(72 * 3_600)
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

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
