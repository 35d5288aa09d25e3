import Runtime

/// How far an import is.
package struct ImportProgress: Equatable, Sendable {
  package enum Phase: String, Sendable { case counting, reading, playlists, done }

  package var source: Int64
  package var root: FilePath
  package var phase = Phase.counting
  package var folders = 0
  /// Files of music that were met, changed or not.
  package var seen = 0
  /// How many there are, as far as anybody knows.
  package var expected = 0
  /// Of those that were met: new or changed, and so read.
  package var read = 0
  /// Of those that were read: no music, or not to be read.
  package var unreadable = 0
  package var playlists = 0
  /// Folders that could not be listed, were too deep or too full; pipes and links that are called music.
  package var leftOut = 0
  /// Folders of those: deeper than anybody keeps music, or too many.
  package var foldersTooDeep = 0
  /// Those of them that are of formats of which the decoder is not installed.
  package var unplayable = 0
  package var began: Moment

  package init(source: Int64, root: FilePath, began: Moment) {
    self.source = source
    self.root = root
    self.began = began
  }

  package var total: Int { max(expected, seen) }

  /// Nil until there is something to reckon with: a few files and a second.
  package func left(at now: Moment) -> Duration? {
    guard phase == .reading, seen >= 20, now - began >= .seconds(1), seen <= total else { return nil }
    let perFile = (now - began).milliseconds * 1_000 / Int64(seen)
    return .microseconds(perFile * Int64(total - seen))
  }
}
