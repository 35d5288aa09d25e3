import Ciphers
import Runtime
import Seals
import TestSupport
import Testing

@testable import Rights

/// The owner of a device says in `layby.conf` whom it trusts, and under which name. Neither another name nor a root key of
/// their own makes anything of somebody else's play.
@Suite("What a service has said holds by its root key")
struct RootKeyTests {
  private let folder = TempFolder()
  private let service = MadeUpService()
  private let owner = MadeUpService(2)
  private static let day: Int64 = 86_400
  private static let now: Int64 = 1_800_000_000

  private func rights(
    _ names: [String: MadeUpService], at now: Int64 = Self.now, isOnline: Bool = true, boot: String = "1", up: Int64 = 5
  ) throws -> DeviceRights {
    try DeviceRights(in: folder.path, board: [], roots: names.mapValues { try $0.rootKey }) {
      .init(system: now, uptime: up, boot: boot, isSynchronised: isOnline, hasBattery: false)
    }
  }

  private func opens(_ rights: DeviceRights) throws {
    let key = try rights.key(try #require(MadeUpService.track), of: "a track")
    #expect(try key.withBytes { Array($0) } == MadeUpService.content)
  }

  private func code(_ rights: DeviceRights) throws -> String { try faultOf { try opens(rights) }.code }

  private func licence(
    _ rights: DeviceRights, from: Int64 = Self.now, days: Int64 = 30, _ more: [(String, JSON)] = []
  ) throws -> String {
    try service.licence(
      for: DeviceCard(rights.card), from: from, until: from + days * Self.day, more)
  }

  @Test("a licence that was taken back is so under a second name too, with the statement left out or an older one")
  func secondName() throws {
    let first = try rights(["depot": service])
    let (licence, card) = (try licence(first), try DeviceCard(first.card))
    let friendly = try service.statement(3, for: card, at: Self.now)
    let harsh = try service.statement(
      4, for: card, at: Self.now, [("revoked", ["licences": [["id": "a", "why": "x"]]])])
    _ = try first.take(service.bundle([licence], friendly), from: "depot")
    try opens(first)
    _ = try first.take(service.bundle([licence], harsh), from: "depot")
    #expect(try code(first) == "E-167")
    // Beside the first name the statement counts at once; in its place it is asked for again.
    let both = try rights(["depot": service, "other": service])
    _ = try both.take(service.bundle([licence]), from: "other")
    #expect(try code(both) == "E-167")
    let second = try rights(["other": service])
    _ = try second.take(service.bundle([licence]), from: "other")
    #expect(try code(second) == "E-170")
    #expect(try !second.take(service.bundle([licence], friendly), from: "other").isStatementNew)
    #expect(try code(try rights(["other": service])) == "E-170")
    #expect(second.forfeits().isEmpty)
    // With the newest one it is as it was, and a newer one may give it back.
    #expect(try second.take(service.bundle([licence], harsh), from: "other").isStatementNew)
    #expect(try code(second) == "E-167")
    let again = try service.statement(5, for: card, at: Self.now)
    #expect(try second.take(service.bundle([], again), from: "other").isStatementNew)
    try opens(second)
  }

  @Test("an older licence counts neither beside a newer one, under a second name of its service, nor in its place")
  func olderUnderAnotherName() throws {
    let first = try rights(["depot": service])
    let card = try DeviceCard(first.card)
    let forGood = try service.licence(serial: 4, for: card, from: Self.now, until: nil)
    let forADay = try service.licence(serial: 5, for: card, from: Self.now, until: Self.now + Self.day)
    #expect(try first.take(service.bundle([forGood]), from: "depot").licences == 1)
    #expect(try first.take(service.bundle([forADay]), from: "depot").licences == 1)
    try opens(first)
    let later = Self.now + 2 * Self.day
    for names in [["depot": service, "other": service], ["other": service]] {
      let rights = try rights(names, at: later)
      #expect(try rights.take(service.bundle([forGood]), from: "other").licences == 0)
      #expect(try code(rights) == (names.count == 2 ? "E-161" : "E-160"))
      #expect(!rights.lines().contains { $0.licence.serial == 4 })
    }
    // A newer one counts under any name, and one that was there under another name gives way to it.
    let renewed = try service.licence(serial: 6, for: card, from: later, until: later + Self.day)
    let renamed = try rights(["other": service], at: later)
    #expect(try renamed.take(service.bundle([renewed]), from: "other").licences == 1)
    try opens(renamed)
    let both = try rights(["depot": service, "other": service], at: later)
    #expect(both.lines().map(\.licence.serial) == [6])
    try opens(both)
  }

  @Test("signing out forgets neither that statements are needed, nor when something was first played")
  func signedOut() throws {
    let rights = try rights(["depot": service])
    let (licence, card) = (try licence(rights, [("play_days", 2)]), try DeviceCard(rights.card))
    let statement = try service.statement(7, for: card, at: Self.now)
    _ = try rights.take(service.bundle([licence], statement), from: "depot")
    try opens(rights)
    try rights.forget("depot")
    try rights.keepClock()
    let later = try self.rights(["depot": service], at: Self.now + 2 * Self.day, boot: "2")
    #expect(try code(later) == "E-160")
    _ = try later.take(service.bundle([licence]), from: "depot")
    #expect(try code(later) == "E-170")
    _ = try later.take(service.bundle([licence], statement), from: "depot")
    #expect(try code(later) == "E-169")
    // Under another name either.
    let renamed = try self.rights(["another": service], at: Self.now + 2 * Self.day, boot: "2")
    _ = try renamed.take(service.bundle([licence], statement), from: "another")
    #expect(try code(renamed) == "E-169")
  }

  @Test("the time that one service signs is no other's: nobody turns a clock back with a root key of their own")
  func time() throws {
    let late = Self.now + 40 * Self.day
    let rights = try rights(["depot": service, "mine": owner], at: late)
    _ = try rights.take(service.bundle([try licence(rights)]), from: "depot")
    #expect(try code(rights) == "E-161")
    func answer(_ maker: MadeUpService, _ time: Int64, from source: String) throws {
      let question = rights.timeQuestion()
      let text = try SignedTime.sign(time, for: question, with: MadeUpService.key(maker.signing), "2026")
      try rights.take(time: text, maker.keys, for: question, from: source)
    }
    try answer(owner, Self.now, from: "mine")
    #expect(try code(rights) == "E-161")
    #expect(rights.time(of: "mine") == HonestClock.Time(now: Self.now, witness: .service))
    #expect(rights.time(of: "depot").now == late && rights.time(of: nil).now == late)
    // Its own service may: a time server had led it away.
    try answer(service, Self.now + 1, from: "depot")
    try opens(rights)
    // That is kept, and so it is under another name.
    let again = try self.rights(["other": service], at: 0, isOnline: false)
    _ = try again.take(service.bundle([try licence(again)]), from: "other")
    try opens(again)
  }

  @Test("where what was known of the time is lost, a service finds it for its own licences and no others")
  func lostTime() throws {
    let first = try rights(["depot": service])
    _ = try first.take(service.bundle([try licence(first)]), from: "depot")
    try AtomicFile.replace(folder.path / "clock.json", with: Array("{}\n".utf8))
    let rights = try rights(["depot": service, "mine": owner], isOnline: false)
    #expect(try code(rights) == "E-164")
    func answer(_ maker: MadeUpService, from source: String) throws {
      let question = rights.timeQuestion()
      let text = try SignedTime.sign(Self.now, for: question, with: MadeUpService.key(maker.signing), "2026")
      try rights.take(time: text, maker.keys, for: question, from: source)
    }
    try answer(owner, from: "mine")
    #expect(try code(rights) == "E-164")
    // Nor after a start.
    #expect(try code(try self.rights(["depot": service, "mine": owner], isOnline: false)) == "E-164")
    try answer(service, from: "depot")
    try opens(rights)
    try opens(try self.rights(["depot": service], isOnline: false))
  }

  @Test("what is known of the time is read as it was written, and refused with any byte changed")
  func file() throws {
    let rights = try rights(["depot": service])
    let (licence, card) = (try licence(rights, [("play_days", 9)]), try DeviceCard(rights.card))
    _ = try rights.take(service.bundle([licence], service.statement(7, for: card, at: Self.now)), from: "depot")
    try opens(rights)
    try rights.keepClock()
    let file = folder.path / "clock.json"
    let good = try AtomicFile.read(file, limit: 1 << 16)
    let text = String(decoding: good, as: UTF8.self)
    #expect(text.contains("\"number\":7") && text.contains("\"licence\":\"a\""), "\(text)")
    for place in good.indices.dropLast() {
      var bytes = good
      bytes[place] ^= 1
      try AtomicFile.replace(file, with: bytes)
      #expect(try code(try self.rights(["depot": service], isOnline: false)) == "E-164", "byte \(place)")
    }
    try AtomicFile.replace(file, with: good)
    try opens(try self.rights(["depot": service], isOnline: false))
  }
}
