import Library
import Runtime

/// Browsing the library: pages of lists, search, and the letters that are offered while a word is typed with the knob.
@MainLoop
package final class Browsing {
  /// The kind of thing that a search looks for.
  package typealias Wanted = Catalogue.Wanted

  private let catalogue: Catalogue

  package init(_ catalogue: Catalogue) { self.catalogue = catalogue }

  // MARK: Lists

  package func page(of list: List, after key: PageKey?, count: Int) async throws(Fault) -> Page {
    try await catalogue.page(of: list, after: key, count: count)
  }

  /// The page of rows directly before `key`.
  package func page(of list: List, before key: PageKey, count: Int) async throws(Fault) -> [Row] {
    try await catalogue.page(of: list, before: key, count: count)
  }

  package func letters(of list: List) async throws(Fault) -> [Letter] { try await catalogue.letters(of: list) }

  /// The row of an album; nil when the library has no album of that number.
  package func album(_ id: Int64) async throws(Fault) -> Row? { try await catalogue.album(id) }

  /// How many tracks the list holds and how long they play; nil for a very long one, and for a list of other lists.
  package func total(of list: List) async throws(Fault) -> ListTotal? { try await catalogue.total(of: list) }

  /// One file of the album; nil when it has none.
  package func file(ofAlbum id: Int64) async throws(Fault) -> FilePath? { try await catalogue.file(ofAlbum: id) }

  /// The file of each track, and one of each album; nil for other rows. Meant for a page: it is one question.
  package func files(of rows: [Row]) async throws(Fault) -> [FilePath?] { try await catalogue.files(of: rows) }

  /// The first artist of a track, and its album.
  package func links(ofTrack id: Int64) async throws(Fault) -> TrackLinks { try await catalogue.links(ofTrack: id) }

  package func artist(ofAlbum id: Int64) async throws(Fault) -> TrackLinks.Place? {
    try await catalogue.artist(ofAlbum: id)
  }

  /// Throws if the list belongs to something that does not exist, such as album 999. `name` is used in the message.
  package func expect(_ list: List, named name: String) async throws(Fault) {
    try await catalogue.mustKnow(list, named: name)
  }

  /// The path of a track's file; nil when the library has no such track.
  package func path(ofTrack id: Int64) async throws(Fault) -> FilePath? { try await catalogue.path(of: id) }

  /// One track with its path. Throws when the library has no such track.
  package func track(_ id: Int64) async throws(Fault) -> (path: FilePath, track: Track) {
    let path = try await catalogue.knownPath(ofTrack: id)
    return (path, try await catalogue.track(at: path) ?? Track(named: path))
  }

  /// The id of the folder at `path`; nil when it was not imported.
  package func folder(at path: FilePath) async throws(Fault) -> Int64? { try await catalogue.folder(at: path) }

  // MARK: Search

  /// The best `count` rows of one kind. Each typed word is the beginning of a word; their order does not matter.
  package func search(_ words: String, for wanted: Wanted, count: Int) async throws(Fault) -> [Row] {
    let query = SearchQuery(words)
    guard !query.isEmpty else { return [] }
    var (rows, place): ([Row], SearchPlace?) = ([], nil)
    repeat {
      let part = try await catalogue.search(query, for: wanted, after: place, count: count - rows.count)
      rows += part.rows
      place = part.next
    } while place != nil && rows.count < count
    return rows
  }

  /// How many rows of the kind a search has, but no more than `most`.
  package func count(_ words: String, for wanted: Wanted, most: Int) async throws(Fault) -> Int {
    try await catalogue.count(SearchQuery(words), for: wanted, most: most)
  }

  /// The letters that can follow what was typed, after `letter`. There may be more even if fewer than `count` are
  /// given.
  package func wheel(after typed: String, behind letter: String?, count: Int) async throws(Fault) -> WheelPart {
    try await catalogue.wheel(after: typed, behind: letter, count: count)
  }

  /// All letters that can follow what was typed.
  package func wholeWheel(after typed: String) async throws(Fault) -> [String] {
    var (letters, place): ([String], String?) = ([], nil)
    repeat {
      let part = try await wheel(after: typed, behind: place, count: Self.mostLetters)
      letters += part.letters
      place = part.next
    } while place != nil && letters.count < Self.mostLetters
    return letters
  }

  /// The most letters that are offered. Some scripts have thousands, which nobody finds with a knob.
  private static let mostLetters = 80

  // MARK: What there is

  package func survey() async throws(Fault) -> LibrarySurvey { try await catalogue.survey() }

  package func sources() async throws(Fault) -> [Source] { try await catalogue.sources() }

  /// Files that cannot be read, with the reason as the row's detail.
  package func problems(count: Int) async throws(Fault) -> [Row] { try await catalogue.problems(count: count) }
}
