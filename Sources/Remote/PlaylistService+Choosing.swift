import Library
import Playback
import Runtime

/// Music that somebody chose in front of the board, where verbs have words.
extension PlaylistService {
  /// In place of what was to be played: all that a list leads to, begun with one of its tracks where one is named.
  package func play(_ list: List, from track: Int64? = nil, isShuffled: Bool = false) async throws(Fault) {
    let rows = try await tracks(of: list)
    var first: Int?
    var paths: [FilePath] = []
    for slice in Self.slices(of: rows) {
      for (row, piece) in zip(slice, try await catalogue.eachPiece(of: Array(slice))) {
        guard let piece, piece.isPresent else { continue }
        if row.id == track, first == nil { first = paths.count }
        paths.append(piece.path)
      }
    }
    if track != nil, first == nil { throw Fault(.missing, "X-200", "that track is not here now") }
    try await start(paths, at: first, isShuffled, from: try await origin(of: list))
  }

  /// One track now; what was to be played goes on behind it.
  package func playNow(track: Int64) async throws(Fault) {
    try await transport.perform(.playAtOnce(try await paths(ofTrack: track), behindAll: false))
  }

  package func playNext(track: Int64) async throws(Fault) {
    try await transport.perform(.playNext(try await paths(ofTrack: track)))
  }

  /// Behind all that is to be played, and on from there at once if `andPlay` says so.
  package func enqueue(track: Int64, andPlay: Bool) async throws(Fault) {
    try await add(try await paths(ofTrack: track), andPlay)
  }

  package func enqueue(_ list: List, andPlay: Bool) async throws(Fault) {
    try await add(try await paths(of: list), andPlay)
  }

  package func play(playlist id: Int64, isShuffled: Bool) async throws(Fault) {
    let playlist = try await own(id)
    try await start(try await paths(of: playlist), at: nil, isShuffled, from: Origin(.playlist, playlist.name))
  }

  /// All of it that is here, begun with one of its entries.
  package func play(playlist id: Int64, from wanted: Int64) async throws(Fault) {
    let playlist = try await own(id)
    var (paths, first, place): ([FilePath], Int?, Int64?) = ([], nil, nil)
    while paths.count < PlayQueue.limit {
      let entries = try await store.entries(ofPlaylist: id, after: place, count: Catalogue.slice)
      guard let last = entries.last else { break }
      let present = try await presentPaths(of: entries)
      for (entry, path) in zip(entries, present) {
        guard let path else { continue }
        if entry.id == wanted { first = paths.count }
        paths.append(path)
      }
      place = last.place
    }
    guard let first else { throw Fault(.missing, "X-200", "that track is not here now") }
    try await start(paths, at: first, false, from: Origin(.playlist, playlist.name))
  }

  package func rename(playlist id: Int64, _ name: String) async throws(Fault) {
    try await checkNew(name, but: id)
    let former = try await own(id)
    try await store.rename(playlist: id, name, today: date())
    await changed(former)
  }

  package func remove(entry: Int64, fromPlaylist id: Int64) async throws(Fault) {
    try await store.remove(entry: entry, fromPlaylist: id, today: date())
    await changed(try await own(id))
  }

  package func move(entry: Int64, behind other: Int64?, inPlaylist id: Int64) async throws(Fault) {
    try await store.move(entry: entry, behind: other, inPlaylist: id, today: date())
  }

  package func enqueue(playlist id: Int64, andPlay: Bool) async throws(Fault) {
    try await add(try await paths(of: try await own(id)), andPlay)
  }

  package func all() async throws(Fault) -> [Playlist] { try await store.playlists() }

