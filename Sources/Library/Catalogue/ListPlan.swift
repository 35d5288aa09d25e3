import Store

/// How a list lies in the tables: which rows, in the order of which columns. There is an index with just these columns
/// for each, so a page costs the same wherever it lies.
struct ListPlan {
  enum Rows { case artists, albums, genres, files, folders, playlists, entries }

  let rows: Rows
  /// With the columns that `rows` are read from under the names that `RowReader` knows.
  let from: String
  var fixed = "1"
  var values: [SQLValue] = []
  /// The first column of the order; the last is an id.
  var first: String
  /// A sort key between the two, where `first` is a number that several rows may have.
  var second: String?
  var id = "id"
  /// Whether `first` is a number, or a sort key.
  var isNumber = false
  var isDescending = false
  var part = 0

  /// Most lists have one part.
  static func parts(of list: List) -> [ListPlan] {
    switch list {
    case .artists: [ListPlan(rows: .artists, from: "artist t", first: "t.sort", id: "t.id")]
    case .genres: [ListPlan(rows: .genres, from: "genre t", first: "t.sort", id: "t.id")]
    case .albums(let kind):
      [
        ListPlan(
          rows: .albums, from: "album t", fixed: "t.kind = ?", values: [.integer(Int64(kind.rawValue))],
          first: "t.sort", id: "t.id")
      ]
    case .albumsOf(let artist): [shelf(.artist, artist)]
    case .albumsIn(let genre): [shelf(.genre, genre)]
    case .tracks(let kind):
      [
        ListPlan(
          rows: .files, from: "file t", fixed: "t.kind = ?", values: [.integer(Int64(kind.rawValue))],
          first: "t.sort", id: "t.id")
      ]
    case .tracksOf(let album):
      [
        ListPlan(
          rows: .files, from: "file t", fixed: "t.album = ?", values: [.integer(album)], first: "t.place",
          second: "t.album_sort", id: "t.id", isNumber: true)
      ]
    case .tracksBy(let artist):
      [
        ListPlan(
          rows: .files, from: "credit c CROSS JOIN file t ON t.id = c.file", fixed: "c.artist = ?",
          values: [.integer(artist)], first: "c.sort", id: "c.file")
      ]
    case .folder(let folder): Self.folder(folder ?? 0)
    case .playlists: [ListPlan(rows: .playlists, from: "imported_playlist t", first: "t.sort", id: "t.id")]
    case .playlist(let id):
      [
        ListPlan(
          rows: .entries, from: "imported_entry e LEFT JOIN file t ON t.id = e.file", fixed: "e.playlist = ?",
          values: [.integer(id)], first: "e.place", id: "e.place", isNumber: true)
      ]
    case .recentlyAdded:
      [
        ListPlan(
          rows: .files, from: "file t", fixed: "t.kind IS NOT NULL", first: "t.added_at", id: "t.id", isNumber: true,
          isDescending: true)
      ]
    case .recentlyPlayed: [played("r.last_played")]
    case .oftenPlayed: [played("r.plays")]
    }
  }

  private static func shelf(_ kind: Tally.Kind, _ owner: Int64) -> ListPlan {
    ListPlan(
      rows: .albums, from: "shelf s CROSS JOIN album t ON t.id = s.album", fixed: "s.kind = ? AND s.owner = ?",
      values: [.integer(kind.rawValue), .integer(owner)], first: "s.sort", id: "s.album")
  }

  private static func folder(_ folder: Int64) -> [ListPlan] {
    let folders = ListPlan(
      rows: .folders, from: "folder t", fixed: "t.parent = ?", values: [.integer(folder)], first: "t.sort", id: "t.id")
    if folder == 0 { return [folders] }
    return [
      folders,
      ListPlan(
        rows: .files, from: "file t", fixed: "t.folder = ?", values: [.integer(folder)], first: "t.name_sort",
        id: "t.id", part: 1),
    ]
  }

  /// Each recording once, whatever number of files it has: the one that is there.
  private static func played(_ order: String) -> ListPlan {
    ListPlan(
      rows: .files,
      from: """
        recording r CROSS JOIN file t ON t.id = (
          SELECT f.id FROM file f JOIN folder o ON o.id = f.folder JOIN source s ON s.id = o.source
          WHERE f.recording = r.id ORDER BY s.is_present DESC, f.id LIMIT 1)
        """, fixed: "r.plays > 0", first: order, id: "r.id", isNumber: true, isDescending: true)
  }
}
