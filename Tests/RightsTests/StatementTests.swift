import Ciphers
import Runtime
import Seals
import TestSupport
import Testing

@testable import Rights

@Suite("Statements of an account")
struct StatementTests {
  private let folder = TempFolder()
  private let service = MadeUpService()
  private static let day: Int64 = 86_400
  private static let now: Int64 = 1_800_000_000

  private func rights(at now: Int64 = Self.now, in name: String = "rights", boot: String = "1", up: Int64 = 5) throws
    -> DeviceRights
  {
    try DeviceRights(in: folder.path / name, board: [], roots: ["depot": try service.rootKey]) {
      .init(system: now, uptime: up, boot: boot, isSynchronised: true, hasBattery: true)
    }
  }

  private func opens(_ rights: DeviceRights) throws(Fault) {
    guard let id = MadeUpService.track else { return }
    _ = try rights.key(id, of: "a track")
  }

  private func code(_ rights: DeviceRights) throws -> String { try faultOf { try opens(rights) }.code }

  /// A device whose one licence needs a subscription.
  private func subscriber(_ more: [(String, JSON)] = [("needs", "subscription")]) throws -> (DeviceRights, DeviceCard) {
    let rights = try rights()
    let card = try DeviceCard(rights.card)
    let licence = try service.licence(for: card, from: Self.now, until: Self.now + 30 * Self.day, more)
    _ = try rights.take(service.bundle([licence]), from: "depot")
    return (rights, card)
  }

  @discardableResult
  private func say(
    _ number: Int64, _ more: [(String, JSON)], to rights: DeviceRights, _ card: DeviceCard
  ) throws -> Bool {
    let statement = try service.statement(number, for: card, at: Self.now, more)
    return try rights.take(service.bundle([], statement), from: "depot").isStatementNew
  }

  @Test("a subscription plays while it is paid, and through its grace; cancelled, its music is to be removed")
  func subscription() throws {
    let (rights, card) = try subscriber()
    #expect(try code(rights) == "E-170")
    #expect(rights.forfeits().isEmpty)
    #expect(try say(1, [("subscription", "active")], to: rights, card))
    try opens(rights)
    #expect(rights.lines().map(\.verdict) == [.plays(days: 30)])
    let graced: [(String, JSON)] = [
      ("subscription", "lapsed"), ("grace_until", JSON(Self.now + 9 * Self.day)),
    ]
    #expect(try say(2, graced, to: rights, card))
    try opens(rights)
    #expect(rights.lines().map(\.verdict) == [.unpaid(days: 9)])
    let late = try self.rights(at: Self.now + 9 * Self.day)
    #expect(try code(late) == "E-165")
    // It waits for its money, and so do the bytes.
    #expect(late.forfeits().isEmpty)
    #expect(try say(3, [("subscription", "active")], to: late, card))
    try opens(late)
    #expect(try say(4, [("subscription", "cancelled")], to: late, card))
    #expect(try code(late) == "E-166")
    #expect(late.forfeits().map(\.key) == [MadeUpService.track])
    // After a start it is the same, and an older statement changes nothing.
    let again = try self.rights(at: Self.now + 9 * Self.day)
    #expect(try code(again) == "E-166")
    #expect(try !say(3, [("subscription", "active")], to: again, card))
    #expect(try code(again) == "E-166")
  }

  @Test("what was bought does not ask for a subscription, and what another licence plays is not removed")
  func bought() throws {
    let (rights, card) = try subscriber([])
    try say(1, [("subscription", "cancelled")], to: rights, card)
    try opens(rights)
    #expect(rights.forfeits().isEmpty)
    let subscribed = try service.licence(
      "b", for: card, from: Self.now, until: Self.now + Self.day, [("needs", "subscription")])
    _ = try rights.take(service.bundle([subscribed]), from: "depot")
    try opens(rights)
    #expect(rights.forfeits().isEmpty)
  }

  @Test("a licence, a track or a device that is taken back plays no more, says why, and its music is to be removed")
  func revoked() throws {
    let track = try #require(MadeUpService.track)
    let ways: [JSON] = [
      ["licences": [["id": "a", "why": "withdrawn by its label"]]],
      ["tracks": [["kid": JSON("\(track)"), "why": "withdrawn by its label"]]],
      ["device": "withdrawn by its label"],
    ]
    for (number, way) in ways.enumerated() {
      let rights = try self.rights(in: "rights \(number)")
      let card = try DeviceCard(rights.card)
      let licence = try service.licence(for: card, from: Self.now, until: nil)
      _ = try rights.take(service.bundle([licence]), from: "depot")
      try opens(rights)
      try say(1, [("revoked", way)], to: rights, card)
      let fault = try faultOf { try opens(rights) }
      #expect(fault.code == "E-167" && fault.message.contains("withdrawn by its label"), "\(fault)")
      let forfeits = rights.forfeits()
      #expect(forfeits.map(\.key) == [track] && forfeits.map(\.why.code) == ["E-167"])
      // Given back it plays again.
      try say(2, [], to: rights, card)
      try opens(rights)
      #expect(rights.forfeits().isEmpty)
    }
  }

