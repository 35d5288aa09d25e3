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
    body["revoked"] = try revoked(for: device)
    return .object(body)
  }

  /// Each reason stands there once, and is referred to by its place.
  private func revoked(for device: String) throws(Fault) -> JSON {
    var (reasons, places) = ([JSON](), [ExactText: Int]())
    func list(_ all: [(id: String, why: String)], _ key: String) -> JSON {
      .list(
        all.map { one -> JSON in
          let place = places[ExactText(one.why)] ?? reasons.count
          if place == reasons.count {
            reasons.append(JSON(one.why))
            places[ExactText(one.why)] = place
          }
          return .object(JSON.Object([(key, JSON(one.id)), ("why", JSON(place))]))
        })
    }
    var revoked = JSON.Object()
    if let why = try why(.device, device) { revoked["device"] = JSON(why) }
    revoked["licences"] = list(try all(.licence), "id")
    revoked["tracks"] = list(try all(.track), "kid")
    revoked["reasons"] = .list(reasons)
    return .object(revoked)
  }

  /// Refused when a statement would be longer than any device takes.
  func checkLength() throws(Fault) {
    let (licences, tracks) = (try all(.licence).count, try all(.track).count)
    // Signed, it has four letters for three bytes; 4 KB are for the rest of it.
    let length = try revoked(for: "").bytes.count / 3 * 4 + 4_096
    guard max(licences, tracks) <= Rights.Statement.mostRevoked, length <= SignedDocument.longest else {
      throw Fault(
        .full, "D-167",
        "a statement has room for about 4,000 tracks that are taken back, with few different reasons; this is more")
    }
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
