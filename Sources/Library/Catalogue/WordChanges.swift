import Runtime
import Store

/// Changes of the word indexes, gathered during a batch and made in the order of their rows: FTS5 begins a new segment
/// whenever a row comes that is before the last one. What goes and comes back the same is not touched.
struct WordChanges {
  enum Table: String { case tracks = "track_words", albums = "album_words", artists = "artist_words" }

  private struct Change {
    let row: Int64
    let isNew: Bool
    let words: [String]
  }

  private var tracks: [Change] = []
  private var albums: [Change] = []
  private var artists: [Change] = []

  /// `words` are those with which the row was added: the index keeps none to look up.
  mutating func remove(_ row: Int64, _ words: [String], from table: Table) {
    note(Change(row: row, isNew: false, words: words), table)
  }

  mutating func add(_ row: Int64, _ words: [String], to table: Table) {
    note(Change(row: row, isNew: true, words: words), table)
  }

  private mutating func note(_ change: Change, _ table: Table) {
    switch table {
    case .tracks: tracks.append(change)
    case .albums: albums.append(change)
    case .artists: artists.append(change)
    }
  }

  func write(to connection: Connection) throws(Fault) {
    try Self.write(
      tracks, connection,
      remove: """
        INSERT INTO track_words (track_words, rowid, title, artist, album) VALUES ('delete', ?, ?, ?, ?)
        """,
      add: "INSERT INTO track_words (rowid, title, artist, album) VALUES (?, ?, ?, ?)")
    try Self.write(
      albums, connection,
      remove: "INSERT INTO album_words (album_words, rowid, title, artist) VALUES ('delete', ?, ?, ?)",
      add: "INSERT INTO album_words (rowid, title, artist) VALUES (?, ?, ?)")
    try Self.write(
      artists, connection, remove: "INSERT INTO artist_words (artist_words, rowid, name) VALUES ('delete', ?, ?)",
      add: "INSERT INTO artist_words (rowid, name) VALUES (?, ?)")
  }

  private static func write(_ changes: [Change], _ connection: Connection, remove: String, add: String) throws(Fault) {
    // Each row's first words and last words are what counts; between them it may have come and gone.
    var rows: [Int64: (before: [String]?, after: [String]?)] = [:]
    for change in changes {
      var entry = rows[change.row] ?? (before: change.isNew ? nil : change.words, after: nil)
      entry.after = change.isNew ? change.words : nil
      rows[change.row] = entry
    }
    for (row, entry) in rows.sorted(by: { $0.key < $1.key }) where entry.before != entry.after {
      if let words = entry.before { try connection.run(remove, [.integer(row)] + words.map { .text($0) }) }
      if let words = entry.after { try connection.run(add, [.integer(row)] + words.map { .text($0) }) }
    }
  }
}
