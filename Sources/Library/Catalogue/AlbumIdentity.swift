import Runtime

/// Which album a file belongs to. An album artist and a title make one wherever its files lie. Where no album artist
/// is said, those files of a folder are one album that call it alike, whoever plays on it: so collections without a
/// mark stay together, and it is known from the file alone, in whatever order files come. "CD 1" and "CD 2" count as
/// the folder that they lie in, and "(Disc 2)" behind a title as none of it. In a store, whose folders mean nothing, files
/// of one artist are one album that call it alike.
struct AlbumIdentity: Equatable {
  let identity: String
  let title: String
  /// From the title, where it says so.
  let disc: Int?
  /// Nil: whoever plays on all of it.
  let artists: [String]?

  /// Nil for what belongs to no album.
  init?(_ metadata: Metadata, albumFolder: Int64, store: Int64? = nil) {
    guard let said = metadata.album.map(Words.bounded), !said.isEmpty else { return nil }
    (title, disc) = Self.withoutDisc(said)
    let artists = metadata.albumArtists.prefix(8).map(Words.bounded).filter { !$0.isEmpty }
    self.artists = artists.isEmpty ? nil : artists
    let name = Words.identity(title)
    if artists.isEmpty, let store {
      let players = Words.identity(metadata.artists.prefix(8).map(Words.bounded).joined(separator: " "))
      identity = "s\u{1F}\(store)\u{1F}\(players)\u{1F}\(name)"
    } else if artists.isEmpty {
      identity = "f\u{1F}\(albumFolder)\u{1F}\(name)"
    } else {
      identity = "a\u{1F}\(Words.identity(artists.joined(separator: " ")))\u{1F}\(name)"
    }
  }

  /// Folded names of the artists that the identity itself says: they are the album's for ever.
  static func artistWords(_ identity: String) -> String {
    let parts = identity.split(separator: "\u{1F}", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0] == "a" ? String(parts[1]) : ""
  }

  /// "CD 1", "disc02", "Disk 3"
  static func isDiscFolder(_ name: String) -> Bool { disc(in: name) != nil }

  static func disc(in text: String) -> Int? {
    let folded = Folding.folded(text)
    for word in ["disc", "disk", "cd", "dvd"] where folded.hasPrefix(word) {
      let rest = folded.dropFirst(word.count).drop { $0 == " " }
      if rest.count <= 3, let number = Int(rest), number > 0 { return number }
    }
    return nil
  }

  /// Only in brackets at the end: "Disc 2" alone may be a title.
  private static func withoutDisc(_ title: String) -> (String, Int?) {
    let pairs: [(Character, Character)] = [("(", ")"), ("[", "]")]
    for (open, close) in pairs where title.last == close {
      guard let start = title.lastIndex(of: open) else { continue }
      let inner = title[title.index(after: start)...].dropLast()
      var rest = title[..<start]
      while rest.last == " " { rest = rest.dropLast() }
      if !rest.isEmpty, let disc = disc(in: String(inner)) { return (String(rest), disc) }
    }
    return (title, nil)
  }
}
