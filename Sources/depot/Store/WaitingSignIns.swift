import Ciphers
import Runtime
import Store

/// Devices that wait for a person, and codes of sign-ins in a browser.
struct WaitingSignIns {
  let connection: Connection

  struct Waiting: Sendable {
    let codeSum: [UInt8]
    let claim: DeviceClaim
    var grant: DeviceGrant
    let account: Int64?
  }

  /// So many wait at most, of all devices; a flood of them fills no disk.
  static let most: Int64 = 10_000

  /// Nil when too many wait.
  func begin(_ claim: DeviceClaim, at now: Int64) throws(Fault) -> (device: String, user: UserCode)? {
    try connection.run("DELETE FROM sign_in WHERE ends < ?", [.integer(now - DeviceGrant.seconds)])
    let count = try connection.first("SELECT count(*) FROM sign_in") { $0.integer(0) }
    guard (count ?? 0) < Self.most else { return nil }
    let device = Base64.encodeURL(randomBytes(32))
    var user = UserCode.random()
    while try named(user) != nil { user = .random() }
    try connection.run(
      """
      INSERT INTO sign_in(code_sum, user_code, card, title, thumbprint, state, wait, ends)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .blob(try Sums.of(device)), SQLValue(user.text), SQLValue(claim.card), SQLValue(claim.title),
        SQLValue(claim.thumbprint), SQLValue(DeviceGrant.State.pending.rawValue), .integer(DeviceGrant.firstWait),
        .integer(now + DeviceGrant.seconds),
      ])
    return (device, user)
  }

  private static let columns = "code_sum, card, title, thumbprint, state, account, wait, asked, ends"

  private static func waiting(_ row: borrowing Store.Statement) throws(Fault) -> Waiting? {
    guard let sum = row.bytes(0), let card = row.text(1), let state = row.text(4).flatMap(DeviceGrant.State.init),
      let name = try JSON(parsing: card)["device"]?.string
    else { return nil }
    let grant = DeviceGrant(
      state: state, wait: row.integer(6) ?? DeviceGrant.firstWait, asked: row.integer(7), ends: row.integer(8) ?? 0)
    let claim = DeviceClaim(name: name, card: card, title: row.text(2) ?? "", thumbprint: row.text(3) ?? "")
    return Waiting(codeSum: sum, claim: claim, grant: grant, account: row.integer(5))
  }

  func named(_ user: UserCode) throws(Fault) -> Waiting? {
    try connection.first("SELECT \(Self.columns) FROM sign_in WHERE user_code = ?", [SQLValue(user.text)]) {
      row throws(Fault) in try Self.waiting(row)
    }
  }

  func of(deviceCode: String) throws(Fault) -> Waiting? {
    let sum = try Sums.of(deviceCode)
    return try connection.first("SELECT \(Self.columns) FROM sign_in WHERE code_sum = ?", [.blob(sum)]) {
      row throws(Fault) in try Self.waiting(row)
    }
  }

  func keep(_ waiting: Waiting, account: Int64?) throws(Fault) {
    try connection.run(
      "UPDATE sign_in SET state = ?, account = ?, wait = ?, asked = ? WHERE code_sum = ?",
      [
        SQLValue(waiting.grant.state.rawValue), SQLValue(account), .integer(waiting.grant.wait),
        SQLValue(waiting.grant.asked), .blob(waiting.codeSum),
      ])
  }

  // MARK: In a browser

  static let browserSeconds: Int64 = 120

  func beginBrowser(_ account: Int64, challenge: String, redirect: String, at now: Int64) throws(Fault) -> String {
    try connection.run("DELETE FROM browser_code WHERE ends < ?", [.integer(now)])
    let code = Base64.encodeURL(randomBytes(32))
    try connection.run(
      "INSERT INTO browser_code(code_sum, account, challenge, redirect, ends) VALUES (?, ?, ?, ?, ?)",
      [
        .blob(try Sums.of(code)), .integer(account), SQLValue(challenge), SQLValue(redirect),
        .integer(now + Self.browserSeconds),
      ])
    return code
  }

  /// Once; afterwards the code is gone, whatever comes of it.
  func takeBrowser(
    _ code: String, at now: Int64
  ) throws(Fault) -> (account: Int64, challenge: String, redirect: String)? {
    let sum = SQLValue.blob(try Sums.of(code))
    let found = try connection.first(
      "SELECT account, challenge, redirect FROM browser_code WHERE code_sum = ? AND ends > ?", [sum, .integer(now)]
    ) { row in (row.integer(0) ?? 0, row.text(1) ?? "", row.text(2) ?? "") }
    try connection.run("DELETE FROM browser_code WHERE code_sum = ?", [sum])
    return found.map { (account: $0.0, challenge: $0.1, redirect: $0.2) }
  }
}
