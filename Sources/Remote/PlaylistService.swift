import Formats
import Library
import Offline
import Playback
import Runtime

/// The verbs about playlists made on the device, and about the library's lists as something to be played.
///
/// An entry is a recording, wherever it lies: played from where it lies now, and from its old path when no library
/// knows it.
@Deck
package final class PlaylistService {
  let store: SessionStore
  package let catalogue: Catalogue
  let transport: Transport
  let date: @Deck () -> Int64
  /// Fetches what sources have of playlists that shall be on the device.
  let offline: OfflineService
  private static let page = 500

  package init(
    _ store: SessionStore, _ catalogue: Catalogue, _ transport: Transport, offline: OfflineService = OfflineService(),
    date: @escaping @Deck () -> Int64
  ) {
    self.offline = offline
    self.store = store
    self.catalogue = catalogue
    self.transport = transport
    self.date = date
  }

  func answer(_ verb: Verb, _ arguments: [JSON]) async throws(Fault) -> JSON {
    let words = arguments.map { $0.string ?? $0.whole.map(String.init) }
    guard let what = arguments.isEmpty ? "list" : words[0] else { throw verb.wrong("expected a word") }
    if what == "list", arguments.count < 2 { return try await list() }
    guard arguments.count > 1, let name = words[1] else { throw verb.wrong("no playlist was named") }
    let rest = Array(arguments.dropFirst(2))
    if what == "make", rest.isEmpty { return try await make(name, verb) }
    let playlist = try await playlist(name)
    switch (what, rest.count) {
    case ("show", 0): return try await show(playlist, after: nil)
    case ("show", 2) where words[2] == "after":
      guard let place = words[3].flatMap({ Int64($0) }) else { throw verb.wrong("that is no place in a playlist") }
      return try await show(playlist, after: place)
    case ("rename", 1):
      guard let new = words[2] else { throw verb.wrong("no new name was given") }
      guard Self.isName(new) else { throw verb.wrong(Self.whatNamesAre) }
      try await checkNew(new)
      try await store.rename(playlist: playlist.id, new, today: date())
    case ("delete", 0):
      try await store.remove(playlist: playlist.id)
      await changed(playlist)
      return Answer.done([("deleted", JSON(playlist.name))])
    case ("add", 1...): try await add(try Self.paths(rest, verb), to: playlist)
    case ("fill", 1...2): try await fill(playlist, words.dropFirst(2).compactMap(\.self), verb)
    case ("remove", 1...):
      for entry in try entries(rest, verb) {
        try await store.remove(entry: entry, fromPlaylist: playlist.id, today: date())
      }
    case ("move", 1...2):
      let moved = try entries(rest, verb)
      try await store.move(
        entry: moved[0], behind: moved.count > 1 ? moved[1] : nil, inPlaylist: playlist.id, today: date())
    case ("offline", 1...2):
      let isAnyway = rest.count == 2 && words[2] == "on" && words[3] == OfflineRequest.anyway
      guard let word = words[2], ["on", "off"].contains(word), isAnyway || rest.count == 1 else {
        throw verb.wrong("expected on or off")
      }
      try await setOffline(playlist, word == "on", isAnyway)
    case ("queue", 0): return try await enqueue(playlist, andPlay: false)
    case ("play", 0): return try await enqueue(playlist, andPlay: true)
    default: throw verb.wrong("that is nothing to do with a playlist")
    }
    await changed(playlist)
    return Answer.done([("playlist", await shownWithProgress(try await self.playlist("#\(playlist.id)")))])
  }

  /// `history all [before NUMBER]`: a page.
  func history(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    let number = arguments.last.flatMap { PlayerService.number($0) }
    guard arguments.isEmpty || arguments.count == 2 && arguments[0].string == "before" && number != nil else {
      throw verb.wrong("expected the number that the page before ended with")
    }
    let page = try await store.listenings(before: number.map { Int64($0) }, count: Catalogue.slice)
    var shown: [JSON] = []
    for (number, one) in page {
      var members: [(String, JSON)] = [("number", JSON(number)), ("path", JSON(path: one.path))]
      members += await transport.names(of: one.path)
      members += [
        ("begun", JSON(one.begun)), ("heard_s", JSON(one.lasted.inSeconds)), ("finished", JSON(one.isFinished)),
        ("from", JSON("\(one.origin)")), ("streamed", JSON(one.isStreamed)),
      ]
      if let name = one.originName { members.append(("from_name", JSON(name))) }
      shown.append(.object(JSON.Object(members)))
    }
    return Answer.done([("history", .list(shown))])
  }

  // MARK: What there is

  private func list() async throws(Fault) -> JSON {
    Answer.done([("playlists", .list(try await store.playlists().map(Self.shown)))])
  }

  nonisolated static func shown(_ playlist: Playlist) -> JSON {
    [
      "id": JSON(playlist.id), "name": JSON(playlist.name), "count": JSON(playlist.count),
      "duration_s": JSON(playlist.duration.inSeconds), "offline": JSON(playlist.isOffline),
      "changed": JSON(playlist.changedAt),
    ]
  }

  /// By its name, or its number. A shell takes `#7` for a remark, so `7` is enough where none is called that.
  func playlist(_ name: String) async throws(Fault) -> Playlist {
    let all = try await store.playlists()
    let numbered = Int64(name.hasPrefix("#") ? String(name.dropFirst()) : name).flatMap { id in
      all.first { $0.id == id }
    }
    if name.hasPrefix("#"), let numbered { return numbered }
    let named = all.first { $0.name == name }
    if let named, let numbered, named.id != numbered.id {
      throw Fault(
        .malformed, "X-202",
        "\(shownPlain(name)) is the name of playlist \(named.id) and the number of \"\(shownPlain(numbered.name))\";"
          + " say '#\(named.id)' or '#\(numbered.id)'")
    }
    guard let found = named ?? numbered else {
      throw Fault(.missing, "X-185", "there is no playlist \"\(shownBriefly(name))\"; layby playlist lists them")
    }
    return found
  }

  /// A page, with where each entry lies now.
  private func show(_ playlist: Playlist, after place: Int64?) async throws(Fault) -> JSON {
    let entries = try await store.entries(ofPlaylist: playlist.id, after: place, count: Catalogue.slice)
    let paths = try await presentPaths(of: entries)
    var shown: [JSON] = []
    for (entry, path) in zip(entries, paths) {
      var members: [(String, JSON)] = [("entry", JSON(entry.id)), ("path", JSON(path: path ?? entry.path))]
      members += await transport.names(of: path ?? entry.path)
      members += [
        ("duration_s", JSON(entry.duration.inSeconds)), ("added", JSON(entry.addedAt)), ("present", JSON(path != nil)),
      ]
      shown.append(.object(JSON.Object(members)))
    }
    var members = [("playlist", await shownWithProgress(playlist)), ("entries", JSON.list(shown))]
    if entries.count == Catalogue.slice, let last = entries.last { members.append(("next", JSON("\(last.place)"))) }
    return Answer.done(members)
  }

  // MARK: Changing

  private func make(_ name: String, _ verb: Verb) async throws(Fault) -> JSON {
    guard Self.isName(name) else { throw verb.wrong(Self.whatNamesAre) }
    try await checkNew(name)
    let id = try await store.makePlaylist(name, today: date())
    return Answer.done([("playlist", Self.shown(try await playlist("#\(id)")))])
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix("#") && name.utf8.count <= 200 && name.unicodeScalars.allSatisfy(isPlain)
  }

  private static let whatNamesAre = "a name is 1 to 200 bytes of plain text, and does not begin with #"

  /// One that can be named afterwards.
  func checkNew(_ name: String, but id: Int64? = nil) async throws(Fault) {
    guard Self.isName(name) else { throw Fault(.malformed, "X-201", Self.whatNamesAre) }
    let all = try await store.playlists()
    guard !all.contains(where: { $0.name == name && $0.id != id }) else {
      throw Fault(.malformed, "X-186", "there is a playlist \"\(name)\" already")
    }
    guard id != nil || all.count < Self.most else { throw Self.tooMany(all.count) }
  }

  static let most = 1_000

  static func tooMany(_ count: Int) -> Fault {
    Fault(.full, "X-187", "there are \(count) playlists already, and no more than that are kept")
  }

  func add(_ paths: [FilePath], to playlist: Playlist) async throws(Fault) {
    for slice in Self.slices(of: paths) { try await add(try await pieces(at: slice), to: playlist) }
  }

  func add(_ pieces: [Catalogue.Piece], to playlist: Playlist) async throws(Fault) {
    try await store.add(
      pieces.map { PlaylistWish($0.key, at: $0.path, lasting: $0.duration) }, toPlaylist: playlist.id, today: date())
  }

  /// `fill NAME queue`, `fill NAME LIST [ID]`: what is to be played, or what a list of the library leads to.
  private func fill(_ playlist: Playlist, _ words: [String], _ verb: Verb) async throws(Fault) {
    if words == ["queue"] { return try await add(transport.queue.entries.map(\.path), to: playlist) }
    if let id = List.track(words) { return try await add(try await track(id), to: playlist) }
    for slice in Self.slices(of: try await tracks(words, verb)) {
      try await add(try await catalogue.pieces(of: slice), to: playlist)
    }
  }

  private func track(_ id: Int64) async throws(Fault) -> [Catalogue.Piece] {
    try await catalogue.pieces(at: [try await catalogue.knownPath(ofTrack: id)])
  }

  private func entries(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> [Int64] {
    let numbers = arguments.compactMap { $0.whole ?? $0.string.flatMap { Int64($0) } }
    guard numbers.count == arguments.count else { throw verb.wrong("expected numbers of entries, as show tells them") }
    return numbers
  }

  // MARK: Playing

  /// Behind the queue, or in its place.
  private func enqueue(_ playlist: Playlist, andPlay: Bool) async throws(Fault) -> JSON {
    try await enqueue(try await paths(of: playlist), andPlay, from: Origin(.playlist, playlist.name))
  }

  func paths(of playlist: Playlist) async throws(Fault) -> [FilePath] {
    var paths: [FilePath] = []
    var place: Int64?
    while paths.count < PlayQueue.limit {
      let entries = try await store.entries(ofPlaylist: playlist.id, after: place, count: Catalogue.slice)
      guard let last = entries.last else { break }
      let present = try await presentPaths(of: entries)
      paths += present.compactMap(\.self)
      place = last.place
    }
    return paths
  }

  /// `queue fill LIST [ID]`, `queue play LIST [ID]`.
  func enqueue(_ words: [String], andPlay: Bool, _ verb: Verb) async throws(Fault) -> JSON {
    if let id = List.track(words) {
      let pieces = try await track(id)
      return try await enqueue(pieces.filter(\.isPresent).map(\.path), andPlay, from: Origin(.queue, "track \(id)"))
    }
    var paths: [FilePath] = []
    for slice in Self.slices(of: try await tracks(words, verb)) {
      paths += try await catalogue.pieces(of: slice).filter(\.isPresent).map(\.path)
    }
    guard !paths.isEmpty else { throw Self.nothing(of: words) }
    return try await enqueue(paths, andPlay, from: try await origin(words))
  }

  private func enqueue(_ paths: [FilePath], _ andPlay: Bool, from origin: Origin) async throws(Fault) -> JSON {
    guard !paths.isEmpty else { throw Self.nothing(of: origin) }
    let first = EntryID(number: transport.queue.nextID)
    // What was done stays done when it cannot be saved, and what belongs to it follows.
    let unsaved = await self.unsaved(andPlay ? .replace(Replacement(paths, from: origin)) : .add(paths))
    // A full queue takes fewer.
    let made = min(paths.count, Int(clamping: transport.queue.nextID - first.number))
    if !andPlay {
      do throws(Fault) { try await store.note(origin, of: made, from: first) } catch {
        Log("playlists").warning("where music was chosen is not remembered", ["reason": error.message])
      }
    }
    var members = [("added", JSON(made)), ("status", transport.status.json)]
    if let unsaved {
      members += [("saved", false), ("code", JSON(unsaved.code)), ("message", JSON(unsaved.message))]
    }
    return Answer.done(members)
  }

  /// What was asked for by a number may have no name, or not be there at all.
  private static func nothing(of words: [String]) -> Fault {
    Fault(.missing, "X-188", "nothing of \(shownPlain(words.joined(separator: " "))) is in the library and here now")
  }

  static func nothing(of origin: Origin) -> Fault {
    Fault(.missing, "X-188", "nothing of \"\(shownPlain(origin.name ?? ""))\" is there now")
  }

  /// Why what was done could not be saved, if it could not.
  private func unsaved(_ command: Player.Command) async -> Fault? {
    do throws(Fault) { try await transport.perform(command) } catch { return error }
    return nil
  }

  /// By what it is called now; the id may mean another some day.
  private func origin(_ words: [String]) async throws(Fault) -> Origin {
    guard let list = List(words: words) else { return Origin(.queue, words.joined(separator: " ")) }
    return try await origin(of: list, named: words.joined(separator: " "))
  }

  func origin(of list: List, named name: String? = nil) async throws(Fault) -> Origin {
    switch list {
    case .tracksOf(album: let id): Origin(.album, try await catalogue.title(ofAlbum: id))
    case .albumsOf(artist: let id), .tracksBy(artist: let id): Origin(.artist, try await catalogue.name(ofArtist: id))
    case .albumsIn(genre: let id): Origin(.genre, try await catalogue.name(ofGenre: id))
    case .playlist(let id): Origin(.playlist, try await catalogue.title(ofPlaylist: id))
    case .folder: Origin(.folder, name)
    default: Origin(.queue, name)
    }
  }

  private func tracks(_ words: [String], _ verb: Verb) async throws(Fault) -> [Row] {
    guard let list = List(words: words) else {
      throw verb.wrong("there is no list \"\(shownBriefly(words.joined(separator: " ")))\"")
    }
    var gathering = Gathering(catalogue, most: PlayQueue.limit)
    return try await gathering.tracks(of: list)
  }

  private static func paths(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> [FilePath] {
    let paths = arguments.compactMap(\.path)
    let areGood = paths.allSatisfy { path in
      (path.ofFile.isAbsolute || ItemKey(address: path) != nil) && path.bytes.count <= FilePath.limit
    }
    guard paths.count == arguments.count, areGood else {
      throw verb.wrong("expected paths, from / on, or what a source has, as source:NAME/...")
    }
    return paths
  }

  static func slices<Element>(of all: [Element]) -> [[Element]] {
    stride(from: 0, to: all.count, by: Catalogue.slice).map { Array(all[$0..<min($0 + Catalogue.slice, all.count)]) }
  }
}
