import FaultServer
import HTTP
import Runtime
import Testing

/// One way in which a server is bad, and what is said of it.
struct BadServer: Sendable, CustomTestStringConvertible {
  let name: String
  let act: Act
  let trouble: TransferTrouble?
  /// How much of the file has come by then, where that is certain.
  var came: Int?

  var testDescription: String { name }

  init(_ name: String, _ act: Act, _ trouble: TransferTrouble?, came: Int? = nil) {
    (self.name, self.act, self.trouble, self.came) = (name, act, trouble, came)
  }

  static let size = 50_000

  static let table = cuts + others

  private static let cuts = [0, 1, 100, 16_384, 49_999].map { byte in
    BadServer("cut at byte \(byte)", .cut(at: byte), .cutShort, came: byte)
  }

  private static let others: [BadServer] = [
    BadServer("reset in the middle", .reset(at: 20_000), .reset),
    BadServer("reset before a word", .broken(.raw([]), after: 0, .reset), .reset),
    BadServer("an end before a word", .raw([]), .reset, came: 0),
    BadServer("a word and an end", .raw(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .reset, came: 0),
    BadServer("silence", .silence, .stalled, came: 0),
    BadServer("silence in the middle", .stall(at: 20_000), .stalled, came: 20_000),
    BadServer("a drop at a time", .slowly(.honest, bytes: 100, every: .milliseconds(100)), .stalled),
    BadServer("more promised than there is", .promising(more: 1_000), .cutShort, came: size),
    BadServer("less promised than there is", .promising(more: -1_000), nil, came: size - 1_000),
    BadServer("gzip, not asked for", .encoded(as: "gzip"), .encoded, came: 0),
    BadServer("brotli, not asked for", .encoded(as: "br"), .encoded, came: 0),
    BadServer("identity said aloud", .encoded(as: "identity"), nil, came: size),
    BadServer("too many headers", .manyHeaders(200), .tooLarge, came: 0),
    BadServer("many headers", .manyHeaders(60), nil),
    BadServer("no HTTP at all", .raw(Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8)), .protocolError, came: 0),
    BadServer("a portal's page", .portal, nil),
    BadServer(
      "an interim answer first",
      .raw(Array("HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n".utf8)),
      nil, came: 0),
  ]
}

@Suite("Each trouble has its name")
struct TroubleTests {
  @Test("what a bad server does is called what it is", arguments: BadServer.table)
  func named(bad: BadServer) async throws {
    let file = Resource.noise(BadServer.size)
    let server = try FaultServer(serving: ["/a": file])
    server.always(bad.act)
    let line = try TestTransfers()
    let outcome = try await line.fetch(impatient(server.url("/a")))
    #expect(outcome.trouble == bad.trouble)
    if let came = bad.came { #expect(outcome.isAll(of: file.bytes.prefix(came))) }
  }

  @Test("nobody listens there")
  func refused() async throws {
    let port = try DeafPort()
    #expect(try await TestTransfers().fetch("http://127.0.0.1:\(port.number)/").trouble == .refused)
  }

  @Test("a name that cannot be: a label of 70 letters")
  func noName() async throws {
    let name = String(repeating: "a", count: 70)
    #expect(try await TestTransfers().fetch("http://\(name).invalid/").trouble == .noName)
  }

  @Test("there is no way to everybody at once")
  func unreachable() async throws {
    #expect(try await TestTransfers().fetch("http://255.255.255.255/").trouble == .unreachable)
  }

  @Test("a handshake that nobody answers takes too long")
  func timedOut() async throws {
    let server = try FaultServer()
    #expect(try await TestTransfers().fetch(impatient("https://127.0.0.1:\(server.port)/")).trouble == .timedOut)
  }

  @Test("a line of the head without an end")
  func endlessLine() async throws {
    let server = try FaultServer()
    server.always(.raw(Array("HTTP/1.1 200 OK\r\nX: ".utf8) + [UInt8](repeating: 0x61, count: 400_000)))
    #expect(try await TestTransfers().fetch(server.url("/")).trouble == .tooLarge)
  }

  @Test("every trouble has a code of its own, and a message that names no secret")
  func codes() async throws {
    let server = try FaultServer()
    server.always(.silence)
    let outcome = try await TestTransfers().fetch(impatient(server.url("/a.flac?token=secret")))
    guard case .failure(let failure) = outcome.end else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.fault.code == "N-205")
    #expect(failure.fault.message == "cannot fetch from 127.0.0.1: the line has come to a stop")
  }
}