  @Test("a reason is short, whatever signs it is written with")
  func longReason() throws {
    let why = "e" + String(repeating: "\u{301}", count: 5_000)
    let statement = try Statement(["device": "d", "number": 1, "iat": 1, "revoked": ["device": JSON(why)]])
    #expect(statement.revokedDevice?.unicodeScalars.count == 200)
  }

  @Test("a statement of another device, of another service, or changed by a byte counts for nothing")
  func forged() throws {
    let (rights, card) = try subscriber([])
    let revoked: [(String, JSON)] = [("revoked", ["device": "why"])]
    let other = try DeviceCard(self.rights(in: "other").card)
    let theirs = try service.statement(5, for: other, at: Self.now, revoked)
    #expect(try !rights.take(service.bundle([], theirs), from: "depot").isStatementNew)
    let stranger = MadeUpService(7)
    let forged = try stranger.statement(5, for: card, at: Self.now, revoked)
    #expect(throws: Fault.self) { try rights.take(service.bundle([], forged), from: "depot") }
    let real = Array(try service.statement(5, for: card, at: Self.now, revoked).utf8)
    for place in real.indices {
      var bytes = real
      bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(throws: Fault.self, "byte \(place)") { try rights.take(service.bundle([], text), from: "depot") }
    }
    try opens(rights)
  }

  @Test(
    "days that count from the first playing begin with it, go on after a start, and are not won back by a lost file")
  func firstPlay() throws {
    let terms: [(String, JSON)] = [("play_days", 2)]
    let (rights, card) = try subscriber(terms)
    #expect(rights.lines().map(\.verdict) == [.plays(days: 30)])
    try opens(rights)
    #expect(rights.lines().map(\.verdict) == [.endsSoon(days: 2)])
    try rights.keepClock()
    let later = try self.rights(at: Self.now + 2 * Self.day, boot: "2")
    #expect(try code(later) == "E-169")
    #expect(later.forfeits().isEmpty)
    // Without what is known of the time they count from when the licence was given.
    try AtomicFile.replace(folder.path / "rights/clock.json", with: Array("{}".utf8))
    let lost = try self.rights(at: Self.now + Self.day, boot: "3")
    #expect(lost.lines().map(\.verdict) == [.endsSoon(days: 1)])
    let next = try service.licence(
      serial: 2, for: card, from: Self.now + 2 * Self.day, until: Self.now + 30 * Self.day, terms)
    _ = try later.take(service.bundle([next]), from: "depot")
    // A licence that takes its place goes on counting where it was.
    _ = try lost.take(service.bundle([next]), from: "depot")
    #expect(lost.lines().map(\.verdict) == [.endsSoon(days: 1)])
  }

  @Test("a region that the account is not at home in is refused; where nobody says one, it plays")
  func region() throws {
    let (rights, card) = try subscriber([("regions", ["DE", "AT"])])
    try opens(rights)
    try say(1, [("region", "FR")], to: rights, card)
    #expect(try code(rights) == "E-168")
    try say(2, [("region", "AT")], to: rights, card)
    try opens(rights)
  }

  @Test(
    "a licence for streaming plays until the next start, and is not kept; what it demands and is not known is refused")
  func streaming() throws {
    let (rights, card) = try subscriber([("use", "streaming")])
    try opens(rights)
    #expect(try code(self.rights()) == "E-160")
    for unknown: (String, JSON) in [("needs", "a blue moon"), ("use", "hovering"), ("play_days", 0)] {
      let licence = try service.licence("u", for: card, from: Self.now, until: nil, [unknown])
      let fault = try faultOf { _ = try rights.take(service.bundle([licence]), from: "depot") }
      #expect(fault.code == "E-130", "\(unknown)")
    }
  }

  // MARK: Signed time

  private func answer(_ time: Int64, _ nonce: [UInt8]) throws -> String {
    try SignedTime.sign(time, for: nonce, with: MadeUpService.key(service.signing), "2026")
  }

