import Runtime
import Store

/// The highest number that was taken from a row, for each table whose numbers others remember: lists that are open, covers
/// in memory. SQLite gives the number of the last row to the next one, which would then be taken for what is gone. After
/// a start nobody remembers any.
final class FreedNumbers {
  enum Table: String { case album, artist, file, genre }

  private var highest: [Table: Int64] = [:]

  func free(_ id: Int64, of table: Table) { highest[table] = max(highest[table] ?? 0, id) }

  /// For a new row; nil: whatever number the database gives.
  func next(in table: Table, _ connection: Connection) throws(Fault) -> Int64? {
    guard let freed = highest[table] else { return nil }
    let last = try connection.first("SELECT max(id) FROM \(table.rawValue)") { $0.integer(0) } ?? 0
    return max(last, freed) + 1
  }
}
