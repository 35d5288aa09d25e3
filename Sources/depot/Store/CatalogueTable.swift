import Runtime
import Store

/// The items of the index in the database, what changed in them and when, and accounts' lists.
struct CatalogueTable {
  let connection: Connection

  struct Entry: Sendable {
    let path: String
    /// As it stands in the index.
    let text: String
    let title: String
    let artist: String
    let album: String
  }

  struct Change: Sendable {
    let number: Int64
    let mark: Int64
    let path: String?
    let list: String?
    let isGone: Bool
  }

  /// Older changes are forgotten; whoever has not asked for so long begins anew.
  static let mostChanges: Int64 = 1_000_000

  // MARK: Items

  /// Makes the table what `entries` are. How many were changed, added or removed.
  func take(_ entries: [Entry]) throws(Fault) -> Int {
    var known: [ExactText: (id: Int64, text: String)] = [:]
    try connection.rows("SELECT id, path, entry FROM item") { row in
      (row.integer(0) ?? 0, row.text(1) ?? "", row.text(2) ?? "")
    }.forEach { known[ExactText($0.1)] = ($0.0, $0.2) }
    var count = 0
    for entry in entries {
      let former = known.removeValue(forKey: ExactText(entry.path))
      if let former, ExactText(former.text) == ExactText(entry.text) { continue }
      count += 1
      try put(entry, former?.id)
      try note(nil, path: entry.path, list: nil, isGone: false)
    }
    for (path, former) in known.sorted(by: { $0.key < $1.key }) {
      count += 1
      try connection.run("DELETE FROM item_text WHERE rowid = ?", [.integer(former.id)])
      try connection.run("DELETE FROM item WHERE id = ?", [.integer(former.id)])
      try note(nil, path: path.text, list: nil, isGone: true)
    }
    return count
  }

  private func put(_ entry: Entry, _ id: Int64?) throws(Fault) {
    var row = id
    if let id {
      try connection.run("UPDATE item SET entry = ? WHERE id = ?", [SQLValue(entry.text), .integer(id)])
      try connection.run("DELETE FROM item_text WHERE rowid = ?", [.integer(id)])
    } else {
      row = try connection.first(
        "INSERT INTO item(path, entry) VALUES (?, ?) RETURNING id", [SQLValue(entry.path), SQLValue(entry.text)]
      ) { $0.integer(0) }
    }
    try connection.run(
      "INSERT INTO item_text(rowid, title, artist, album) VALUES (?, ?, ?, ?)",
      [SQLValue(row), SQLValue(entry.title), SQLValue(entry.artist), SQLValue(entry.album)])
  }

  private static let isThere = "NOT EXISTS (SELECT 1 FROM revocation WHERE kind = 'path' AND revocation.id = item.path)"

  /// Items behind the one with the number `after`, and their numbers.
  func page(after: Int64, _ count: Int) throws(Fault) -> [(id: Int64, text: String)] {
    try connection.rows(
      "SELECT id, entry FROM item WHERE id > ? AND \(Self.isThere) ORDER BY id LIMIT ?",
      [.integer(after), .integer(Int64(count))]
    ) { ($0.integer(0) ?? 0, $0.text(1) ?? "") }
  }

  /// Those that have a word that begins so, for each of `words`.
  func search(_ words: [String], _ count: Int) throws(Fault) -> [String] {
    // In quotes each is a plain word for FTS5, whatever stands in it; quotes themselves are no part of words.
    let question = words.map { word in "\"\(word)\"*" }.joined(separator: " ")
    return try connection.rows(
      """
      SELECT item.entry FROM item_text JOIN item ON item.id = item_text.rowid
      WHERE item_text MATCH ? AND \(Self.isThere) ORDER BY item_text.rowid LIMIT ?
      """, [SQLValue(question), .integer(Int64(count))]
    ) { $0.text(0) ?? "" }
  }

  /// Letters and digits of what somebody searches for; everything else is between words.
  static func words(of question: String) -> [String] {
    let parts = question.unicodeScalars.split { !($0.properties.isAlphabetic || $0.properties.numericType != nil) }
    return parts.prefix(10).map { String($0.prefix(60)) }
  }

  // MARK: Changes

  func note(_ account: Int64?, path: String?, list: String?, isGone: Bool) throws(Fault) {
    try connection.run(
      "INSERT INTO change(mark, account, path, list, gone) VALUES (?, ?, ?, ?, ?)",
      [
        .integer(Int64.random(in: 1...Int64.max)), SQLValue(account), SQLValue(path), SQLValue(list),
        .integer(isGone ? 1 : 0),
      ])
  }

  func forgetOldChanges() throws(Fault) {
    try connection.run(
      "DELETE FROM change WHERE number <= (SELECT max(number) FROM change) - ?", [.integer(Self.mostChanges)])
  }

  func epoch() throws(Fault) -> String { try connection.first("SELECT epoch FROM service") { $0.text(0) } ?? "" }

  func newestToken() throws(Fault) -> ChangeToken {
    let last = try connection.first("SELECT number, mark FROM change ORDER BY number DESC LIMIT 1") { row in
      (row.integer(0) ?? 0, row.integer(1) ?? 0)
    }
    return ChangeToken(epoch: try epoch(), number: last?.0 ?? 0, mark: last?.1 ?? 0)
  }

  /// Changes when something changes for all accounts, and not when one account's list does.
  func version() throws(Fault) -> String {
    try connection.first("SELECT number, mark FROM change WHERE account IS NULL ORDER BY number DESC LIMIT 1") { row in
      "\(row.integer(0) ?? 0).\(row.integer(1) ?? 0)"
    } ?? ""
  }

  /// Whether the list that the token was read from is this one, and still goes back so far.
  func knows(_ token: ChangeToken) throws(Fault) -> Bool {
    guard ExactText(token.epoch) == ExactText(try epoch()) else { return false }
    if token.number == 0 {
      let first = try connection.first("SELECT min(number) FROM change") { $0.integer(0) }
      return token.mark == 0 && (first ?? 1) == 1
    }
    let mark = try connection.first("SELECT mark FROM change WHERE number = ?", [.integer(token.number)]) {
      $0.integer(0)
    }
    return mark == token.mark
  }

  /// In the order of their numbers: of everything, and of this account's lists.
  func changes(after number: Int64, upTo last: Int64, account: Int64, _ count: Int) throws(Fault) -> [Change] {
    try connection.rows(
      """
      SELECT number, mark, path, list, gone FROM change
      WHERE number > ? AND number <= ? AND (account IS NULL OR account = ?) ORDER BY number LIMIT ?
      """, [.integer(number), .integer(last), .integer(account), .integer(Int64(count))]
    ) { row in
      Change(
        number: row.integer(0) ?? 0, mark: row.integer(1) ?? 0, path: row.text(2), list: row.text(3),
        isGone: row.integer(4) == 1)
    }
  }
}
