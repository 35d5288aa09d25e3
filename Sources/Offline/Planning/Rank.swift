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
