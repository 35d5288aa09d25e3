import Runtime
import Store

/// How often something was played. By recording: copies and moved files share it, and it outlives them. `state.db`
/// has the same totals, so that a library that had to be begun anew gets them back.
extension Catalogue {
  package struct Count: Equatable, Sendable {
    package let key: ContentKey
    package let plays: Int64
    /// Seconds since 1970, by the board's clock at the time.
    package let lastPlayed: Int64

    package init(key: ContentKey, plays: Int64, lastPlayed: Int64) {
      self.key = key
      self.plays = plays
      self.lastPlayed = lastPlayed
    }
  }

  package func played(_ key: ContentKey, at seconds: Int64) throws(Fault) { try played([(key, at: seconds)]) }

  package func played(_ plays: [(key: ContentKey, at: Int64)]) throws(Fault) {
    guard !plays.isEmpty else { return }
    try write { writer throws(Fault) in
      for (key, seconds) in plays {
        try writer.setCount(
          key,
          """
          INSERT INTO recording (key, files, plays, last_played, rank) VALUES (?, 0, ?, ?, \(Rank.last))
          ON CONFLICT (key) DO UPDATE SET plays = plays + excluded.plays,
            last_played = max(last_played, excluded.last_played)
          RETURNING id
          """, plays: 1, at: seconds)
      }
    }
  }

  /// Totals from elsewhere, in parts. Where more was counted here that stays: the other may have been begun anew. Done
  /// twice, it is done once.
  package func restore(_ counts: [Count]) throws(Fault) {
    try write { writer throws(Fault) in
      for count in counts where count.plays > 0 {
        // Most are right: after a power cut the last ones are missing, and in a new library all.
        if let known = try self.count(of: count.key), known.plays >= count.plays, known.lastPlayed >= count.lastPlayed {
          continue
        }
        try writer.setCount(
          count.key,
          """
          INSERT INTO recording (key, files, plays, last_played, rank) VALUES (?, 0, ?, ?, \(Rank.last))
          ON CONFLICT (key) DO UPDATE SET plays = max(plays, excluded.plays),
            last_played = max(last_played, excluded.last_played)
          RETURNING id
          """, plays: count.plays, at: count.lastPlayed)
      }
    }
  }

  /// Whether anything was ever played, as far as this library knows.
  package func hasCounts() throws(Fault) -> Bool {
    try opened().first("SELECT 1 FROM recording WHERE plays > 0 LIMIT 1") { $0.integer(0) } != nil
  }

  package func count(of key: ContentKey) throws(Fault) -> Count? {
    try opened().first("SELECT plays, last_played FROM recording WHERE key = ?", [SQLValue(key)]) { row in
      Count(key: key, plays: row.integer(0) ?? 0, lastPlayed: row.integer(1) ?? 0)
    }
  }
}

extension Writer {
  /// One comes among those played lately, and one may leave them: the work is the same however many there are.
  func setCount(_ key: ContentKey, _ sql: String, plays: Int64, at seconds: Int64) throws(Fault) {
    let id = try insert(sql, [SQLValue(key), .integer(plays), .integer(seconds)])
    // The last one that counts as lately, and the first that does not.
    let border = try connection.rows(
      """
      SELECT id, last_played FROM recording WHERE plays > 0 ORDER BY last_played DESC, id DESC
      LIMIT 2 OFFSET \(Rank.lately - 1)
      """
    ) { (id: $0.integer(0) ?? 0, at: $0.integer(1) ?? 0) }
    try rank(id, border.first)
    if border.count > 1, border[1].id != id { try rank(border[1].id, border[0]) }
    // A time that was set back lets somebody in.
    if let edge = border.first, edge.id != id { try rank(edge.id, edge) }
  }

  private func rank(_ id: Int64, _ edge: (id: Int64, at: Int64)?) throws(Fault) {
    let found = try connection.first("SELECT plays, last_played, rank FROM recording WHERE id = ?", [.integer(id)]) {
      (plays: $0.integer(0) ?? 0, at: $0.integer(1) ?? 0, rank: $0.integer(2) ?? Rank.last)
    }
    guard let found else { return }
    let isRecent = edge.map { (found.at, id) >= ($0.at, $0.id) } ?? true
    let rank = Rank.of(plays: found.plays, isRecent: isRecent)
    if rank == found.rank { return }
    try connection.run("UPDATE recording SET rank = ? WHERE id = ?", [.integer(rank), .integer(id)])
    let files = try connection.rows("SELECT id FROM file WHERE recording = ?", [.integer(id)]) { $0.integer(0) ?? 0 }
    for file in files {
      guard let row = try stored(file) else { continue }
      let words = try indexed(row)
      self.words.remove(Rank.row(found.rank, file), words, from: .tracks)
      self.words.add(Rank.row(rank, file), words, to: .tracks)
    }
  }
}
