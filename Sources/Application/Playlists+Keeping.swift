import Library
import Offline
import Playback
import Runtime

/// Playlists whose flag says that they shall be on the device. What sources have of them is wanted offline; what is a file
/// of this device is on it already. The flag is stored first, and after a start all of them are looked at again.
extension Playlists {
  /// What does not fit is not begun, unless `isAnyway`; nor is what goes beyond the quota.
  package func setOffline(_ id: Int64, _ isOffline: Bool, isAnyway: Bool) async throws(Fault) {
    let playlist = try await playlist(id)
    if isOffline, !playlist.isOffline, keeping.isOpen {
      let items = try await items(of: playlist)
      try await keeping.expectRoom(for: items, ofPlaylist: playlist.name, isAnyway: isAnyway)
    }
    try await store.setOffline(playlist: id, isOffline)
    await changed(playlist)
  }

  /// It was changed, renamed, or is gone. `former`: as it was before. What cannot be asked for now is asked for when it
  /// can be, and the change holds.
  func changed(_ former: Playlist) async {
    guard keeping.isOpen else { return }
    do throws(Fault) {
      let now = try await store.playlists().first { $0.id == former.id }
      if let now, now.isOffline { try await keep(now) }
      if former.isOffline, now?.isOffline != true || now?.name != former.name { try await release(former.name) }
    } catch { log(former.name, error) }
  }

  /// What is wanted can be asked for now.
  package func keepAll() async {
    do throws(Fault) {
      let all = try await store.playlists().filter(\.isOffline)
      for playlist in all { do throws(Fault) { try await keep(playlist) } catch { log(playlist.name, error) } }
      let kept = try await keeping.keptPlaylists()
      for name in kept.subtracting(all.map(\.name)).sorted() { try await release(name) }
    } catch { log("all", error) }
  }

  /// Somebody has dropped it where it is kept: it shall not be on the device any more.
  package func wasDropped(_ name: String) async {
    do throws(Fault) {
      guard let playlist = try await store.playlists().first(where: { $0.name == name && $0.isOffline }) else { return }
      try await store.setOffline(playlist: playlist.id, false)
      try await release(name)
    } catch { log(name, error) }
  }

  private func log(_ name: String, _ error: Fault) {
    Log("playlists").warning("what is to be kept is not asked for yet", ["playlist": name, "reason": error.message])
  }

  private func keep(_ playlist: Playlist) async throws(Fault) {
    try await keeping.keep(playlist: playlist.name, try await items(of: playlist))
  }

  private func release(_ name: String) async throws(Fault) { try await keeping.stopKeeping(playlist: name) }

  /// Of sources, in its order.
  private func items(of playlist: Playlist) async throws(Fault) -> [ItemKey] {
    var (items, place): ([ItemKey], Int64?) = ([], nil)
    while true {
      let entries = try await store.entries(ofPlaylist: playlist.id, after: place, count: Catalogue.slice)
      guard let last = entries.last else { return items }
      items += await keeping.items(at: entries.map(\.path)).compactMap(\.self)
      place = last.place
    }
  }

  // MARK: What sources have

  /// Where each lies now; what is here no more, or never was, is played from its source where one has it.
  func presentPaths(of entries: [PlaylistEntry]) async throws(Fault) -> [FilePath?] {
    let files = try await catalogue.presentPaths(of: entries.map { ($0.recording, $0.path) })
    guard files.contains(where: { $0 == nil }) else { return files }
    let items = await keeping.items(at: entries.map(\.path))
    let known = Set(keeping.sources.map(\.id))
    return zip(files, items).map { file, item in
      if let file { return file }
      return item.flatMap { known.contains($0.source) ? $0.address : nil }
    }
  }

  /// What sources have is as long as they say.
  func pieces(at paths: [FilePath]) async throws(Fault) -> [Catalogue.Piece] {
    var pieces: [Catalogue.Piece] = []
    for piece in try await catalogue.pieces(at: paths) {
      guard let item = ItemKey(address: piece.path), let length = await keeping.facts(of: item)?.length else {
        pieces.append(piece)
        continue
      }
      pieces.append(.init(key: nil, path: piece.path, duration: length, isPresent: true))
    }
    return pieces
  }

  /// How much of it is on the device; nil where it shall not be, or sources have nothing of it.
  package func progress(of playlist: Playlist) async -> Keeping.PlaylistProgress? {
    playlist.isOffline ? await keeping.progress(ofPlaylist: playlist.name) : nil
  }
}