  /// The first so many, by where they lie now; nil for what no library knows any more.
  package func tracks(
    ofPlaylist id: Int64, count: Int
  ) async throws(Fault) -> [(entry: Int64, path: FilePath, track: Track?)] {
    let entries = try await store.entries(ofPlaylist: id, after: nil, count: min(count, Catalogue.slice))
    let present = try await presentPaths(of: entries)
    var tracks: [(entry: Int64, path: FilePath, track: Track?)] = []
    for (entry, path) in zip(entries, present) {
      tracks.append((entry.id, path ?? entry.path, await transport.lookUp(path ?? entry.path)))
    }
    return tracks
  }

  /// Under the first name of its kind that is free.
  package func makeNext(_ kind: String) async throws(Fault) -> Playlist {
    let names = Set(try await store.playlists().map(\.name))
    guard names.count < Self.most else { throw Self.tooMany(names.count) }
    let number = (1...names.count + 1).first { !names.contains("\(kind) \($0)") } ?? 1
    return try await own(try await store.makePlaylist("\(kind) \(number)", today: date()))
  }

  package func make(named name: String) async throws(Fault) -> Playlist {
    try await checkNew(name)
    return try await own(try await store.makePlaylist(name, today: date()))
  }

  /// What was to be played before the last choice; what is to be played now is the former queue from then on.
  package func playFormer() async throws(Fault) {
    guard let former = transport.former else { return }
    let new = Replacement(former.files, first: former.index, from: Origin(.queue), oldQueue: .exchanged)
    try await transport.perform(.replace(new))
  }

  package func add(track: Int64, toPlaylist id: Int64) async throws(Fault) -> Playlist {
    try await add(try await catalogue.pieces(at: try await paths(ofTrack: track)), to: try await own(id))
    return try await changedNow(id)
  }

  package func add(_ list: List, toPlaylist id: Int64) async throws(Fault) -> Playlist {
    let playlist = try await own(id)
    for slice in Self.slices(of: try await tracks(of: list)) {
      try await add(try await catalogue.pieces(of: slice), to: playlist)
    }
    return try await changedNow(id)
  }

  package func add(_ paths: [FilePath], toPlaylist id: Int64) async throws(Fault) -> Playlist {
    try await add(paths, to: try await own(id))
    return try await changedNow(id)
  }

  private func changedNow(_ id: Int64) async throws(Fault) -> Playlist {
    let playlist = try await own(id)
    await changed(playlist)
    return playlist
  }

  package func remove(playlist id: Int64) async throws(Fault) {
    let former = try await own(id)
    try await store.remove(playlist: id)
    await changed(former)
  }

  // MARK: Parts of it

  private func own(_ id: Int64) async throws(Fault) -> Playlist { try await playlist("#\(id)") }

  private func start(
    _ paths: [FilePath], at first: Int?, _ isShuffled: Bool, from origin: Origin
  ) async throws(Fault) {
    guard !paths.isEmpty else { throw Self.nothing(of: origin) }
    // A press too many takes nothing away: the old queue can be had back.
    let new = Replacement(paths, shuffles: isShuffled, first: first, from: origin, oldQueue: .kept)
    try await transport.perform(.replace(new))
  }

  private func add(_ paths: [FilePath], _ andPlay: Bool) async throws(Fault) {
    guard !paths.isEmpty else { throw Self.nothing(of: Origin(.queue)) }
    try await transport.perform(andPlay ? .playAtOnce(paths, behindAll: true) : .add(paths))
  }

  private func tracks(of list: List) async throws(Fault) -> [Row] {
    var gathering = Gathering(catalogue, most: PlayQueue.limit)
    return try await gathering.tracks(of: list)
  }

  private func paths(of list: List) async throws(Fault) -> [FilePath] {
    var paths: [FilePath] = []
    for slice in Self.slices(of: try await tracks(of: list)) {
      paths += try await catalogue.pieces(of: slice).filter(\.isPresent).map(\.path)
    }
    return paths
  }

  private func paths(ofTrack id: Int64) async throws(Fault) -> [FilePath] {
    guard let path = try await catalogue.path(of: id) else {
      throw Fault(.missing, "X-199", "the library knows that track no more")
    }
    return [path]
  }
}
