import Application
import Library
import Playback
import Runtime

/// Music in the menus: what the queue, playlists and sticks show, and what is done with them.
@MainLoop
package final class MenuMusic {
  private let application: Application
  private let notices: NoticeBoard
  private let offered: @MainLoop (OfferedList, _ from: OfferID?) async throws(Fault) -> OfferedMusic
  private var names: [FilePath: Track] = [:]
  private var namesSince = Moment(nanoseconds: 0)

  /// `offered` knows what a source's lists hold.
  package init(
    _ application: Application, _ notices: NoticeBoard,
    offered: @escaping @MainLoop (OfferedList, _ from: OfferID?) async throws(Fault) -> OfferedMusic
  ) {
    (self.application, self.notices, self.offered) = (application, notices, offered)
  }

  package var browsing: Browsing {
    get throws(Fault) {
      guard let browsing = application.browsing else {
        throw Self.noLibrary
      }
      return browsing
    }
  }

  private var lists: Playlists {
    get throws(Fault) {
      guard let playlists = application.playlists else {
        throw Fault(.missing, "N-122", "nothing can be remembered, so there are no lists")
      }
      return playlists
    }
  }

  private var player: Playing { application.playing }

  package func index(ofEntry id: UInt64) -> Int? { player.queue.index(of: EntryID(number: id)) }
  package var placeBefore: Duration? { player.placeBefore }

  /// For music that is chosen from the library.
  private var playing: Playing {
    get throws(Fault) {
      _ = try lists
      return player
    }
  }

  /// Where one can go from a piece of music of the library.
  package func links(of thing: Thing) async throws(Fault) -> TrackLinks {
    switch thing.kind {
    case .track(let id, let within):
      var links = try await browsing.links(ofTrack: id)
      if let album = links.album, within == .tracksOf(album: album.id) { links.album = nil }
      return links
    case .all(.tracksOf(let album)):
      return TrackLinks(artist: try await browsing.artist(ofAlbum: album))
    case .all, .entry, .offer: return TrackLinks()
    }
  }

  /// Which of them plays. A part of a file that a cue sheet cuts is not told from its neighbours here.
  package func current(among rows: [Row]) async throws(Fault) -> Int? {
    guard let path = player.status.entry?.path, rows.contains(where: { $0.kind == .track }) else { return nil }
    let files = try await browsing.files(of: rows)
    return rows.indices.first { rows[$0].kind == .track && rows[$0].begins == nil && files[$0] == path }
  }

  /// Where each track goes on that was left in the middle.
  package func placesLeft(in rows: [Row]) async throws(Fault) -> [Duration?] {
    let bookmarks = player.bookmarks
    guard !bookmarks.marks.isEmpty else { return [Duration?](repeating: nil, count: rows.count) }
    return zip(rows, try await browsing.files(of: rows)).map { row, file in
      // The tracks of a cue sheet share a file.
      row.kind == .track && row.begins == nil ? file.flatMap { bookmarks.start(of: $0) } : nil
    }
  }

  /// The part of an album that was left last, of those that are here.
  package func partLeft(of album: Int64) async throws(Fault) -> PartLeft? {
    let bookmarks = player.bookmarks
    guard !bookmarks.marks.isEmpty else { return nil }
    let parts = try await browsing.page(of: .tracksOf(album: album), after: nil, count: Self.mostParts).rows
    let files = try await browsing.files(of: parts)
    let known = Dictionary(
      zip(parts, files).compactMap { part, file in
        part.isPresent && part.begins == nil ? file.map { ($0, part) } : nil
      }, uniquingKeysWith: { first, _ in first })
    for mark in bookmarks.marks.reversed() {
      guard let part = known[mark.path], let place = bookmarks.start(of: mark.path) else { continue }
      return PartLeft(part.id, part.title, at: place)
    }
    return nil
  }

  private static let mostParts = 500

  /// Whether it is the piece that plays, wherever it was chosen.
  package func isCurrent(_ thing: Thing) async -> Bool {
    guard let entry = player.status.entry else { return false }
    switch thing.kind {
    case .entry(let id): return entry.id.number == id
    case .track(let id, _):
      return (try? await browsing.path(ofTrack: id)) == entry.path  // what else cannot be looked up says why
    case .all, .offer: return false
    }
  }

  // MARK: The queue and playlists

  /// What was asked for a moment ago is not asked again: the list is shown anew whenever something happens.
  package func queue(from: Int, count: Int) async -> [QueuedTrack] {
    let now = MainLoop.loop.now
    if now - namesSince > Self.namesLast || names.count > Self.mostNames { (names, namesSince) = ([:], now) }
    var tracks: [QueuedTrack] = []
    for entry in player.queue.page(from: from, count: count) { tracks.append(await shown(entry)) }
    return tracks
  }

  /// What was taken out of the queue last and can be put back.
  package func takenOut() async -> QueuedTrack? {
    guard let entry = player.takenOut else { return nil }
    return await shown(entry)
  }

  /// The queue that something else was played in place of.
  package func formerQueue() async -> ShownFormerQueue? {
    await player.formerQueue().map { ShownFormerQueue($0.track.title, count: $0.count) }
  }

  private func shown(_ entry: PlayQueue.Entry) async -> QueuedTrack {
    var track = names[entry.path]
    if track == nil {
      track = await player.known(entry)
      names[entry.path] = track
    }
    let known = track ?? Track(named: entry.path)
    // An entry whose file is kept no longer is a stream (`Playing.stream(insteadOf:)`). The disk is not asked: one that
    // hangs would hold up the panel.
    let stored: MenuMark? = Track.isStored(entry.path) ? .stored : nil
    let mark: MenuMark? = entry.path.isAbsolute ? stored : .streamed
    return QueuedTrack(entry, title: known.title, artist: known.artist, mark: mark)
  }

  package func forgetNames() { names = [:] }

  private static let namesLast: Duration = .seconds(60)
  private static let mostNames = 500

  package func playlists() async throws(Fault) -> [OwnPlaylist] {
    try await lists.all().map { OwnPlaylist(id: $0.id, name: $0.name, count: Int($0.count), isKept: $0.isOffline) }
  }

  package func tracks(ofPlaylist id: Int64, count: Int) async throws(Fault) -> [PlaylistRow] {
    let current = player.status.entry?.path
    let lines = try await lists.lines(of: id, after: nil, count: count).lines
    let tracks = lines.map { $0.track ?? Track(named: $0.path) }
    let named = Dictionary(grouping: tracks, by: { [$0.title, $0.artist] })
    var rows = zip(lines, tracks).map { line, track in
      // Songs with the same name and artist are told apart by their albums.
      let hasOneAlbum = named[[track.title, track.artist]]?.allSatisfy { $0.album == track.album } ?? true
      var row = PlaylistRow(line.entry.id, track.title, track.artist)
      row.album = hasOneAlbum ? "" : track.album
      row.isCurrent = line.path == current
      return row
    }
    for index in rows.indices {
      if index > 0 { rows[index].before = rows[index - 1].id }
      if index > 1 { rows[index].beforeThat = rows[index - 2].id }
      if index + 1 < rows.count { rows[index].after = rows[index + 1].id }
    }
    return rows
  }

  /// One that was taken in can be looked through.
  package func sticks(_ words: PanelWords) async -> [ShownStick] {
    var shown: [ShownStick] = []
    for line in await application.sticks?.lines() ?? [] {
      let name = line.stick.label.isEmpty ? words[.sticks] : line.stick.label
      var one = ShownStick("\(line.stick.root)", name, folder: line.folder)
      one.isEjected = line.isEjected
      shown.append(one)
    }
    return shown
  }

  // MARK: What is to be done

  /// `isLocked`: visitors of a kiosk stand in front of it.
  package func perform(_ action: MenuAction, _ words: PanelWords, isLocked: Bool) async throws(Fault) {
    switch action {
    case .play(let thing):
      if case .offer(let id, _) = thing.kind {
        coming(id, words) { () async throws(Fault) in try await self.play(thing, words) }
      } else {
        try await play(thing, words)
      }
    case .shuffleAll(let thing):
      if case .offer(let id, _) = thing.kind {
        coming(id, words) { () async throws(Fault) in try await self.shuffle(thing) }
      } else {
        try await shuffle(thing)
      }
    case .playNext(let thing):
      try await playNext(thing)
      say(words[.comesNext], thing.title)
    case .addToQueue(let thing):
      try await adding(thing.title, words, isLocked) { andPlay async throws(Fault) in
        try await self.addToQueue(thing, andPlay)
      }
    case .jump(let id): try await player.jump(to: EntryID(number: id))
    case .removeEntry(let id):
      try await player.perform(.remove(EntryID(number: id)))
      if let gone = await takenOut(), gone.entry.id.number == id {
        say(shownPlain(gone.title), words.filled(.takenOut, words[.putBack]))
      }
    case .putBack(let id): try await player.putBack(EntryID(number: id))
    case .moveEntry(let id, let steps):
      try await player.move(EntryID(number: id), by: steps)
      if let index = player.queue.index(of: EntryID(number: id)), let track = await queue(from: index, count: 1).first {
        let now = words.filled(.placeOf, "\(index + 1)", "\(player.queue.count)")
        say(now, track.title)
      }
    case .clearQueue: try await player.perform(.clear)
    case .playFormer: try await playing.playFormer()
    case .setShuffle(let isOn): try await player.perform(.shuffle(isOn))
    case .setRepeat(let mode): try await player.perform(.repeats(mode))
    case .goTo(let place, let entry, let start):
      try await player.go(to: place, turnedFrom: start, in: EntryID(number: entry))
    case .sleep(let until): try await player.perform(.sleep(until))
    case .add(let thing, let id): say(words[.addedTo], try await add(thing, to: id).name)
    case .makePlaylist(let name, let thing):
      let new = name.isEmpty ? try await lists.makeNext(words[.newPlaylist]) : try await lists.make(named: name)
      if let thing { say(words[.addedTo], try await add(thing, to: new.id).name) }
    case .playPlaylist(let id, let isShuffled): try await playing.play(playlist: id, isShuffled: isShuffled)
    case .playEntry(let entry, let id): try await playing.play(playlist: id, from: entry)
    case .addPlaylistToQueue(let id):
      try await adding("", words, isLocked) { andPlay async throws(Fault) in
        try await self.playing.add(playlist: id, andPlay: andPlay)
      }
    case .renamePlaylist(let id, let name): try await lists.rename(id, name)
    case .removeFromPlaylist(let id, let entry): try await lists.remove(entries: [entry], from: id)
    case .moveInPlaylist(let id, let entry, let behind):
      try await lists.move(entry: entry, behind: behind, in: id)
    case .deletePlaylist(let id): try await lists.remove(id)
    case .keepPlaylist(let id, let isKept): try await lists.setOffline(id, isKept, isAnyway: false)
    case .copyStick(let root):
      guard let importing = application.importing else { throw Self.noLibrary }
      apart { () async throws(Fault) in try await importing.copy([FilePath(root)], isPlan: false) }
    case .ejectStick(let root):
      apart { () async throws(Fault) in
        guard let stick = await self.application.sticks?.eject(at: FilePath(root)) else { return }
        // It is waited for, also by whoever does something else meanwhile.
        self.notices.post(self.answer(words[.ejected], stick.label), isListed: false)
      }
    // No music.
    case .setDial, .choose, .startAnew, .equaliser, .night, .normaliser, .pauseDownload, .resumeDownload,
      .retryDownload,
      .dropDownload, .keep, .stopKeeping, .pauseAllDownloads, .resumeAllDownloads, .dismissSmartDownload, .check,
      .move, .unbind, .forgetKey,
      .forgetKnob, .clearNotices, .erase, .lookForNetworks, .joinNetwork, .forgetNetwork, .startHotspot, .stopHotspot,
      .renewLicences, .signIn, .callOffSignIn, .signOut,
      .lock:
      break
    }
  }

  /// What waits for a disk, which may never answer. No other action waits for that.
  private func apart(_ body: @escaping @MainLoop () async throws(Fault) -> Void) {
    MainLoop.start {
      do throws(Fault) { try await body() } catch {
        self.notices.post(Notice(error, instead: "the music goes on"))
      }
    }
  }

  /// Starts music of a source, which may take seconds, without holding up other actions. What plays goes on until then.
  private func coming(_ id: OfferID, _ words: PanelWords, _ body: @escaping @MainLoop () async throws(Fault) -> Void) {
    let slow = MainLoop.start {
      guard await MainLoop.loop.sleep(for: Self.noticeablyLong) else { return }
      self.notices.answer(Notice("N-120", "\(shownPlain(id.title)): \(words[.loading])"))
    }
    MainLoop.start {
      defer { slow.cancel() }
      do throws(Fault) { try await body() } catch {
        let isHeard = self.player.status.wish == .playing
        self.notices.post(isHeard ? Notice(error, instead: "the music goes on") : Notice(error))
      }
    }
  }

  private static let noticeablyLong: Duration = .milliseconds(400)

  private func play(_ thing: Thing, _ words: PanelWords) async throws(Fault) {
    let wasShuffled = player.queue.isShuffled
    try await play(thing)
    guard thing.isOne else { return }
    // A book is played in order without being asked to, and an album stays shuffled; so say it.
    if wasShuffled, !player.queue.isShuffled { say(words[.playedInOrder], "") }
    if player.queue.isShuffled, thing.isOfAlbum { say(words[.shuffle], words[.on]) }
  }

  /// A song is played with what stands behind it, wherever it was pressed.
  private func play(_ thing: Thing) async throws(Fault) {
    switch thing.kind {
    case .all(let list): try await playing.play(list)
    case .track(let id, let list?): try await playing.play(list, from: id, at: thing.place)
    case .track(let id, nil): try await playing.play(found: id, searching: thing.searched ?? "")
    case .entry(let id): try await player.perform(.jump(to: EntryID(number: id)))
    case .offer(let id, let album):
      let list = album.map { .one($0) } ?? thing.among.map { .found($0) } ?? OfferedList.one(id)
      let music = try await offered(list, thing.isOne ? id : nil)
      try await player.play(music.addresses, from: music.first, chosen: music.origin)
    }
  }

  private func shuffle(_ thing: Thing) async throws(Fault) {
    switch thing.kind {
    case .all(let list): try await playing.play(list, isShuffled: true)
    case .offer(let id, _):
      let music = try await offered(.one(id), nil)
      try await player.play(music.addresses, isShuffled: true, chosen: music.origin)
    case .track, .entry: break
    }
  }

  private func playNext(_ thing: Thing) async throws(Fault) {
    switch thing.kind {
    case .track(let id, _): try await playing.playNext(track: id, found: found(thing))
    case .offer(let id, _):
      let music = try await offered(.one(id), nil)
      try await player.playNext(music.addresses, chosen: music.origin)
    case .entry(let id): try await player.moveNext(EntryID(number: id))
    case .all: break
    }
  }

  /// What a full queue had no room for is told by the player. Where nobody may press play, what is chosen begins.
  private func adding(
    _ title: String, _ words: PanelWords, _ isLocked: Bool, _ body: (_ andPlay: Bool) async throws(Fault) -> Void
  ) async throws(Fault) {
    let count = player.queue.count
    try await body(isLocked && player.status.wish == .stopped)
    if player.queue.count > count { say(words[.added], title) }
  }

  private func addToQueue(_ thing: Thing, _ andPlay: Bool) async throws(Fault) {
    switch thing.kind {
    case .all(let list): try await playing.add(list, andPlay: andPlay)
    case .track(let id, _): try await playing.add(track: id, found: found(thing), andPlay: andPlay)
    case .offer(let id, _):
      let music = try await offered(.one(id), nil)
      try await player.add(music.addresses, chosen: music.origin, andPlay: andPlay)
    case .entry: break
    }
  }

  private func found(_ thing: Thing) -> Playing.Found {
    if let words = thing.searched { return .searching(words) }
    guard case .track(_, let list?) = thing.kind else { return .inList(.tracks(.music)) }
    return .inList(list)
  }

  private func add(_ thing: Thing, to id: Int64) async throws(Fault) -> Playlist {
    switch thing.kind {
    case .all(let list): return try await lists.add(list, to: id)
    case .track(let track, _): return try await lists.add(track: track, to: id)
    case .offer(let offer, _): return try await lists.add(try await offered(.one(offer), nil).addresses, to: id)
    case .entry(let number):
      let path = player.queue.entry(EntryID(number: number))?.path
      return try await lists.add([path].compactMap(\.self), to: id)
    }
  }

  /// What came of what was done. Whoever presses five times reads what the fifth led to.
  package func say(_ words: String, _ what: String) { notices.answer(answer(words, what)) }

  private func answer(_ words: String, _ what: String) -> Notice {
    Notice("N-120", what.isEmpty ? "\(words)." : "\(words): \(shownPlain(what)).")
  }

  private static let noLibrary = Fault(.missing, "N-121", "there is no library: nothing can be remembered")
}
