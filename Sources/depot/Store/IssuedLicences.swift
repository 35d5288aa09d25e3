import Runtime
import Store

/// Which licences a device was given last.
struct IssuedLicences {
  let connection: Connection

  struct Issued: Sendable {
    let serial: Int64
    let issued: Int64
    let ends: Int64?
    /// A sum over what it holds besides.
    let terms: [UInt8]
  }

  func all(of device: String) throws(Fault) -> [ExactText: Issued] {
    let rows = try connection.rows(
      "SELECT licence, serial, issued, ends, terms FROM issued WHERE device = ?", [SQLValue(device)]
    ) { row in
      let issued = Issued(
        serial: row.integer(1) ?? 0, issued: row.integer(2) ?? 0, ends: row.integer(3), terms: row.bytes(4) ?? [])
      return (ExactText(row.text(0) ?? ""), issued)
    }
    return Dictionary(rows, uniquingKeysWith: { _, last in last })
  }

  func keep(_ issued: Issued, _ licence: String, of device: String) throws(Fault) {
    try connection.run(
      "INSERT OR REPLACE INTO issued(device, licence, serial, issued, ends, terms) VALUES (?, ?, ?, ?, ?, ?)",
      [
        SQLValue(device), SQLValue(licence), .integer(issued.serial), .integer(issued.issued), SQLValue(issued.ends),
        .blob(issued.terms),
      ])
  }

  /// The greatest of all that this device was given, however long ago.
  func greatestSerial(of device: String) throws(Fault) -> Int64 {
    try connection.first("SELECT max(serial) FROM issued WHERE device = ?", [SQLValue(device)]) { $0.integer(0) } ?? 0
  }
}
