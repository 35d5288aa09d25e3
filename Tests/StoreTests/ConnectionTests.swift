import Glibc
import Runtime
import Store
import TestSupport
import Testing

@Suite("Connection")
struct ConnectionTests {
  let folder = TempFolder()
  var file: FilePath { folder.path / "a.db" }

  func writer() throws(Fault) -> Connection { try Connection(open: file, as: .writer(durability: .full)) }

  @Test("a writer keeps a log, syncs as told, checks foreign keys and maps nothing")
  func settings() throws {
    for (durability, level) in [(Connection.Durability.full, Int64(2)), (.normal, 1)] {
      let connection = try Connection(open: file, as: .writer(durability: durability))
      #expect(try connection.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
      #expect(try connection.first("PRAGMA synchronous") { $0.integer(0) } == level)
      #expect(try connection.first("PRAGMA foreign_keys") { $0.integer(0) } == 1)
      #expect(try connection.first("PRAGMA trusted_schema") { $0.integer(0) } == 0)
      #expect(try connection.first("PRAGMA cell_size_check") { $0.integer(0) } == 1)
      #expect(try connection.first("PRAGMA wal_autocheckpoint") { $0.integer(0) } == 1000)
    }
  }

  @Test("a reader sees what was committed, cannot write or checkpoint, and needs a database that is there")
  func reader() throws {
    let missing = try faultOf { try Connection(open: file, as: .reader) }
    #expect(missing.kind == .missing && missing.code == "S-101" && missing.message.contains(file.description))
    let connection = try writer()
    try connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES (1)")
    let reader = try Connection(open: file, as: .reader)
    #expect(try reader.first("SELECT x FROM t") { $0.integer(0) } == 1)
    let refused = try faultOf { try reader.run("INSERT INTO t VALUES (2)") }
    #expect(refused.kind == .denied)
    try reader.execute("PRAGMA query_only = OFF")
    #expect(throws: Fault.self) { try reader.run("INSERT INTO t VALUES (2)") }
    let log = try AtomicFile.read(FilePath("\(file)-wal"), limit: 1 << 20).count
    _ = try? reader.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) }
    #expect(try AtomicFile.read(FilePath("\(file)-wal"), limit: 1 << 20).count == log)
    try connection.run("INSERT INTO t VALUES (3)")
    #expect(try reader.first("SELECT count(*) FROM t") { $0.integer(0) } == 2)
  }

  @Test("a row of something that could not be committed is not handed out")
  func returning() throws {
    let connection = try writer()
    try connection.execute(
      "CREATE TABLE a(id INTEGER PRIMARY KEY);"
        + "CREATE TABLE b(id INTEGER PRIMARY KEY, a REFERENCES a(id) DEFERRABLE INITIALLY DEFERRED)")
    #expect(throws: Fault.self) { try connection.first("INSERT INTO b(a) VALUES (7) RETURNING id") { $0.integer(0) } }
    #expect(try connection.first("SELECT count(*) FROM b") { $0.integer(0) } == 0)
  }

  @Test("every kind of value comes back as it went in")
  func values() throws {
    let connection = try writer()
    try connection.execute("CREATE TABLE t(v ANY) STRICT")
    let values: [SQLValue] = [
      .null, .integer(.min), .integer(.max), .real(-0.5), .real(1e300), .text(""), .text("é\0x"), .blob([]),
      .blob([0, 255]), SQLValue(FilePath(bytes: [0x2F, 0xE9])), SQLValue(nil as Int64?), "literal", 3,
    ]
    for value in values { try connection.run("INSERT INTO t VALUES (?)", [value]) }
    #expect(try connection.rows("SELECT v FROM t ORDER BY rowid") { $0.value(0) } == values)
  }

  @Test("a typed read gives nothing for another type")
  func typed() throws {
    let connection = try writer()
    let found = try connection.first("SELECT 1, '2', x'33', NULL, 0.5") { row in
      let nothing = [row.integer(1), row.integer(2), row.integer(3), row.integer(4), row.integer(9)]
      #expect(nothing.allSatisfy { $0 == nil })
      #expect(row.text(0) == nil && row.bytes(1) == nil && row.path(3) == nil && row.real(0) == nil)
      return [row.integer(0).map { "\($0)" }, row.text(1), row.path(2)?.description, row.real(4)?.description]
    }
    #expect(found == ["1", "2", "3", "0.5"])
  }

  @Test("the same SQL gets the same statement, empty of its last values, also when two are in use at once")
  func cache() throws {
    let connection = try writer()
    let sql = "SELECT ?"
    do {
      let outer = try connection.prepare(sql)
      try outer.bind(["secret"])
      #expect(try outer.step())
      let inner = try connection.prepare(sql)
      #expect(try inner.step())
      #expect(inner.value(0) == .null)
      try inner.bind(["secret"])
      #expect(outer.value(0) == "secret")
      #expect(connection.statementsInUse == 2)
    }
    #expect(connection.statementsInUse == 0)
    let again = try connection.prepare(sql)
    #expect(try again.step())
    #expect(again.value(0) == .null)
    for number in 0..<200 { try connection.run("SELECT \(number)") }
    #expect(connection.statementsInUse == 1)
  }

  @Test("a statement outlives the name of its connection, which closes after it: nothing is open in the end")
  func closes() throws {
    /// How many files of the folder this process has open.
    func descriptors() throws -> Int {
      var count = 0
      for name in try Folder.names(in: FilePath("/proc/self/fd")) {
        var target = [CChar](repeating: 0, count: 512)
        let length = FilePath("/proc/self/fd/\(name)").withCString { readlink($0, &target, target.count) }
        if length > 0, target.map({ UInt8(bitPattern: $0) }).starts(with: folder.path.bytes) { count += 1 }
      }
      return count
    }
    func orphan() throws -> Int64? {
      var connection: Connection? = try writer()
      try connection?.execute("CREATE TABLE t(x); INSERT INTO t VALUES (5)")
      guard let statement = try connection?.prepare("SELECT x FROM t") else { return nil }
      connection = nil
      guard try statement.step() else { return nil }
      #expect(try descriptors() > 0)
      return statement.integer(0)
    }
    #expect(try orphan() == 5)
    #expect(try descriptors() == 0)
  }

  @Test("a fault says what was being done to which file, and never a value")
  func faults() throws {
    let connection = try writer()
    try connection.execute("CREATE TABLE t(x CHECK (length(x) < 3))")
    let cases: [(Fault.Kind, String, () throws(Fault) -> Void)] = [
      (.malformed, "S-104", { () throws(Fault) in try connection.run("SELEC") }),
      (.malformed, "S-104", { () throws(Fault) in try connection.run("") }),
      (.malformed, "S-105", { () throws(Fault) in try connection.run("SELECT ?", ["secret", "secret"]) }),
      (.malformed, "S-106", { () throws(Fault) in try connection.run("INSERT INTO t VALUES (?)", ["secret"]) }),
      (.malformed, "S-103", { () throws(Fault) in try connection.execute("DROP TABLE nothing") }),
    ]
    for (kind, code, body) in cases {
      let fault = try faultOf { try body() }
      #expect(fault.kind == kind && fault.code == code, "\(fault)")
      #expect(!fault.message.contains("secret"))
      #expect(code != "S-106" || fault.message.contains("in \(file): CHECK constraint failed"))
    }
    #expect(connection.statementsInUse == 0)
  }

  @Test("a second writer is busy, a full disk is full, a folder is no database")
  func kinds() throws {
    let connection = try writer()
    try connection.execute("CREATE TABLE t(x)")
    let second = try writer()
    try second.execute("PRAGMA busy_timeout = 0")
    try connection.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
    let busy = try faultOf { try second.transaction { () throws(Fault) in } }
    #expect(busy.kind == .busy)
    try connection.execute("COMMIT")
    try connection.execute("PRAGMA max_page_count = 4")
    let before = try dump(connection)
    let full = try faultOf {
      try connection.transaction { () throws(Fault) in
        for _ in 0..<100 { try connection.run("INSERT INTO t VALUES (randomblob(1000))") }
      }
    }
    #expect(full.kind == .full)
    #expect(!connection.isInTransaction)
    #expect(try dump(connection) == before)
    let wrong = try faultOf { try Connection(open: folder.path, as: .writer(durability: .full)) }
    #expect(wrong.kind == .damaged && wrong.code == "S-124")
  }

  @Test("a transaction is all or nothing, whatever its body throws")
  func transactions() throws {
    let connection = try writer()
    try connection.execute("CREATE TABLE t(x)")
    let two = try connection.transaction { () throws(Fault) in
      try connection.run("INSERT INTO t VALUES (1), (2)")
      return try connection.rows("SELECT x FROM t ORDER BY x") { row in row.integer(0) }
    }
    #expect(two == [1, 2])
    let own = Fault(.passing, "T-1", "no")
    let thrown = try faultOf {
      try connection.transaction { () throws(Fault) in
        try connection.run("DELETE FROM t")
        throw own
      }
    }
    #expect(thrown == own)
    #expect(throws: Fault.self) {
      try connection.transaction { () throws(Fault) in
        try connection.run("DELETE FROM t")
        try connection.transaction { () throws(Fault) in }
      }
    }
    #expect(try connection.first("SELECT count(*) FROM t") { $0.integer(0) } == 2)
    #expect(!connection.isInTransaction && connection.statementsInUse == 0)
  }

  @Test("damage that a statement meets is remembered, and nothing else is")
  func damage() throws {
    do {
      let connection = try writer()
      try connection.execute("CREATE TABLE t(x CHECK (x > 0)); INSERT INTO t VALUES (1)")
      for sql in ["SELECT y FROM t", "nonsense", "INSERT INTO t VALUES (0)"] {
        #expect(throws: Fault.self) { try connection.run(sql) }
      }
      #expect(!connection.hasFoundDamage)
    }
    try breakTable("t", in: file)
    let connection = try writer()
    #expect(try connection.first("SELECT 7") { $0.integer(0) } == 7 && !connection.hasFoundDamage)
    #expect(try faultOf { try connection.rows("SELECT x FROM t") { $0.integer(0) } }.kind == .damaged)
    #expect(connection.hasFoundDamage)
  }
}
