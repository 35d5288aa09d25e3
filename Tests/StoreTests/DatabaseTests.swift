import Glibc
import Runtime
import Store
import TestSupport
import Testing

@Suite("Database")
struct DatabaseTests {
  let folder = TempFolder()
  var file: FilePath { folder.path / "state.db" }

  private func names() throws -> [String] { try Folder.names(in: folder.path).map(\.description) }

  private func fill() throws {
    let (connection, _) = try openState(folder.path)
    for number in Int64(10)..<2_000 { try connection.run("INSERT INTO a VALUES (?)", [.integer(number)]) }
  }

  private func bytes() throws -> [UInt8] { try AtomicFile.read(file, limit: 1 << 24) }

  /// Opened after damage: usable, told, and the damaged bytes kept.
  private func expectSetAside(
    _ damaged: [UInt8], as name: String, _ comment: Comment, on day: String = "2026-11-21"
  ) throws {
    try AtomicFile.replace(file, with: damaged)
    let (connection, notices) = try openState(folder.path, unclean: true, today: day)
    try #require(notices.count == 1, comment)
    #expect(notices[0].message.hasSuffix("; it is kept as \(name), and a new one was begun"), comment)
    #expect(try AtomicFile.read(folder.path / name, limit: 1 << 24) == damaged, comment)
    #expect(try connection.rows("SELECT x FROM a") { $0.integer(0) } == [1, 2], comment)
    try connection.run("INSERT INTO a VALUES (3)")
  }

  @Test("damaged in any way, it is set aside with its date, numbered when that is taken, and a fresh one begun")
  func damaged() throws {
    try fill()
    let good = try bytes()
    var flipped = good
    for place in good.count / 2..<good.count / 2 + 64 { flipped[place] ^= 0xFF }
    let cases: [(String, [UInt8])] = [
      ("flipped", flipped), ("truncated", Array(good.prefix(good.count / 2 / 4096 * 4096))),
      ("cut", Array(good.prefix(5_000))),
      ("garbage", (0..<9_000).map { UInt8(truncatingIfNeeded: $0 * 31 + 7) }), ("text", Array("hello\n".utf8)),
    ]
    for (number, (name, damaged)) in cases.enumerated() {
      for ending in ["-wal", "-shm"] { _ = FilePath("\(file)\(ending)").withCString { unlink($0) } }
      // Each of a day of its own; of one day they are numbered, and a number that is free again is taken again.
      let day = "2026-11-\(10 + number / 2)"
      let aside = "state.db.damaged-\(day)" + (number % 2 == 0 ? "" : "-2")
      try expectSetAside(damaged, as: aside, "\(name)", on: day)
      let kept = try names().filter { $0.hasPrefix("state.db.damaged") }
      let whole = kept.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
      #expect(whole.count == min(number + 1, 3) && whole.contains(aside), "the last three: \(kept)")
      #expect(kept.allSatisfy { name in whole.contains { name.hasPrefix($0) } }, "no log without its database")
    }
  }

  @Test(
    "a pipe or a folder in its place, or beside it, is set aside and told, and a fresh one begun",
    arguments: ["", "-wal", "-shm", "-journal"], [true, false])
  func noFile(ending: String, isPipe: Bool) throws {
    let path = FilePath("\(file)\(ending)")
    #expect(path.withCString { isPipe ? mkfifo($0, 0o600) : mkdir($0, 0o700) } == 0)
    let (connection, notices) = try openState(folder.path, unclean: true, today: "2026-11-21")
    try #require(notices.count == 1)
    #expect(notices[0].code == "S-124" && notices[0].message.contains("state.db\(ending) is a pipe, a folder"))
    try connection.run("INSERT INTO a VALUES (3)")
    var status = stat()
    #expect("\(folder.path)/state.db.damaged-2026-11-21\(ending)".withCString { lstat($0, &status) } == 0)
  }

