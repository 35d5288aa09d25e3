import Rights
import Runtime
import Store

/// What was taken back, and the statements that say so.
struct Revocations {
  let connection: Connection

  enum Kind: String { case device, licence, track, path }

  func add(_ kind: Kind, _ id: String, why: String, at now: Int64) throws(Fault) {
    try connection.run(
      "INSERT OR REPLACE INTO revocation(kind, id, why, since) VALUES (?, ?, ?, ?)",
      [SQLValue(kind.rawValue), SQLValue(id), SQLValue(why), .integer(now)])
  }

  func remove(_ kind: Kind, _ id: String) throws(Fault) {
    try connection.run("DELETE FROM revocation WHERE kind = ? AND id = ?", [SQLValue(kind.rawValue), SQLValue(id)])
  }

  func all(_ kind: Kind) throws(Fault) -> [(id: String, why: String)] {
    try connection.rows("SELECT id, why FROM revocation WHERE kind = ? ORDER BY id", [SQLValue(kind.rawValue)]) { row in
      (row.text(0) ?? "", row.text(1) ?? "")
    }
  }

  func why(_ kind: Kind, _ id: String) throws(Fault) -> String? {
    try connection.first(
      "SELECT why FROM revocation WHERE kind = ? AND id = ?", [SQLValue(kind.rawValue), SQLValue(id)]
    ) { $0.text(0) }
  }

  func paths() throws(Fault) -> Set<ExactText> { Set(try all(.path).map { ExactText($0.id) }) }

  /// Changes with every revocation that comes or goes.
  func version() throws(Fault) -> String {
    try connection.first("SELECT count(*), total(since), max(since) FROM revocation") { row in
      "\(row.integer(0) ?? 0)-\(row.real(1) ?? 0)-\(row.integer(2) ?? 0)"
    } ?? ""
  }

  /// What is said of a device, under a number that it was never given; it is kept before anybody has it.
  func statement(of device: String, _ account: Account?, at now: Int64) throws(Fault) -> JSON {
    let former = try connection.first("SELECT number FROM statement WHERE device = ?", [SQLValue(device)]) {
      $0.integer(0)
    }
    // By the time too, so that a database from a backup gives no number twice.
    let number = max((former ?? 0) + 1, now)
    try connection.run(
      "INSERT OR REPLACE INTO statement(device, number) VALUES (?, ?)", [SQLValue(device), .integer(number)])
    var body = JSON.Object([("device", JSON(device)), ("number", JSON(number)), ("iat", JSON(now))])
    if let subscription = account?.subscription {
      body["subscription"] = JSON(subscription.rawValue)
      if subscription == .lapsed, let ends = account?.graceEnds { body["grace_until"] = JSON(ends) }
    }
    var revoked = JSON.Object()
    if let why = try why(.device, device) { revoked["device"] = JSON(why) }
    revoked["licences"] = Self.list(try all(.licence), "id")
    revoked["tracks"] = Self.list(try all(.track), "kid")
    body["revoked"] = .object(revoked)
    return .object(body)
  }

  private static func list(_ all: [(id: String, why: String)], _ key: String) -> JSON {
    .list(
      all.suffix(Rights.Statement.mostRevoked).map {
        .object(JSON.Object([(key, JSON($0.id)), ("why", JSON($0.why))]))
      })
  }

  /// Whether there is anything to say to a device that a static depot knows.
  func hasAnything(for device: String) throws(Fault) -> Bool {
    let number = try connection.first("SELECT number FROM statement WHERE device = ?", [SQLValue(device)]) {
      $0.integer(0)
    }
    guard number == nil else { return true }
    let revoked = try connection.first("SELECT 1 FROM revocation WHERE kind != 'device' OR id = ?", [SQLValue(device)])
    {
      $0.integer(0)
    }
    return revoked != nil
  }
}
