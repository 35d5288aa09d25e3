import Glibc
import Runtime
import TestSupport
import Testing

@testable import Rights

@Suite("The file of a source's licences")
struct LicenceFileTests {
  private let folder = TempFolder()
  private let service = MadeUpService()
  private static let now: Int64 = 1_800_000_000
  private static let end: Int64 = now + 30 * 86_400

  private func rights() throws -> DeviceRights {
    try DeviceRights(in: folder.path / "rights", board: [], roots: ["depot": service.rootKey]) {
      .init(system: Self.now, uptime: 5, boot: "1", isSynchronised: true, hasBattery: true)
    }
  }

  private var file: FilePath { folder.path / "rights/licences/depot.json" }

  private func bytes() throws -> [UInt8] { try AtomicFile.read(file, limit: 64 << 20) }

  private func lines() throws -> Int { try bytes().count { $0 == UInt8(ascii: "\n") } }

  private func give(_ ids: [String], serial: Int64, to rights: DeviceRights) throws {
    let card = try DeviceCard(rights.card)
    let licences = try ids.map { try service.licence($0, serial: serial, for: card, from: Self.now, until: Self.end) }
    #expect(try rights.take(service.bundle(licences), from: "depot").licences == ids.count)
  }

  private func serials(_ rights: DeviceRights) -> [String: Int64] {
    Dictionary(rights.lines().map { ($0.licence.id, $0.licence.serial) }, uniquingKeysWith: max)
  }

  @Test("a batch is put behind what is there; what is renewed again and again does not make it grow for ever")
  func grows() throws {
    let rights = try rights()
    try give(["a", "b"], serial: 1, to: rights)
    let first = try bytes()
    try give(["c"], serial: 1, to: rights)
    #expect(try bytes().starts(with: first) && lines() == 2)
    var longest = 0
    // 4 MB, were all of it kept.
    for serial in 2...80 {
      try give((0..<50).map { "\($0)" }, serial: Int64(serial), to: rights)
      longest = max(longest, try bytes().count)
    }
    #expect(longest < 3 * (50 + 3) * 1_000 + 300_000, "\(longest)")
    for rights in [rights, try self.rights()] {
      let serials = serials(rights)
      #expect(serials.count == 53 && serials["7"] == 80 && serials["a"] == 1)
    }
  }

  @Test("cut at any byte of what is put behind, it has all that was there before, and takes what comes next")
  func cut() throws {
    let rights = try rights()
    try give(["a"], serial: 1, to: rights)
    let before = try bytes().count
    try give(["a", "b"], serial: 2, to: rights)
    let whole = try bytes()
    for length in stride(from: before, through: whole.count, by: 41) {
      try AtomicFile.replace(file, with: Array(whole[..<length]))
      let again = try self.rights()
      #expect(serials(again) == ["a": 1] || length >= whole.count - 1, "\(length)")
      try give(["c"], serial: 3, to: again)
      let last = serials(try self.rights())
      #expect(last["c"] == 3 && last["a"] != nil, "\(length): \(last)")
    }
    // Zeros, as some file systems leave them.
    try AtomicFile.replace(file, with: Array(whole[..<before]) + [UInt8](repeating: 0, count: whole.count - before))
    #expect(serials(try self.rights()) == ["a": 1])
  }

  @Test("a disk that is full leaves what was there, and what comes later is taken")
  func full() throws {
    let rights = try rights()
    try give(["a"], serial: 1, to: rights)
    let before = try bytes()
    // What is no plain file any more, and then no file of these.
    #expect(file.withCString { unlink($0) } == 0)
    try give(["b"], serial: 2, to: rights)
    #expect(serials(try self.rights()) == ["a": 1, "b": 2])
    try AtomicFile.replace(file, with: before)
    try give(["c"], serial: 3, to: rights)
    #expect(serials(try self.rights()) == ["a": 1, "b": 2, "c": 3])
  }

