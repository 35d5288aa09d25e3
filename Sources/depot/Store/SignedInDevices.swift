import Ciphers
import Rights
import Runtime
import Store

/// A device that is signed in.
struct SignedInDevice: Sendable {
  let name: String
  let account: Int64
  let card: String
  let title: String
  let thumbprint: String
  let session: [UInt8]
  let newest: Int64
  let since: Int64
  let seen: Int64
}

/// What a device that signs in says of itself, and has proven.
struct DeviceClaim: Sendable {
  let name: String
  let card: String
  let title: String
  let thumbprint: String
}

/// Devices and their sessions in the database.
struct SignedInDevices {
  let connection: Connection

  static let mostOfAccount = 5
  static let accessSeconds: Int64 = 600

  private static let columns = "name, account, card, title, thumbprint, session, newest, since, seen"

  private static func device(_ row: borrowing Store.Statement) -> SignedInDevice {
    SignedInDevice(
      name: row.text(0) ?? "", account: row.integer(1) ?? 0, card: row.text(2) ?? "", title: row.text(3) ?? "",
      thumbprint: row.text(4) ?? "", session: row.bytes(5) ?? [], newest: row.integer(6) ?? 0,
      since: row.integer(7) ?? 0, seen: row.integer(8) ?? 0)
  }

  func of(account: Int64) throws(Fault) -> [SignedInDevice] {
    try connection.rows(
      "SELECT \(Self.columns) FROM device WHERE account = ? ORDER BY since, name", [.integer(account)]
    ) { Self.device($0) }
  }

  func named(_ name: String) throws(Fault) -> SignedInDevice? {
    try connection.first("SELECT \(Self.columns) FROM device WHERE name = ?", [SQLValue(name)]) { Self.device($0) }
  }

  func of(session: [UInt8]) throws(Fault) -> SignedInDevice? {
    try connection.first("SELECT \(Self.columns) FROM device WHERE session = ?", [.blob(session)]) { Self.device($0) }
  }

  /// Whose access token has this sum, while it holds.
  func of(tokenSum: [UInt8], at now: Int64) throws(Fault) -> SignedInDevice? {
    let device = try connection.first(
      "SELECT device FROM access WHERE sum = ? AND ends > ?", [.blob(tokenSum), .integer(now)]
    ) { $0.text(0) }
    guard let device else { return nil }
    return try named(device)
  }

  /// Nil when the account has as many as it may have. A device that was signed in already has another session now, and its
  /// former one is over.
  func signIn(_ claim: DeviceClaim, _ account: Int64, at now: Int64) throws(Fault) -> SignedInDevice? {
    let others = try of(account: account).filter { ExactText($0.name) != ExactText(claim.name) }
    guard others.count < Self.mostOfAccount else { return nil }
    try signOut(claim.name)
    try connection.run(
      "INSERT INTO device(\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        SQLValue(claim.name), .integer(account), SQLValue(claim.card), SQLValue(claim.title),
        SQLValue(claim.thumbprint), .blob(randomBytes(RefreshToken.sessionLength)), .integer(1), .integer(now),
        .integer(now),
      ])
    return try named(claim.name)
  }

  func keep(newest: Int64, of device: SignedInDevice, at now: Int64) throws(Fault) {
    try connection.run(
      "UPDATE device SET newest = ?, seen = ? WHERE name = ?",
      [.integer(newest), .integer(now), SQLValue(device.name)])
  }

  func saw(_ device: SignedInDevice, at now: Int64) throws(Fault) {
    try connection.run("UPDATE device SET seen = ? WHERE name = ?", [.integer(now), SQLValue(device.name)])
  }

  /// Its tokens are worth nothing from now on, and its slot is free.
  func signOut(_ name: String) throws(Fault) {
    try connection.run("DELETE FROM device WHERE name = ?", [SQLValue(name)])
  }

  /// An access token, of which only the sum is kept.
  func giveAccess(to device: SignedInDevice, at now: Int64) throws(Fault) -> String {
    let token = Base64.encodeURL(randomBytes(32))
    try connection.run("DELETE FROM access WHERE ends <= ?", [.integer(now)])
    try connection.run(
      "INSERT INTO access(sum, device, ends) VALUES (?, ?, ?)",
      [.blob(try Sums.of(token)), SQLValue(device.name), .integer(now + Self.accessSeconds)])
    return token
  }

  func count() throws(Fault) -> Int64 { try connection.first("SELECT count(*) FROM device") { $0.integer(0) } ?? 0 }
}
