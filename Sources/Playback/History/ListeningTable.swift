import Library
import Runtime
import Store

/// The history in `state.db`. It can be had from nowhere else: totals of all that ever was are kept for good, single
/// entries up to a bound, and what is pruned stays in the totals and is counted.
struct ListeningTable {
  static let limit = 50_000
  /// Pruned so many at a time, so that not every track pays for it.
  static let slack = 500

  let connection: Connection
  var limit = Self.limit
  var slack = Self.slack

  /// In the transaction of its caller, or one of its own.
  func note(_ one: Listening) throws(Fault) {
    let lasted = max(one.lasted.milliseconds, 0)
    try connection.run(
      """
      INSERT INTO listening (recording, path, begun, lasted_ms, finished, origin, origin_name, streamed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        SQLValue(one.recording), SQLValue(one.path), .integer(one.begun), .integer(lasted),
        .integer(one.isFinished ? 1 : 0), .integer(one.origin.rawValue), SQLValue(one.originName),
        .integer(one.isStreamed ? 1 : 0),
      ])
    if let recording = one.recording {
      try connection.run(
        """
        INSERT INTO listening_total (recording, plays, last_played, lasted_ms) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET plays = plays + excluded.plays, lasted_ms = lasted_ms + excluded.lasted_ms,
          last_played = max(last_played, excluded.last_played)
        """,
        [
          SQLValue(recording), .integer(one.isPlay ? 1 : 0), .integer(one.isPlay ? one.begun : 0), .integer(lasted),
        ])
    }
    try prune()
  }

  private func prune() throws(Fault) {
    // Numbers are given one by one and only the lowest go, so as a rule the two ends say how many there are. A damaged
    // number is far from all others, so the rows themselves are counted before any goes.
    let ends = try connection.first("SELECT min(number), max(number) FROM listening") { row in
      row.integer(0).flatMap { first in row.integer(1).map { (first: first, last: $0) } }
    }
    guard let ends else { return }
    let (width, overflow) = ends.last.subtractingReportingOverflow(ends.first)
    guard overflow || width >= Int64(limit + slack), try number(behind: limit + slack) != nil else { return }
    guard let kept = try number(behind: limit) else { return }
    try connection.run(
      """
      UPDATE listening_pruned SET
        count = count + (SELECT count(*) FROM listening WHERE number <= ?1),
        lasted_ms = lasted_ms + (SELECT sum(lasted_ms) FROM listening WHERE number <= ?1),
        until = max(until, (SELECT max(begun) FROM listening WHERE number <= ?1))
      """, [.integer(kept)])
    try connection.run("DELETE FROM listening WHERE number <= ?", [.integer(kept)])
  }

  /// The number of the newest entry that is older than the latest `count`; nil when there are no more than `count`.
  private func number(behind count: Int) throws(Fault) -> Int64? {
    try connection.first(
      "SELECT number FROM listening ORDER BY number DESC LIMIT 1 OFFSET ?", [.integer(Int64(count))]
    ) { $0.integer(0) }
  }

  /// The latest first, behind `number`.
  func latest(before number: Int64?, count: Int) throws(Fault) -> [(number: Int64, listening: Listening)] {
    try connection.rows(
      """
      SELECT number, recording, path, begun, lasted_ms, finished, origin, origin_name, streamed FROM listening
      WHERE number \(number == nil ? "<=" : "<") ? ORDER BY number DESC LIMIT ?
      """, [.integer(number ?? .max), .integer(Int64(min(max(count, 1), 500)))]
    ) { row in
      var one = Listening(
        row.bytes(1).flatMap { ContentKey(bytes: $0) }, at: row.path(2) ?? FilePath("?"), begun: row.integer(3) ?? 0,
        lasted: .milliseconds(row.integer(4) ?? 0), isFinished: row.integer(5) == 1)
      one.origin = row.integer(6).flatMap { Listening.Origin(rawValue: $0) } ?? .queue
      one.originName = row.text(7)
      one.isStreamed = row.integer(8) == 1
      return (number: row.integer(0) ?? 0, listening: one)
    }
  }

  /// Totals, in parts, for a library that has lost its counts.
  func totals(after key: ContentKey?, count: Int) throws(Fault) -> [Catalogue.Count] {
    let found = try connection.rows(
      "SELECT recording, plays, last_played FROM listening_total WHERE recording > ? ORDER BY recording LIMIT ?",
      [.blob(key?.bytes ?? []), .integer(Int64(min(max(count, 1), 500)))]
    ) { row -> Catalogue.Count? in
      row.bytes(0).flatMap { ContentKey(bytes: $0) }.map {
        Catalogue.Count(key: $0, plays: row.integer(1) ?? 0, lastPlayed: row.integer(2) ?? 0)
      }
    }
    return found.compactMap { $0 }
  }

  func pruned() throws(Fault) -> (count: Int64, lasted: Duration) {
    try connection.first("SELECT count, lasted_ms FROM listening_pruned") { row in
      (count: row.integer(0) ?? 0, lasted: .milliseconds(row.integer(1) ?? 0))
    } ?? (0, .zero)
  }
}
