import Application
import Library
import Runtime

extension List {
  /// As verbs name it: `albums`, `album 12`.
  init?(words: [String]) {
    let id = words.count == 2 ? Int64(words[1]) : nil
    guard let name = words.first, words.count == 1 || id != nil && words.count == 2 else { return nil }
    switch (name, id) {
    case ("artists", nil): self = .artists
    case ("albums", nil): self = .albums(.music)
    case ("books", nil): self = .albums(.book)
    case ("podcasts", nil): self = .albums(.podcast)
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

  /// Refuses words that name no list, with what the verb expects.
  init(words: [String], of verb: Verb, _ arguments: [JSON] = []) throws(Fault) {
    guard let list = List(words: words) else {
      throw verb.wrong("there is no list \"\(shownBriefly(words.joined(separator: " ")))\"", arguments)
    }
    self = list
  }

  /// The first words that verbs take where a list is meant. A single track is no list, but stands in lists with its
  /// number, and everything that is shown with a number can be asked for by it.
  package static let names = [
    "artists", "albums", "books", "podcasts", "tracks", "genres", "playlists", "folder", "added", "played", "often",
    "artist", "by", "genre", "album", "playlist", track,
  ]

  static let track = "track"

  /// `track 12`: its number.
  static func track(_ words: [String]) -> Int64? {
    words.count == 2 && words[0] == track ? Int64(words[1]) : nil
  }
}
