import Runtime
import Store

/// What stands in a database, as lines that can be compared with another's, in an order of their own. Of a copy that
/// nobody else has open.
package struct DatabaseDump {
  private let connection: Connection

  package init(of file: FilePath) throws(Fault) {
    connection = try Connection(open: file, as: .writer(durability: .normal))
  }

  /// Rows as they are.
  package func rows(of tables: [String]) throws(Fault) -> [String] {
    var lines: [String] = []
    for table in tables {
      let columns = try columns(of: table)
      let rows = try connection.rows("SELECT * FROM \(table)") { row throws(Fault) in
        columns.enumerated().map { "\($1)=\(Self.text(row.value(Int32($0))))" }.joined(separator: " ")
      }
      lines += rows.map { "\(table): \($0)" }
    }
    return lines.sorted()
  }

  /// What a library knows of its sources: every table, every column, every word of the index. In place of a row's
  /// number stands what it is the number of; dates of the board's clock are left out. `counts`: how often something
  /// was played, and what follows from that, too.
  package func library(counts: Bool = true) throws(Fault) -> [String] {
    let names = try Names(connection)
    var lines: [String] = []
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
    ) { $0.text(0) ?? "" }
    for table in tables where !Self.isOthers(table) {
      let columns = try columns(of: table)
      let rows = try connection.rows("SELECT * FROM \(table)") { row throws(Fault) -> [(String, SQLValue)] in
        columns.enumerated().map { ($1, row.value(Int32($0))) }
      }
      for row in rows {
        // A recording that no file has any more is only its count.
        if !counts, table == "recording", row.contains(where: { $0.0 == "files" && $0.1 == 0 }) { continue }
        let parts = row.compactMap { column, value -> String? in
          if Self.isDate(column) || !counts && Self.isCount(table, column) { return nil }
          return names.shown(table, column, value, in: row).map { "\(column)=\($0)" }
        }
        lines.append("\(table): \(parts.joined(separator: " "))")
      }
    }
    for (table, kind) in [("track_words", Names.Kind.file), ("album_words", .album), ("artist_words", .artist)] {
      try connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.\(table)_v USING fts5vocab(main, \(table), instance)")
      lines += try connection.rows("SELECT term, doc, col FROM temp.\(table)_v") { row throws(Fault) in
        let number = row.integer(1) ?? 0
        let rank = counts || kind != .file ? " rank=\(number >> 40)" : ""
        return "\(table): \(row.text(0) ?? "") in \(row.text(2) ?? "") of \(names[kind, number & (1 << 40 - 1)])\(rank)"
      }
    }
    return lines.sorted()
  }

  /// The index's own tables, and what is known of files in no source.
  private static func isOthers(_ table: String) -> Bool {
    table.contains("_words_") || table == "track" || table == "loudness" || table.hasPrefix("sqlite_")
  }

  private static func isDate(_ column: String) -> Bool { column == "added_at" || column == "seen_at" }

  private static func isCount(_ table: String, _ column: String) -> Bool {
    table == "recording" && ["plays", "last_played", "rank"].contains(column)
  }

  private func columns(of table: String) throws(Fault) -> [String] {
    try connection.rows("SELECT name FROM pragma_table_info(?) ORDER BY cid", [.text(table)]) { $0.text(0) ?? "" }
  }

  static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: "-"
    case .integer(let whole): "\(whole)"
    case .real(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .blob(let bytes): hex(bytes)
    }
  }

  package static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// What numbers of rows stand for.
private struct Names {
  enum Kind: Hashable {
    case source, folder, artist, album, genre, recording, file, list
    /// Told by the row's own column `kind`.
    case said
  }

  private var names: [Kind: [Int64: String]] = [:]

  private static let references: [String: Kind] = [
    "folder.source": .source, "folder.parent": .folder, "folder.album_folder": .folder, "album.artists": .artist,
    "file.folder": .folder, "file.recording": .recording, "file.artists": .artist, "file.album": .album,
    "file.genres": .genre, "credit.artist": .artist, "credit.file": .file, "shelf.owner": .said,
    "shelf.album": .album, "part.id": .said, "part.source": .source, "imported_playlist.folder": .folder,
    "imported_entry.playlist": .list, "imported_entry.file": .file,
  ]

  subscript(kind: Kind, number: Int64) -> String { names[kind]?[number] ?? "nothing(\(number))" }

  init(_ connection: Connection) throws(Fault) {
    func all(_ sql: String) throws(Fault) -> [Int64: String] {
      let rows = try connection.rows(sql) { ($0.integer(0) ?? 0, DatabaseDump.text($0.value(1))) }
      return Dictionary(uniqueKeysWithValues: rows)
    }
    names[.source] = try all("SELECT id, kind || ' ' || CAST(key AS TEXT) FROM source")
    let folders = try all(
      """
      WITH RECURSIVE tree(id, path) AS (
        SELECT folder.id, source.kind || ' ' || CAST(key AS TEXT) || ':' FROM folder JOIN source ON source.id = source
          WHERE parent = 0
        UNION ALL SELECT folder.id, path || '/' || CAST(name AS TEXT) FROM folder JOIN tree ON parent = tree.id)
      SELECT id, path FROM tree
      """)
    names[.folder] = folders
    names[.artist] = try all("SELECT id, identity FROM artist")
    names[.genre] = try all("SELECT id, identity FROM genre")
    names[.recording] = try all("SELECT id, key FROM recording")
    func below(_ table: String) throws(Fault) -> [Int64: String] {
      let rows = try connection.rows("SELECT id, folder, CAST(name AS TEXT) FROM \(table)") {
        ($0.integer(0) ?? 0, "\(folders[$0.integer(1) ?? 0] ?? "nowhere")/\($0.text(2) ?? "")")
      }
      return Dictionary(uniqueKeysWithValues: rows)
    }
    names[.file] = try below("file")
    names[.list] = try below("imported_playlist")
    let albums = try connection.rows("SELECT id, identity FROM album") { ($0.integer(0) ?? 0, $0.text(1) ?? "") }
    names[.album] = Dictionary(uniqueKeysWithValues: albums.map { ($0, Self.album($1, folders)) })
  }

  /// An album without an artist is known by its folder's number.
  private static func album(_ identity: String, _ folders: [Int64: String]) -> String {
    var parts = identity.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 3, parts[0] == "f" { parts[1] = folders[Int64(parts[1]) ?? 0] ?? "nowhere" }
    return parts.joined(separator: "|")
  }

  /// Nil for the row's own number.
  func shown(_ table: String, _ column: String, _ value: SQLValue, in row: [(String, SQLValue)]) -> String? {
    if table == "album", column == "identity", case .text(let identity) = value {
      return Self.album(identity, names[.folder] ?? [:])
    }
    guard var kind = Self.references["\(table).\(column)"] else {
      return column == "id" ? nil : DatabaseDump.text(value)
    }
    if kind == .said {
      switch row.first(where: { $0.0 == "kind" })?.1 {
      case .integer(0): kind = .artist
      case .integer(1): kind = .genre
      default: kind = .album
      }
    }
    switch value {
    case .integer(0) where kind == .folder: return "-"
    case .integer(let number): return self[kind, number]
    case .text(let list): return list.split(separator: " ").map { self[kind, Int64($0) ?? -1] }.joined(separator: ", ")
    default: return DatabaseDump.text(value)
    }
  }
}
