import Audio
import Library
import Runtime

/// What music is called where its file does not say it, or nobody has opened that yet.
extension Transport {
  /// What was paused when the board went off is not opened before it plays, and has its name in the library.
  package func libraryIsOpen() {
    Deck.start {
      guard let entry = self.status.entry else { return }
      if self.opened[entry.id] != nil {
        if MusicPart(address: entry.path) != nil { await self.call(entry.id, entry.path) }
        return
      }
      guard let known = await self.lookUp(entry.path), self.opened[entry.id] == nil else { return }
      self.opened[entry.id] = known
      self.tell(.track)
      await self.lookAhead()
    }
  }

  /// As it says itself, or as the library knows it.
  package func known(_ entry: PlayQueue.Entry) async -> Track? {
    if let track = opened[entry.id] { return track }
    return await lookUp(entry.path)
  }

  /// What the file says is said of all its parts; what this one is called the library knows.
  func call(_ id: EntryID, _ path: FilePath) async {
    guard let known = await lookUp(path), var track = opened[id], track.title != known.title else { return }
    track.title = known.title
    opened[id] = track
    tell(.track)
    await lookAhead()
  }
}
