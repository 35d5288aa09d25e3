import Glibc
import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("A hotspot that is wished for")
struct HotspotWishTests {
  @Test("has another name and password each time, and its file says the same when it is read")
  func random() throws {
    let wishes = (0..<50).map { _ in HotspotWish.random(language: "de") }
    #expect(Set(wishes.map(\.password)).count == 50 && Set(wishes.map(\.id)).count == 50)
    for wish in wishes {
      #expect(try HotspotWish(parsing: wish.bytes) == wish)
      let again = wish.again(after: .init("Café \"A\"", .password))
      #expect(try HotspotWish(parsing: again.bytes) == again && again.name == wish.name && again.id != wish.id)
      #expect(wish.code == "WIFI:T:WPA;S:\(wish.name);P:\(wish.password);;")
      #expect(!"\(wish)".contains(wish.password), "its password stands in the log")
    }
  }

  @Test("is refused by root when it is anything that the player does not write")
  func refused() {
    let good = HotspotWish(id: "0123456789abcdef", name: "Layby-AB12", password: "abcdefghjk", language: "en")
    let text = String(decoding: good.bytes, as: UTF8.self)
    let changes = [
      ("Layby-AB12", "Layby-AB1\\n"), ("Layby-AB12", "Home"), ("abcdefghjk", "abc"), ("abcdefghjk", "abcdefgh\\n}"),
      ("0123456789abcdef", "../../../../etc/"), ("\"en\"", "\"e/\""), ("{", "["), ("\"name\"", "\"nam\""),
      ("{", "{\"network\":\"a\\u0001\",\"outcome\":\"password\","), ("{", "{\"network\":\"a\",\"outcome\":\"rm\","),
    ]
    for (old, new) in changes {
      let place = text.firstRange(of: old) ?? text.startIndex..<text.startIndex
      let changed = text.replacingCharacters(place, by: new)
      #expect(throws: Fault.self, "\(changed)") { try HotspotWish(parsing: Array(changed.utf8)) }
    }
  }

  @Test("is taken away, and becomes an access point and a page without a secret")
  func taken() throws {
    let folder = TempFolder()
    let (wish, told) = (folder.path / "hotspot", folder.path / "told")
    try Folder.make(told)
    let wanted = HotspotWish.random(language: "fr")
    try AtomicFile.replace(wish, with: wanted.bytes)
    let seen = [
      SeenNetwork(ssid: Array("Home".utf8), dBm: -40, isLocked: true),
      SeenNetwork(ssid: [0xFF, 0x41], dBm: -50, isLocked: true),
      SeenNetwork(ssid: Array("Café".utf8), dBm: -80, isLocked: false),
    ]
    try HotspotTaker(wish: wish, told: told).run { seen }
    #expect(wish.withCString { access($0, F_OK) } != 0)
    let facts = try HotspotFacts.read(told / "page.json")
    #expect(facts.name == wanted.name && facts.language == "fr" && facts.networks.map(\.name) == ["Home", "Café"])
    #expect(facts.networks.map(\.isLocked) == [true, false])
    let point = String(decoding: try AtomicFile.read(told / "access-point.conf", limit: 9_999), as: UTF8.self)
    #expect(point.contains("\tmode=2\n") && point.contains("\tproto=RSN\n") && !point.contains(wanted.password))
    var status = stat()
    #expect((told / "access-point.conf").withCString { stat($0, &status) } == 0 && status.st_mode & 0o077 == 0)
    let page = String(decoding: try AtomicFile.read(told / "page.json", limit: 9_999), as: UTF8.self)
    #expect(!page.contains(wanted.password))
  }

  @Test("that cannot be taken is removed too, and a link leads nowhere")
  func strange() throws {
    let folder = TempFolder()
    let (wish, told, secret) = (folder.path / "hotspot", folder.path / "told", folder.path / "secret")
    try Folder.make(told)
    try AtomicFile.replace(secret, with: HotspotWish.random(language: "en").bytes)
    _ = secret.withCString { from in wish.withCString { symlink(from, $0) } }
    #expect(throws: Fault.self) { try HotspotTaker(wish: wish, told: told).run { [] } }
    try AtomicFile.replace(wish, with: Array("{}".utf8))
    #expect(throws: Fault.self) { try HotspotTaker(wish: wish, told: told).run { [] } }
    #expect(wish.withCString { access($0, F_OK) } != 0 && secret.withCString { access($0, F_OK) } == 0)
    #expect((told / "access-point.conf").withCString { access($0, F_OK) } != 0)
  }
}

extension String {
  fileprivate func firstRange(of part: String) -> Range<Index>? {
    indices.first { self[$0...].hasPrefix(part) }.map { $0..<index($0, offsetBy: part.count) }
  }

  fileprivate func replacingCharacters(_ range: Range<Index>, by text: String) -> String {
    "\(self[..<range.lowerBound])\(text)\(self[range.upperBound...])"
  }
}

