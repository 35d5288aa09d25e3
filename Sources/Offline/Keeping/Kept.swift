import Glibc
import Runtime

/// Something on the disk that the keeper may have to decide about.
package struct Kept: Equatable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A download that is not whole.
    case partial
    /// Whole, and nobody asked to keep it.
    case cached
    case predicted
  }

  package var id: String
  package var kind: Kind
  package var bytes: Int64
  /// The owner wants it offline: itself, or with a container.
  package var isAskedFor = false
  /// It is being played, fetched or moved.
  package var isInUse = false
  package var plays = 0
  /// Since it was last played; nil for never.
  package var sincePlayed: Duration?
  /// Since its file last changed.
  package var sinceChanged: Duration = .zero

  package init(_ id: String, _ kind: Kind, bytes: Int64) { (self.id, self.kind, self.bytes) = (id, kind, bytes) }

  package var daysSincePlayed: Double { sincePlayed.map { Self.days($0) } ?? 365 }
  package var daysSinceChanged: Double { Self.days(sinceChanged) }

  /// A clock that was set back makes nothing younger than new.
  private static func days(_ time: Duration) -> Double { max(Double(time.nanoseconds), 0) / 86_400e9 }

  /// How much it would be missed: the more recently and the more often it was played, the more.
  package var score: Double {
    let recently = 0.7 / (1 + daysSincePlayed / 30)
    return recently + 0.3 * log10(Double(max(plays, 1)))
  }
}
