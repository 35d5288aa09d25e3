import Runtime

/// One step from a version of a schema to the next. `sql` is a file of the room that owns the schema:
/// `Schema/V0001_session.sql`. Once released a step never changes, and it only adds: an older program must be able
/// to go on with a newer database.
package struct Migration: Sendable {
  package let name: String
  package let version: Int64
  package let sql: String

  package init(name: String, version: Int64, sql: [UInt8]) {
    self.name = name
    self.version = version
    self.sql = String(decoding: sql, as: UTF8.self)
  }
}

/// All steps of one schema, in order. The database itself says how far it is (`user_version`) and whose it is
/// (`application_id`). Each step is a transaction together with its number: whatever happens, a database is exactly
/// at one version.
package struct Migrations: Sendable {
  package let applicationID: Int64
  package let steps: [Migration]

  package init(applicationID: Int64, _ steps: [Migration]) {
    self.applicationID = applicationID
    self.steps = steps.sorted { $0.version < $1.version }
  }

  package var latest: Int64 { steps.last?.version ?? 0 }

  /// A step that fails is told and undone; the program goes on with the version before it. Only where there is no
  /// version to go on with, or the database is damaged, is it a fault.
  package func apply(to connection: Connection) throws(Fault) -> [Notice] {
    let version = try Self.version(of: connection)
    let owner = try connection.first("PRAGMA application_id") { $0.integer(0) } ?? 0
    guard owner == applicationID || (owner == 0 && version == 0) else {
      throw Fault(.damaged, "S-110", "\(connection.file) says that it belongs to another program (\(owner))")
    }
    if version > latest {
      let text = "\(connection.file) was written by a newer Layby (version \(version), known are \(latest))"
      return [Notice("S-111", "\(text); it is used as far as it is known")]
    }
    for step in steps where step.version > version {
      do throws(Fault) {
        try run(step, on: connection)
      } catch {
        let fault = Fault(error.kind, "S-112", "cannot bring \(connection.file) to \(step.name): \(error)")
        if error.kind == .damaged { throw fault }
        guard try Self.version(of: connection) > 0 else { throw fault }
        return [Notice(fault, instead: "everything in it is kept, and used as it was")]
      }
    }
    return []
  }

  package static func version(of connection: Connection) throws(Fault) -> Int64 {
    try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
  }

  private func run(_ step: Migration, on connection: Connection) throws(Fault) {
    try connection.transaction { () throws(Fault) in
      try connection.execute(step.sql)
      guard connection.isInTransaction else {
        throw Fault(.malformed, "S-113", "\(step.name) ends its own transaction")
      }
      try connection.execute(
        "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(step.version)")
    }
  }
}
