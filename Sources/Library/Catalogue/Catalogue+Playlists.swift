import Runtime
import Store

/// Playlists that lie as files beside the music. Those made on the device are not here: they cannot be read again.
extension Catalogue {
  package static let mostEntries = 50_000

  @discardableResult
  package func store(_ playlist: FoundPlaylist) throws(Fault) -> Int64 {
    try write { writer throws(Fault) in
      let facts = playlist.facts
      let title = Words.bounded(playlist.title)
      let id = try writer.insert(
        """
        INSERT INTO imported_playlist (folder, name, size, modified_ns, title, sort, problem) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (folder, name) DO UPDATE SET size = excluded.size, modified_ns = excluded.modified_ns,
          title = excluded.title, sort = excluded.sort, problem = excluded.problem
        RETURNING id
        """,
        [
          .integer(facts.folder), .blob(facts.name), .integer(facts.size), .integer(facts.modified), .text(title),
          .blob(Words.sort(title)), SQLValue(playlist.problem.map(Words.bounded)),
        ])
      try writer.connection.run("DELETE FROM imported_entry WHERE playlist = ?", [.integer(id)])
      for (place, entry) in playlist.entries.prefix(Self.mostEntries).enumerated() {
        try writer.connection.run(
          """
          INSERT INTO imported_entry (playlist, place, file, written, title, artist, begins_ms)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """,
          [
            .integer(id), .integer(Int64(place)), SQLValue(entry.file),
            .blob(Array(entry.written.prefix(FilePath.limit))), SQLValue(entry.title.map(Words.bounded)),
            SQLValue(entry.artist.map(Words.bounded)), SQLValue(entry.begins?.milliseconds),
          ])
      }
      return id
    }
  }

  package func forget(playlist: Int64) throws(Fault) {
    try opened().transaction { () throws(Fault) in
      try opened().run("DELETE FROM imported_entry WHERE playlist = ?", [.integer(playlist)])
      try opened().run("DELETE FROM imported_playlist WHERE id = ?", [.integer(playlist)])
    }
  }

  /// Of the one that lies in a folder under this name; none when it is not known.
  package func entries(ofPlaylist name: [UInt8], in folder: Int64) throws(Fault) -> [FoundPlaylist.Entry] {
    let id = try opened().first(
      "SELECT id FROM imported_playlist WHERE folder = ? AND name = ?", [.integer(folder), .blob(name)]
    ) { $0.integer(0) }
    guard let id else { return [] }
    return try entries(of: id)
  }

  /// A playlist's entries, for playing.
  package func entries(of playlist: Int64) throws(Fault) -> [FoundPlaylist.Entry] {
    try opened().rows(
      "SELECT file, written, title, artist, begins_ms FROM imported_entry WHERE playlist = ? ORDER BY place",
      [.integer(playlist)]
    ) { row in
      FoundPlaylist.Entry(
        file: row.integer(0), written: row.bytes(1) ?? [], title: row.text(2), artist: row.text(3),
        begins: row.integer(4).map { .milliseconds($0) })
    }
  }
}
