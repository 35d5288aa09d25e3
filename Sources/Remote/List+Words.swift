import Library

extension List {
  /// As verbs name it: `albums`, `album 12`.
  init?(words: [String]) {
    let id = words.count == 2 ? Int64(words[1]) : nil
    guard let name = words.first, words.count == 1 || id != nil && words.count == 2 else { return nil }
    switch (name, id) {
    case ("artists", nil): self = .artists
    case ("albums", nil): self = .albums(.music)
    case ("books", nil): self = .albums(.book)
    case ("tracks", nil): self = .tracks(.music)
    case ("genres", nil): self = .genres
    case ("playlists", nil): self = .playlists
    case ("folder", let id): self = .folder(id)
    case ("added", nil): self = .recentlyAdded
    case ("played", nil): self = .recentlyPlayed
    case ("often", nil): self = .oftenPlayed
    case ("artist", let id?): self = .albumsOf(artist: id)
    case ("by", let id?): self = .tracksBy(artist: id)
    case ("genre", let id?): self = .albumsIn(genre: id)
    case ("album", let id?): self = .tracksOf(album: id)
    case ("playlist", let id?): self = .playlist(id)
    default: return nil
    }
  }
}
