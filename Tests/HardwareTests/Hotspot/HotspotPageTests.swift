import Glibc
import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("Requests to the hotspot's page")
struct HotspotRequestTests {
  private static func read(_ text: String) -> HotspotRequest.Reading { HotspotRequest.read(Array(text.utf8)) }

  @Test("are read as telephones send them, in pieces too")
  func whole() {
    let text =
      "POST /join?a=b HTTP/1.1\r\nHost: 10.86.86.1\r\nOrigin: http://10.86.86.1\r\n"
      + "Content-Type: Application/x-www-form-urlencoded; charset=utf-8\r\ncontent-length: 3 \r\n\r\na=b"
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count { #expect(HotspotRequest.read(Array(bytes[..<count])) == .more, "\(count)") }
    guard case .whole(let request) = HotspotRequest.read(bytes) else {
      Issue.record("it is not read")
      return
    }
    #expect(request.method == .post && request.path == "/join" && request.host == "10.86.86.1")
    #expect(request.mediaType == "application/x-www-form-urlencoded" && request.body == Array("a=b".utf8))
    guard case .whole(let other) = Self.read("GET http://a.example/generate_204 HTTP/1.0\r\n\r\n") else {
      Issue.record("a whole address is not read")
      return
    }
    #expect(other.path == "/generate_204" && other.host.isEmpty && other.origin == nil)
  }

  @Test("are refused when they are too long, doubtful or another thing")
  func refused() {
    let table: [(String, Int)] = [
      ("GET / HTTP/2\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400),
      ("DELETE / HTTP/1.1\r\n\r\n", 405), ("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\n: a\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nA: b\nHost: a\r\n\r\n", 400), ("GET /\u{1} HTTP/1.1\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nA: \u{E9}\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400), ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 2049\r\n\r\n", 413),
      ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
      ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1", 431),
      ("GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 8_300))\r\n\r\n", 431),
      ("GET / HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 65))\r\n", 400),
    ]
    for (text, status) in table { #expect(Self.read(text) == .wrong(status), "\(text.prefix(60))") }
  }

  @Test("whatever the bytes are: one is read, refused or waited for, and no answer to a name is long")
  func random() {
    var dice = SeededGenerator(seed: 280)
    let start = Array("POST /join HTTP/1.1\r\nHost: 10.86.86.1\r\nContent-Length: 12\r\n\r\n".utf8)
    for _ in 0..<20_000 {
      var bytes = Bool.random(using: &dice) ? start : []
      for _ in 0..<Int.random(in: 0...40, using: &dice) { bytes.append(UInt8.random(in: 0...255, using: &dice)) }
      if !bytes.isEmpty, Bool.random(using: &dice) {
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      if case .whole(let request) = HotspotRequest.read(bytes) {
        #expect(request.body.count <= HotspotRequest.mostBody)
      }
      if let answer = NameAnswer.answer(to: bytes, with: [10, 86, 86, 1]) {
        #expect(answer.count <= bytes.count + 16)
      }
    }
  }
}

@Suite("Names on the hotspot")
struct NameAnswerTests {
  private static let address: [UInt8] = [10, 86, 86, 1]

  private static func question(_ name: String, kind: UInt8 = 1, flags: UInt8 = 1) -> [UInt8] {
    let labels = name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
    return [0x12, 0x34, flags, 0, 0, 1, 0, 0, 0, 0, 0, 0] + labels + [0, 0, kind, 0, 1]
  }

  @Test("each has the board's own IPv4 address, and no other")
  func answers() {
    for name in ["a", "connectivitycheck.example", "captive.example.org"] {
      let asked = Self.question(name)
      let expected =
        [0x12, 0x34, 0x85, 0x80, 0, 1, 0, 1, 0, 0, 0, 0] + asked[12...]
        + [0xC0, 0x0C, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 10, 86, 86, 1]
      #expect(NameAnswer.answer(to: asked, with: Self.address) == expected)
      // IPv6, and where services are: there is none, and nobody has to wait for that.
      for kind: UInt8 in [28, 65] {
        let asked = Self.question(name, kind: kind)
        let expected = [0x12, 0x34, 0x85, 0x80, 0, 1, 0, 0, 0, 0, 0, 0] + asked[12...]
        #expect(NameAnswer.answer(to: asked, with: Self.address) == expected)
      }
    }
    // What newer ones add behind the question is not repeated.
    let longer = Self.question("a") + [0, 0, 41, 2, 0, 0, 0, 0, 0, 0, 0]
    #expect(NameAnswer.answer(to: longer, with: Self.address)?.count == Self.question("a").count + 16)
  }

  @Test("what is no single plain question gets no answer")
  func silence() {
    var two = Self.question("a")
    two[5] = 2
    var answered = Self.question("a")
    answered[7] = 1
    let all: [[UInt8]] = [
      [], [UInt8](repeating: 0, count: 12), Self.question("a", flags: 0x81), Self.question("a", flags: 0x29),
      Self.question("a", flags: 0x03), two, answered, Array(Self.question("a.b").dropLast(4)),
      [0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xC0, 0x0C, 0, 1, 0, 1],
      [0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 1, count: 480),
      Self.question("a") + [UInt8](repeating: 0, count: 512),
    ]
    for question in all {
      #expect(NameAnswer.answer(to: question, with: Self.address) == nil, "\(question.prefix(20))")
    }
  }
}

@Suite("The hotspot's page")
struct HotspotPageTests {
  static let token = "fedcba9876543210fedcba9876543210"

  @Test(
    "a network that is not in the list is chosen again by its name, when it failed and when a field has a mistake",
    arguments: [nil, "a\"<b"])
  func unlisted(_ failed: String?) {
    let page = Self.page(failure: failed.map { .init($0, .password) })
    let form = "token=\(Self.token)&network=other&name=a%22%3Cb&password=short"
    let shown = page.answer(failed == nil ? Self.request(.post, "/join", form) : Self.request(.get, "/")).body
    #expect(shown.contains("value=\"other\" checked> ") && shown.split(separator: " checked>").count == 2, "\(shown)")
    #expect(shown.contains("name=\"name\" maxlength=\"32\" value=\"a&quot;&lt;b\""), "\(shown)")
  }

  static func page(failure: HotspotWish.Failure? = nil) -> HotspotPage {
    let networks = [
      HotspotFacts.Network(name: "Home", bars: 4, isLocked: true),
      HotspotFacts.Network(name: "<b>&\"'", bars: 1, isLocked: false),
    ]
    let facts = HotspotFacts(name: "Layby-AB12", language: "en", networks: networks, failure: failure)
    let words = HotspotWords {
      ($0.title, $0.choose, $0.joins) = ("Wi-Fi", "Which?", "Joining %…")
      ($0.wrongName, $0.wrongPassword) = ("NO NAME", "NO PASSWORD")
      $0.failure = failure == nil ? "" : "REFUSED"
    }
    return HotspotPage(facts, words, token: token)
  }

  static func request(
    _ method: HotspotRequest.Method, _ path: String, host: String = "10.86.86.1", origin: String? = nil,
    type: String = "application/x-www-form-urlencoded", _ body: String = ""
  ) -> HotspotRequest {
    HotspotRequest(method: method, path: path, host: host, origin: origin, mediaType: type, body: Array(body.utf8))
  }

  @Test("lists what was seen, as text and nothing else, and says why it is there again")
  func list() {
    let shown = Self.page().answer(Self.request(.get, "/"))
    #expect(shown.status == 200 && shown.body.contains("Home") && shown.body.contains("&lt;b&gt;&amp;&quot;&#39;"))
    #expect(!shown.body.contains("<b>") && !shown.body.contains("<script") && !shown.body.contains("class=\"wrong\""))
    #expect(shown.body.contains(Self.token))
    let again = Self.page(failure: .init("Home", .password)).answer(Self.request(.get, "/"))
    #expect(again.body.contains("REFUSED"))
  }

  @Test("whatever else a telephone asks for leads to it, so that the telephone opens it by itself")
  func portal() {
    let asked = [
      ("connectivitycheck.gstatic.com", "/generate_204"), ("captive.apple.com", "/hotspot-detect.html"),
      ("www.msftconnecttest.com", "/connecttest.txt"), ("10.86.86.1", "/generate_204"), ("layby.local", "/"), ("", "/"),
    ]
    for (host, path) in asked {
      for method in [HotspotRequest.Method.get, .head] {
        let reply = Self.page().answer(Self.request(method, path, host: host))
        #expect(reply.status == 302 && reply.headers.first?.value == "http://10.86.86.1/", "\(host)\(path)")
        #expect(!reply.body.contains(Self.token), "a page of somebody else's name could read it")
      }
    }
  }

  @Test("takes a network that was seen, another one by its name, and an open one without a password")
  func taken() {
    let token = "token=\(Self.token)"
    let table: [(String, StickSetup.Network?)] = [
      ("\(token)&network=0&name=&password=a+good%20one", .init(ssid: "Home", password: "a good one")),
      ("\(token)&network=1&name=&password=12345678", .init(ssid: "<b>&\"'", password: nil)),
      ("\(token)&network=other&name=Caf%C3%A9&password=12345678", .init(ssid: "Café", password: "12345678")),
      ("\(token)&network=other&name=Open&password=", .init(ssid: "Open", password: nil)),
      ("\(token)&network=0&password=", nil), ("\(token)&network=0&password=short", nil),
      ("\(token)&network=9&name=&password=12345678", nil),
      ("\(token)&network=other&name=\(String(repeating: "a", count: 33))&password=", nil),
    ]
    for (body, expected) in table {
      let reply = Self.page().answer(Self.request(.post, "/join", origin: "http://10.86.86.1", body))
      #expect(reply.status == 200 && reply.chosen == expected, "\(body)")
      #expect(reply.body.contains("class=\"wrong\"") == (expected == nil), "\(body)")
      #expect(!reply.body.contains("a good one") && !reply.body.contains("12345678"))
    }
  }

  @Test("takes nothing from a form that it has not shown itself")
  func forged() {
    let good = "token=\(Self.token)&network=0&password=12345678"
    let page = Self.page()
    let forged = [
      Self.request(.post, "/join", host: "evil.example", good), Self.request(.post, "/join", origin: "null", good),
      Self.request(.post, "/join", origin: "http://evil.example", good), Self.request(.post, "/", good),
      Self.request(.post, "/join", type: "text/plain", good),
      Self.request(.post, "/join", "network=0&password=12345678"),
      Self.request(.post, "/join", "token=&network=0&password=12345678"),
      Self.request(.post, "/join", "token=\(Self.token.dropLast())1&network=0&password=12345678"),
      Self.request(.post, "/join", "\(good)&token=\(Self.token)"), Self.request(.post, "/join", "token=%zz"),
    ]
    for request in forged {
      let reply = page.answer(request)
      #expect(reply.status == 403 && reply.chosen == nil && reply.body.isEmpty, "\(request)")
    }
    #expect(page.answer(Self.request(.post, "/join", good)).chosen != nil)
  }
}

@Suite("The hotspot's helper on its sockets")
struct HotspotServerTests {
  /// A socket of this machine, and where it is.
  private static func listener(_ kind: __socket_type) throws -> (Int32, UInt16) {
    let socket = Glibc.socket(AF_INET, Int32(kind.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        #expect(bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0)
      }
    }
    if kind == SOCK_STREAM { #expect(listen(socket, 20) == 0) }
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  private static func connected(_ kind: __socket_type, to port: UInt16) -> Descriptor {
    let socket = Descriptor(taking: Glibc.socket(AF_INET, Int32(kind.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        #expect(connect(socket.number, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0)
      }
    }
    _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
    return socket
  }

  private static func send(_ text: String, to socket: borrowing Descriptor) {
    let bytes = Array(text.utf8)
    #expect(Glibc.send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
  }

  /// Nil when nothing has come yet.
  private static func received(_ socket: borrowing Descriptor) -> String? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket.number, &bytes, bytes.count, 0)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  private final class Chosen { var all: [StickSetup.Network] = [] }

  @Test("answers page and names, and hands over what was chosen")
  func served() throws {
    let chosen = Chosen()
    let (page, port) = try Self.listener(SOCK_STREAM), (names, namesPort) = try Self.listener(SOCK_DGRAM)
    let server = HotspotServer(
      page: Descriptor(taking: page), names: Descriptor(taking: names), HotspotPageTests.page()
    ) { chosen.all.append($0) }
    func turn() throws { for _ in 0..<4 { try server.turn(for: .milliseconds(20)) } }

    let first = Self.connected(SOCK_STREAM, to: port)
    Self.send("GET / HTTP/1.1\r\nHo", to: first)
    try turn()
    Self.send("st: 10.86.86.1\r\n\r\n", to: first)
    try turn()
    #expect(Self.received(first)?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
    let body = "token=\(HotspotPageTests.token)&network=0&password=12345678"
    do {
      let second = Self.connected(SOCK_STREAM, to: port)
      Self.send(
        "POST /join HTTP/1.1\r\nHost: 10.86.86.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", to: second)
      try turn()
      #expect(Self.received(second)?.contains("Joining <bdi>Home</bdi>") == true)
    }
    #expect(chosen.all == [.init(ssid: "Home", password: "12345678")])

    let asking = Self.connected(SOCK_DGRAM, to: namesPort)
    let question: [UInt8] = [1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 1, 0, 1]
    #expect(Glibc.send(asking.number, question, question.count, 0) == question.count)
    try turn()
    var answer = [UInt8](repeating: 0, count: 512)
    let count = recv(asking.number, &answer, answer.count, 0)
    #expect(count > 4 && Array(answer[(count - 4)..<count]) == [10, 86, 86, 1])
  }

  @Test("those who send nonsense, nothing, or leave, keep nobody else from it, however many they are")
  func crowd() throws {
    let (page, port) = try Self.listener(SOCK_STREAM)
    let server = HotspotServer(
      page: Descriptor(taking: page), names: Descriptor(taking: -1), HotspotPageTests.page()
    ) { _ in }
    func turn() throws { for _ in 0..<60 { try server.turn(for: .milliseconds(5)) } }
    do {
      let silent = Self.connected(SOCK_STREAM, to: port)
      let nonsense = Self.connected(SOCK_STREAM, to: port)
      let gone = Self.connected(SOCK_STREAM, to: port)
      Self.send("\u{1}\u{2}\r\n\r\n", to: nonsense)
      Self.send("GET / HTTP/1.1\r\nHost: 10.86.86.1\r\n\r\n", to: gone)
      close(gone.release())
      try turn()
      #expect(Self.received(nonsense)?.hasPrefix("HTTP/1.1 400 ") == true && Self.received(silent) == nil)
    }
    // As many as there are places say nothing. One more waits until they have gone.
    var crowd: [Int32] = []
    for _ in 0..<HotspotServer.mostVisitors { crowd.append(Self.connected(SOCK_STREAM, to: port).release()) }
    try turn()
    let late = Self.connected(SOCK_STREAM, to: port)
    Self.send("GET / HTTP/1.1\r\nHost: 10.86.86.1\r\n\r\n", to: late)
    try turn()
    #expect(Self.received(late) == nil)
    for one in crowd { close(one) }
    try turn()
    #expect(Self.received(late)?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
  }
}
