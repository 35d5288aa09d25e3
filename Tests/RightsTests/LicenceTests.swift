import Ciphers
import Glibc
import Runtime
import Seals
import TestSupport
import Testing

@testable import Rights

/// A service with keys of its own, and devices to give licences to.
struct MadeUpService {
  let root: [UInt8]
  let signing: [UInt8]

  init(_ number: UInt8 = 1, signing other: UInt8 = 100) {
    (root, signing) = ([UInt8](repeating: number, count: 32), [UInt8](repeating: number &+ other, count: 32))
  }

  static func key(_ seed: [UInt8]) throws -> SigningKey {
    var seed = seed
    return try SigningKey(seed: Secret(taking: &seed))
  }

  var rootKey: SigningKey.PublicKey { get throws { try Self.key(root).publicKey } }

  var keys: String {
    get throws {
      let key = try Self.key(signing).publicKey
      return try ServiceKeys.sign(ServiceKeys.Use.allCases.map { .init($0, "2026", key) }, root: Self.key(root))
    }
  }

  static let track = KeyID([UInt8](repeating: 7, count: 16))
  static let content = [UInt8](repeating: 9, count: 32)

  /// For the track whose key is `content`.
  func licence(
    _ id: String = "a", serial: Int64 = 1, for card: DeviceCard, from: Int64, until: Int64?,
    _ more: [(String, JSON)] = []
  ) throws -> String {
    let master = try Secret.random(32)
    let terms = KeyWrap.terms(id, serial: serial, issued: from, ends: until, root: try rootKey)
    let key = try KeyWrap.wrap(master: master, for: card.agrees, terms: terms)
    let track = try #require(Self.track)
    var content = Self.content
    let wrapped = try KeyWrap.wrap(content: Secret(taking: &content), track, with: master)
    var members: [(String, JSON)] = [
      ("id", JSON(id)), ("serial", JSON(serial)), ("device", JSON(card.name)), ("title", "Elsewhere"),
      ("iat", JSON(from)), ("master", JSON(Base64.encodeURL(key))),
      ("keys", [["kid": JSON("\(track)"), "key": JSON(Base64.encodeURL(wrapped))]]),
    ]
    if let until { members.append(("exp", JSON(until))) }
    members += more
    let body = JSON.object(JSON.Object(members))
    return try SignedDocument.sign(body, as: .licence, with: Self.key(signing), "2026")
  }

  func bundle(_ licences: [String], _ statement: String? = nil) throws -> [UInt8] {
    LicenceBundle(keys: try keys, licences: licences, statement: statement).fileBytes
  }

  func statement(_ number: Int64, for card: DeviceCard, at time: Int64, _ more: [(String, JSON)] = []) throws -> String
  {
    let members: [(String, JSON)] = [("device", JSON(card.name)), ("number", JSON(number)), ("iat", JSON(time))]
    let body = JSON.object(JSON.Object(members + more))
    return try SignedDocument.sign(body, as: .statement, with: Self.key(signing), "2026")
  }
}

@Suite("Licences")
struct LicenceTests {
  private let folder = TempFolder()
  private static let day: Int64 = 86_400
  /// A time server says so.
  private static let now: Int64 = 1_800_000_000

  private func rights(
    _ service: MadeUpService, in name: String = "rights", number: String? = nil, at now: Int64 = Self.now,
    isOnline: Bool = true, and other: MadeUpService? = nil
  ) throws -> DeviceRights {
    var board: [FilePath] = []
    if let number {
      board = [folder.path / "cid"]
      try AtomicFile.replace(board[0], with: Array(number.utf8))
    }
    var roots = ["depot": try service.rootKey]
    if let other { roots["other"] = try other.rootKey }
    return try DeviceRights(in: folder.path / name, board: board, roots: roots) {
      .init(system: now, uptime: 5, boot: "1", isSynchronised: isOnline, hasBattery: true)
    }
  }

  private func opens(_ rights: DeviceRights) throws(Fault) -> [UInt8] {
    guard let id = MadeUpService.track else { return [] }
    let key = try rights.key(id, of: "a track")
    return try key.withBytes { Array($0) }
  }

