import Runtime
import Services
import Store

/// What sources have told of items, in `state.db`, for whoever names them: a stream after a start, a stored file without
/// tags, something in the history whose file is gone.
package struct ItemTable {
  /// At most so many items are remembered. Beyond that, those go that were first told of longest ago and have no download.
  static let most = 20_000

  private let connection: Connection
  var most = Self.most

  /// The tables are there: `OfflineSchema.additions` was applied.
  package init(there connection: Connection) { self.connection = connection }

  private static let columns = "title, artist, album, album_artist, disc, track, length_ns, size, hash, art"

  package func remember(_ items: [KnownItem]) throws(Fault) {
    let names = Self.columns.split(separator: ",").map { $0.drop { $0 == " " } }
    let changes = names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    let sql = """
      INSERT INTO known_item(source, item, file, \(Self.columns)) VALUES (?\(String(repeating: ", ?", count: 12)))
      ON CONFLICT(source, item) DO UPDATE SET file = coalesce(excluded.file, file), \(changes)
      """
    try connection.durably { () throws(Fault) in
      try connection.transaction { () throws(Fault) in
        for item in items {
          // Without the place and the item's id.
          let facts = WishTable.values(item.facts, 0).dropFirst(2)
          try connection.run(sql, [.text(item.key.source), .text(item.key.item), SQLValue(item.file)] + facts)
        }
        try connection.run(
          """
          DELETE FROM known_item WHERE number <=
            (SELECT number FROM known_item ORDER BY number DESC LIMIT 1 OFFSET \(most))
          AND NOT EXISTS (SELECT 1 FROM download d WHERE d.source = known_item.source AND d.item = known_item.item)
          """)
      }
    }
  }

  func item(_ key: ItemKey) throws(Fault) -> MediaItem? {
    try connection.first(
      "SELECT number, item, \(Self.columns) FROM known_item WHERE source = ? AND item = ?",
      [.text(key.source), .text(key.item)]
    ) { row throws(Fault) in WishTable.item(row) }
  }

  package func items(inFiles names: [String]) throws(Fault) -> [String: KnownItem] {
    var found: [String: KnownItem] = [:]
    for name in names {
      found[name] = try connection.first(
        "SELECT number, item, \(Self.columns), source FROM known_item WHERE file = ? ORDER BY number DESC LIMIT 1",
        [.text(name)]
      ) { row throws(Fault) in
        let facts = WishTable.item(row)
        return KnownItem(ItemKey(source: row.text(12) ?? "", item: facts.id), facts, in: name)
      }
    }
    return found
  }
}
