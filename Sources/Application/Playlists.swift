import Glibc
import Library
import Playback
import Runtime
import Services

/// Playlists made on the device: which there are, what stands in them, and how they are changed.
///
/// An entry is a recording, wherever it lies: it is played from where it lies now, and from its old path when no library
/// knows it.
@MainLoop
package final class Playlists {
  /// An entry with where it lies now.
  package struct EntryRow: Sendable {
    package let entry: PlaylistEntry
    /// Nil when it is nowhere just now.
    package let present: FilePath?
    /// Nil for what no library knows.
    package let track: Track?

    /// Where it lies now, or lay when it was added.
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

  /// By its name, or its number. A shell takes `#7` for a remark, so `7` is enough where none is called that.
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

  /// At most `largestPage` entries behind `place`, and the place to go on behind when there may be more.
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

  /// What of it is here now, in its order, as far as a queue has room.
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

  /// Under the first name of its kind that is free, such as "Playlist 3".
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

  /// Throws unless it can be the name of a new one, or of the one with this id.
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

  /// Files, and what sources have, behind what stands in it. Returns it as it is then.
  @discardableResult
  package func add(_ paths: [FilePath], to id: Int64) async throws(Fault) -> Playlist {
    _ = try await playlist(id)
    for slice in Self.slices(of: paths) { try await add(try await pieces(at: slice), to: id) }
    return try await changed(id)
  }

  @discardableResult
  package func add(track: Int64, to id: Int64) async throws(Fault) -> Playlist {
    try await add([try await catalogue.presentTrack(track)], to: id)
  }

  /// All that a list of the library leads to.
  @discardableResult
  package func add(_ list: List, to id: Int64) async throws(Fault) -> Playlist {
    _ = try await playlist(id)
    for slice in Self.slices(of: try await catalogue.tracks(of: list)) {
      try await add(try await catalogue.pieces(of: slice), to: id)
    }
    return try await changed(id)
  }

  /// All that is to be played.
  @discardableResult
  package func addQueue(to id: Int64) async throws(Fault) -> Playlist {
    try await add(transport.queue.entries.map(\.path), to: id)
  }

  package func remove(entries: [Int64], from id: Int64) async throws(Fault) {
    for entry in entries { try await store.remove(entry: entry, fromPlaylist: id, today: today) }
    try await changed(id)
  }

  /// Behind another entry; nil: to the front.
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

  /// Seconds since 1970, by a clock that may be wrong.
  private var today: Int64 { Int64(time(nil)) }

  static func slices<Element>(of all: [Element]) -> [[Element]] {
    stride(from: 0, to: all.count, by: Catalogue.slice).map { Array(all[$0..<min($0 + Catalogue.slice, all.count)]) }
  }
}