  @Test("a licence gives its track's key, also after a start, until it ends; then it says when, and stays")
  func holds() throws {
    let service = MadeUpService()
    let rights = try rights(service)
    #expect(try faultOf { _ = try opens(rights) }.code == "E-160")
    let licence = try service.licence(
      for: try DeviceCard(rights.card), from: Self.now - Self.day, until: Self.now + 30 * Self.day)
    #expect(try rights.take(service.bundle([licence]), from: "depot").licences == 1)
    #expect(try opens(rights) == MadeUpService.content)
    #expect(rights.lines().map(\.verdict) == [.plays(days: 30)])
    #expect(try opens(try self.rights(service)) == MadeUpService.content)
    let soon = try self.rights(service, at: Self.now + 24 * Self.day)
    #expect(soon.lines().map(\.verdict) == [.endsSoon(days: 6)])
    #expect(try opens(soon) == MadeUpService.content)
    let late = try self.rights(service, at: Self.now + 30 * Self.day)
    let fault = try faultOf { _ = try opens(late) }
    #expect(fault.code == "E-161" && fault.message.contains("ended on 2027-02-14"), "\(fault)")
    // The one that follows it needs no new music.
    let next = try service.licence(
      serial: 2, for: try DeviceCard(rights.card), from: Self.now + 29 * Self.day, until: Self.now + 60 * Self.day)
    #expect(try late.take(service.bundle([next]), from: "depot").licences == 1)
    #expect(try opens(late) == MadeUpService.content)
  }

  @Test("an older one does not take the place of a newer; one that a source no longer names stays")
  func older() throws {
    let service = MadeUpService()
    let rights = try rights(service)
    let card = try DeviceCard(rights.card)
    let newer = try service.licence(serial: 5, for: card, from: Self.now, until: Self.now + 30 * Self.day)
    let older = try service.licence(serial: 4, for: card, from: Self.now, until: Self.now + 90 * Self.day)
    #expect(try rights.take(service.bundle([newer]), from: "depot").licences == 1)
    #expect(try rights.take(service.bundle([older]), from: "depot").licences == 0)
    #expect(try rights.take(service.bundle([]), from: "depot").licences == 0)
    for rights in [rights, try self.rights(service)] {
      #expect(rights.lines().map(\.licence.serial) == [5])
      #expect(try opens(rights) == MadeUpService.content)
    }
  }

  @Test("on another board, or with another secret, the same folder opens nothing, and says why")
  func copied() throws {
    let service = MadeUpService()
    let rights = try rights(service, number: "board 1")
    let licence = try service.licence(for: try DeviceCard(rights.card), from: Self.now, until: nil)
    _ = try rights.take(service.bundle([licence]), from: "depot")
    #expect(try opens(rights) == MadeUpService.content)
    #expect(rights.standing.boundTo == [folder.path / "cid"])
    let other = try self.rights(service, number: "board 2")
    #expect(other.name != rights.name)
    #expect(try faultOf { _ = try opens(other) }.code == "E-162")
    let back = try self.rights(service, number: "board 1")
    #expect(try opens(back) == MadeUpService.content)
    // Without its number it is nobody.
    #expect((folder.path / "cid").withCString { unlink($0) } == 0)
    #expect(throws: Fault.self) { try self.rights(service) }
  }

  @Test("what another root key vouches for is refused, and so is every byte that is not as it was signed")
  func forged() throws {
    let service = MadeUpService()
    let rights = try rights(service)
    let card = try DeviceCard(rights.card)
    let stranger = MadeUpService(2)
    let theirs = try stranger.licence(for: card, from: Self.now, until: nil)
    let ours = try service.licence(for: card, from: Self.now, until: Self.now + Self.day)
    #expect(try faultOf { _ = try rights.take(stranger.bundle([theirs]), from: "depot") }.code == "E-124")
    #expect(try faultOf { _ = try rights.take(service.bundle([theirs]), from: "depot") }.code == "E-124")
    #expect(rights.lines().isEmpty)
    let letters = Array(ours.utf8)
    for place in letters.indices {
      var changed = letters
      changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let bundle = try service.bundle([String(decoding: changed, as: UTF8.self)])
      #expect(throws: Fault.self, "byte \(place)") { try rights.take(bundle, from: "depot") }
    }
    #expect(rights.lines().isEmpty)
  }

