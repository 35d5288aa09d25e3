import Runtime
import Store

/// What each change is in rows: its own, and no others.
extension SessionStore {
  /// In the order in which the queue was put together.
  static func save(_ change: PlayQueue.Change, to connection: Connection) throws(Fault) {
    let places = SparsePlaces(table: "queue_entry", connection: connection)
    let insert = "INSERT INTO queue_entry (place, id, path) VALUES (?, ?, ?)"
    switch change {
    case .appended(let entries):
      for entry in entries {
        let place = try places.last()
        try connection.run(insert, [.integer(place), .integer(entry.id.sqlValue), SQLValue(entry.path)])
      }
    case .inserted(let entries, var before):
      for entry in entries {
        let place = try places.behind(before)
        try connection.run(insert, [.integer(place), .integer(entry.id.sqlValue), SQLValue(entry.path)])
        before = entry.id
      }
    case .moved(let id, let before): try places.move(id, behind: before)
    case .removed(let id): try connection.run("DELETE FROM queue_entry WHERE id = ?", [.integer(id.sqlValue)])
    case .readdressed(let entries):
      for entry in entries {
        try connection.run(
          "UPDATE queue_entry SET path = ? WHERE id = ?", [SQLValue(entry.path), .integer(entry.id.sqlValue)])
      }
    case .cleared: try connection.run("DELETE FROM queue_entry")
    case .shuffled, .placed, .unshuffled: break
    }
  }

  /// In the order of the round.
  static func saveOrder(_ change: PlayQueue.Change, of queue: PlayQueue, to connection: Connection) throws(Fault) {
    let places = SparsePlaces(table: "shuffled_entry", connection: connection)
    let insert = "INSERT INTO shuffled_entry (place, id) VALUES (?, ?)"
    switch change {
    case .shuffled(let ids):
      try connection.run("DELETE FROM shuffled_entry")
      for id in ids { try connection.run(insert, [.integer(try places.last()), .integer(id.sqlValue)]) }
      try set("shuffled", 1, in: connection)
      try set("round", Int64(bitPattern: queue.round), in: connection)
      try set("seed", Int64(bitPattern: queue.chance.seed), in: connection)
    case .placed(let id, let before):
      if try places.place(of: id) != nil { return try places.move(id, behind: before) }
      try connection.run(insert, [.integer(try places.behind(before)), .integer(id.sqlValue)])
    case .unshuffled:
      try connection.run("DELETE FROM shuffled_entry")
      try set("shuffled", 0, in: connection)
    case .removed(let id): try connection.run("DELETE FROM shuffled_entry WHERE id = ?", [.integer(id.sqlValue)])
    case .cleared: try connection.run("DELETE FROM shuffled_entry")
    case .appended, .inserted, .moved, .readdressed: break
    }
  }

  // MARK: The former queue

  static func save(_ former: FormerQueue?, to connection: Connection) throws(Fault) {
    guard let former else { return try connection.run("DELETE FROM session WHERE name = 'former'") }
    try set("former", bytes: former.bytes, in: connection)
    try set("former_index", Int64(former.index), in: connection)
    try set("former_place", former.place.milliseconds, in: connection)
    let order = former.order ?? []
    try set("former_order", bytes: order.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, in: connection)
  }

  static func former(in connection: Connection) throws(Fault) -> FormerQueue? {
    guard let bytes = try bytes(of: "former", in: connection), !bytes.isEmpty else { return nil }
    let index = try value(of: "former_index", in: connection).flatMap { Int(exactly: $0) } ?? 0
    let place = try value(of: "former_place", in: connection) ?? 0
    let order = try self.bytes(of: "former_order", in: connection) ?? []
    let places = stride(from: 0, to: order.count - 1, by: 2).map { UInt16(order[$0]) | UInt16(order[$0 + 1]) << 8 }
    return FormerQueue(
      bytes: bytes, index: max(index, 0), at: .milliseconds(max(place, 0)), order: places.isEmpty ? nil : places)
  }

  // MARK: What was heard, and where it was left

  static func save(_ heard: History.PlayedEntry, to connection: Connection) throws(Fault) {
    try connection.run(
      "INSERT INTO heard (entry, path, begun, lasted_ms, finished) VALUES (?, ?, ?, ?, ?)",
      [
        .integer(heard.entry.sqlValue), SQLValue(heard.path), .integer(heard.begun),
        .integer(heard.lasted.milliseconds), .integer(heard.isFinished ? 1 : 0),
      ])
    try forgetOld(in: "heard", keeping: History.limit, connection)
  }

  static func save(_ path: FilePath, _ place: Duration, to connection: Connection) throws(Fault) {
    // A new number: it was touched last.
    try connection.run("DELETE FROM bookmark WHERE path = ?", [SQLValue(path)])
    try connection.run(
      "INSERT INTO bookmark (path, place_ms) VALUES (?, ?)", [SQLValue(path), .integer(place.milliseconds)])
    try forgetOld(in: "bookmark", keeping: Bookmarks.limit, connection)
  }

  private static func forgetOld(in table: String, keeping limit: Int, _ connection: Connection) throws(Fault) {
    try connection.run(
      """
      DELETE FROM \(table) WHERE number <=
        (SELECT number FROM \(table) ORDER BY number DESC LIMIT 1 OFFSET \(limit))
      """)
  }

  static func history(in connection: Connection) throws(Fault) -> [History.PlayedEntry] {
    let rows = try connection.rows(
      "SELECT entry, path, begun, lasted_ms, finished FROM heard ORDER BY number DESC LIMIT \(History.limit)"
    ) { row in
      row.path(1).map { path in
        History.PlayedEntry(
          entry: EntryID(number: UInt64(bitPattern: row.integer(0) ?? 0)), path: path, begun: row.integer(2) ?? 0,
          lasted: .milliseconds(max(row.integer(3) ?? 0, 0)), isFinished: row.integer(4) == 1)
      }
    }
    return rows.compactMap { $0 }.reversed()
  }

  static func bookmarks(in connection: Connection) throws(Fault) -> [Bookmarks.Mark] {
    let rows = try connection.rows(
      "SELECT path, place_ms FROM bookmark ORDER BY number DESC LIMIT \(Bookmarks.limit)"
    ) { row in
      row.path(0).map { Bookmarks.Mark(path: $0, place: .milliseconds(max(row.integer(1) ?? 0, 0))) }
    }
    return rows.compactMap { $0 }.reversed()
  }
}
