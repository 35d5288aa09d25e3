import Ciphers
import Glibc
import Runtime
import Seals
import Synchronization
import TestSupport
import Testing

@testable import Rights
@testable import depot

@Suite("The database of a depot")
struct ServiceStoreTests {
  private static func note(_ path: String, in store: ServiceStore) throws(Fault) {
    try store.write { connection throws(Fault) in
      try CatalogueTable(connection: connection).note(nil, path: path, list: nil, isGone: false)
    }
  }

  private static func paths(after token: inout ChangeToken, in store: ServiceStore) throws(Fault) -> [String]? {
    let known = token
    let found = try store.read { connection throws(Fault) -> (newest: ChangeToken, paths: [String])? in
      let table = CatalogueTable(connection: connection)
      guard try table.knows(known) else { return nil }
      let newest = try table.newestToken()
      let changes = try table.changes(after: known.number, upTo: newest.number, account: 1, 10_000)
      return (newest, changes.compactMap(\.path))
    }
    guard let found else { return nil }
    token = found.newest
    return found.paths
  }

  @Test("what several write at once is read by tokens without a gap, in the order in which it was committed")
  func writers() async throws {
    let folder = TempFolder()
    let reader = try ServiceStore(in: folder.path)
    var token = try reader.read { connection throws(Fault) in
      try CatalogueTable(connection: connection).newestToken()
    }
    let left = Atomic(3)
    let failed = Mutex<[String]>([])
    for writer in 0..<3 {
      // Each as another process has it: with a connection and a lock of its own.
      let store = try ServiceStore(in: folder.path)
      try NamedThread.start("writes") {
        do throws(Fault) {
          for number in 0..<40 { try Self.note("\(writer)/\(number)", in: store) }
        } catch { failed.withLock { $0.append(error.message) } }
        left.subtract(1, ordering: .sequentiallyConsistent)
      }
    }
    var seen: [String] = []
    var isOver = false
    repeat {
      isOver = left.load(ordering: .sequentiallyConsistent) == 0
      seen += try Self.paths(after: &token, in: reader) ?? []
      await Task.yield()
    } while !isOver
    #expect(failed.withLock { $0 } == [])
    #expect(seen.count == 120 && Set(seen).count == 120)
    for writer in 0..<3 {
      #expect(seen.filter { $0.hasPrefix("\(writer)/") } == (0..<40).map { "\(writer)/\($0)" })
    }
  }

  @Test("a token is of no use for a list that was put back from a copy and then went on otherwise")
  func putBack() throws {
    let (folder, copy) = (TempFolder(), TempFolder())
    var token: ChangeToken
    do {
      let store = try ServiceStore(in: folder.path)
      try Self.note("first", in: store)
      token = try store.read { connection throws(Fault) in try CatalogueTable(connection: connection).newestToken() }
      #expect(try Self.paths(after: &token, in: store) == [])
    }
    try AtomicFile.replace(
      copy.path / ServiceStore.fileName, with: AtomicFile.read(folder.path / ServiceStore.fileName, limit: 1 << 24))
    do {
      let store = try ServiceStore(in: folder.path)
      try Self.note("second", in: store)
      #expect(try Self.paths(after: &token, in: store) == ["second"])
    }
    let other = try ServiceStore(in: copy.path)
    #expect(try Self.paths(after: &token, in: other) == nil)
    try Self.note("another second", in: other)
    #expect(try Self.paths(after: &token, in: other) == nil)
  }

  @Test("numbers of statements grow with each, and also when the database was put back")
  func statements() throws {
    func number(_ store: ServiceStore, at now: Int64) throws(Fault) -> Int64 {
      let body = try store.write { connection throws(Fault) in
        try Revocations(connection: connection).statement(of: "a", nil, at: now)
      }
      return body["number"]?.whole ?? 0
    }
    let (folder, empty) = (TempFolder(), TempFolder())
    let store = try ServiceStore(in: folder.path)
    #expect(try [number(store, at: 1_000), number(store, at: 1_000), number(store, at: 500)] == [1_000, 1_001, 1_002])
    #expect(try number(store, at: 2_000) == 2_000)
    #expect(try number(try ServiceStore(in: empty.path), at: 2_001) > 2_000)
  }

