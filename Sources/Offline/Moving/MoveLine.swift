import Runtime

/// How far a move is, as it is shown.
package struct MoveLine: Equatable, Sendable {
  package var from: String
  package var to: String
  /// On the other disk for certain, and of how many.
  package var there = 0
  package var files = 0
  package var bytes: Int64 = 0
  package var size: Int64 = 0
  /// Bytes a second, lately.
  package var speed: Int64 = 0
  /// What the other disk has left, when it is there.
  package var free: Int64?
  /// Why it does not go on.
  package var why: [Why] = []

  package init(from: String, to: String) { (self.from, self.to) = (from, to) }

  package var left: Duration? { speed > 0 ? .seconds((size - bytes) / speed) : nil }
}

/// A disk on which music may be kept.
package struct VolumeLine: Equatable, Sendable {
  package var volume: MediaVolume
  package var isHome = false
  package var isThere = false
  /// Nothing was ever kept on it, so it has no mark, and what lies in its place may be anything.
  package var isNew = false
  /// Bytes, where it is there.
  package var free: Int64?
  package var total: Int64?

  package init(_ volume: MediaVolume) { self.volume = volume }
}

/// How much is kept, how much may be, and how much the disk has left.
package struct OfflineRoom: Equatable, Sendable {
  package var kept: Int64 = 0
  package var limit: Int64 = 0
  package var free: Int64?
  package var usage = OfflineUsage()

  package init() {}
}

/// How many bytes are kept of each kind.
package struct OfflineUsage: Equatable, Sendable {
  /// Wanted by the owner, and whole.
  package var asked: Int64 = 0
  /// Not whole yet.
  package var growing: Int64 = 0
  /// Because it may be wanted.
  package var predicted: Int64 = 0
  /// Left over from streaming.
  package var cached: Int64 = 0
  /// Of no wish any more.
  package var left: Int64 = 0

  package init() {}
}