@Suite("The hotspot as the player sees it")
struct HotspotSessionTests {
  private static let wish = HotspotWish(
    id: "0123456789abcdef", name: "Layby-AB12", password: "abcdefghjk", language: "en")
  private static let home = StickSetup.Network(ssid: "Home", password: "a good password")
  private static let begin = Moment(nanoseconds: 1_000_000_000)

  private static func told(_ word: HotspotSession.Told.Word, _ wish: HotspotWish = wish) -> HotspotSession.Told {
    .init(word, wish.id)
  }

  private static func running() -> HotspotSession {
    var session = HotspotSession()
    _ = session.start(wish, at: begin)
    _ = session.hear(told(.on), answer: nil, at: begin)
    return session
  }

  @Test("begins, hands over what was chosen when the radio is free, and is over when that is joined")
  func joined() {
    var session = HotspotSession()
    #expect(session.start(Self.wish, at: Self.begin) == [.write(Self.wish)] && session.phase == .starting)
    // The word of one before it means nothing.
    #expect(session.hear(.init(.ended, "fedcba9876543210"), answer: nil, at: Self.begin).isEmpty)
    #expect(session.phase == .starting)
    _ = session.hear(Self.told(.on), answer: nil, at: Self.begin)
    #expect(session.phase == .on(until: Self.begin + .seconds(600)))
    #expect(session.hear(Self.told(.on), answer: Self.home, at: Self.begin) == [.end])
    #expect(session.hear(Self.told(.on), answer: Self.home, at: Self.begin).isEmpty && session.hasRadio)
    #expect(session.hear(Self.told(.ended), answer: nil, at: Self.begin) == [.join(Self.home)] && !session.hasRadio)
    #expect(session.joined(.joined, at: Self.begin).isEmpty && session.phase == .off)
  }

  @Test("comes back once, with the reason, and with the name and password that the telephone knows")
  func again() {
    var session = Self.running()
    for round in 0..<2 {
      let id = session.wish ?? Self.wish
      _ = session.hear(Self.told(.on, id), answer: nil, at: Self.begin)
      _ = session.hear(Self.told(.on, id), answer: Self.home, at: Self.begin)
      _ = session.hear(Self.told(.ended, id), answer: nil, at: Self.begin)
      let actions = session.joined(.password, at: Self.begin)
      guard round == 0 else {
        #expect(actions.isEmpty && session.phase == .off)
        return
      }
      guard case .write(let wish)? = actions.first else {
        Issue.record("it does not come back: \(actions)")
        return
      }
      #expect(wish.name == Self.wish.name && wish.password == Self.wish.password && wish.id != Self.wish.id)
      #expect(wish.failure == .init("Home", .password) && session.phase == .starting)
    }
  }

  @Test("ends when it is called off, when its time is over, and when nothing is heard of it")
  func ends() {
    var session = Self.running()
    #expect(session.stop(at: Self.begin) == [.end] && session.phase == .leaving)
    #expect(session.hear(Self.told(.ended), answer: nil, at: Self.begin).isEmpty && session.phase == .off)
    session = Self.running()
    #expect(session.hear(Self.told(.ended), answer: nil, at: Self.begin).isEmpty && session.phase == .off)
    for (word, trouble) in [
      (HotspotSession.Told.Word.radio, HotspotSession.Trouble.radio), (.service, .service), (.failed, .failed),
    ] {
      session = HotspotSession()
      _ = session.start(Self.wish, at: Self.begin)
      #expect(session.hear(Self.told(word), answer: nil, at: Self.begin).isEmpty)
      #expect(session.phase == .failed(trouble) && !session.isUnderWay)
    }
    session = HotspotSession()
    _ = session.start(Self.wish, at: Self.begin)
    #expect(session.hear(nil, answer: nil, at: Self.begin + .seconds(121)) == [.end])
    #expect(session.phase == .failed(.failed))
    // Nobody has to take back a hotspot that failed before the next one.
    #expect(session.start(Self.wish, at: Self.begin) == [.write(Self.wish)])
  }

  @Test("a radio that nobody gives back is joined with all the same")
  func late() {
    var session = Self.running()
    _ = session.hear(Self.told(.on), answer: Self.home, at: Self.begin)
    #expect(session.hear(Self.told(.on), answer: nil, at: Self.begin + .seconds(119)).isEmpty)
    #expect(session.hear(Self.told(.on), answer: nil, at: Self.begin + .seconds(121)) == [.join(Self.home)])
  }

  @Test("the unit's word is one of few, with which hotspot it is about")
  func words() {
    #expect(HotspotSession.Told(Array("on 0123456789abcdef\n".utf8)) == Self.told(.on))
    for text in ["", "on", "on a b", "of 0123456789abcdef", "\u{0}"] {
      #expect(HotspotSession.Told(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