  @Test(
    "what is taken back always fits into a statement that a device takes; more is refused, with the reasons told once")
  func revocations() throws {
    let folder = TempFolder()
    let store = try ServiceStore(in: folder.path)
    func takeBack(_ numbers: Range<Int>, why: (Int) -> String) throws(Fault) -> JSON {
      try store.write { connection throws(Fault) in
        let table = Revocations(connection: connection)
        for number in numbers {
          let id = Base64.encodeURL((0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 7))) })
          try table.add(.track, id, why: why(number), at: 1)
        }
        try table.checkLength()
        return try table.statement(of: String(repeating: "d", count: 43), nil, at: 1_800_000_000)
      }
    }
    let most = try takeBack(0..<3_500) { _ in String(repeating: "w", count: 200) }
    let signed = try SignedDocument.sign(most, as: .statement, with: SigningKey.made(), "2026")
    #expect(signed.utf8.count <= SignedDocument.longest && most["revoked"]?["reasons"]?.items?.count == 1)
    let statement = try Rights.Statement(most)
    let id = try #require(KeyID([UInt8](repeating: 0, count: 16)))
    #expect(statement.revocation(of: id) == String(repeating: "w", count: 200))
    #expect(try faultOf { _ = try takeBack(3_500..<5_100) { _ in "w" } }.code == "D-167")
    #expect(
      try faultOf { _ = try takeBack(3_500..<4_400) { "\($0)" + String(repeating: "w", count: 190) } }.code == "D-167")
    // Nothing of it was kept.
    #expect(try takeBack(0..<1) { _ in "w" }["revoked"]?["tracks"]?.items?.count == 3_500)
  }

  @Test("what is refused half-way leaves nothing, and another's lock is told as busy")
  func halves() throws {
    let folder = TempFolder()
    let store = try ServiceStore(in: folder.path)
    let fault = try faultOf {
      try store.write { connection throws(Fault) in
        try Accounts(connection: connection).add("mia", PasswordSum(text: "x"), at: 1)
        try Accounts(connection: connection).add("mia", PasswordSum(text: "y"), at: 2)
      }
    }
    #expect(fault.code == "D-152")
    #expect(try store.read { connection throws(Fault) in try Accounts(connection: connection).all().count } == 0)
    let lock = open("\(folder.path / "service.lock")", O_RDWR | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX) == 0)
    #expect(try faultOf { try Self.note("a", in: store) }.kind == .busy)
    // Who waits for it keeps no reader waiting: these ask again and again until the writer has given up.
    let hasEnded = Atomic(false)
    try NamedThread.start("writes") {
      do throws(Fault) { try Self.note("b", in: store) } catch {
        hasEnded.store(error.kind == .busy, ordering: .releasing)
      }
    }
    var answers = 0
    while !hasEnded.load(ordering: .acquiring) {
      #expect(try store.read { connection throws(Fault) in try Accounts(connection: connection).all().count } == 0)
      answers += 1
    }
    #expect(answers > 10)
    close(lock)
    try Self.note("a", in: store)
  }

  @Test("nothing that somebody searches for means anything to the database")
  func search() throws {
    let folder = TempFolder()
    let store = try ServiceStore(in: folder.path)
    func found(_ question: String) throws(Fault) -> Int {
      let words = CatalogueTable.words(of: question)
      guard !words.isEmpty else { return 0 }
      return try store.read { connection throws(Fault) in
        try CatalogueTable(connection: connection).search(words, 10).count
      }
    }
    _ = try store.write { connection throws(Fault) in
      try CatalogueTable(connection: connection).take([
        .init(path: "1", text: "{}", title: "Für Elise", artist: "ベートーヴェン", album: "NEAR")
      ])
    }
    for question in ["fur", "FÜR eli", "ベート", "near", "\"für\"*"] { #expect(try found(question) == 1, "\(question)") }
    let none = [
      "elise2", "NEAR(zzz elise)", "title:für", "für OR zzz", "\" OR \"", "-für zzz", "^", "'; DROP TABLE item; --",
      "\u{0}",
      String(repeating: "a ", count: 500), String(repeating: "z\u{301}", count: 200),
    ]
    for question in none { #expect(try found(question) == 0, "\(question)") }
  }
}
