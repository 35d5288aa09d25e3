import Library
import Playback
import Runtime

/// What use cases ask of the library together.
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

  /// For a track that somebody named by its number.
  func knownPath(ofTrack id: Int64) throws(Fault) -> FilePath {
    guard let path = try path(of: id) else { throw Self.unknown("track \(id)") }
    return path
  }

  /// For a track that somebody chose in a list.
  func path(ofListedTrack id: Int64) throws(Fault) -> FilePath {
    guard let path = try path(of: id) else { throw Fault(.missing, "X-199", "the library knows that track no more") }
    return path
  }

  /// All tracks that a list leads to, as far as a queue has room.
  @MainLoop func tracks(of list: List) async throws(Fault) -> [Row] {
    var collector = TrackCollector(self, most: PlayQueue.limit)
    return try await collector.tracks(of: list)
  }

  /// The files of these that are here now.
  @MainLoop func presentPaths(of list: List) async throws(Fault) -> [FilePath] {
    var paths: [FilePath] = []
    for slice in Playlists.slices(of: try await tracks(of: list)) {
      paths += try await pieces(of: slice).filter(\.isPresent).map(\.path)
    }
    return paths
  }

  /// By what it is called now; the id may mean another some day.
  func origin(of list: List) throws(Fault) -> Origin {
    switch list {
    case .tracksOf(album: let id): Origin(.album, try title(ofAlbum: id))
    case .albumsOf(artist: let id), .tracksBy(artist: let id): Origin(.artist, try name(ofArtist: id))
    case .albumsIn(genre: let id): Origin(.genre, try name(ofGenre: id))
    case .playlist(let id): Origin(.playlist, try title(ofPlaylist: id))
    case .folder(let id?): Origin(.folder, try path(ofFolder: id).map { "\($0)" })
    case .folder(nil): Origin(.folder)
    case .artists: Origin(.library, "artists")
    case .albums(.music): Origin(.library, "albums")
    case .albums(.book): Origin(.library, "books")
    case .albums(.podcast): Origin(.library, "podcasts")
    case .tracks: Origin(.library, "tracks")
    case .genres: Origin(.library, "genres")
    case .playlists: Origin(.library, "playlists")
    case .recentlyAdded: Origin(.library, "added")
    case .recentlyPlayed: Origin(.library, "played")
    case .oftenPlayed: Origin(.library, "often")
    }
  }
}