  @Test(
    "who is trusted for music of their own makes no better licence of another's: the keys in it open under its terms alone"
  )
  func resigned() throws {
    let (service, owner) = (MadeUpService(), MadeUpService(2))
    let rights = try rights(service, at: Self.now + 60 * Self.day, and: owner)
    let ours = try service.licence(
      for: try DeviceCard(rights.card), from: Self.now, until: Self.now + 30 * Self.day)
    _ = try rights.take(service.bundle([ours]), from: "depot")
    #expect(try faultOf { _ = try opens(rights) }.code == "E-161")
    let part = ours.split(separator: ".")[1]
    let body = try JSON(parsing: try #require(Base64.decodeURL(String(part))))
    var members = JSON.Object((body.members ?? []).map { ($0.key, $0.value) })
    for ends in [nil, JSON(Self.now + 900 * Self.day)] {
      members["exp"] = ends
      let theirs = try SignedDocument.sign(
        .object(members), as: .licence, with: MadeUpService.key(owner.signing), "2026")
      #expect(try faultOf { _ = try rights.take(owner.bundle([theirs]), from: "other") }.code == "E-125")
      #expect(try faultOf { _ = try opens(rights) }.code == "E-161")
    }
  }

  @Test("one that cannot be read, or is for another device, is passed over, and the others are taken")
  func passedOver() throws {
    let service = MadeUpService()
    let (rights, neighbour) = (try rights(service), try rights(service, in: "neighbour"))
    let ours = try service.licence(for: try DeviceCard(rights.card), from: Self.now, until: nil)
    let theirs = try service.licence("b", for: try DeviceCard(neighbour.card), from: Self.now, until: nil)
    #expect(try rights.take(service.bundle(["a.b.c", theirs, ours]), from: "depot").licences == 1)
    for rights in [rights, try self.rights(service)] { #expect(rights.lines().map(\.licence.id) == ["a"]) }
    let json = try JSON(parsing: Array("\(neighbour.card)".utf8))
    var members = JSON.Object((json.members ?? []).map { ($0.key, $0.value) })
    members["agrees"] = rights.card["agrees"]
    #expect(try faultOf { _ = try DeviceCard(.object(members)) }.code == "E-140")
  }

  @Test("a service that signs with another key leaves what it has signed before")
  func rotated() throws {
    let service = MadeUpService()
    let rights = try rights(service)
    let card = try DeviceCard(rights.card)
    let old = try service.licence("old", for: card, from: Self.now, until: nil)
    _ = try rights.take(service.bundle([old]), from: "depot")
    let later = MadeUpService(1, signing: 7)
    let new = try later.licence("new", for: card, from: Self.now, until: nil)
    #expect(try rights.take(later.bundle([new]), from: "depot").licences == 1)
    for rights in [rights, try self.rights(service)] {
      #expect(rights.lines().map(\.licence.id) == ["old", "new"])
      #expect(try opens(rights) == MadeUpService.content)
    }
  }

  @Test("who removes or edits what is known of the time has it asked of a time server")
  func lostTime() throws {
    let service = MadeUpService()
    let rights = try rights(service)
    let licence = try service.licence(
      for: try DeviceCard(rights.card), from: Self.now, until: Self.now + 30 * Self.day)
    _ = try rights.take(service.bundle([licence]), from: "depot")
    let file = folder.path / "rights/clock.json"
    let good = try AtomicFile.read(file, limit: 4_096)
    #expect(try opens(try self.rights(service, isOnline: false)) == MadeUpService.content)
    for edited in [nil, String(decoding: good, as: UTF8.self).split(separator: "1800").joined(separator: "1700")] {
      if let edited {
        try AtomicFile.replace(file, with: Array(edited.utf8))
      } else {
        _ = file.withCString { unlink($0) }
      }
      let lost = try self.rights(service, isOnline: false)
      #expect(lost.lines().map(\.verdict) == [.timeLost])
      #expect(try faultOf { _ = try opens(lost) }.code == "E-164")
      try lost.keepClock()
      #expect(try faultOf { _ = try opens(try self.rights(service, isOnline: false)) }.code == "E-164")
      let found = try self.rights(service)
      #expect(try opens(found) == MadeUpService.content)
      try found.keepClock()
      #expect(try opens(try self.rights(service, isOnline: false)) == MadeUpService.content)
    }
  }

  @Test(
    "licences that make no sense are refused",
    arguments: [
      #"{"id":"a","serial":0,"device":"d","iat":5,"master":"","keys":[]}"#,
      #"{"id":"a","serial":1,"device":"d","iat":5,"master":"AAAA","keys":[]}"#, #"{"serial":1}"#, "[]", "3",
    ])
  func nonsense(text: String) throws {
    let body = try JSON(parsing: Array(text.utf8))
    #expect(try faultOf { _ = try Licence(body) }.code == "E-130")
  }

  @Test("an end of 0, before the beginning, or that is no number, is refused", arguments: [0, -1, 1_800_000_000])
  func ends(end: Int64) throws {
    let service = MadeUpService()
    let rights = try rights(service)
    let licence = try service.licence(for: try DeviceCard(rights.card), from: Self.now, until: end)
    #expect(try faultOf { _ = try rights.take(service.bundle([licence]), from: "depot") }.code == "E-130")
  }

  @Test("a document that demands what is not known here needs an update, and one kind is not another")
  func demands() throws {
    let service = MadeUpService()
    let key = try service.rootKey
    func document(_ head: String) throws -> String {
      let signed = Base64.encodeURL(Array(head.utf8)) + "." + Base64.encodeURL(Array("{}".utf8))
      return signed + "." + Base64.encodeURL(try MadeUpService.key(service.root).signature(of: Array(signed.utf8)))
    }
    let cases = [
      (#"{"alg":"EdDSA","typ":"layby-keys+jwt","kid":"root","crit":["b64"]}"#, "E-122"),
      (#"{"alg":"EdDSA","typ":"layby-licence+jwt","kid":"root"}"#, "E-121"),
      (#"{"alg":"none","typ":"layby-keys+jwt","kid":"root"}"#, "E-121"),
      (#"{"alg":"HS256","typ":"layby-keys+jwt","kid":"root"}"#, "E-121"),
    ]
    for (head, code) in cases {
      #expect(try faultOf { _ = try ServiceKeys(document(head), root: key) }.code == code, "\(head)")
    }
    #expect(try faultOf { _ = try ServiceKeys("a.b", root: key) }.code == "E-121")
  }

  @Test("a licence that was issued later than now says that the clock is wrong")
  func early() throws {
    let service = MadeUpService()
    let rights = try rights(service)
    let licence = try service.licence(for: try DeviceCard(rights.card), from: Self.now + 3 * Self.day, until: nil)
    _ = try rights.take(service.bundle([licence]), from: "depot")
    #expect(try faultOf { _ = try opens(rights) }.code == "E-163")
  }

  @Test("damaged files cost what is in them, and no start; a device's secret that is too short is told")
  func damaged() throws {
    let service = MadeUpService()
    let rights = try rights(service)
    let licence = try service.licence(for: try DeviceCard(rights.card), from: Self.now, until: nil)
    _ = try rights.take(service.bundle([licence]), from: "depot")
    try rights.keepClock()
    let path = folder.path / "rights"
    for file in ["licences/depot.json", "clock.json"] { try AtomicFile.replace(path / file, with: [0x7B, 0xFF]) }
    let again = try self.rights(service)
    #expect(again.lines().isEmpty && again.name == rights.name)
    #expect(try again.take(service.bundle([licence]), from: "depot").licences == 1)
    #expect(try opens(again) == MadeUpService.content)
    try AtomicFile.replace(path / "device", with: [1, 2, 3])
    #expect(throws: Fault.self) { try self.rights(service) }
  }
}
