import Library
import Playback
import Runtime

/// Playing music that somebody chose: in place of the queue, next, or at its end. It lives on the main loop.
///
/// The player always exists. Without a library there is nothing to choose from, and choosing throws `noLibrary`.
@MainLoop
package final class Playing {
  /// The result of adding music to the queue.
  package struct Added: Sendable {
    /// How many were added; a full queue takes fewer.
    package let count: Int
    package let leftOut: Int
    /// Why the change could not be saved; it has been made all the same.
    package let unsaved: Fault?
  }

  let transport: Transport
  private let store: SessionStore?
  private let catalogue: Catalogue?
  private let playlists: Playlists?
  private let keeping: Keeping
  var placesBefore = PlaceBefore()
  /// How often somebody decided what plays, so that an earlier choice that still waits gives way.
  var choices = 0

  package init(
    _ transport: Transport, _ store: SessionStore?, _ catalogue: Catalogue?, _ playlists: Playlists?,
    _ keeping: Keeping
  ) {
    (self.transport, self.store, self.catalogue, self.playlists) = (transport, store, catalogue, playlists)
    self.keeping = keeping
  }

  // MARK: In place of the queue, which can be had back

  /// When a song of a long list is pressed, such as the list of all songs, the queue gets at most this many tracks. To
  /// look up more would delay the music.
  package static let mostBehind = 500

  /// Plays all tracks of a list, from `track` on if one is named. Books and podcasts are never shuffled. With the row's
  /// `place` in the list, that row and those after it are queued, at most `mostBehind`. `origin`: where the music was
  /// chosen, if that is not the list.
  package func play(
    _ list: List, from track: Int64? = nil, at place: PageKey? = nil, isShuffled: Bool = false, origin: Origin? = nil
  ) async throws(Fault) {
    let catalogue = try library.catalogue
    var rows: [Row] = []
    if let place {
      let before = try await catalogue.page(of: list, before: place, count: 1).first
      var collector = TrackCollector(catalogue, most: Self.mostBehind)
      rows = try await collector.tracks(of: list, after: before?.place)
    }
    // Without a place, or where it stands elsewhere by now.
    if track == nil || !rows.contains(where: { $0.id == track }) { rows = try await catalogue.tracks(of: list) }
    let order: Replacement.PlayOrder = isShuffled ? .shuffled : try await isSpoken(list) ? .inOrder : .asBefore
    let ownOrigin = try await catalogue.origin(of: list)
    try await play(rows, from: track, order, from: origin ?? ownOrigin)
  }

  /// Plays the album of a track that a search for `words` has found, from that track on: the other hits only share a word
  /// with it. A track that is on no album is played alone.
  package func play(found track: Int64, searching words: String) async throws(Fault) {
    let (catalogue, origin) = (try library.catalogue, Origin(.search, words))
    guard let album = try await catalogue.links(ofTrack: track).album else {
      return try await start([try await catalogue.path(ofListedTrack: track)], at: 0, .asBefore, from: origin)
    }
    try await play(.tracksOf(album: album.id), from: track, origin: origin)
  }

  private func isSpoken(_ list: List) async throws(Fault) -> Bool {
    guard case .tracksOf(let album) = list else { return false }
    return try await library.catalogue.album(album).map { $0.media != .music } ?? false
  }

  private func play(
    _ tracks: [Row], from track: Int64?, _ order: Replacement.PlayOrder, from origin: Origin
  ) async throws(Fault) {
    let catalogue = try library.catalogue
    var first: Int?
    var paths: [FilePath] = []
    for slice in Playlists.slices(of: tracks) {
      for (row, piece) in zip(slice, try await catalogue.eachPiece(of: slice)) {
        guard let piece, piece.isPresent else { continue }
        if row.id == track, first == nil { first = paths.count }
        paths.append(piece.path)
      }
    }
    if track != nil, first == nil { throw Self.notHere }
    try await start(paths, at: first, order, from: origin)
  }

  package func play(playlist id: Int64, isShuffled: Bool) async throws(Fault) {
    let (_, playlists) = try library
    let playlist = try await playlists.playlist(id)
    let paths = try await playlists.presentEntries(of: id).map(\.path)
    try await start(paths, at: nil, isShuffled ? .shuffled : .asBefore, from: Origin(.playlist, playlist.name))
  }

  /// Plays the entries of a playlist that are present, from `wanted` on.
  package func play(playlist id: Int64, from wanted: Int64) async throws(Fault) {
    let (_, playlists) = try library
    let playlist = try await playlists.playlist(id)
    let entries = try await playlists.presentEntries(of: id)
    guard let first = entries.lastIndex(where: { $0.entry == wanted }) else { throw Self.notHere }
    try await start(entries.map(\.path), at: first, .asBefore, from: Origin(.playlist, playlist.name))
  }

  /// Plays what a source has, from its `first` address on if one is named.
  package func play(
    _ addresses: [FilePath], from first: Int? = nil, isShuffled: Bool = false, chosen origin: Origin
  ) async throws(Fault) {
    try await start(addresses, at: first, isShuffled ? .shuffled : .asBefore, from: origin)
  }

  private func start(
    _ paths: [FilePath], at first: Int?, _ order: Replacement.PlayOrder, from origin: Origin
  ) async throws(Fault) {
    guard !paths.isEmpty else { throw Self.nothing(of: origin) }
    // All of something is played from its beginning, whatever the last queue was; one song of it leaves that as it is.
    let order = order == .asBefore && first == nil ? .inOrder : order
    choices += 1
    guard try await canBegin(paths, at: first, of: choices) else { return }
    // A press too many takes nothing away: the old queue can be had back.
    let new = Replacement(paths, order: order, first: first, from: origin)
    try await perform(.replace(new))
  }

  /// Waits for the first bytes of the chosen song while other music plays, so that a source that does not answer stops
  /// nothing. Returns false when somebody chose something else meanwhile.
  private func canBegin(_ paths: [FilePath], at first: Int?, of choice: Int) async throws(Fault) -> Bool {
    let status = transport.status
    guard status.wish == .playing, status.entry != nil, status.waitsFor == nil else { return true }
    do throws(Fault) { try await keeping.begin(paths[first ?? 0]) } catch {
      guard choice == choices else { return false }
      // A whole list begins all the same where another song of it is here.
      guard first == nil, await keeping.isAnyHere(of: paths) else { throw error }
    }
    return choice == choices
  }

  /// The queue that was replaced and can be had back, by the track that it goes on with; nil where there is none.
  package func formerQueue() async -> (track: Track, count: Int)? {
    guard playlists != nil, let former = transport.former, let path = former.current else { return nil }
    return (await known(at: path) ?? Track(named: path), former.count)
  }

  /// Plays the queue that was replaced last, in its order and from the place where it was left. The present queue can be
  /// had back in the same way.
  package func playFormer() async throws(Fault) {
    guard let former = transport.former else { return }
    try await perform(.replace(Replacement(back: former, from: Origin(.former))))
  }

  // MARK: Into the queue

  /// How somebody found a track; it is noted as the track's origin.
  package enum Found: Sendable {
    case searching(String)
    case inList(List)
  }

  package func playNext(track: Int64, found: Found) async throws(Fault) {
    let path = try await library.catalogue.path(ofListedTrack: track)
    try await perform(.playNext([path], from: try await origin(found)))
  }

  package func playNext(_ addresses: [FilePath], chosen origin: Origin) async throws(Fault) {
    try await perform(.playNext(addresses, from: origin))
  }

  /// Adds a track to the end of the queue, and jumps to it if `andPlay` is true.
  package func add(track: Int64, found: Found, andPlay: Bool) async throws(Fault) {
    let path = try await library.catalogue.path(ofListedTrack: track)
    try await add([path], from: try await origin(found), andPlay)
  }

  private func origin(_ found: Found) async throws(Fault) -> Origin {
    switch found {
    case .searching(let words): Origin(.search, words)
    case .inList(let list): try await library.catalogue.origin(of: list)
    }
  }

  package func add(_ list: List, andPlay: Bool) async throws(Fault) {
    let catalogue = try library.catalogue
    try await add(try await catalogue.presentPaths(of: list), from: try await catalogue.origin(of: list), andPlay)
  }

  package func add(playlist id: Int64, andPlay: Bool) async throws(Fault) {
    let (_, playlists) = try library
    let playlist = try await playlists.playlist(id)
    let paths = try await playlists.presentEntries(of: playlist.id).map(\.path)
    try await add(paths, from: Origin(.playlist, playlist.name), andPlay)
  }

  package func add(_ addresses: [FilePath], chosen origin: Origin, andPlay: Bool) async throws(Fault) {
    try await add(addresses, from: origin, andPlay)
  }

  private func add(_ paths: [FilePath], from origin: Origin, _ andPlay: Bool) async throws(Fault) {
    guard !paths.isEmpty else { throw Self.nothing(of: origin) }
    try await perform(
      andPlay ? .playAtOnce(paths, from: origin) : .add(paths, from: origin))
  }

  // MARK: Behind the queue or in its place, with what came of it

  /// `name` is what a message calls the list.
  package func addOrReplace(_ list: List, named name: String, replacing: Bool) async throws(Fault) -> Added {
    let catalogue = try library.catalogue
    let paths = try await catalogue.presentPaths(of: list)
    guard !paths.isEmpty else {
      // What was asked for by a number may have no name, or not be there at all.
      throw Fault(.missing, "X-188", "nothing of \(shownPlain(name)) is in the library and here now")
    }
    return try await addOrReplace(paths, replacing, from: try await catalogue.origin(of: list))
  }

  package func addOrReplace(track id: Int64, replacing: Bool) async throws(Fault) -> Added {
    let catalogue = try library.catalogue
    let pieces = try await catalogue.pieces(at: [try await catalogue.knownPath(ofTrack: id)])
    return try await addOrReplace(pieces.filter(\.isPresent).map(\.path), replacing, from: .track)
  }

  package func addOrReplace(playlist id: Int64, replacing: Bool) async throws(Fault) -> Added {
    let (_, playlists) = try library
    let playlist = try await playlists.playlist(id)
    let paths = try await playlists.presentEntries(of: id).map(\.path)
    return try await addOrReplace(paths, replacing, from: Origin(.playlist, playlist.name))
  }

  private func addOrReplace(_ paths: [FilePath], _ replacing: Bool, from origin: Origin) async throws(Fault) -> Added {
    guard !paths.isEmpty else { throw Self.nothing(of: origin) }
    return await added(paths, by: replacing ? .replace(Replacement(paths, from: origin)) : .add(paths, from: origin))
  }

  // MARK: What was heard

  /// Something that was listened to, with what the library knows of it.
  package struct HistoryRow: Sendable {
    package let number: Int64
    package let listening: Listening
    package let track: Track?
  }

  /// A page of the whole history, newest first, of rows older than that number.
  package func history(before number: Int64?) async throws(Fault) -> [HistoryRow] {
    guard let store else { throw .noLibrary }
    var heard: [HistoryRow] = []
    for (number, listening) in try await store.listenings(before: number, count: Catalogue.slice) {
      heard.append(HistoryRow(number: number, listening: listening, track: await transport.lookUp(listening.path)))
    }
    return heard
  }

  // MARK: Parts of it

  private var library: (catalogue: Catalogue, playlists: Playlists) {
    get throws(Fault) {
      guard let catalogue, let playlists else { throw .noLibrary }
      return (catalogue, playlists)
    }
  }

  private static let notHere = Fault(.missing, "X-200", "that track is not here now")

  private static func nothing(of origin: Origin) -> Fault {
    Fault(.missing, "X-188", "nothing of \"\(shownPlain(origin.name ?? ""))\" is there now")
  }
}

extension Fault {
  package static let noLibrary = Fault(
    .missing, "X-134", "there is no library: nothing can be remembered, so nothing can be looked up")
}
