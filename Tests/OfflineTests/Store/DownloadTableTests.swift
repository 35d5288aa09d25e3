import Runtime
import Store
import TestSupport
import Testing

@testable import Offline

@Suite("Downloads in state.db")
struct DownloadTableTests {
  /// As if another room had opened it, with tables of its own.
  static let others = Migrations(
    applicationID: 77, [Migration(name: "V0001_other", version: 1, sql: Array("CREATE TABLE other(a);".utf8))])

  static func open(_ folder: FilePath) throws -> Connection {
    try Database.open(
      in: folder, name: "state.db", migrations: others, durability: .normal, afterUncleanStop: false,
      today: "2026-11-21"
    ).connection
  }

  static func made(_ number: Int, _ generator: inout SeededGenerator) -> DownloadRecord {
    func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &generator) ? value : nil }
    func whole() -> Int64 { [0, 1, 4_711, Int64.max].randomElement(using: &generator) ?? 0 }
    let words = ["", "a", "it's \"b\"", "音\u{1F3B5}", "a/b%"]
    func word() -> String { words.randomElement(using: &generator) ?? "" }
    let quality = Quality.allCases.randomElement(using: &generator) ?? .low
    var record = DownloadRecord(MediaKey(source: word(), item: "\(word())\(number)", quality: quality))
    record.state = DownloadRecord.State.all.randomElement(using: &generator) ?? .queued
    record.waits = WaitReason.allCases.randomElement(using: &generator).flatMap { maybe($0) }
    record.retry = Retry(
      attempts: Int.random(in: 0...9, using: &generator), hasNewAddress: .random(using: &generator), furthest: whole(),
      last: nil)
    record.pause = maybe(.nanoseconds(whole()))
    let troubles: [Trouble] = [
      .network(.reset), .tls(.pin), .redirect(.loop), .disk(.sync), .httpStatus(404), .wrongHash, .noSpace, .lost,
    ]
    record.trouble = troubles.randomElement(using: &generator).flatMap { maybe($0) }
    (record.durable, record.size, record.isSizeSure) = (whole(), maybe(whole()), .random(using: &generator))
    (record.hash, record.tag, record.refusedFrom) = (maybe(word()), maybe(word()), maybe(whole()))
    (record.queuedAt, record.begunAt, record.endedAt) = (whole(), maybe(whole()), maybe(whole()))
    record.path = maybe(word())
    for begin in 0..<Int64.random(in: 0...3, using: &generator) where begin < record.durable {
      record.pieces.add(Pieces.Piece(begin..<begin + 1, generator.next()))
    }
    (record.ending, record.isCache, record.playedAt) = (maybe(word()), .random(using: &generator), maybe(whole()))
    (record.plays, record.isEntered) = (Int.random(in: 0...9, using: &generator), .random(using: &generator))
    return record
  }

  @Test("a record comes back as it was stored, whatever it says, from a file that is opened anew")
  func roundTrip() throws {
    let folder = TempFolder()
    var generator = SeededGenerator(seed: 21)
    let records = (0..<500).map { Self.made($0, &generator) }
    do {
      let table = try DownloadTable(in: try Self.open(folder.path))
      for record in records.prefix(50) { try table.store(record) }
      try table.store(Array(records.dropFirst(50)))
    }
    let table = try DownloadTable(in: try Self.open(folder.path))
    for record in records {
      let isSame = try table.record(record.key) == record
      #expect(isSame, "\(record)")
    }
  }

  @Test("a stored record takes the place of the one before, and what is forgotten is gone")
  func replaces() throws {
    let folder = TempFolder()
    let table = try DownloadTable(in: try Self.open(folder.path))
    var record = DownloadRecord(MediaKey(source: "a", item: "b", quality: .high))
    try table.store(record)
    (record.durable, record.trouble) = (9, .wrongHash)
    try table.store(record)
    #expect(try table.record(record.key) == record)
    #expect(try table.page(after: nil, count: 9) == [record])
    #expect(try table.record(MediaKey(source: "a", item: "b", quality: .low)) == nil)
    try table.forget([record.key])
    #expect(try table.record(record.key) == nil)
  }

  @Test("pages give every row once, in the order of keys, while rows come and go")
  func pages() throws {
    let folder = TempFolder()
    let table = try DownloadTable(in: try Self.open(folder.path))
    var generator = SeededGenerator(seed: 4)
    let records = (0..<95).map { Self.made($0, &generator) }
    try table.store(records)
    var (last, seen) = (MediaKey?.none, [MediaKey]())
    while true {
      let page = try table.page(after: last, count: 10)
      guard let end = page.last else { break }
      #expect(page.count <= 10)
      seen += page.map(\.key)
      last = end.key
      try table.forget([page[0].key])
    }
    #expect(seen.count == 95 && Set(seen) == Set(records.map(\.key)))
    #expect(zip(seen, seen.dropFirst()).allSatisfy { ($0.source, $0.item.item) <= ($1.source, $1.item.item) })
  }

  @Test("names that are not known here are read as what loses nothing")
  func newer() throws {
    let folder = TempFolder()
    let connection = try Self.open(folder.path)
    let table = try DownloadTable(in: connection)
    var record = DownloadRecord(MediaKey(source: "a", item: "b", quality: .high))
    (record.state, record.durable, record.trouble) = (.downloading(.fetching), 7, .lost)
    try table.store(record)
    try connection.run("UPDATE download SET state = 'dreaming', waits = 'moon', trouble = 'x', quality = 9")
    let read = try #require(try table.page(after: nil, count: 1).first)
    #expect(read.state == .queued && read.waits == nil && read.trouble == .unknown)
    #expect(read.durable == 7 && read.key.quality == .lossless)
  }

  @Test("the files of the schema stand in their list, and the owner's own number stays as it is")
  func schema() throws {
    let house = FilePath(#filePath).folder.folder.folder.folder
    let files = try Folder.names(in: house / "Sources/Offline/Schema").map(\.description)
    #expect(files == OfflineSchema.additions.steps.map { "\($0.name).sql" })
    let folder = TempFolder()
    let connection = try Self.open(folder.path)
    _ = try DownloadTable(in: connection)
    _ = try DownloadTable(in: connection)
    #expect(try Migrations.version(of: connection) == 1)
    #expect(try OfflineSchema.additions.version(in: connection) == OfflineSchema.additions.latest)
  }

  @Test("a step that fails leaves everything as it was, and the next start tries it again")
  func failingStep() throws {
    let folder = TempFolder()
    let connection = try Self.open(folder.path)
    func step(_ version: Int64, _ sql: String) -> Migration {
      Migration(name: "V000\(version)_x", version: version, sql: Array(sql.utf8))
    }
    let good = step(1, "CREATE TABLE one(a);")
    let bad = Additions(of: "x", [good, step(2, "CREATE TABLE two(a); CREATE TABLE other(a);")])
    #expect(try faultOf { try bad.apply(to: connection) }.code == "S-114")
    #expect(try bad.version(in: connection) == 1)
    #expect(throws: Fault.self) { try connection.run("INSERT INTO two VALUES (1)") }
    try Additions(of: "x", [good, step(2, "CREATE TABLE two(a);")]).apply(to: connection)
    try connection.run("INSERT INTO two VALUES (1)")
    #expect(try bad.version(in: connection) == 2)
  }
}
