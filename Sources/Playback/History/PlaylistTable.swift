import Library
import Runtime
import Store

/// Playlists in `state.db`. Each change is a transaction, in which count and duration change with the entries.
struct PlaylistTable {
  static let mostEntries: Int64 = 50_000
  private static let longestName = 200
  private static let step: Int64 = 1 << 20

  let connection: Connection

  func make(_ name: String, today: Int64) throws(Fault) -> Int64 {
    try connection.first(
      """
      INSERT INTO playlist (name, made_at, changed_at, is_offline, count, duration_ms) VALUES (?, ?, ?, 0, 0, 0)
      RETURNING id
      """, [.text(String(name.prefix(Self.longestName))), .integer(today), .integer(today)]
    ) { $0.integer(0) } ?? 0
  }

  func rename(_ id: Int64, _ name: String, today: Int64) throws(Fault) {
    try connection.run(
      "UPDATE playlist SET name = ?, changed_at = ? WHERE id = ?",
      [.text(String(name.prefix(Self.longestName))), .integer(today), .integer(id)])
  }

  func setOffline(_ id: Int64, _ isOffline: Bool) throws(Fault) {
    try connection.run("UPDATE playlist SET is_offline = ? WHERE id = ?", [.integer(isOffline ? 1 : 0), .integer(id)])
  }

  func remove(_ id: Int64) throws(Fault) {
    try connection.transaction { () throws(Fault) in
      try connection.run("DELETE FROM playlist_entry WHERE playlist = ?", [.integer(id)])
      try connection.run("DELETE FROM playlist WHERE id = ?", [.integer(id)])
    }
  }

  /// The last changed first.
  func all() throws(Fault) -> [Playlist] {
    try connection.rows(
      """
      SELECT id, name, is_offline, count, duration_ms, changed_at FROM playlist ORDER BY changed_at DESC, id DESC
      LIMIT 1000
      """
    ) { row in
      Playlist(
        id: row.integer(0) ?? 0, name: row.text(1) ?? "", isOffline: row.integer(2) == 1, count: row.integer(3) ?? 0,
        duration: .milliseconds(row.integer(4) ?? 0), changedAt: row.integer(5) ?? 0)
    }
  }

  /// In their order, behind a place.
  func entries(of id: Int64, after place: Int64?, count: Int) throws(Fault) -> [PlaylistEntry] {
    try connection.rows(
      """
      SELECT id, place, recording, path, duration_ms, added_at FROM playlist_entry
      WHERE playlist = ? AND place \(place == nil ? ">=" : ">") ? ORDER BY place LIMIT ?
      """, [.integer(id), .integer(place ?? .min), .integer(Int64(min(max(count, 1), 500)))]
    ) { row in
      PlaylistEntry(
        id: row.integer(0) ?? 0, place: row.integer(1) ?? 0, recording: row.bytes(2).flatMap { ContentKey(bytes: $0) },
        path: row.path(3) ?? FilePath("?"), duration: .milliseconds(row.integer(4) ?? 0), addedAt: row.integer(5) ?? 0)
    }
  }

  /// Behind all others.
  func add(_ wishes: [PlaylistWish], to id: Int64, today: Int64) throws(Fault) {
    try connection.transaction { () throws(Fault) in
      let found = try connection.first(
        """
        SELECT (SELECT count(*) FROM playlist_entry WHERE playlist = playlist.id) FROM playlist WHERE id = ?
        """, [.integer(id)]
      ) { $0.integer(0) ?? 0 }
      guard let found else { throw Fault(.missing, "P-180", "there is no playlist \(id)") }
      guard found + Int64(wishes.count) <= Self.mostEntries else {
        throw Fault(.full, "P-181", "a playlist takes \(Self.mostEntries) entries, and this one has \(found)")
      }
      let last = try lastPlace(id, withRoomFor: wishes.count)
      for (index, wish) in wishes.enumerated() {
        try connection.run(
          """
          INSERT INTO playlist_entry (playlist, place, recording, path, duration_ms, added_at) VALUES (?, ?, ?, ?, ?, ?)
          """,
          [
            .integer(id), .integer(last + Self.step * Int64(index + 1)), SQLValue(wish.recording),
            SQLValue(wish.path), .integer(max(wish.duration.milliseconds, 0)), .integer(today),
          ])
      }
      try count(id, today)
    }
  }

