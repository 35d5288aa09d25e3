import Library
import Playback
import Runtime

/// What is played: music that somebody chose, in place of the queue, next, or behind all of it.
///
/// The player is always there. Without a library there is nothing to choose from, and whoever does is told so.
@MainLoop
package final class Playing {
  /// What came of putting music into the queue.
  package struct Added: Sendable {
    /// Fewer than were meant when the queue is full.
    package let count: Int
    package let leftOut: Int
    /// What was done stays done when it cannot be saved, and this is why it could not.
    package let unsaved: Fault?
  }

  let transport: Transport
  private let store: SessionStore?
  private let catalogue: Catalogue?
  private let playlists: Playlists?

  package init(_ transport: Transport, _ store: SessionStore?, _ catalogue: Catalogue?, _ playlists: Playlists?) {
    (self.transport, self.store, self.catalogue, self.playlists) = (transport, store, catalogue, playlists)
  }

  // MARK: In place of the queue, which can be had back

  /// All that a list leads to, begun with one of its tracks where one is named.
  package func play(_ list: List, from track: Int64? = nil, isShuffled: Bool = false) async throws(Fault) {
    let catalogue = try library.catalogue
    var first: Int?
    var paths: [FilePath] = []
    for slice in Playlists.slices(of: try await catalogue.tracks(of: list)) {
      for (row, piece) in zip(slice, try await catalogue.eachPiece(of: slice)) {
        guard let piece, piece.isPresent else { continue }
        if row.id == track, first == nil { first = paths.count }
        paths.append(piece.path)
      }
    }
    if track != nil, first == nil { throw Self.notHere }
    try await start(paths, at: first, isShuffled, from: try await catalogue.origin(of: list))
  }

  package func play(playlist id: Int64, isShuffled: Bool) async throws(Fault) {
    let (_, playlists) = try library
    let playlist = try await playlists.playlist(id)
    let paths = try await playlists.presentEntries(of: id).map(\.path)
    try await start(paths, at: nil, isShuffled, from: Origin(.playlist, playlist.name))
  }

  /// All of it that is here, begun with one of its entries.
  package func play(playlist id: Int64, from wanted: Int64) async throws(Fault) {
    let (_, playlists) = try library
    let playlist = try await playlists.playlist(id)
    let entries = try await playlists.presentEntries(of: id)
    guard let first = entries.lastIndex(where: { $0.entry == wanted }) else { throw Self.notHere }
    try await start(entries.map(\.path), at: first, false, from: Origin(.playlist, playlist.name))
  }

  private func start(_ paths: [FilePath], at first: Int?, _ isShuffled: Bool, from origin: Origin) async throws(Fault) {
    guard !paths.isEmpty else { throw Self.nothing(of: origin) }
    // A press too many takes nothing away: the old queue can be had back.
    let new = Replacement(paths, shuffles: isShuffled, first: first, from: origin, oldQueue: .kept)
    try await transport.perform(.replace(new))
  }

  /// There is a queue that something was played in place of.
  package var hasFormerQueue: Bool { playlists != nil && transport.former != nil }

  /// What was to be played before the last choice; what is to be played now is the former queue from then on.
  package func playFormer() async throws(Fault) {
    guard let former = transport.former else { return }
    let new = Replacement(former.files, first: former.index, from: Origin(.former), oldQueue: .exchanged)
    try await transport.perform(.replace(new))
  }

  // MARK: Into the queue

  /// Where somebody found a track.
  package enum Found: Sendable {
    case searching(String)
    case inList(List)
  }

  /// One track now; what was to be played goes on behind it.
  package func playNow(track: Int64, found: Found) async throws(Fault) {
    let path = try await library.catalogue.presentTrack(track)
    try await transport.perform(.playAtOnce([path], behindAll: false, from: try await origin(found)))
  }

  package func playNext(track: Int64, found: Found) async throws(Fault) {
    let path = try await library.catalogue.presentTrack(track)
    try await transport.perform(.playNext([path], from: try await origin(found)))
  }

  /// Behind all that is to be played, and on from there at once if `andPlay` says so.
  package func enqueue(track: Int64, found: Found, andPlay: Bool) async throws(Fault) {
    let path = try await library.catalogue.presentTrack(track)
    try await enqueue([path], from: try await origin(found), andPlay)
  }

  private func origin(_ found: Found) async throws(Fault) -> Origin {
    switch found {
    case .searching(let words): Origin(.search, words)
    case .inList(let list): try await library.catalogue.origin(of: list)
    }
  }

  package func enqueue(_ list: List, andPlay: Bool) async throws(Fault) {
    let catalogue = try library.catalogue
    try await enqueue(try await catalogue.presentPaths(of: list), from: try await catalogue.origin(of: list), andPlay)
  }

  package func enqueue(playlist id: Int64, andPlay: Bool) async throws(Fault) {
    let (_, playlists) = try library
    let playlist = try await playlists.playlist(id)
    let paths = try await playlists.presentEntries(of: playlist.id).map(\.path)
    try await enqueue(paths, from: Origin(.playlist, playlist.name), andPlay)
  }

  private func enqueue(_ paths: [FilePath], from origin: Origin, _ andPlay: Bool) async throws(Fault) {
    guard !paths.isEmpty else { throw Self.nothing(of: origin) }
    try await transport.perform(
      andPlay ? .playAtOnce(paths, behindAll: true, from: origin) : .add(paths, from: origin))
  }

  // MARK: Behind the queue or in its place, with what came of it

  /// `name` is what a message calls the list.
  package func put(_ list: List, named name: String, replacing: Bool) async throws(Fault) -> Added {
    let catalogue = try library.catalogue
    let paths = try await catalogue.presentPaths(of: list)
    guard !paths.isEmpty else {
      // What was asked for by a number may have no name, or not be there at all.
      throw Fault(.missing, "X-188", "nothing of \(shownPlain(name)) is in the library and here now")
    }
    return try await put(paths, replacing, from: try await catalogue.origin(of: list))
  }

  package func put(track id: Int64, replacing: Bool) async throws(Fault) -> Added {
    let catalogue = try library.catalogue
    let pieces = try await catalogue.pieces(at: [try await catalogue.knownPath(ofTrack: id)])
    return try await put(pieces.filter(\.isPresent).map(\.path), replacing, from: .track)
  }

  package func put(playlist id: Int64, replacing: Bool) async throws(Fault) -> Added {
    let (_, playlists) = try library
    let playlist = try await playlists.playlist(id)
    let paths = try await playlists.presentEntries(of: id).map(\.path)
    return try await put(paths, replacing, from: Origin(.playlist, playlist.name))
  }

  private func put(_ paths: [FilePath], _ replacing: Bool, from origin: Origin) async throws(Fault) -> Added {
    guard !paths.isEmpty else { throw Self.nothing(of: origin) }
    return await put(paths, replacing ? .replace(Replacement(paths, from: origin)) : .add(paths, from: origin))
  }

  // MARK: What was heard

  /// Something that was heard, with what the library knows of it.
  package struct HistoryRow: Sendable {
    package let number: Int64
    package let listening: Listening
    package let track: Track?
  }

  /// A page of all that was ever heard, the last first; from before the one of that number.
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
