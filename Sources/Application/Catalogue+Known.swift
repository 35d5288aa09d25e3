import Library
import Runtime

extension Catalogue {
  /// Refuses a list of something that is not there, such as album 999.
  func mustKnow(_ list: List, named name: String) throws(Fault) {
    guard try knows(list) else { throw Self.unknown(name) }
  }

  private static func unknown(_ name: String) -> Fault {
    Fault(.missing, "X-139", "the library knows no \(shownPlain(name))")
  }

  /// Whether there is what a list is of. Lists of everything always are; an empty folder is not looked for.
  private func knows(_ list: List) throws(Fault) -> Bool {
    switch list {
    case .tracksOf(album: let id): try title(ofAlbum: id) != nil
    case .albumsOf(artist: let id), .tracksBy(artist: let id): try name(ofArtist: id) != nil
    case .albumsIn(genre: let id): try name(ofGenre: id) != nil
    case .playlist(let id): try title(ofPlaylist: id) != nil
    case .artists, .genres, .albums, .tracks, .folder, .playlists, .recentlyAdded, .recentlyPlayed, .oftenPlayed: true
    }
  }

  package func knownPath(ofTrack id: Int64) throws(Fault) -> FilePath {
    guard let path = try path(of: id) else { throw Self.unknown("track \(id)") }
    return path
  }
}