  @Test("a pipe in its place is not waited for by who only reads either", arguments: [true, false])
  func pipeForReaders(withoutLocks: Bool) throws {
    try #require(file.withCString { mkfifo($0, 0o600) } == 0)
    let fault = #expect(throws: Fault.self) {
      try Connection(open: file, as: withoutLocks ? .readerWithoutLocks : .reader)
    }
    #expect(fault?.code == "S-124")
  }

  @Test("nobody else may read it or what lies beside it, also where they could before")
  func closedToOthers() throws {
    for round in 1...2 {
      let (connection, _) = try openState(folder.path)
      try connection.run("INSERT INTO a VALUES (?)", [.integer(Int64(10 * round))])
      for name in try names() {
        var status = stat()
        #expect("\(folder.path)/\(name)".withCString { lstat($0, &status) } == 0)
        #expect(status.st_mode & 0o777 == 0o600, "\(name)")
      }
      #expect(file.withCString { chmod($0, 0o644) } == 0)
    }
  }

  @Test("bytes flipped at random: it opens, or is set aside and opens; no crash, no fault")
  func flipped() throws {
    try fill()
    let good = try bytes()
    let seed: UInt64 = 11
    var generator = SeededGenerator(seed: seed)
    for round in 0..<60 {
      var damaged = good
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        damaged[Int.random(in: 0..<good.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      for name in try names() { _ = (folder.path / name).withCString { unlink($0) } }
      try AtomicFile.replace(file, with: damaged)
      let (connection, notices) = try openState(folder.path, unclean: true)
      _ = try connection.rows("SELECT x FROM a") { $0.integer(0) }
      #expect(notices.count <= 2, "seed \(seed), round \(round)")
    }
  }

  @Test("the check is made after an unclean stop only")
  func checkOnlyWhenUnclean() throws {
    try fill()
    var bytes = try bytes()
    let last = bytes.count - 4096
    for place in last..<last + 32 { bytes[place] ^= 0xFF }
    try AtomicFile.replace(file, with: bytes)
    #expect(try openState(folder.path, unclean: false).notices.isEmpty)
    #expect(try openState(folder.path, unclean: true).notices.map(\.code) == ["S-120"])
  }

  @Test("a row that refers to nothing is damage")
  func orphanRow() throws {
    let steps = Migrations(
      applicationID: 77, [Migration(1, "CREATE TABLE p(x PRIMARY KEY); CREATE TABLE c(x REFERENCES p)")])
    do {
      let (connection, _) = try openState(folder.path, steps)
      try connection.execute("PRAGMA foreign_keys = OFF; INSERT INTO c VALUES (1)")
    }
    #expect(try openState(folder.path, steps, unclean: true).notices.map(\.code) == ["S-121"])
  }

  @Test("what only stood in the log is still to be found in what is set aside")
  func logGoesAlong() throws {
    try fill()
    let mark = Array("only in the log".utf8)
    let connection = try openState(folder.path).connection
    try connection.run("UPDATE b SET y = ? WHERE y = 10", [.text(String(decoding: mark, as: UTF8.self))])
    // As a power cut would leave them: both files, nothing checkpointed, and the first page is gone.
    let other = TempFolder()
    try AtomicFile.replace(other.path / "state.db", with: [UInt8](repeating: 7, count: 4096) + bytes().dropFirst(4096))
    try AtomicFile.replace(other.path / "state.db-wal", with: AtomicFile.read(FilePath("\(file)-wal"), limit: 1 << 24))
    let (fresh, notices) = try openState(other.path, unclean: true)
    #expect(notices.count == 1)
    #expect(try fresh.rows("SELECT y FROM b") { $0.integer(0) } == [10, 20])
    let kept = try Folder.names(in: other.path).filter { $0.description.contains("damaged") }.map { name in
      try AtomicFile.read(other.path / name.description, limit: 1 << 24)
    }
    let found = kept.contains { file in
      (0...max(0, file.count - mark.count)).contains { file[$0...].starts(with: mark) }
    }
    #expect(found)
  }

  @Test("where nothing can be written it is a fault, and nothing is set aside")
  func noFolder() throws {
    let fault = try faultOf { try openState(folder.path / "nowhere") }
    #expect(fault.kind == .missing)
  }
}
