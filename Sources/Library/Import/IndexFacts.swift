/// What the index of a source says of a file that was fetched from it. The file's own name is a sum, and it may have no
/// tags.
package struct IndexFacts: Equatable, Sendable {
  /// What it is called at its source, without the ending: its title when neither the index nor a tag has one.
  package var name: String
  package var title: String?
  package var artist: String?
  package var album: String?
  package var albumArtist: String?
  package var disc: Int?
  package var track: Int?

  package init(name: String) { self.name = name }
}

/// Asks for what indexes say of files, by their names with the ending. What is not in the answer is nobody's, and does not
/// come into the library.
package typealias IndexLookup = @Sendable (_ names: [[UInt8]]) async -> [[UInt8]: IndexFacts]

extension Metadata {
  /// The index goes before the tags: streams, downloads and a source's own lists are called by it. Where both say the same
  /// the tags stay, which know one artist from the other and how a name is sorted.
  mutating func take(_ facts: IndexFacts) {
    if let title = facts.title ?? (title == nil ? facts.name : nil), title != self.title {
      (self.title, titleSort) = (title, nil)
    }
    if let album = facts.album, album != self.album { (self.album, albumSort) = (album, nil) }
    if let artist = facts.artist, artist != artists.joined(separator: ", ") { (artists, artistSort) = ([artist], nil) }
    if let artist = facts.albumArtist, artist != albumArtists.joined(separator: ", ") {
      (albumArtists, albumArtistSort) = ([artist], nil)
    }
    disc = facts.disc ?? disc
    track = facts.track ?? track
  }
}
