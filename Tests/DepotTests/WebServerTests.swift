import Glibc
import Runtime
import Synchronization
import TestSupport
import Testing
import WebServer

@Suite("The web server", .serialized)
struct WebServerTests {
  /// Says what it was asked.
  private final class Echo: WebHandler {
    let done = Mutex<[Int]>([])

    func refusal(of request: WebRequest) -> WebAnswer? { request.path == "/no" ? WebAnswer(403) : nil }

    func answer(_ request: WebRequest) -> WebAnswer {
      let text =
        "\(request.method) \(request.path) \(request.query ?? "-") \(request.header("X") ?? "-") \(request.peer)"
      return WebAnswer(200, [("X-Body", "\(request.body.count)")], Array(text.utf8))
    }

    func didEnd(_ request: WebRequest?, _ answer: WebAnswer?, nanoseconds: Int64, isWhole: Bool) {
      done.withLock { $0.append(answer?.status ?? 0) }
    }
  }

  private struct Line {
    private let socket: Int32

    init(to server: WebServer) throws {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = (UInt16(server.address.split(separator: ":").last ?? "") ?? 0).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let number = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      let isOpen = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      try #require(isOpen)
      socket = number
    }

    func send(_ text: String) {
      let bytes = Array(text.utf8)
      _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Up to the end of the connection, or until `part` is there.
    func read(until part: String? = nil) -> String {
      var all: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 4_096)
      while true {
        if let part, String(decoding: all, as: UTF8.self).has(part) { break }
        guard !Readiness.readable([socket], until: .now + .seconds(30)).isEmpty else { return "nothing came" }
        let count = recv(socket, &block, block.count, 0)
        guard count > 0 else { break }
        all += block[..<count]
      }
      return String(decoding: all, as: UTF8.self)
    }

    func end() { close(socket) }
  }

  @Test("gives the request as it came: method, path, question, one header, body")
  func request() throws {
    let server = try WebServer(listen: "127.0.0.1", port: 0, Echo())
    let line = try Line(to: server)
    defer { line.end() }
    line.send("POST /a%2Fb?c=%41 HTTP/1.1\r\nHost: x\r\nx: 1\r\nContent-Length: 3\r\n\r\nabc")
    let answer = line.read(until: "127.0.0.1")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.has("X-Body: 3\r\n"), "\(answer)")
    #expect(answer.hasSuffix("POST /a%2Fb c=%41 1 127.0.0.1"), "\(answer)")
    // A header that is there twice is as good as none; and the connection goes on.
    line.send("GET /d HTTP/1.1\r\nHost: x\r\nX: 1\r\nX: 2\r\n\r\n")
    #expect(line.read(until: "127.0.0.1").hasSuffix("GET /d - - 127.0.0.1"))
  }

  @Test("ends a request that does not come to its end in time, and no other connection")
  func slow() throws {
    var limits = WebServer.Limits()
    (limits.requestSeconds, limits.idleSeconds) = (30, 100)
    let echo = Echo()
    let server = try WebServer(listen: "127.0.0.1", port: 0, limits: limits, echo)
    let (slow, other) = (try Line(to: server), try Line(to: server))
    defer {
      slow.end()
      other.end()
    }
    slow.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc")
    other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = other.read(until: "127.0.0.1")
    #expect(server.openConnections == 2)
    server.endSlowRequests()
    slow.send("de")
    server.endSlowRequests(at: .now + .seconds(31))
    #expect(slow.read() == "")
  }

  @Test("cuts off who sends without an end, and too many of one address")
  func floods() throws {
    var limits = WebServer.Limits()
    (limits.bodyBytes, limits.connectionsOfAddress) = (1_000, 3)
    let server = try WebServer(listen: "127.0.0.1", port: 0, limits: limits, Echo())
    let line = try Line(to: server)
    line.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n")
    #expect(line.read().hasPrefix("HTTP/1.1 413"))
    line.end()
    let endless = try Line(to: server)
    endless.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<200 { endless.send("100\r\n\(String(repeating: "a", count: 256))\r\n") }
    #expect(!endless.read().hasPrefix("HTTP/1.1 200"))
    endless.end()
    let head = try Line(to: server)
    head.send("GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "a", count: 200_000))\r\n\r\n")
    #expect(!head.read().hasPrefix("HTTP/1.1 200"))
    head.end()
    let lines = try (1...4).map { _ in try Line(to: server) }
    for line in lines { line.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") }
    #expect(lines.map { $0.read() }.count { $0.hasPrefix("HTTP/1.1 200") } <= 3)
    for line in lines { line.end() }
  }

  @Test("decodes forms as they are written, and takes none that is broken or says a thing twice")
  func forms() {
    let form = WebForm("a=1&b=%C3%A9+x&c")
    #expect(form?["a"] == "1" && form?["b"] == "é x" && form?["c"] == "" && form?["d"] == nil)
    for wrong in ["a=%", "a=%4", "a=%zz", "a=%ff", "a=%00", "a=1&a=2", "a=1&%61=2"] {
      #expect(WebForm(wrong) == nil, "\(wrong)")
    }
    #expect(WebForm((0..<50).map { "a\($0)=1" }.joined(separator: "&")) == nil)
  }
}
