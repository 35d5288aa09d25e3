import Formats
import Runtime

/// A list that can be browsed. Each has one order; a page is asked for by the row that comes before it.
package enum List: Hashable, Sendable {
  case artists
  case albums(Metadata.Kind)
  case albumsOf(artist: Int64)
  case albumsIn(genre: Int64)
  case genres
  case tracks(Metadata.Kind)
  /// Ordered by disc and track number.
  case tracksOf(album: Int64)
  case tracksBy(artist: Int64)
  /// Folders first, then files; nil for the roots of all sources.
  case folder(Int64?)
  case playlists
  /// In the playlist's own order.
  case playlist(Int64)
  /// The next three: newest first, latest first, most played first.
  case recentlyAdded
  case recentlyPlayed
  case oftenPlayed
}

/// A place in a list: the values by which the list is ordered. It stays valid when rows come or go, even its own.
package struct PageKey: Hashable, Sendable {
  /// A folder's list has two parts: folders and files.
  package var part = 0
  package var number: Int64 = 0
  package var sort: [UInt8] = []
  package var id: Int64 = 0

  package init(part: Int = 0, number: Int64 = 0, sort: [UInt8] = [], id: Int64 = 0) {
    self.part = part
    self.number = number
    self.sort = sort
    self.id = id
  }
}

package struct Row: Equatable, Sendable {
  package enum Kind: Sendable { case artist, album, genre, track, unreadable, folder, playlist, missing }

  package let kind: Kind
  package let id: Int64
  package var title: String
  /// The artist; for an unreadable file, the reason.
  package var detail = ""
  package var album = ""
  /// How many files, albums or entries it has, depending on the kind.
  package var count: Int64 = 0
  package var disc = 0
  package var number = 0
  package var year: Int?
  /// Whether an album is a book or a podcast.
  package var media = Metadata.Kind.music
  package var duration: Duration?
  /// Where it begins in its file, for a track of a cue sheet.
  package var begins: Duration?
  /// Where the next track of the sheet begins; nil for the last.
  package var ends: Duration?
  /// Its source is present. Rows of absent sources stay listed.
  package var isPresent = true
  /// All its files, of an album or a track, came from sources of music and lie in the store.
  package var isFetched = false
  package var place = PageKey()

  /// The part of `file` that it is; nil for a whole file, and where the sheet gives no time.
  package func part(of file: FilePath) -> MusicPart? {
    guard let begins, begins > .zero || ends != nil else { return nil }
    return MusicPart(of: file, from: begins, to: ends)
  }

  /// It has no sound: in its sheet the next track begins at the same time.
  package var isSilent: Bool { if let begins, let ends { ends <= begins } else { false } }
}

/// How many tracks a list holds and how long they play; nil where that of one is not known.
package struct ListTotal: Equatable, Sendable {
  package var count: Int
  package var length: Duration?

  package init(count: Int, length: Duration?) { (self.count, self.length) = (count, length) }
}

package struct Page: Equatable, Sendable {
  package var rows: [Row]
  /// The key for the next page; nil when there is none.
  package var next: PageKey?
}

/// A first letter that occurs in a list, to jump to it.
package struct Letter: Equatable, Sendable {
  package let letter: String
  package let count: Int64
  /// The page after this key begins with the letter.
  package let start: PageKey
}

/// The first artist and the album of a track, or the artist of an album, so that one can go there.
package struct TrackLinks: Equatable, Sendable {
  package struct Place: Equatable, Sendable {
    package let id: Int64
    package let name: String

    package init(id: Int64, name: String) { (self.id, self.name) = (id, name) }
  }

  package var artist: Place?
  package var album: Place?

  package init(artist: Place? = nil, album: Place? = nil) { (self.artist, self.album) = (artist, album) }
}
