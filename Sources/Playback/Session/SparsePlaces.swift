import Runtime
import Store

/// The order of a table's rows as numbers with room between them: `place` is the key, so that to append, move or remove
/// an entry writes its own row alone. Where the room is used up, the rows near there are spread again, few as a rule.
struct SparsePlaces {
  /// With the columns `place` (its key) and `id`.
  let table: String
  let connection: Connection

  private static let step: Int64 = 1 << 20
  /// Less room than this between two rows is not worth spreading them for.
  private static let worthwhile: Int64 = 1 << 8

  /// Behind all others.
  func last() throws(Fault) -> Int64 {
    let last = try connection.first("SELECT max(place) FROM \(table)") { $0.integer(0) } ?? 0
    let (place, overflow) = last.addingReportingOverflow(Self.step)
    // Never by ourselves. The next save writes the queue anew, from the first place on.
    guard !overflow else { throw Fault(.damaged, "P-121", "the last place of \(table) makes no sense: \(last)") }
    return place
  }

  /// Right behind an entry; nil is before all others. An entry that is not there is behind all others, which is the
  /// least that can be lost of an order.
  func behind(_ id: EntryID?) throws(Fault) -> Int64 {
    guard let id else { return try beforeAll() }
    guard let place = try place(of: id) else { return try last() }
    if let free = try free(behind: place) { return free }
    try spread(from: place)
    if let free = try free(behind: place) { return free }
    return try last()
  }

  func place(of id: EntryID) throws(Fault) -> Int64? {
    try connection.first("SELECT place FROM \(table) WHERE id = ?", [.integer(id.sqlValue)]) { $0.integer(0) }
  }

  /// An entry's row gets another place.
  func move(_ id: EntryID, behind other: EntryID?) throws(Fault) {
    let place = try behind(other)
    try connection.run("UPDATE \(table) SET place = ? WHERE id = ?", [.integer(place), .integer(id.sqlValue)])
  }

  private func beforeAll() throws(Fault) -> Int64 {
    let first = try connection.first("SELECT min(place) FROM \(table)") { $0.integer(0) } ?? 2 * Self.step
    let (place, overflow) = first.subtractingReportingOverflow(Self.step)
    guard !overflow else { throw Fault(.damaged, "P-121", "the first place of \(table) makes no sense: \(first)") }
    return place
  }

  /// The middle of the gap behind `place`; nil when there is none.
  private func free(behind place: Int64) throws(Fault) -> Int64? {
    let next = try connection.first("SELECT min(place) FROM \(table) WHERE place > ?", [.integer(place)]) {
      $0.integer(0)
    }
    guard let next else { return try last() }
    let (gap, overflow) = next.subtractingReportingOverflow(place)
    if overflow { return place / 2 + next / 2 }
    return gap > 1 ? place + gap / 2 : nil
  }

  /// Gives the rows behind `first` room again: as many as it takes to have some.
  private func spread(from first: Int64) throws(Fault) {
    var width = 16
    while true {
      let rows = try connection.rows(
        "SELECT place FROM \(table) WHERE place > ? ORDER BY place LIMIT \(width)", [.integer(first)]
      ) { $0.integer(0) ?? 0 }
      guard let end = rows.last else { return }
      let reachesEnd = rows.count < width
      let room = reachesEnd ? Self.step : (end - first) / Int64(rows.count + 1)
      if reachesEnd || room >= Self.worthwhile { return try place(rows, from: first, apart: room) }
      width *= 4
    }
  }

  /// First out of the way, where no row is, so that none meets another on its way to its new place.
  private func place(_ rows: [Int64], from first: Int64, apart room: Int64) throws(Fault) {
    let away = try connection.first("SELECT min(place) FROM \(table)") { $0.integer(0) } ?? 0
    let update = "UPDATE \(table) SET place = ? WHERE place = ?"
    for (index, place) in rows.enumerated() {
      try connection.run(update, [.integer(away - 1 - Int64(index)), .integer(place)])
    }
    for index in rows.indices {
      let place = first + room * Int64(index + 1)
      try connection.run(update, [.integer(place), .integer(away - 1 - Int64(index))])
    }
  }
}

extension EntryID {
  /// SQLite's whole numbers have a sign.
  var sqlValue: Int64 { Int64(bitPattern: number) }
}
