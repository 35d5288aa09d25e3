import Runtime
import Store

/// What is known of the listener, in `state.db`, on the loop of whoever owns the connection. It stays on the device.
package struct ListenerTable {
  /// Two months of somebody who listens all day.
  package static let most = 10_000

  private let connection: Connection
  private let most: Int

  /// The tables are there: `OfflineSchema.additions` was applied.
  package init(there connection: Connection, most: Int = Self.most) {
    (self.connection, self.most) = (connection, most)
  }

  /// By their number and not by their date the oldest go: a clock that was wrong for a day costs no history.
  package func note(_ play: ItemPlay) throws(Fault) {
    try connection.transaction { () throws(Fault) in
      try connection.run(
        "INSERT INTO item_play(source, item, at) VALUES (?, ?, ?)",
        [.text(play.item.source), .text(play.item.item), .integer(play.at)])
      try connection.run(
        "DELETE FROM item_play WHERE number <= (SELECT max(number) FROM item_play) - ?", [.integer(Int64(most))])
    }
  }

  /// Oldest first.
  package func plays(in dates: ClosedRange<Int64>) throws(Fault) -> [ItemPlay] {
    try connection.rows(
      "SELECT source, item, at FROM item_play WHERE at BETWEEN ? AND ? ORDER BY at, number",
      [.integer(dates.lowerBound), .integer(dates.upperBound)]
    ) { row throws(Fault) in
      ItemPlay(ItemKey(source: row.text(0) ?? "", item: row.text(1) ?? ""), at: row.integer(2) ?? 0)
    }
  }

  /// In the place of what was stored before. The tables have the word that smart downloads had when they were released.
  package func store(_ smart: SmartDownloads) throws(Fault) {
    try connection.durably { () throws(Fault) in
      try connection.transaction { () throws(Fault) in
        try connection.run("DELETE FROM guess")
        try connection.run("DELETE FROM refused_guess")
        for offer in smart.chosen.values.sorted(by: { $0.item < $1.item }) {
          let values = Self.name(offer.item) + [.text(offer.reasons.stored), .integer(offer.bytes)]
          try connection.run("INSERT INTO guess VALUES (?, ?, ?, ?)", values)
        }
        for (item, until) in smart.refused.sorted(by: { $0.key < $1.key }) {
          try connection.run("INSERT INTO refused_guess VALUES (?, ?, ?)", Self.name(item) + [.integer(until)])
        }
      }
    }
  }

  package func smartDownloads() throws(Fault) -> SmartDownloads {
    let chosen = try connection.rows("SELECT source, item, words, bytes FROM guess") { row throws(Fault) in
      let item = ItemKey(source: row.text(0) ?? "", item: row.text(1) ?? "")
      return SmartDownloads.Offer(item, because: .init(stored: row.text(2) ?? ""), bytes: row.integer(3) ?? 0)
    }
    let rows = try connection.rows("SELECT source, item, until FROM refused_guess") { row throws(Fault) in
      (item: ItemKey(source: row.text(0) ?? "", item: row.text(1) ?? ""), until: row.integer(2) ?? 0)
    }
    var refused: [ItemKey: Int64] = [:]
    for row in rows { refused[row.item] = row.until }
    return SmartDownloads(chosen: chosen, refused: refused)
  }

  private static func name(_ item: ItemKey) -> [SQLValue] { [.text(item.source), .text(item.item)] }
}
