import Formats
import Runtime

/// What can be browsed. Each has one order, and pages of it are asked for by the row they begin behind.
package enum List: Hashable, Sendable {
  case artists
  case albums(Metadata.Kind)
  case albumsOf(artist: Int64)
  case albumsIn(genre: Int64)
  case genres
  case tracks(Metadata.Kind)
  /// By disc and number.
  case tracksOf(album: Int64)
  case tracksBy(artist: Int64)
  /// Folders, then files; nil for the roots of all sources.
  case folder(Int64?)
  case playlists
  /// In its own order.
  case playlist(Int64)
  /// These three: the newest, the latest, the most first.
  case recentlyAdded
  case recentlyPlayed
  case oftenPlayed
}

/// Where a row stands in its list: the values that the list is ordered by. It means the same place when rows before it
/// have come or gone, and when its own row has.
package struct PageKey: Hashable, Sendable {
  /// A folder's list has two parts.
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
  /// Who plays it; why it cannot be read.
  package var detail = ""
  package var album = ""
  /// Of files, of albums, of entries: what the kind has.
  package var count: Int64 = 0
  package var disc = 0
  package var number = 0
  package var year: Int?
  package var duration: Duration?
  /// Where it begins in its file, for a track that is a part of one.
  package var begins: Duration?
  /// And where the next one begins; nil for the last.
  package var ends: Duration?
  /// Its source is there; a row with nothing present stays listed.
  package var isPresent = true
  package var place = PageKey()

  /// Of which it is a part; nil for a whole file, and for what a sheet gives no time.
  package func part(of file: FilePath) -> MusicPart? {
    guard let begins, begins > .zero || ends != nil else { return nil }
    return MusicPart(of: file, from: begins, to: ends)
  }

  /// A sheet may have two begin at the same time: the first of them has no sound of its own.
  package var isSilent: Bool { if let begins, let ends { ends <= begins } else { false } }
}

package struct Page: Equatable, Sendable {
  package var rows: [Row]
  /// For the page that follows; nil when there is none.
  package var next: PageKey?
}

/// One of the first letters of a list, for a knob.
package struct Letter: Equatable, Sendable {
  package let letter: String
  package let count: Int64
  /// The page behind this begins with the letter.
  package let start: PageKey
}

/// Whose a track is, and what it is on.
package struct Kin: Equatable, Sendable {
  package struct Place: Equatable, Sendable {
    package let id: Int64
    package let name: String
  }

  package var artist: Place?
  package var album: Place?
}
