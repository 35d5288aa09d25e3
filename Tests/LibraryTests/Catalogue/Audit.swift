import Runtime
import Store
import TestSupport
import Testing

@testable import Library

/// Reckons everything that the catalogue keeps beside its files anew, the slow way, and compares.
struct Audit {
  struct File {
    let id: Int64
    let source: Int64
    let kind: Int64
    let letter: String
    let artists: [Int64]
    let owners: [Int64]
    let album: Int64?
    let genres: [Int64]
    let recording: Int64?
    /// Of title, artist and album.
    let words: [Set<String>]
    let rank: Int64
  }

  let shelf: Shelf
  private let connection: Connection

  init(_ shelf: Shelf) throws {
    self.shelf = shelf
    connection = try Connection(open: shelf.folder.path / "library.db", as: .reader)
  }

  func files() throws -> [File] {
    var identities: [Int64: String] = [:]
    for (id, name) in try connection.rows("SELECT id, identity FROM artist", [], { ($0.integer(0), $0.text(1)) }) {
      identities[try #require(id)] = name
    }
    return try connection.rows(
      """
      SELECT f.id, o.source, f.kind, coalesce(f.title_sort, f.title), f.artists, a.identity, a.artists, f.album,
        f.genres, f.recording, f.title, f.composers, a.title, r.rank
      FROM file f JOIN folder o ON o.id = f.folder LEFT JOIN album a ON a.id = f.album
        LEFT JOIN recording r ON r.id = f.recording
      WHERE f.kind IS NOT NULL ORDER BY f.id
      """
    ) { row in
      let artists = Words.ids(row.text(4))
      let isSaid = row.text(5)?.hasPrefix("a") == true
      let albumArtists = isSaid ? Words.ids(row.text(6)) : []
      let said = isSaid ? AlbumIdentity.artistWords(row.text(5) ?? "") : ""
      let people = artists.map { identities[$0] ?? "?" } + [row.text(11) ?? "", said]
      return File(
        id: row.integer(0) ?? 0, source: row.integer(1) ?? 0, kind: row.integer(2) ?? 0,
        letter: Folding.letter(row.text(3) ?? ""), artists: artists,
        owners: Array(Set(artists).union(albumArtists)), album: row.integer(7), genres: Words.ids(row.text(8)),
        recording: row.integer(9),
        words: [[row.text(10) ?? ""], people, [row.text(12) ?? ""]].map { Set($0.flatMap(Folding.words)) },
        rank: row.integer(13) ?? Rank.last)
    }
  }

  /// "a|b|count" of a dictionary, in order.
  private func lines(_ counts: [[Int64]: Int64]) -> [[Int64]] {
    counts.map { $0.key + [$0.value] }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func stored(_ sql: String) throws -> [[Int64]] {
    try connection.rows(sql) { row in (0..<row.columnCount).map { row.integer($0) ?? -1 } }
  }

  func check(_ where: String) throws {
    let comment = Comment(rawValue: `where`)
    let files = try files()
    var parts: [[Int64]: Int64] = [:]
    var shelves: [[Int64]: Int64] = [:]
    var letters: [[String]: Int64] = [:]
    var recordings: [[Int64]: Int64] = [:]
    for file in files {
      let owned = file.owners.map { (kind: Int64(0), id: $0) } + file.genres.map { (kind: 1, id: $0) }
      for one in owned {
        parts[[one.kind, one.id, file.source], default: 0] += 1
        if let album = file.album { shelves[[one.kind, one.id, album], default: 0] += 1 }
      }
      if let album = file.album { parts[[2, album, file.source], default: 0] += 1 }
      letters[["\(20 + file.kind)", file.letter], default: 0] += 1
      if let recording = file.recording { recordings[[recording], default: 0] += 1 }
    }
    #expect(try stored("SELECT kind, id, source, files FROM part ORDER BY 1, 2, 3") == lines(parts), comment)
    #expect(try stored("SELECT kind, owner, album, files FROM shelf ORDER BY 1, 2, 3") == lines(shelves), comment)
    #expect(
      try stored("SELECT id, files FROM recording WHERE files > 0 ORDER BY id") == lines(recordings), comment)
    let credits = files.flatMap { file in file.artists.map { [$0, file.id] } }
    #expect(
      try stored("SELECT artist, file FROM credit ORDER BY 1, 2")
        == credits.sorted { $0.lexicographicallyPrecedes($1) }, comment)
    for (kind, table) in [(Int64(0), "artist"), (1, "genre"), (2, "album")] {
      var sums: [[Int64]: Int64] = [:]
      for (part, count) in parts where part[0] == kind { sums[[part[1]], default: 0] += count }
      #expect(try stored("SELECT id, files FROM \(table) ORDER BY id") == lines(sums), comment)
      if kind == 2 { continue }
      for row in try stored("SELECT id, albums FROM \(table)") {
        #expect(Int64(shelves.keys.count { $0[0] == kind && $0[1] == row[0] }) == row[1], comment)
      }
    }
    for list in ["artist", "album"] {
      let names = list == "artist" ? "0, coalesce(name_sort, name)" : "10 + kind, coalesce(title_sort, title)"
      for (number, name) in try connection.rows("SELECT \(names) FROM \(list)", [], { ($0.integer(0), $0.text(1)) }) {
        letters[["\(number ?? 0)", Folding.letter(name ?? "")], default: 0] += 1
      }
    }
    let kept = try connection.rows("SELECT list, letter, count FROM letter") {
      (["\($0.integer(0) ?? -1)", $0.text(1) ?? ""], $0.integer(2) ?? 0)
    }
    #expect(Dictionary(uniqueKeysWithValues: kept) == letters, comment)
    try checkRanks(comment)
    try checkWords(files, comment)
    let verdict = try connection.first("PRAGMA integrity_check") { $0.text(0) }
    #expect(verdict == "ok")
  }

  private func checkRanks(_ comment: Comment) throws {
    let rows = try stored("SELECT plays, rank FROM recording ORDER BY last_played DESC, id DESC")
    var recent = 0
    for row in rows {
      if row[0] > 0 { recent += 1 }
      #expect(row[1] == Rank.of(plays: row[0], isRecent: recent <= Rank.lately), comment)
    }
  }

  /// The index holds each word of each file in its column, and nothing else.
  private func checkWords(_ files: [File], _ comment: Comment) throws {
    for (column, name) in ["title", "artist", "album"].enumerated() {
      var expected: [String: Set<Int64>] = [:]
      for file in files {
        for word in file.words[column] { expected[word, default: []].insert(Rank.row(file.rank, file.id)) }
      }
      for (word, rows) in expected {
        let quoted =
          "\"" + word.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        let found = try connection.rows(
          "SELECT rowid FROM track_words WHERE track_words MATCH ?", [.text("{\(name)} : \(quoted)")]
        ) { $0.integer(0) ?? 0 }
        #expect(Set(found) == rows && found.count == rows.count, "\(word) in \(name), \(comment)")
      }
    }
    let all = try connection.rows(
      "SELECT DISTINCT rowid FROM track_words WHERE track_words MATCH ?", [.text(Self.any(files))]
    ) {
      $0.integer(0) ?? 0
    }
    #expect(Set(all).isSubset(of: Set(files.map { Rank.row($0.rank, $0.id) })), comment)
  }

  /// Every first letter there is.
  private static func any(_ files: [File]) -> String {
    let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789".map { String($0) })
    return letters.sorted().map { "\"\($0)\"*" }.joined(separator: " OR ")
  }
}
