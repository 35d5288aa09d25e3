internal import CSQLite
import Runtime

/// What a column holds and a parameter takes.
package enum SQLValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package init(_ whole: Int64?) { self = whole.map { .integer($0) } ?? .null }
  package init(_ number: Double?) { self = number.map { .real($0) } ?? .null }
  package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  /// As bytes: a name need not be UTF-8.
  package init(_ path: FilePath?) { self = path.map { .blob($0.bytes) } ?? .null }
}

extension SQLValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  package init(nilLiteral: ()) { self = .null }
  package init(integerLiteral whole: Int64) { self = .integer(whole) }
  package init(stringLiteral text: String) { self = .text(text) }
}

/// One compiled statement in the hands of one caller, who gives it back to its connection by letting go of it.
///
///     let statement = try connection.prepare("SELECT place, path FROM queue_entry WHERE place > ?")
///     try statement.bind([.integer(7)])
///     while try statement.step() { ... statement.integer(0) ... statement.path(1) ... }
package struct Statement: ~Copyable {
  private let pointer: OpaquePointer
  private let sql: String
  private let connection: Connection

  init(taking pointer: OpaquePointer, _ sql: String, of connection: Connection) {
    self.pointer = pointer
    self.sql = sql
    self.connection = connection
  }

  deinit { connection.takeBack(pointer, sql) }

  /// One value for each `?`, in order; starts the statement anew.
  package borrowing func bind(_ values: [SQLValue]) throws(Fault) {
    sqlite3_reset(pointer)
    let wanted = Int(sqlite3_bind_parameter_count(pointer))
    guard values.count == wanted else {
      throw Fault(.malformed, "S-105", "\(values.count) values for the \(wanted) parameters of \"\(sql)\"")
    }
    for (place, value) in values.enumerated() {
      let result = bind(value, at: Int32(place + 1))
      guard result == SQLITE_OK else { throw connection.fault("S-105", running: sql, result) }
    }
  }

  private borrowing func bind(_ value: SQLValue, at place: Int32) -> Int32 {
    // SQLite copies before the call returns.
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return sqlite3_bind_null(pointer, place)
    case .integer(let whole): return sqlite3_bind_int64(pointer, place, whole)
    case .real(let number): return sqlite3_bind_double(pointer, place, number)
    case .text(var text):
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            pointer, place, characters.baseAddress, UInt64(characters.count), copying, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      // A nil address would bind NULL, which is something else than no bytes.
      if bytes.isEmpty { return sqlite3_bind_zeroblob(pointer, place, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(pointer, place, $0.baseAddress, UInt64($0.count), copying)
      }
    }
  }

  /// True while there is a row to read. After the end, or a fault, it is ready to be bound again.
  package borrowing func step() throws(Fault) -> Bool {
    let result = sqlite3_step(pointer)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE {
      sqlite3_reset(pointer)
      return false
    }
    let fault = connection.fault("S-106", running: sql, result)
    sqlite3_reset(pointer)
    throw fault
  }

  /// It changes the database.
  borrowing func changesDatabase() -> Bool { sqlite3_stmt_readonly(pointer) == 0 }
}

/// The columns of the row that `step` stands on, counted from 0. Each is nil when the column holds something else:
/// nothing is turned into a number or a text that it is not.
extension Statement {
  package borrowing func integer(_ column: Int32) -> Int64? {
    sqlite3_column_type(pointer, column) == SQLITE_INTEGER ? sqlite3_column_int64(pointer, column) : nil
  }

  package borrowing func real(_ column: Int32) -> Double? {
    sqlite3_column_type(pointer, column) == SQLITE_FLOAT ? sqlite3_column_double(pointer, column) : nil
  }

  package borrowing func text(_ column: Int32) -> String? {
    guard sqlite3_column_type(pointer, column) == SQLITE_TEXT else { return nil }
    return String(decoding: rawBytes(column), as: UTF8.self)
  }

  package borrowing func bytes(_ column: Int32) -> [UInt8]? {
    isBlob(column) ? Array(rawBytes(column)) : nil
  }

  package borrowing func path(_ column: Int32) -> FilePath? {
    isBlob(column) ? FilePath(bytes: rawBytes(column)) : nil
  }

  package borrowing func value(_ column: Int32) -> SQLValue {
    switch sqlite3_column_type(pointer, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(pointer, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(pointer, column))
    case SQLITE_TEXT: .text(String(decoding: rawBytes(column), as: UTF8.self))
    case SQLITE_BLOB: .blob(Array(rawBytes(column)))
    default: .null
    }
  }

  package var columnCount: Int32 { sqlite3_column_count(pointer) }

  private borrowing func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_BLOB }

  /// They stand there until the next step.
  private borrowing func rawBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    // The address first: asking for it may change what the count is.
    let start = sqlite3_column_blob(pointer, column)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(pointer, column)))
  }
}
