import Runtime
import Services
import Store

/// What is wanted, in `state.db`, on the loop of whoever owns the connection. What a change has returned from survives a
/// power cut: each is one commit.
package struct WishTable {
  private let connection: Connection

  /// The tables are there: `OfflineSchema.additions` was applied.
  package init(there connection: Connection) { self.connection = connection }

  private func change(_ body: () throws(Fault) -> Void) throws(Fault) {
    try connection.durably { () throws(Fault) in
      try connection.transaction { () throws(Fault) in try body() }
    }
  }

  // MARK: Wishes

  private static let columns =
    "place, item, title, artist, album, album_artist, disc, track, length_ns, size, hash, art"

  package func store(_ wish: StoredWish) throws(Fault) {
    let name = Self.name(wish.container)
    try change { () throws(Fault) in
      try connection.run("DELETE FROM wish WHERE source = ? AND kind = ? AND id = ?", name)
      var values = name
      values += [.integer(wish.quality.rawValue), .integer(wish.wantedAt)]
      values += [.integer(wish.isPaused ? 1 : 0), .integer(wish.isExcepted ? 1 : 0)]
      try connection.run("INSERT INTO wish VALUES (?, ?, ?, ?, ?, ?, ?)", values)
      let sql =
        "INSERT INTO wish_item(source, kind, id, \(Self.columns)) VALUES (?\(String(repeating: ", ?", count: 14)))"
      for (place, item) in wish.items.enumerated() { try connection.run(sql, name + Self.values(item, place)) }
    }
  }

  /// All of it but what it holds.
  package func change(_ wish: StoredWish) throws(Fault) {
    let sql = "UPDATE wish SET quality = ?, is_paused = ?, is_excepted = ? WHERE source = ? AND kind = ? AND id = ?"
    var values: [SQLValue] = [.integer(wish.quality.rawValue)]
    values += [.integer(wish.isPaused ? 1 : 0), .integer(wish.isExcepted ? 1 : 0)]
    try change { () throws(Fault) in try connection.run(sql, values + Self.name(wish.container)) }
  }

  package func forget(_ containers: [ContainerKey]) throws(Fault) {
    try change { () throws(Fault) in
      for container in containers {
        try connection.run("DELETE FROM wish WHERE source = ? AND kind = ? AND id = ?", Self.name(container))
      }
    }
  }

  package func wishes() throws(Fault) -> [StoredWish] {
    let sql = "SELECT source, kind, id, quality, wanted_at, is_paused, is_excepted FROM wish ORDER BY source, kind, id"
    let found = try connection.rows(sql) { row throws(Fault) in Self.wish(row) }
    var wishes: [StoredWish] = []
    for var wish in found.compactMap({ $0 }) {
      wish.items = try connection.rows(
        "SELECT \(Self.columns) FROM wish_item WHERE source = ? AND kind = ? AND id = ? ORDER BY place",
        Self.name(wish.container)
      ) { row throws(Fault) in Self.item(row) }
      wishes.append(wish)
    }
    return wishes
  }

  /// From the list of a wanted container, else from `ItemTable`.
  package func facts(of items: [ItemKey]) throws(Fault) -> [ItemKey: MediaItem] {
    var facts: [ItemKey: MediaItem] = [:]
    let sql = "SELECT \(Self.columns) FROM wish_item WHERE source = ? AND item = ? LIMIT 1"
    let remembered = ItemTable(there: connection)
    for key in items {
      let values: [SQLValue] = [.text(key.source), .text(key.item)]
      let listed = try connection.first(sql, values) { row throws(Fault) in Self.item(row) }
      facts[key] = if let listed { listed } else { try remembered.item(key) }
    }
    return facts
  }

  private static func name(_ container: ContainerKey) -> [SQLValue] {
    [.text(container.source), .text(container.kind.rawValue), .text(container.id)]
  }

  static func values(_ item: MediaItem, _ place: Int) -> [SQLValue] {
    var values: [SQLValue] = [.integer(Int64(place)), .text(item.id), SQLValue(item.title), SQLValue(item.artist)]
    values += [SQLValue(item.album), SQLValue(item.albumArtist)]
    values += [SQLValue(item.disc.map { Int64($0) }), SQLValue(item.track.map { Int64($0) })]
    values += [SQLValue(item.length?.nanoseconds), SQLValue(item.size), SQLValue(item.hash), SQLValue(item.art)]
    return values
  }

  /// A kind of container that only a newer program knows stays in its rows.
  private static func wish(_ row: borrowing Statement) -> StoredWish? {
    guard let source = row.text(0), let id = row.text(2) else { return nil }
    guard let kind = row.text(1).flatMap({ ContainerKey.Kind(rawValue: $0) }) else { return nil }
    let container = ContainerKey(source: source, kind: kind, id: id)
    let quality = row.integer(3).flatMap { Quality(rawValue: $0) } ?? .lossless
    var wish = StoredWish(container, at: quality, wantedAt: row.integer(4) ?? 0, [])
    (wish.isPaused, wish.isExcepted) = (row.integer(5) == 1, row.integer(6) == 1)
    return wish
  }

  /// From column 1 on, in the order of `columns`.
  static func item(_ row: borrowing Statement) -> MediaItem {
    var item = MediaItem(id: row.text(1) ?? "")
    (item.title, item.artist) = (row.text(2), row.text(3))
    (item.album, item.albumArtist) = (row.text(4), row.text(5))
    (item.disc, item.track) = (row.integer(6).map { Int($0) }, row.integer(7).map { Int($0) })
    item.length = row.integer(8).map { .nanoseconds($0) }
    (item.size, item.hash, item.art) = (row.integer(9), row.text(10), row.text(11))
    return item
  }

  // MARK: Left out

  package func leaveOut(_ item: ItemKey, _ isOut: Bool) throws(Fault) {
    let values: [SQLValue] = [.text(item.source), .text(item.item)]
    try change { () throws(Fault) in
      try connection.run("DELETE FROM left_out WHERE source = ? AND item = ?", values)
      if isOut { try connection.run("INSERT INTO left_out VALUES (?, ?)", values) }
    }
  }

  package func leftOut() throws(Fault) -> [ItemKey] {
    try connection.rows("SELECT source, item FROM left_out ORDER BY source, item") { row throws(Fault) in
      ItemKey(source: row.text(0) ?? "", item: row.text(1) ?? "")
    }
  }

  // MARK: Tokens and numbers

  package func store(token: String?, of source: String) throws(Fault) {
    try change { () throws(Fault) in
      try connection.run("INSERT OR REPLACE INTO followed VALUES (?, ?)", [.text(source), SQLValue(token)])
    }
  }

  package func tokens() throws(Fault) -> [String: String] {
    let rows = try connection.rows("SELECT source, token FROM followed") { row throws(Fault) in
      (row.text(0) ?? "", row.text(1))
    }
    var tokens: [String: String] = [:]
    for (source, token) in rows { tokens[source] = token }
    return tokens
  }

  package func store(_ numbers: [String: Int64]) throws(Fault) {
    try change { () throws(Fault) in
      for (name, value) in numbers.sorted(by: { $0.key < $1.key }) {
        try connection.run("INSERT OR REPLACE INTO offline_number VALUES (?, ?)", [.text(name), .integer(value)])
      }
    }
  }

  package func numbers() throws(Fault) -> [String: Int64] {
    let rows = try connection.rows("SELECT name, value FROM offline_number") { row throws(Fault) in
      (row.text(0) ?? "", row.integer(1) ?? 0)
    }
    var numbers: [String: Int64] = [:]
    for (name, value) in rows { numbers[name] = value }
    return numbers
  }
}
