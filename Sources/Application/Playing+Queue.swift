import Library
import Playback
import Runtime

/// The player as it is, and what is done with it and with the entries of its queue.
extension Playing {
  package var status: PlayerStatus { transport.status }
  package var queue: PlayQueue { transport.queue }
  package var bookmarks: Bookmarks { transport.bookmarks }
  /// What was heard lately; `history(before:)` has all of it.
  package var lately: History { transport.history }

  /// What comes next, round the end of the queue when all of it repeats.
  package func upNext(_ count: Int) -> [PlayQueue.Entry] { transport.upNext(count) }

  /// Whoever follows hears of everything from now on, until the box is closed.
  package func follow(_ events: Mailbox<PlayerEvent>) { transport.follow(events) }

  /// As its file says, or as the library knows it; nil when neither is known.
  package func known(_ entry: PlayQueue.Entry) async -> Track? { await transport.known(entry) }

  /// As the library knows it.
  package func known(at path: FilePath) async -> Track? { await transport.lookUp(path) }

  /// Gives the player one command: play, next, seek, volume and so on. This stays one function because `Player.Command` is
  /// already typed, and because `AccessRights` judges a gesture by the command that it means: a function for each command
  /// would need the same switch once more in each face. What takes several commands, or the library, has a function of
  /// its own here.
  ///
  /// Throws when what was done could not be saved. It is done all the same, so whoever tried again would do it twice.
  package func perform(_ command: Player.Command) async throws(Fault) {
    if command.decidesWhatPlays { choices += 1 }
    try await transport.perform(command)
  }

  /// Goes on through what plays, or back, as hands do it: by chapters where it has some, else by tracks, and no further
  /// than the last one: what ends the queue is only the music itself. False where nothing comes that way.
  package func step(by steps: Int) async throws(Fault) -> Bool {
    if let place = chapterPlace(steps), let entry = status.entry {
      try await go(to: place, in: entry.id)
      return true
    }
    guard steps > 0, let entry = status.entry else {
      try await perform(.skip(by: steps))
      return status.entry != nil
    }
    let most = min(steps, queue.count)
    guard let count = (0...most).last(where: { $0 == 0 || queue.skip(from: entry.id, by: $0) != nil }), count > 0 else {
      return false
    }
    try await perform(.skip(by: count))
    return true
  }

  /// To the beginning of what is heard, a chapter or a track, or to the one before it.
  package func stepBack() async throws(Fault) {
    if let place = chapterPlace(-1), let entry = status.entry { return try await go(to: place, in: entry.id) }
    try await perform(.previous)
  }

  /// To another place in what plays; the way back leads to where that was before, or where somebody began to turn.
  package func go(to place: Duration, turnedFrom start: Duration? = nil, in entry: EntryID) async throws(Fault) {
    guard status.entry?.id == entry else { return }
    placesBefore.go(to: place, from: status.place.elapsed, turnedFrom: start, in: entry.number)
    try await perform(.seek(to: place))
  }

  /// Where what plays was, before somebody went elsewhere in it.
  package var placeBefore: Duration? { placesBefore.place(in: status.entry?.id.number) }

  private func chapterPlace(_ steps: Int) -> Duration? {
    status.track?.chapters.place(steps, from: status.place.elapsed)
  }

  /// Goes on with that entry, also when it was paused.
  package func jump(to entry: EntryID) async throws(Fault) {
    try await perform(.jump(to: entry))
    try await perform(.play)
  }

  /// So many places on, or back; no further than the queue goes.
  package func move(_ entry: EntryID, by steps: Int) async throws(Fault) {
    guard let index = queue.index(of: entry) else { return }
    try await perform(.move(entry, to: min(max(index + steps, 0), queue.count - 1)))
  }

  /// Right behind what plays.
  package func moveNext(_ entry: EntryID) async throws(Fault) {
    guard let index = queue.index(of: entry), let current = status.index, index != current else { return }
    // What stands before it goes down by one when this is taken out.
    try await perform(.move(entry, to: index > current ? current + 1 : current))
  }

  /// Kept files were deleted: entries that played them play the same songs from their source. So do those that were
  /// taken out of the queue, and the former queue. `gone` maps the name of each file, without its ending, to the song's
  /// address at its source.
  package func stream(insteadOf gone: [String: FilePath]) async throws(Fault) {
    var places: [FilePath: FilePath] = [:]
    for path in transport.files where Track.isStored(path) {
      if let address = gone[path.nameWithoutEnding.description] { places[path] = address }
    }
    if !places.isEmpty { try await perform(.readdress(places)) }
  }

  /// What was taken out of the queue last, and can be put back. Nothing is any more once the queue was replaced or
  /// cleared, or the program was started anew.
  package var takenOut: PlayQueue.Entry? { transport.takenOut }

  /// Puts an entry back that was taken out, where it stood; does nothing if somebody else has done it meanwhile.
  package func putBack(_ entry: EntryID) async throws(Fault) { try await perform(.putBack(entry)) }

  /// Behind the queue. Without an origin they are paths that somebody named.
  package func add(_ paths: [FilePath], from origin: Origin? = nil) async -> Added {
    await added(paths, by: .add(paths, from: origin ?? Origin(named: paths)))
  }

  /// Right after what plays now.
  package func playNext(_ paths: [FilePath]) async -> Added {
    await added(paths, by: .playNext(paths, from: Origin(named: paths)))
  }

  func added(_ paths: [FilePath], by command: Player.Command) async -> Added {
    let first = queue.nextID
    var unsaved: Fault?
    do throws(Fault) { try await perform(command) } catch { unsaved = error }
    let made = min(paths.count, Int(clamping: queue.nextID - first))
    return Added(count: made, leftOut: paths.count - made, unsaved: unsaved)
  }
}

extension Player.Command {
  /// Whether the command asks for other music, or for silence. Music that was chosen before and still waits for its source
  /// then does not begin any more. *Next* and *previous* do not call it off: they move within what plays until it begins.
  fileprivate var decidesWhatPlays: Bool {
    switch self {
    case .pause, .toggle, .stop, .jump, .clear, .replace, .playAtOnce: true
    case .play, .next, .previous, .skip, .seek, .setVolume, .turn, .turnFromAfar, .mute, .toggleMute, .limitVolume,
      .giveWay, .refresh, .add, .playNext, .remove, .putBack, .move, .readdress, .repeats, .shuffle, .sleep, .forget:
      false
    }
  }
}
