import Runtime
import Services

/// What the program is told, for notices, the log and whoever listens.
package enum OfflineEvent: Equatable, Sendable {
  case download(DownloadEvent)
  /// Something is wanted, and nothing of it is fetched. Told once for as long as the reasons stay the same.
  case waits([Why])
  /// What it waited for has come.
  case goesOn
  case warned(Keeper.Warning)
  /// Given up by itself to make room.
  case gaveUp(MediaKey, Keeper.Class, bytes: Int64)
  case wanted(ContainerKey)
  case dropped(ContainerKey)
  /// A container has other items now.
  case followed(ContainerKey, new: Int, gone: Int, over: Int)
  /// A source calls what lies in these files otherwise than before.
  case renamed([FilePath])
  /// Everything goes to another disk; that does not go on; it is there.
  case moving(from: String, to: String)
  case moveWaits([Why])
  case moved(to: String)
}

/// A file that is whole, right and under its name.
package struct WholeItem: Equatable, Sendable {
  package var key: MediaKey
  package var path: FilePath
  /// As its source tells of it; nil when nothing is known.
  package var facts: MediaItem?

  package init(_ key: MediaKey, at path: FilePath, _ facts: MediaItem?) {
    (self.key, self.path, self.facts) = (key, path, facts)
  }
}
