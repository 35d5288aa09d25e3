import Runtime
import Store

/// For each table, the highest number of a row that was deleted in this run. Open lists and covers in memory remember rows
/// by their numbers. SQLite gives the number of the last row, once that is deleted, to the next new row, which would then
/// be shown in place of the deleted one. After a start nothing remembers a number.
final class FreedNumbers {
  enum Table: String { case album, artist, file, genre }

  private var highest: [Table: Int64] = [:]

  func free(_ id: Int64, of table: Table) { highest[table] = max(highest[table] ?? 0, id) }

  /// The number for a new row. Nil if SQLite may choose it, since no row of the table was deleted.
  func next(in table: Table, _ connection: Connection) throws(Fault) -> Int64? {
    guard let freed = highest[table] else { return nil }
    let last = try connection.first("SELECT max(id) FROM \(table.rawValue)") { $0.integer(0) } ?? 0
    return max(last, freed) + 1
  }
}
