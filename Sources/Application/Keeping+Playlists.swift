import Offline
import Runtime
import Services

/// Playlists made on this device whose music shall be kept on it. Each is wanted under its name.
extension Keeping {
  /// Items that sources have of a playlist.
  package struct PlaylistProgress: Equatable, Sendable {
    package let items: Int
    package let whole: Int
    package let failed: Int
  }

  /// How far the playlist's music is fetched, from all sources together; nil when no source has any of it.
  package func progress(ofPlaylist name: String) async -> PlaylistProgress? {
    let lines = (try? await lines()) ?? []  // while downloads cannot be asked, nothing is shown beside the playlist
    let own = lines.filter { $0.container.kind == .devicePlaylist && $0.container.id == name }
    guard !own.isEmpty else { return nil }
    func sum(_ number: (OfflineLine) -> Int) -> Int { own.reduce(0) { $0 + number($1) } }
    return PlaylistProgress(items: sum(\.items), whole: sum(\.whole), failed: sum(\.failed))
  }

  /// Throws when these would be too many, or do not fit, unless `isAnyway`.
  package func expectRoom(for items: [ItemKey], ofPlaylist name: String, isAnyway: Bool) async throws(Fault) {
    let quality = try await quality(for: .download)
    let size = try await size(of: items, at: quality)
    guard size.over == 0 else { throw Self.tooMany(name, over: size.over) }
    guard size.fits || isAnyway else { throw Self.tooLarge(name, size) }
  }

  package func keep(playlist name: String, _ items: [ItemKey]) async throws(Fault) {
    let quality = try await quality(for: .download)
    try await ask { part async throws(Fault) in try await part.keep(playlist: name, items, at: quality) }
  }

  package func stopKeeping(playlist name: String) async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.keep(playlist: name, [], at: .lossless) }
  }

  package func keptPlaylists() async throws(Fault) -> Set<String> {
    try await ask { part async throws(Fault) in await part.keptPlaylists }
  }
}