  @Test("what an earlier version wrote is read")
  func earlier() throws {
    let rights = try rights()
    let card = try DeviceCard(rights.card)
    let licences = try ["a", "b"].map { try service.licence($0, for: card, from: Self.now, until: Self.end) }
    let statement = try service.statement(3, for: card, at: Self.now, [("subscription", "active")])
    let list = JSON.list([LicenceBundle(keys: try service.keys, licences: licences, statement: statement).json])
    try AtomicFile.replace(file, with: list.bytes + Array("\n".utf8))
    #expect(serials(rights) == ["a": 1, "b": 1] && rights.accounts().map(\.subscription) == [.active])
    try give(["c"], serial: 1, to: rights)
    #expect(serials(try self.rights()) == ["a": 1, "b": 1, "c": 1] && rights.accounts().count == 1)
  }

  @Test("a statement that comes alone is put behind, and the newest counts after a start")
  func statements() throws {
    let rights = try rights()
    let card = try DeviceCard(rights.card)
    for number in 1...3 {
      let paid = number == 3 ? "lapsed" : "active"
      let statement = try service.statement(
        Int64(number), for: card, at: Self.now, [("subscription", JSON(paid))])
      #expect(try rights.take(service.bundle([], statement), from: "depot").isStatementNew)
    }
    #expect(try lines() == 3)
    #expect(try self.rights().accounts().map(\.subscription) == [.lapsed])
    try rights.forget("depot")
    #expect(try bytes().isEmpty && self.rights().accounts().isEmpty)
  }

  @Test("of a licence that allowed more nothing is left behind the one that has taken its place")
  func less() throws {
    let ways: [(Int64?, [(String, JSON)])] = [
      (Self.end - 1, []), (Self.end, [("play_days", 2)]), (Self.end, [("needs", "subscription")]),
      (Self.end, [("use", "streaming")]), (Self.end, [("regions", ["DE"])]),
    ]
    for (number, way) in ways.enumerated() {
      let rights = try rights()
      let (id, card) = ("a\(number)", try DeviceCard(rights.card))
      let more = try service.licence(id, serial: 1, for: card, from: Self.now, until: Self.end)
      let less = try service.licence(id, serial: 2, for: card, from: Self.now, until: way.0, way.1)
      for one in [more, less] { _ = try rights.take(service.bundle([one]), from: "depot") }
      #expect(!String(decoding: try bytes(), as: UTF8.self).contains(more), "\(number)")
      // What is for streaming is not kept.
      let again = serials(try self.rights())[id] ?? 2
      #expect(serials(rights)[id] == 2 && again == 2, "\(number)")
    }
  }

  @Test("a file of garbage costs neither the start nor what comes later", arguments: ["1\n", "[]\n", "{", "\n"])
  func garbage(_ text: String) throws {
    let rights = try rights()
    let whole = [[UInt8]](repeating: Array(text.utf8), count: (4 << 20) / text.utf8.count).flatMap { $0 }
    try AtomicFile.replace(file, with: whole)
    #expect(rights.lines().isEmpty)
    try give(["a"], serial: 1, to: rights)
    #expect(serials(try self.rights()) == ["a": 1])
    #expect(try bytes().count < 100_000)
  }

  @Test("one source does not fill the room of the others, and an id is short")
  func room() throws {
    let other = MadeUpService(9)
    let rights = try DeviceRights(
      in: folder.path / "rights", board: [], roots: ["depot": service.rootKey, "other": other.rootKey]
    ) { .init(system: Self.now, uptime: 5, boot: "1", isSynchronised: true, hasBattery: true) }
    let card = try DeviceCard(rights.card)
    // As large as a document may be.
    let filling: [(String, JSON)] = [("filling", JSON(String(repeating: "x", count: 150_000)))]
    var refusal: Fault?
    for number in 0..<80 where refusal == nil {
      let licence = try service.licence("\(number)", for: card, from: Self.now, until: Self.end, filling)
      let bundle = try service.bundle([licence])
      do throws(Fault) { _ = try rights.take(bundle, from: "depot") } catch { refusal = error }
    }
    #expect(refusal?.code == "E-157", "\(String(describing: refusal))")
    let theirs = try other.licence("theirs", for: card, from: Self.now, until: Self.end)
    #expect(try rights.take(other.bundle([theirs]), from: "other").licences == 1)
    let long = try service.licence(String(repeating: "i", count: 1_025), for: card, from: Self.now, until: Self.end)
    #expect(try faultOf { _ = try rights.take(service.bundle([long]), from: "depot") }.code == "E-130")
  }
}
