internal import CSQLite
import Glibc
import Runtime

/// Owns one connection to a database file. It is closed once, when the last reference to this object goes.
///
/// Each database has one connection that writes, and it alone checkpoints: SQLite before 3.51.3 (Debian 12 has
/// 3.40.1) can damage a write-ahead log when two connections write or checkpoint at once. So a reader is opened
/// read-only, and SQLite itself refuses both to it. SQLite's mutexes are off (`SQLITE_OPEN_NOMUTEX`), because each
/// connection is used on one thread only. The compiler checks that: a connection is not Sendable.
package final class Connection {
  package enum Durability: String, Sendable {
    /// A commit that returned survives a power cut.
    case full = "FULL"
    /// A power cut may cost the last commits, never the database.
    case normal = "NORMAL"
  }

  package enum Role: Sendable {
    case writer(durability: Durability)
    case reader
    /// Reads a file on a disk that is full or read-only, where SQLite can neither take locks nor make its own files.
    /// Commits that are still in the write-ahead log are read too. No other connection may write the file meanwhile.
    case readerWithoutLocks
  }

  package let file: FilePath
  private let handle: OpaquePointer
  /// How durable a commit is unless it is asked for more; nil for a reader.
  private var durability: Durability?
  /// Compiled statements that can be used again, reset and without values, by their SQL.
  private var idle: [String: OpaquePointer] = [:]
  /// How many `Statement`s exist. The connection cannot be closed before there are none.
  package private(set) var statementsInUse = 0
  /// SQLite has reported a damaged page. Then the file has to be checked when it is opened next, even after a clean
  /// stop.
  package private(set) var hasFoundDamage = false
  private static let mostIdle = 96

  package init(open file: FilePath, as role: Role) throws(Fault) {
    try Self.expectFiles(file)
    var access = SQLITE_OPEN_READONLY
    var name = file
    var system: String?
    switch role {
    case .writer: access = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .reader: break
    case .readerWithoutLocks where Self.hasLog(file): system = Self.fileSystemWithoutLocks
    case .readerWithoutLocks:
      access |= SQLITE_OPEN_URI
      name = Self.immutableURI(of: file)
    }
    var opened: OpaquePointer?
    let result = name.withCString { name in
      let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      guard let system else { return sqlite3_open_v2(name, &opened, flags, nil) }
      return system.withCString { sqlite3_open_v2(name, &opened, flags, $0) }
    }
    guard result == SQLITE_OK, let opened else {
      let fault = Fault.sqlite("S-101", doing: "open \(file)", result: result, handle: opened)
      // SQLite mostly makes a handle even when it could not open the file, and that has to be closed.
      sqlite3_close_v2(opened)
      throw fault
    }
    self.file = file
    handle = opened
    // In milliseconds. Another process that reads, such as a backup, can make a checkpoint wait for a moment.
    sqlite3_busy_timeout(handle, 250)
    try configure(role)
  }

  /// What SQLite keeps beside a database, by what is added to its name.
  static let endings = ["", "-wal", "-shm", "-journal"]

  /// SQLite would wait at a pipe for its other end.
  private static func expectFiles(_ file: FilePath) throws(Fault) {
    for path in endings.map({ FilePath("\(file)\($0)") }) {
      var status = stat()
      guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT != S_IFREG else { continue }
      throw Fault(.damaged, "S-124", "\(path) is a pipe, a folder or a device; expected a file")
    }
  }

  /// SQLite's name for access to files without locks. It reads a log, which `immutable=1` would not.
  private static let fileSystemWithoutLocks = "unix-none"

  private static func hasLog(_ file: FilePath) -> Bool { FilePath("\(file)-wal").withCString { access($0, F_OK) } == 0 }

  /// The file's name as a URI, because `immutable` can only be set there. Each byte that could mean something in a URI
  /// is written as %XX.
  private static func immutableURI(of file: FilePath) -> FilePath {
    let escaped = file.bytes.map { byte -> String in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "/._-".contains(character))
      if isPlain { return String(character) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return FilePath("file:" + escaped.joined() + "?immutable=1")
  }

  deinit {
    for statement in idle.values { sqlite3_finalize(statement) }
    // Each `Statement` holds a reference to its connection, so none is left here. SQLite's own statements for a
    // full-text index may be left; they end with the handle.
    #if DEBUG
      precondition(statementsInUse == 0, "a statement of \(file) leaked")
    #endif
    sqlite3_close_v2(handle)
  }

  private func configure(_ role: Role) throws(Fault) {
    // With an exclusive lock SQLite keeps the index of the log in memory; otherwise it would make a file for it.
    if case .readerWithoutLocks = role { try execute("PRAGMA locking_mode = EXCLUSIVE") }
    // trusted_schema: a database from elsewhere cannot call SQL functions through its schema. cell_size_check: a
    // damaged page is noticed early. mmap_size: a read error in mapped memory would be a signal, not a result code.
    try execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
    switch role {
    case .reader, .readerWithoutLocks: try execute("PRAGMA query_only = ON; PRAGMA wal_autocheckpoint = 0")
    case .writer(let durability):
      let mode = try first("PRAGMA journal_mode = WAL") { $0.text(0) }
      guard mode == "wal" else {
        throw Fault(
          .unsupported, "S-102", "cannot keep a write-ahead log for \(file): its file system does not allow it")
      }
      try execute("PRAGMA synchronous = \(durability.rawValue); PRAGMA foreign_keys = ON")
      self.durability = durability
    }
  }
}

extension Connection {
  /// Runs one or more statements, and drops the rows that they give.
  package func execute(_ script: String) throws(Fault) {
    let result = sqlite3_exec(handle, script, nil, nil, nil)
    guard result == SQLITE_OK else { throw fault("S-103", running: script, result) }
  }

  /// A statement for this SQL. It is compiled once and used again, unless it is in use at the moment.
  package func prepare(_ sql: String) throws(Fault) -> Statement {
    if let known = idle.removeValue(forKey: sql) {
      statementsInUse += 1
      return Statement(taking: known, sql, of: self)
    }
    var prepared: OpaquePointer?
    let result = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard result == SQLITE_OK else { throw fault("S-104", running: sql, result) }
    guard let prepared else { throw Fault(.malformed, "S-104", "there is no SQL in \"\(sql)\"") }
    statementsInUse += 1
    return Statement(taking: prepared, sql, of: self)
  }

  /// Runs one statement that gives no rows.
  package func run(_ sql: String, _ values: [SQLValue] = []) throws(Fault) {
    let statement = try prepare(sql)
    try statement.bind(values)
    while try statement.step() {}
  }

  /// All rows, each converted by `read`. For results that are known to be short; read long ones with `prepare` and
  /// `step`.
  package func rows<Row>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (borrowing Statement) throws(Fault) -> Row
  ) throws(Fault) -> [Row] {
    let statement = try prepare(sql)
    try statement.bind(values)
    var rows: [Row] = []
    while try statement.step() { rows.append(try read(statement)) }
    return rows
  }

  /// The first row, converted by `read`; nil when there is no row, or `read` returns nil.
  package func first<Row>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (borrowing Statement) throws(Fault) -> Row?
  ) throws(Fault) -> Row? {
    let statement = try prepare(sql)
    try statement.bind(values)
    guard try statement.step() else { return nil }
    let row = try read(statement)
    // A statement that writes (INSERT ... RETURNING) is committed by the step after its last row. A full disk shows then.
    if statement.changesDatabase() { while try statement.step() {} }
    return row
  }

  /// Runs `body` in a transaction. When `body` throws, or the commit fails, nothing of it is stored.
  package func transaction<Result>(_ body: () throws(Fault) -> Result) throws(Fault) -> Result {
    try execute("BEGIN IMMEDIATE")
    do throws(Fault) {
      let result = try body()
      Steps.reach("transaction.written")
      try execute("COMMIT")
      Steps.reach("transaction.committed")
      return result
    } catch {
      // A full disk makes SQLite roll back by itself. Should this ROLLBACK fail, nothing is stored either: what is not
      // committed is gone when the connection is closed.
      if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// What `body` commits survives a power cut, and so do all commits before it. For the few rows of a database of
  /// durability `normal` that must not be lost.
  package func durably<Result>(_ body: () throws(Fault) -> Result) throws(Fault) -> Result {
    try execute("PRAGMA synchronous = \(Durability.full.rawValue)")
    let result = Swift.Result<Result, Fault> { () throws(Fault) in try body() }
    // Should this fail, later commits are only slower than they need to be.
    if let durability { try execute("PRAGMA synchronous = \(durability.rawValue)") }
    return try result.get()
  }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Takes back a statement from its `Statement`, to use it again or to free it.
  func takeBack(_ statement: OpaquePointer, _ sql: String) {
    statementsInUse -= 1
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    // Two statements with the same SQL were in use at once: one is kept, and the other freed.
    let surplus = idle.count < Self.mostIdle ? idle.updateValue(statement, forKey: sql) : statement
    sqlite3_finalize(surplus)
  }

  func fault(_ code: String, running sql: String, _ result: Int32) -> Fault {
    let short = sql.prefix { $0 != "\n" && $0 != ";" }.prefix(80)
    let fault = Fault.sqlite(code, doing: "run \"\(short)\" in \(file)", result: result, handle: handle)
    if fault.kind == .damaged { hasFoundDamage = true }
    return fault
  }
}
