import Runtime

/// Tables of another room in a database that has its own. A room that keeps something in `state.db` brings its steps
/// along and is handed the connection by the wiring, so that neither room knows the other; each counts its own steps, so
/// that neither has to wait for the other's numbers. As with `Migrations` a step is a transaction together with its
/// number, never changes once it is released, and only adds.
package struct Additions: Sendable {
  /// Whose they are: `offline`.
  package let room: String
  package let steps: [Migration]

  package init(of room: String, _ steps: [Migration]) {
    self.room = room
    self.steps = steps.sorted { $0.version < $1.version }
  }

  package var latest: Int64 { steps.last?.version ?? 0 }

  /// After this the room's tables are there. A fault leaves them as they were, and the rest of the database too.
  package func apply(to connection: Connection) throws(Fault) {
    let table = "CREATE TABLE IF NOT EXISTS addition(room TEXT PRIMARY KEY, version INTEGER NOT NULL)"
    try connection.execute(table + " STRICT, WITHOUT ROWID")
    let version = try version(in: connection)
    // A newer program has added something; what is known here has stayed as it was.
    for step in steps where step.version > version {
      do throws(Fault) { try run(step, on: connection) } catch {
        throw Fault(error.kind, "S-114", "cannot bring \(connection.file) to \(room)'s \(step.name): \(error)")
      }
    }
  }

  private func run(_ step: Migration, on connection: Connection) throws(Fault) {
    try connection.transaction { () throws(Fault) in
      try connection.execute(step.sql)
      guard connection.isInTransaction else {
        throw Fault(.malformed, "S-113", "\(step.name) ends its own transaction")
      }
      let values: [SQLValue] = [SQLValue(room), .integer(step.version)]
      try connection.run("INSERT OR REPLACE INTO addition(room, version) VALUES (?, ?)", values)
    }
  }

  package func version(in connection: Connection) throws(Fault) -> Int64 {
    try connection.first("SELECT version FROM addition WHERE room = ?", [SQLValue(room)]) { $0.integer(0) } ?? 0
  }
}
