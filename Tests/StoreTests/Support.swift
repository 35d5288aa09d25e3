import Runtime
import Store

/// Everything in a database that a person could see: version, owner, schema and rows.
func dump(_ connection: Connection) throws(Fault) -> [[SQLValue]] {
  var lines: [[SQLValue]] = []
  func take(_ sql: String) throws(Fault) {
    lines += try connection.rows(sql) { row in (0..<row.columnCount).map { row.value($0) } }
  }
  try take("PRAGMA user_version")
  try take("PRAGMA application_id")
  try take("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
  // A virtual table's rows are in tables beside it.
  let tables = try connection.rows(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
  ) { $0.text(0) }
  for table in tables { if let table { try take("SELECT * FROM \"\(table)\"") } }
  return lines
}

extension Migration {
  init(_ version: Int64, _ sql: String) { self.init(name: "V\(version)", version: version, sql: Array(sql.utf8)) }
}

let twoSteps = Migrations(
  applicationID: 77,
  [
    Migration(2, "CREATE TABLE b(y); INSERT INTO b SELECT x * 10 FROM a;"),
    Migration(1, "CREATE TABLE a(x INTEGER PRIMARY KEY) STRICT;\nINSERT INTO a VALUES (1), (2);"),
  ])

func openState(
  _ folder: FilePath, _ migrations: Migrations = twoSteps, unclean: Bool = false, today: String = "2026-11-21"
) throws(Fault) -> (connection: Connection, notices: [Notice]) {
  try Database.open(
    in: folder, name: "state.db", migrations: migrations, durability: .full, afterUncleanStop: unclean, today: today)
}