  @Test("a signed time counts for its question only, and puts right what a time server has led away")
  func signedTime() throws {
    var clock = HonestClock()
    _ = clock.read(.init(system: Self.now, uptime: 1, boot: "1", isSynchronised: true, hasBattery: false))
    // A time server says 2099, and the service what time it is.
    let wrong = HonestClock.Reading(
      system: 4_070_908_800, uptime: 60, boot: "1", isSynchronised: true, hasBattery: false)
    #expect(clock.read(wrong).now == 4_070_908_800)
    clock.learn(Self.now + 60, at: wrong)
    var later = wrong
    later.uptime += 100
    #expect(clock.read(later) == HonestClock.Time(now: Self.now + 160, witness: .service))
    // A start later the time server is believed again, as far as anybody can be.
    let after = HonestClock.Reading(
      system: Self.now + 500, uptime: 5, boot: "2", isSynchronised: true, hasBattery: false)
    #expect(clock.read(after) == HonestClock.Time(now: Self.now + 500, witness: .network))

    let rights = try rights()
    let question = rights.timeQuestion()
    #expect(throws: Fault.self) {
      try rights.take(time: answer(Self.now, randomBytes(24)), service.keys, for: question, from: "depot")
    }
    #expect(throws: Fault.self) {
      let other = MadeUpService(9)
      let text = try SignedTime.sign(
        Self.now, for: question, with: MadeUpService.key(other.signing), "2026")
      try rights.take(time: text, service.keys, for: question, from: "depot")
    }
    try rights.take(time: answer(Self.now + 7, question), service.keys, for: question, from: "depot")
    #expect(rights.time(of: "depot") == HonestClock.Time(now: Self.now, witness: .network))
    // Once.
    #expect(throws: Fault.self) {
      try rights.take(time: answer(Self.now + 8, question), service.keys, for: question, from: "depot")
    }
  }

  // MARK: Signing in

  @Test("what keeps a device signed in is unreadable for others, and a proof is for one request and one token")
  func session() throws {
    let rights = try rights()
    #expect(try rights.session(of: "depot") == nil)
    try rights.keep(session: Array("a token".utf8), of: "depot")
    #expect(try rights.session(of: "depot") == Array("a token".utf8))
    let file = folder.path / "rights/sessions/depot"
    let bytes = try AtomicFile.read(file, limit: 1_000)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("token"))
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 1
      try AtomicFile.replace(file, with: changed)
      #expect(throws: Fault.self, "byte \(place)") { try rights.session(of: "depot") }
    }
    let other = try self.rights(in: "other")
    try other.keep(session: [1], of: "depot")
    try AtomicFile.replace(folder.path / "other/sessions/depot", with: bytes)
    #expect(throws: Fault.self) { try other.session(of: "depot") }
    try rights.keep(session: nil, of: "depot")
    #expect(try rights.session(of: "depot") == nil)

    let proof = try rights.proof(of: ProvenRequest("POST", "https://a/b", token: "t", nonce: "n"))
    let read = try RequestProof(proof, "POST", "https://a/b")
    #expect(read.key == (try DeviceCard(rights.card).signs) && read.nonce == "n")
    #expect(try read.isFor(token: "t"))
    #expect(try !read.isFor(token: "u"))
    #expect(throws: Fault.self) { try RequestProof(proof, "GET", "https://a/b") }
    #expect(throws: Fault.self) { try RequestProof(proof, "POST", "https://a/c") }
  }

  @Test(
    "what is due for renewal: what is not here, what is newer there, and what has used a sixth of its time, in order")
  func due() throws {
    let rights = try rights()
    let card = try DeviceCard(rights.card)
    func licence(_ id: String, from: Int64, days: Int64?) throws -> String {
      try service.licence(id, serial: 3, for: card, from: from, until: days.map { from + $0 * Self.day })
    }
    let texts = [
      try licence("fresh", from: Self.now, days: 30), try licence("used", from: Self.now - 10 * Self.day, days: 30),
      try licence("soon", from: Self.now - 29 * Self.day, days: 30), try licence("for good", from: Self.now, days: nil),
      try licence("newer there", from: Self.now, days: 30),
    ]
    _ = try rights.take(service.bundle(texts), from: "depot")
    let here = rights.lines().map(\.licence)
    var offers = ["for good", "fresh", "used", "soon", "not here"].map { RenewalRule.ListedLicence($0, serial: 3) }
    offers.append(RenewalRule.ListedLicence("newer there", serial: 4))
    #expect(
      RenewalRule.due(offers, here, at: Self.now, isAsked: false) == ["not here", "soon", "used", "newer there"])
    #expect(RenewalRule.due(offers, here, at: Self.now, isAsked: true).count == 6)
    #expect(RenewalRule.isUrgent(here, at: Self.now))
    #expect(!RenewalRule.isUrgent(here, at: Self.now - 20 * Self.day))
  }

  @Test("who has thousands of licences played has the first playings of no other service forgotten")
  func flooded() throws {
    var known = DeviceRights.Known()
    func play(_ id: String, _ service: MadeUpService) throws {
      let licence = try Licence([
        "id": JSON(id), "serial": 1, "device": "d", "iat": JSON(Self.now), "play_days": 2, "keys": [],
        "master": JSON(Base64.encodeURL([UInt8](repeating: 0, count: KeyWrap.deviceLength))),
      ])
      let held = DeviceRights.Held(
        source: "x", root: try service.rootKey, keys: HeldLicences.KeyList("k"), text: "", licence: licence)
      known.begin(held, at: Self.now, HeldLicences())
    }
    let (rental, flood) = (MadeUpService(3), MadeUpService(4))
    for number in 0..<3 { try play("rented \(number)", rental) }
    for number in 0..<5_200 { try play("\(number)", flood) }
    let roots = try (rental.rootKey, flood.rootKey)
    #expect(known.plays.count { $0.root == roots.0 } == 3 && known.plays.count == 5_000)
  }
}
