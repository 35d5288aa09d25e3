import Audio
import Library
import Runtime

/// What music is called. What the library knows of a track goes before what the decoder reads of its file: it was read
/// from all tags, with the neighbours' help where their encoding is doubtful. So the panel, the status, the events and
/// the lists say the same.
extension Transport {
  /// The library is open, or knows more than before. What was paused when the board went off is not opened before it
  /// plays, and has its name here.
  package func libraryChanged() {
    Deck.start {
      if let entry = self.status.entry, self.opened[entry.id] == nil, let known = await self.lookUp(entry.path),
        self.opened[entry.id] == nil
      {
        self.opened[entry.id] = known
        self.tell(.track)
      }
      for id in self.opened.keys {
        guard let path = self.queue.entry(id)?.path else { continue }
        await self.call(id, path)
      }
      self.nextEntry = nil
      await self.lookAhead()
    }
  }

  /// An import has stored some files: what plays may be among them.
  package func libraryGrows() {
    guard let entry = status.entry, opened[entry.id]?.isCatalogued == false else { return }
    Deck.start { await self.call(entry.id, entry.path) }
  }

  /// As it says itself, or as the library knows it.
  package func known(_ entry: PlayQueue.Entry) async -> Track? {
    if let track = opened[entry.id] { return track }
    return await lookUp(entry.path)
  }

  /// By the library's names. What the file says is said of all its parts; what this one is called the library knows.
  func call(_ id: EntryID, _ path: FilePath) async {
    let known = await lookUp(path)
    guard let track = opened[id] else { return }
    let called = track.called(as: known, at: path)
    guard called != track else { return }
    opened[id] = called
    tell(.track)
    await lookAhead()
  }

  /// What is known of how loud it is, for the normaliser.
  func hint(for entry: PlayQueue.Entry) -> LoudnessHint {
    guard sounding.normaliser != .off else { return .none }
    var hint = loudness(entry.path)
    hint.isInAlbum = queue.isInAlbum(entry.id)
    return hint
  }
}
