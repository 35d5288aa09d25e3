import Audio
import Formats
import Library
import Runtime

/// What music is called. What the library knows of a track goes before what the decoder reads of its file: it was read
/// from all tags, with the neighbours' help where their encoding is doubtful. So the panel, the status, the events and
/// the lists say the same.
extension Transport {
  /// The library is open, or knows more than before. What was paused when the board went off is not opened before it
  /// plays, and has its name here.
  package func libraryChanged() {
    MainLoop.start {
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
    MainLoop.start { await self.call(entry.id, entry.path) }
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

  /// The one that plays, and those that come next.
  package func nowAndNext(_ count: Int) -> [FilePath] {
    (status.entry.map { [$0.path] } ?? []) + upNext(count).map(\.path)
  }

  /// What is known of how loud it is, for the normaliser.
  func hint(for entry: PlayQueue.Entry) -> LoudnessHint {
    guard sounding.normaliser != .off else { return .none }
    var hint = loudness(entry.path)
    hint.isInAlbum = queue.isInAlbum(entry.id)
    return hint
  }

  /// A track keeps the loudness with which it began, also when it is played on from another place.
  func hint(for entry: PlayQueue.Entry, startedAt place: TrackPlace) -> LoudnessHint {
    let normaliser = sounding.normaliser
    if place.frame(atRate: 768_000) > 0, let begun = begun[entry.id], begun.normaliser == normaliser {
      return begun.hint
    }
    let hint = hint(for: entry)
    if begun.count > 16 { begun = begun.filter { opened[$0.key] != nil } }
    begun[entry.id] = StartedLoudness(hint: hint, normaliser: normaliser)
    return hint
  }

  /// More is known of how loud files are. What follows is opened ahead, and until then it can be told.
  package func loudnessChanged() {
    guard let current = status.entry, let next = queue.successor(of: current.id), next.id != current.id else { return }
    sound.hint(hint(for: next, startedAt: .beginning), for: next)
  }

  /// Music that has just been chosen is started by the same command or the next one.
  func findLoudness(before command: Player.Command) async {
    guard sounding.normaliser != .off else { return }
    if case .add(let paths, _) = command { return await findLoudness(Array(paths.prefix(Self.foundBefore))) }
    if case .playNext(let paths, _) = command { return await findLoudness(Array(paths.prefix(Self.foundBefore))) }
    if case .playAtOnce(let paths, _, _) = command { return await findLoudness(Array(paths.prefix(Self.foundBefore))) }
    if case .replace(let new) = command {
      return await findLoudness(Array(new.files.dropFirst(new.first ?? 0).prefix(Self.foundBefore)))
    }
    if case .jump(let id) = command, let path = queue.entry(id)?.path { await findLoudness([path]) }
  }

  /// An album. Each costs the library a tenth of a millisecond.
  private static let foundBefore = 32
}
