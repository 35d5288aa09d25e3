import Runtime
import Store

/// Lists of one account.
struct PersonalLists {
  let connection: Connection

  struct List: Sendable {
    let id: Int64
    let name: String
    let every: ListPeriod?
    let size: Int
    let period: Int64?
    var paths: [String] = []
  }

  static let mostOfAccount = 200
  static let mostPaths = 10_000

  func of(account: Int64) throws(Fault) -> [List] {
    var lists = try connection.rows(
      "SELECT id, name, every, size, period FROM list WHERE account = ? ORDER BY name", [.integer(account)]
    ) { row in
      List(
        id: row.integer(0) ?? 0, name: row.text(1) ?? "", every: row.text(2).flatMap { ListPeriod(rawValue: $0) },
        size: Int(row.integer(3) ?? 0), period: row.integer(4))
    }
    for place in lists.indices {
      lists[place].paths = try connection.rows(
        "SELECT path FROM list_item WHERE list = ? ORDER BY place", [.integer(lists[place].id)]
      ) { $0.text(0) ?? "" }
    }
    return lists
  }

  func add(
    _ name: String, every: ListPeriod?, size: Int, _ paths: [String], to account: Account
  ) throws(Fault) {
    let others = try of(account: account.id).filter { ExactText($0.name) != ExactText(name) }
    guard others.count < Self.mostOfAccount, paths.count <= Self.mostPaths else {
      throw Fault(
        .malformed, "D-153",
        "an account has at most \(Self.mostOfAccount) lists, of at most \(Self.mostPaths) tracks each")
    }
    try connection.run("DELETE FROM list WHERE account = ? AND name = ?", [.integer(account.id), SQLValue(name)])
    let id = try connection.first(
      "INSERT INTO list(account, name, every, size) VALUES (?, ?, ?, ?) RETURNING id",
      [.integer(account.id), SQLValue(name), SQLValue(every?.rawValue), .integer(Int64(size))]
    ) { $0.integer(0) }
    guard let id else { return }
    try fill(id, paths)
    try CatalogueTable(connection: connection).note(account.id, path: nil, list: name, isGone: false)
  }

  /// False when there is none of that name.
  func remove(_ name: String, of account: Account) throws(Fault) -> Bool {
    guard try of(account: account.id).contains(where: { ExactText($0.name) == ExactText(name) }) else { return false }
    try connection.run("DELETE FROM list WHERE account = ? AND name = ?", [.integer(account.id), SQLValue(name)])
    try CatalogueTable(connection: connection).note(account.id, path: nil, list: name, isGone: true)
    return true
  }

  /// A list of another period has other tracks.
  func renew(_ list: List, _ paths: [String], period: Int64, account: Int64) throws(Fault) {
    try connection.run("DELETE FROM list_item WHERE list = ?", [.integer(list.id)])
    try fill(list.id, paths)
    try connection.run("UPDATE list SET period = ? WHERE id = ?", [.integer(period), .integer(list.id)])
    try CatalogueTable(connection: connection).note(account, path: nil, list: list.name, isGone: false)
  }

  private func fill(_ list: Int64, _ paths: [String]) throws(Fault) {
    for (place, path) in paths.enumerated() {
      try connection.run(
        "INSERT INTO list_item(list, place, path) VALUES (?, ?, ?)",
        [.integer(list), .integer(Int64(place)), SQLValue(path)])
    }
  }
}
