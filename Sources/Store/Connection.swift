internal import CSQLite
import Glibc
import Runtime

/// Owns one connection to a database file and closes it exactly once, when the last who holds it lets go.
///
/// Each database has one connection that writes, and it alone checkpoints: SQLite before 3.51.3 (Debian 12 has
/// 3.40.1) can damage a write-ahead log when two connections write or checkpoint at once. So a reader is opened
/// read-only, where SQLite itself refuses both. SQLite is told not to lock either kind: each is used on one thread,
/// and the compiler holds us to it, because a connection is not Sendable.
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
    /// On a disk that is full or cannot be written, where not even a lock can be taken. What was committed and stands in
    /// the log alone is read too. Only for what nobody writes meanwhile.
    case frozen
  }

  package let file: FilePath
  private let handle: OpaquePointer
  /// How durable a commit is unless it is asked for more; nil for a reader.
  private var durability: Durability?
  /// Statements that nobody uses just now, reset and without values, by their SQL.
  private var idle: [String: OpaquePointer] = [:]
  /// Statements in somebody's hands.
  package private(set) var statementsInUse = 0
  /// SQLite has met a page that is none: who opens the file next has to check it, however cleanly it is closed.
  package private(set) var hasFoundDamage = false
  private static let mostIdle = 96

  package init(open file: FilePath, as role: Role) throws(Fault) {
    var access = SQLITE_OPEN_READONLY
    var name = file
    var system: String?
    switch role {
    case .writer: access = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .reader: break
    case .frozen where Self.hasLog(file): system = Self.withoutLocks
    case .frozen:
      access |= SQLITE_OPEN_URI
      name = Self.immutable(file)
    }
    var opened: OpaquePointer?
    let result = name.withCString { name in
      let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      guard let system else { return sqlite3_open_v2(name, &opened, flags, nil) }
      return system.withCString { sqlite3_open_v2(name, &opened, flags, $0) }
    }
    guard result == SQLITE_OK, let opened else {
      let fault = Fault.sqlite("S-101", doing: "open \(file)", result: result, handle: opened)
      // SQLite gives a handle even when it could not open; it wants to be closed.
      sqlite3_close_v2(opened)
      throw fault
    }
    self.file = file
    handle = opened
    // Another process that reads, a backup say, may hold a checkpoint up for a moment.
    sqlite3_busy_timeout(handle, 250)
    try configure(role)
  }

  /// SQLite's way to the files on which it takes no locks.
  private static let withoutLocks = "unix-none"

  private static func hasLog(_ file: FilePath) -> Bool { FilePath("\(file)-wal").withCString { access($0, F_OK) } == 0 }

  /// The one option that goes in the name; every byte that could mean something in a URI is written as %XX.
  private static func immutable(_ file: FilePath) -> FilePath {
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
    // Every `Statement` holds its connection, so none can be left over here. (SQLite's own, of a full-text index, may
    // be; they go with the handle.)
    assert(statementsInUse == 0, "a statement of \(file) leaked")
    sqlite3_close_v2(handle)
  }

  private func configure(_ role: Role) throws(Fault) {
    // Alone at the file, SQLite keeps the log's index in memory, where it would else need room for it on the disk.
    if case .frozen = role { try execute("PRAGMA locking_mode = EXCLUSIVE") }
    // A file from elsewhere cannot make us run functions through its schema, and a damaged page is noticed early.
    // Nothing is mapped: a read error on a mapped page is a signal, not a result.
    try execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
    switch role {
    case .reader, .frozen: try execute("PRAGMA query_only = ON; PRAGMA wal_autocheckpoint = 0")
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
  /// Runs a script whose rows, if any, do not matter.
  package func execute(_ script: String) throws(Fault) {
    let result = sqlite3_exec(handle, script, nil, nil, nil)
    guard result == SQLITE_OK else { throw fault("S-103", running: script, result) }
  }

  /// Compiled once; asked for again with the same SQL, the same statement comes back.
  package func prepare(_ sql: String) throws(Fault) -> Statement {
    if let known = idle.removeValue(forKey: sql) {
      statementsInUse += 1
      return Statement(taking: known, of: self)
    }
    var prepared: OpaquePointer?
    let result = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard result == SQLITE_OK else { throw fault("S-104", running: sql, result) }
    guard let prepared else { throw Fault(.malformed, "S-104", "there is no SQL in \"\(sql)\"") }
    statementsInUse += 1
    return Statement(taking: prepared, of: self)
  }

  /// Runs one statement that gives no rows.
  package func run(_ sql: String, _ values: [SQLValue] = []) throws(Fault) {
    let statement = try prepare(sql)
    try statement.bind(values)
    while try statement.step() {}
  }

  /// All rows, each as `read` makes it. For lists that are known to be short; long ones step for themselves.
  package func rows<Row>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (borrowing Statement) throws(Fault) -> Row
  ) throws(Fault) -> [Row] {
    let statement = try prepare(sql)
    try statement.bind(values)
    var rows: [Row] = []
    while try statement.step() { rows.append(try read(statement)) }
    return rows
  }

  /// The first row; nil when there is none, or `read` finds nothing in it.
  package func first<Row>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (borrowing Statement) throws(Fault) -> Row?
  ) throws(Fault) -> Row? {
    let statement = try prepare(sql)
    try statement.bind(values)
    guard try statement.step() else { return nil }
    let row = try read(statement)
    // What is written holds, or fails, only behind the last row: a full disk is met there.
    if statement.changesDatabase() { while try statement.step() {} }
    return row
  }

  /// All of `body` or nothing of it. What `body` throws undoes it, and so does a commit that fails.
  package func transaction<Result>(_ body: () throws(Fault) -> Result) throws(Fault) -> Result {
    try execute("BEGIN IMMEDIATE")
    do throws(Fault) {
      let result = try body()
      Steps.reach("transaction.written")
      try execute("COMMIT")
      Steps.reach("transaction.committed")
      return result
    } catch {
      // A full disk makes SQLite roll back by itself. Otherwise this cannot fail in a way that leaves anything: what
      // is not committed is gone when the connection is.
      if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// What `body` commits survives a power cut, and so does all that was committed before: for the few rows of a
  /// database that may otherwise lose its last commits.
  package func durably<Result>(_ body: () throws(Fault) -> Result) throws(Fault) -> Result {
    try execute("PRAGMA synchronous = \(Durability.full.rawValue)")
    let result = Swift.Result<Result, Fault> { () throws(Fault) in try body() }
    // Should this fail, commits are slower than they need to be, and nothing worse.
    if let durability { try execute("PRAGMA synchronous = \(durability.rawValue)") }
    return try result.get()
  }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Takes a statement that is done with.
  func keep(_ statement: OpaquePointer) {
    statementsInUse -= 1
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    guard idle.count < Self.mostIdle, let sql = sqlite3_sql(statement).map({ String(cString: $0) }), idle[sql] == nil
    else {
      sqlite3_finalize(statement)
      return
    }
    idle[sql] = statement
  }

  func fault(_ code: String, running sql: String, _ result: Int32) -> Fault {
    let short = sql.prefix { $0 != "\n" && $0 != ";" }.prefix(80)
    let fault = Fault.sqlite(code, doing: "run \"\(short)\" in \(file)", result: result, handle: handle)
    if fault.kind == .damaged { hasFoundDamage = true }
    return fault
  }
}
