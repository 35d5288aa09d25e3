import Runtime
import Store

/// Where entries of the queue were chosen, a row for all that came together.
struct OriginTable {
  /// A queue has seldom more than a few.
  static let limit: Int64 = 1_000
  private static let longestName = 200

  let connection: Connection

  func note(_ origin: Origin, of count: Int, from first: EntryID) throws(Fault) {
    let last = first.sqlValue + Int64(count) - 1
    let name = SQLValue(origin.name.map { String($0.prefix(Self.longestName)) })
    // Tracks that are added one by one from the same place share a row.
    let isShared = try connection.first(
      """
      UPDATE queue_origin SET last = ?1 WHERE first = (SELECT max(first) FROM queue_origin WHERE first < ?2)
        AND last = ?2 - 1 AND kind = ?3 AND name IS ?4 RETURNING first
      """, [.integer(last), .integer(first.sqlValue), .integer(origin.kind.rawValue), name]
    ) { $0.integer(0) }
    guard isShared == nil else { return }
    try connection.run(
      "INSERT OR REPLACE INTO queue_origin (first, last, kind, name) VALUES (?, ?, ?, ?)",
      [.integer(first.sqlValue), .integer(last), .integer(origin.kind.rawValue), name])
    try connection.run(
      """
      DELETE FROM queue_origin WHERE first <=
        (SELECT first FROM queue_origin ORDER BY first DESC LIMIT 1 OFFSET \(Self.limit))
      """)
  }

  func origin(of entry: EntryID) throws(Fault) -> Origin? {
    let row = try connection.first(
      "SELECT last, kind, name FROM queue_origin WHERE first <= ? ORDER BY first DESC LIMIT 1",
      [.integer(entry.sqlValue)]
    ) { (last: $0.integer(0) ?? 0, kind: $0.integer(1).flatMap { Listening.Origin(rawValue: $0) }, name: $0.text(2)) }
    guard let row, entry.sqlValue <= row.last, let kind = row.kind else { return nil }
    return Origin(kind, row.name)
  }
}
