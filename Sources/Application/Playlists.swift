import Glibc
import Library
import Playback
import Runtime
import Services

/// Playlists made on the device: listing, reading and changing them. It lives on the main loop.
///
/// An entry is a recording and not a file: it is played from its present path, wherever it was moved. A file that is
/// not in the library is played from the path that was stored.
@MainLoop
package final class Playlists {
  /// An entry with its present path.
  package struct EntryRow: Sendable {
    package let entry: PlaylistEntry
    /// Nil when the recording is on no medium that is present.
    package let present: FilePath?
    /// Nil for a file that is not in the library.
    package let track: Track?

    /// Its present path, or else the one at which it was added.
    package var path: FilePath { present ?? entry.path }
  }

  let store: SessionStore
  let catalogue: Catalogue
  private let transport: Transport
  let keeping: Keeping

  package init(_ store: SessionStore, _ catalogue: Catalogue, _ transport: Transport, _ keeping: Keeping) {
    (self.store, self.catalogue, self.transport, self.keeping) = (store, catalogue, transport, keeping)
  }

  // MARK: What there is

  package func all() async throws(Fault) -> [Playlist] { try await store.playlists() }

  /// The playlist of a name or a number. A shell takes `#7` for a comment, so `7` also means number 7, unless a
  /// playlist has that name.
  package func named(_ name: String) async throws(Fault) -> Playlist {
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

  package func playlist(_ id: Int64) async throws(Fault) -> Playlist { try await named("#\(id)") }

  /// Up to `count` entries after `place` (no more than `largestPage`), and the place of the last one if there may be
  /// more.
  package func lines(
    of id: Int64, after place: Int64?, count: Int
  ) async throws(Fault) -> (lines: [EntryRow], next: Int64?) {
    let count = min(count, Self.largestPage)
    let entries = try await store.entries(ofPlaylist: id, after: place, count: count)
    var lines: [EntryRow] = []
    for (entry, path) in zip(entries, try await presentPaths(of: entries)) {
      lines.append(EntryRow(entry: entry, present: path, track: await transport.lookUp(path ?? entry.path)))
    }
    return (lines, entries.count == count ? entries.last?.place : nil)
  }

  package static let largestPage = Catalogue.slice

  /// The entries that are present, in order, as many as fit into a queue.
  func presentEntries(of id: Int64) async throws(Fault) -> [(entry: Int64, path: FilePath)] {
    var (found, place): ([(entry: Int64, path: FilePath)], Int64?) = ([], nil)
    while found.count < PlayQueue.limit {
      let entries = try await store.entries(ofPlaylist: id, after: place, count: Catalogue.slice)
      guard let last = entries.last else { break }
      for (entry, path) in zip(entries, try await presentPaths(of: entries)) {
        if let path { found.append((entry.id, path)) }
      }
      place = last.place
    }
    return found
  }

  // MARK: New ones

  package func make(named name: String) async throws(Fault) -> Playlist {
    try await expectNew(name)
    return try await playlist(try await store.makePlaylist(name, today: today))
  }

  /// Makes a playlist with the first free name of the kind "Playlist 3".
  package func makeNext(_ kind: String) async throws(Fault) -> Playlist {
    let names = Set(try await store.playlists().map(\.name))
    guard names.count < Self.most else { throw Self.tooMany(names.count) }
    let number = (1...names.count + 1).first { !names.contains("\(kind) \($0)") } ?? 1
    return try await playlist(try await store.makePlaylist("\(kind) \(number)", today: today))
  }

  package static func isName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix("#") && name.utf8.count <= 200 && name.unicodeScalars.allSatisfy(isPlain)
  }

  package nonisolated static let whatNamesAre = "a name is 1 to 200 bytes of plain text, and does not begin with #"

  /// Throws unless a new playlist (or the one with this id) may get this name.
  package func expectNew(_ name: String, but id: Int64? = nil) async throws(Fault) {
    guard Self.isName(name) else { throw Fault(.malformed, "X-201", Self.whatNamesAre) }
    let all = try await store.playlists()
    guard !all.contains(where: { $0.name == name && $0.id != id }) else {
      throw Fault(.malformed, "X-186", "there is a playlist \"\(name)\" already")
    }
    guard id != nil || all.count < Self.most else { throw Self.tooMany(all.count) }
  }

  private static let most = 1_000

  private static func tooMany(_ count: Int) -> Fault {
    Fault(.full, "X-187", "there are \(count) playlists already, and no more than that are kept")
  }

  // MARK: Changing

  package func rename(_ id: Int64, _ name: String) async throws(Fault) {
    try await expectNew(name, but: id)
    let former = try await playlist(id)
    try await store.rename(playlist: id, name, today: today)
    await changed(former)
  }

  package func remove(_ id: Int64) async throws(Fault) {
    let former = try await playlist(id)
    try await store.remove(playlist: id)
    await changed(former)
  }

  /// Appends files and items of sources. Returns the playlist as it is then.
  @discardableResult
  package func add(_ paths: [FilePath], to id: Int64) async throws(Fault) -> Playlist {
    _ = try await playlist(id)
    for slice in Self.slices(of: paths) { try await add(try await pieces(at: slice), to: id) }
    return try await changed(id)
  }

  @discardableResult
  package func add(track: Int64, to id: Int64) async throws(Fault) -> Playlist {
    try await add([try await catalogue.path(ofListedTrack: track)], to: id)
  }

  /// Appends all tracks of a list of the library.
  @discardableResult
  package func add(_ list: List, to id: Int64) async throws(Fault) -> Playlist {
    _ = try await playlist(id)
    for slice in Self.slices(of: try await catalogue.tracks(of: list)) {
      try await add(try await catalogue.pieces(of: slice), to: id)
    }
    return try await changed(id)
  }

  /// Appends the whole queue.
  @discardableResult
  package func addQueue(to id: Int64) async throws(Fault) -> Playlist {
    try await add(transport.queue.entries.map(\.path), to: id)
  }

  package func remove(entries: [Int64], from id: Int64) async throws(Fault) {
    for entry in entries { try await store.remove(entry: entry, fromPlaylist: id, today: today) }
    try await changed(id)
  }

  /// Moves an entry behind another one; nil: to the front.
  package func move(entry: Int64, behind other: Int64?, in id: Int64) async throws(Fault) {
    try await store.move(entry: entry, behind: other, inPlaylist: id, today: today)
    try await changed(id)
  }

  private func add(_ pieces: [Catalogue.Piece], to id: Int64) async throws(Fault) {
    try await store.add(
      pieces.map { PlaylistWish($0.key, at: $0.path, lasting: $0.duration) }, toPlaylist: id, today: today)
  }

  @discardableResult
  private func changed(_ id: Int64) async throws(Fault) -> Playlist {
    let playlist = try await playlist(id)
    await changed(playlist)
    return playlist
  }

  /// Seconds since 1970. The clock may be wrong.
  private var today: Int64 { Int64(time(nil)) }

  static func slices<Element>(of all: [Element]) -> [[Element]] {
    stride(from: 0, to: all.count, by: Catalogue.slice).map { Array(all[$0..<min($0 + Catalogue.slice, all.count)]) }
  }
}