  /// A place that makes no sense, as damage leaves it, can be too near to the end of all numbers: then all are spread.
  private func lastPlace(_ id: Int64, withRoomFor count: Int) throws(Fault) -> Int64 {
    func last() throws(Fault) -> Int64 {
      try connection.first("SELECT max(place) FROM playlist_entry WHERE playlist = ?", [.integer(id)]) {
        $0.integer(0)
      } ?? 0
    }
    let place = try last()
    guard place.addingReportingOverflow(Self.step * Int64(count + 1)).overflow else { return place }
    try spread(id)
    return try last()
  }

  func remove(entry: Int64, from id: Int64, today: Int64) throws(Fault) {
    try connection.transaction { () throws(Fault) in
      try mustHave(entry, in: id)
      try connection.run(
        "DELETE FROM playlist_entry WHERE id = ? AND playlist = ?", [.integer(entry), .integer(id)])
      try count(id, today)
    }
  }

  private func mustHave(_ entry: Int64, in id: Int64) throws(Fault) {
    let found = try connection.first(
      "SELECT 1 FROM playlist_entry WHERE id = ? AND playlist = ?", [.integer(entry), .integer(id)]
    ) { $0.integer(0) }
    guard found != nil else { throw Fault(.missing, "P-182", "there is no entry \(entry) in playlist \(id)") }
  }

  /// Right behind another entry; nil is before all others.
  func move(_ entry: Int64, behind other: Int64?, in id: Int64, today: Int64) throws(Fault) {
    guard entry != other else { return }
    try connection.transaction { () throws(Fault) in
      try mustHave(entry, in: id)
      if try place(behind: other, entry, id) == nil { try spread(id) }
      guard let place = try place(behind: other, entry, id) else {
        throw Fault(.missing, "P-182", "there is no entry \(other ?? 0) in playlist \(id)")
      }
      try connection.run(
        "UPDATE playlist_entry SET place = ? WHERE id = ? AND playlist = ?",
        [.integer(place), .integer(entry), .integer(id)])
      try connection.run("UPDATE playlist SET changed_at = ? WHERE id = ?", [.integer(today), .integer(id)])
    }
  }

  /// In the gap behind `other`, as if `entry` were not there; nil when there is no room.
  private func place(behind other: Int64?, _ entry: Int64, _ id: Int64) throws(Fault) -> Int64? {
    var low: Int64?
    if let other {
      low = try connection.first(
        "SELECT place FROM playlist_entry WHERE id = ? AND playlist = ?", [.integer(other), .integer(id)]
      ) { $0.integer(0) }
      if low == nil { return nil }
    }
    let high = try connection.first(
      "SELECT min(place) FROM playlist_entry WHERE playlist = ? AND place \(low == nil ? ">=" : ">") ? AND id <> ?",
      [.integer(id), .integer(low ?? .min), .integer(entry)]
    ) { $0.integer(0) }
    switch (low, high) {
    case (nil, nil): return Self.step
    case (let low?, nil):
      let (place, overflow) = low.addingReportingOverflow(Self.step)
      return overflow ? nil : place
    case (nil, let high?):
      let (place, overflow) = high.subtractingReportingOverflow(Self.step)
      return overflow ? nil : place
    case (let low?, let high?):
      // The middle, unless the entry itself sits just there.
      let (gap, overflow) = high.subtractingReportingOverflow(low)
      if overflow { return low / 2 + high / 2 }
      return gap > 1 ? low + gap / 2 : nil
    }
  }

  /// Room between all entries again. Out of the way first, so that none meets another.
  private func spread(_ id: Int64) throws(Fault) {
    let rows = try connection.rows(
      "SELECT id FROM playlist_entry WHERE playlist = ? ORDER BY place", [.integer(id)]
    ) { $0.integer(0) ?? 0 }
    let update = "UPDATE playlist_entry SET playlist = ?, place = ? WHERE id = ?"
    // Playlists count from 1, so `~id` is nobody's. There is no such room among the places themselves: a damaged one
    // can be the least number that there is.
    for (index, row) in rows.enumerated() {
      try connection.run(update, [.integer(~id), .integer(Int64(index)), .integer(row)])
    }
    for (index, row) in rows.enumerated() {
      try connection.run(update, [.integer(id), .integer(Self.step * Int64(index + 1)), .integer(row)])
    }
  }

  private func count(_ id: Int64, _ today: Int64) throws(Fault) {
    try connection.run(
      """
      UPDATE playlist SET changed_at = ?2,
        (count, duration_ms) = (SELECT count(*), coalesce(sum(duration_ms), 0) FROM playlist_entry WHERE playlist = ?1)
      WHERE id = ?1
      """, [.integer(id), .integer(today)])
  }
}
