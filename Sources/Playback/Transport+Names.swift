import Library
import Runtime

/// What is known of tracks before their files are opened: the player's library, and what sources say of their music.
@MainLoop
package protocol TrackLibrary: AnyObject {
  /// Nil when nothing is known of the file.
  func track(at path: FilePath) async -> Track?
  /// Called with each file that the player has opened, so that its tags and length are known from then on.
  func learn(_ track: Track, at path: FilePath)
}

/// The names of tracks. The library's take precedence over the decoder's: an import reads all tags and uses the other
/// files of the folder where an encoding is doubtful. So panel, status, events and lists show the same names.
extension Transport {
  /// What is known of a file, whether or not it was ever played; nil when nothing is.
  package func lookUp(_ path: FilePath) async -> Track? { await library?.track(at: path) }

  /// Names the current entry before its file is opened, where that waits to be played: after a start, or the first of a
  /// queue that has ended.
  func nameCurrent() async {
    let status = status
    guard status.wish != .playing, let entry = status.entry, opened[entry.id] == nil, entry.id != namedCurrent else {
      return
    }
    namedCurrent = entry.id
    guard let known = await lookUp(entry.path), opened[entry.id] == nil else { return }
    opened[entry.id] = known
    tell(.track)
  }

  /// Call it when the library was opened or has changed.
  package func libraryChanged() {
    namedCurrent = nil
    MainLoop.start {
      for id in self.opened.keys {
        guard let path = self.queue.entry(id)?.path else { continue }
        await self.call(id, path)
      }
      self.nextEntry = nil
      await self.lookAhead()
    }
  }

  /// Call it while an import stores files: the current track may be among them.
  package func libraryGrows() {
    guard let entry = status.entry, opened[entry.id]?.isCatalogued == false else { return }
    MainLoop.start { await self.call(entry.id, entry.path) }
  }

  /// The track by the library's names, and as its open file says. A file that was opened just now has only its decoder's
  /// names yet.
  package func known(_ entry: PlayQueue.Entry) async -> Track? {
    if let track = opened[entry.id], track.isCatalogued { return track }
    let known = await lookUp(entry.path)
    return opened[entry.id]?.called(as: known, at: entry.path) ?? known
  }

  /// Gives an open track the library's names. For a part of a file (cue sheet) only the library knows the part's own
  /// title.
  func call(_ id: EntryID, _ path: FilePath) async {
    let known = await lookUp(path)
    guard let track = opened[id] else { return }
    let called = track.called(as: known, at: path)
    guard called != track else { return }
    opened[id] = called
    tell(.track)
    await lookAhead()
  }

  /// The current entry and the next ones.
  func nowAndNext(_ count: Int) -> [FilePath] {
    (status.entry.map { [$0.path] } ?? []) + upNext(count).map(\.path)
  }
}
