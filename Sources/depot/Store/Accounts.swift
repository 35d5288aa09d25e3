import Rights
import Runtime
import Services
import Store

/// A person or a household.
struct Account: Sendable {
  let id: Int64
  let name: String
  let password: PasswordSum
  let subscription: Subscription?
  let graceEnds: Int64?
  /// The best that it is for; nil when it is for all there is.
  let quality: Quality?

  func entitlement(at now: Int64) -> Entitlement { Entitlement(subscription, graceEnds: graceEnds, at: now) }
}

/// Accounts in the database.
struct Accounts {
  let connection: Connection

  private static let columns = "id, name, password, subscription, grace_until, quality"

  private static func account(_ row: borrowing Store.Statement) -> Account {
    Account(
      id: row.integer(0) ?? 0, name: row.text(1) ?? "", password: PasswordSum(text: row.text(2) ?? ""),
      subscription: row.text(3).flatMap { Subscription(rawValue: $0) }, graceEnds: row.integer(4),
      quality: row.text(5).map { Quality(indexName: $0) ?? .low })
  }

  func named(_ name: String) throws(Fault) -> Account? {
    try connection.first("SELECT \(Self.columns) FROM account WHERE name = ?", [SQLValue(name)]) { Self.account($0) }
  }

  func account(_ id: Int64) throws(Fault) -> Account? {
    try connection.first("SELECT \(Self.columns) FROM account WHERE id = ?", [.integer(id)]) { Self.account($0) }
  }

  func all() throws(Fault) -> [(account: Account, devices: Int64)] {
    let devices = "(SELECT count(*) FROM device WHERE device.account = account.id)"
    return try connection.rows("SELECT \(Self.columns), \(devices) FROM account ORDER BY name") { row in
      (Self.account(row), row.integer(6) ?? 0)
    }
  }

  func add(_ name: String, _ password: PasswordSum, at now: Int64) throws(Fault) {
    guard Self.isName(name) else {
      throw Fault(
        .malformed, "D-151", "an account's name has 1 to 60 letters, digits and the signs . _ - @; that is none")
    }
    guard try named(name) == nil else { throw Fault(.malformed, "D-152", "there is an account \(name) already") }
    try connection.run(
      "INSERT INTO account(name, password, created) VALUES (?, ?, ?)",
      [SQLValue(name), SQLValue(password.text), .integer(now)])
  }

  func set(_ password: PasswordSum, of account: Account) throws(Fault) {
    try connection.run(
      "UPDATE account SET password = ? WHERE id = ?", [SQLValue(password.text), .integer(account.id)])
  }

  func remove(_ account: Account) throws(Fault) {
    try connection.run("DELETE FROM account WHERE id = ?", [.integer(account.id)])
  }

  func set(_ subscription: Subscription?, graceEnds: Int64?, of account: Account) throws(Fault) {
    try connection.run(
      "UPDATE account SET subscription = ?, grace_until = ? WHERE id = ?",
      [SQLValue(subscription?.rawValue), SQLValue(graceEnds), .integer(account.id)])
  }

  func set(_ quality: Quality?, of account: Account) throws(Fault) {
    try connection.run(
      "UPDATE account SET quality = ? WHERE id = ?", [SQLValue(quality?.indexName), .integer(account.id)])
  }

  static func isName(_ name: String) -> Bool {
    (1...60).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: ".@_-".utf8.contains(byte)
        }
      }
  }
}
