import Runtime
import Store

/// The downloads in `state.db`, on the loop of whoever owns the connection. What `store` has returned from survives a
/// power cut: each is one commit.
package struct DownloadTable {
  private let connection: Connection

  /// The tables are made when they are not there.
  package init(in connection: Connection) throws(Fault) {
    self.connection = connection
    try OfflineSchema.additions.apply(to: connection)
  }

  /// The tables are there.
  package init(there connection: Connection) { self.connection = connection }

  private static let columns = """
    source, item, quality, state, waits, attempts, has_new_address, furthest, pause_ns, trouble, durable, size, \
    is_size_sure, hash, tag, refused_from, queued_at, begun_at, ended_at, path, ending, \
    is_cache, played_at, plays, is_entered, pieces
    """
  private static let keys = "source = ? AND item = ? AND quality = ?"
  private static let places = Array(repeating: "?", count: 26).joined(separator: ", ")

  // MARK: Writing

  package func store(_ record: DownloadRecord) throws(Fault) { try store([record]) }

  /// All or none of them.
  package func store(_ records: [DownloadRecord]) throws(Fault) {
    let sql = "INSERT OR REPLACE INTO download(\(Self.columns)) VALUES (\(Self.places))"
    try connection.durably { () throws(Fault) in
      try connection.transaction { () throws(Fault) in
        for record in records { try connection.run(sql, Self.values(record)) }
      }
    }
  }

  package func forget(_ keys: [MediaKey]) throws(Fault) {
    try connection.durably { () throws(Fault) in
      try connection.transaction { () throws(Fault) in
        for key in keys { try connection.run("DELETE FROM download WHERE \(Self.keys)", Self.values(key)) }
      }
    }
  }

  private static func values(_ key: MediaKey) -> [SQLValue] {
    [.text(key.source), .text(key.item.item), .integer(key.quality.rawValue)]
  }

  private static func values(_ record: DownloadRecord) -> [SQLValue] {
    var values = values(record.key)
    values += [.text(record.state.name), SQLValue(record.waits?.rawValue)]
    values += [.integer(Int64(record.retry.attempts)), .integer(record.retry.hasNewAddress ? 1 : 0)]
    values += [.integer(record.retry.furthest), SQLValue(record.pause?.nanoseconds), SQLValue(record.trouble?.name)]
    values += [.integer(record.durable), SQLValue(record.size), .integer(record.isSizeSure ? 1 : 0)]
    values += [SQLValue(record.hash), SQLValue(record.tag), SQLValue(record.refusedFrom)]
    values += [.integer(record.queuedAt), SQLValue(record.begunAt), SQLValue(record.endedAt), SQLValue(record.path)]
    values += [SQLValue(record.ending), .integer(record.isCache ? 1 : 0)]
    values += [SQLValue(record.playedAt), .integer(Int64(record.plays))]
    values += [.integer(record.isEntered ? 1 : 0), .blob(record.pieces.bytes)]
    return values
  }

  // MARK: Reading

  package func record(_ key: MediaKey) throws(Fault) -> DownloadRecord? {
    let sql = "SELECT \(Self.columns) FROM download WHERE \(Self.keys)"
    return try connection.first(sql, Self.values(key)) { row throws(Fault) in try Self.record(row) }
  }

  /// The next `count` behind `key`, in the order of keys: a list of any length is read in bounded pieces, and rows that
  /// come and go meanwhile do no harm.
  package func page(after key: MediaKey?, count: Int) throws(Fault) -> [DownloadRecord] {
    let order = "ORDER BY source, item, quality LIMIT ?"
    let behind = key == nil ? "" : "WHERE (source, item, quality) > (?, ?, ?)"
    let values = (key.map { Self.values($0) } ?? []) + [.integer(Int64(count))]
    let sql = "SELECT \(Self.columns) FROM download \(behind) \(order)"
    return try connection.rows(sql, values) { row throws(Fault) in try Self.record(row) }
  }

  /// Names that a newer program has stored are read as the nearest that is known here: a download begins anew rather
  /// than being lost.
  private static func record(_ row: borrowing Statement) throws(Fault) -> DownloadRecord {
    guard let source = row.text(0), let item = row.text(1), let quality = row.integer(2) else {
      throw Fault(.damaged, "O-311", "a download in state.db has no name")
    }
    let known = Quality(rawValue: quality) ?? (quality < Quality.low.rawValue ? .low : .lossless)
    var record = DownloadRecord(MediaKey(source: source, item: item, quality: known))
    record.state = DownloadRecord.State(named: row.text(3) ?? "") ?? .queued
    record.waits = row.text(4).flatMap { WaitReason(rawValue: $0) }
    record.pause = row.integer(8).map { .nanoseconds($0) }
    record.trouble = row.text(9).map { Trouble(named: $0) }
    record.retry = Retry(
      attempts: Int(clamping: row.integer(5) ?? 0), hasNewAddress: row.integer(6) == 1, furthest: row.integer(7) ?? 0,
      last: record.trouble)
    record.durable = row.integer(10) ?? 0
    (record.size, record.isSizeSure) = (row.integer(11), row.integer(12) == 1)
    (record.hash, record.tag, record.refusedFrom) = (row.text(13), row.text(14), row.integer(15))
    record.queuedAt = row.integer(16) ?? 0
    (record.begunAt, record.endedAt, record.path) = (row.integer(17), row.integer(18), row.text(19))
    (record.ending, record.isCache) = (row.text(20), row.integer(21) == 1)
    (record.playedAt, record.plays) = (row.integer(22), Int(clamping: row.integer(23) ?? 0))
    record.isEntered = row.integer(24) == 1
    record.pieces = Pieces(bytes: row.bytes(25) ?? [])
    return record
  }
}
