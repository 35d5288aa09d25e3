import FaultServer
import Glibc
import Runtime
import TestSupport
import Testing

@testable import bench

@Suite("A slow line")
struct SlowLineTests {
  static func at(_ nanoseconds: Int64) -> Moment { Moment(nanoseconds: 1_000_000_000_000 + nanoseconds) }

  @Test("over any time it carries what it can and no more, whoever is late and whatever is wanted", arguments: 0..<20)
  func pace(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rate = Int.random(in: 10_000...20_000_000, using: &random)
    var pace = LinePace(bytesASecond: rate, at: Self.at(0))
    var (now, carried) = (Self.at(0), 0)
    let ahead = rate / 50
    for _ in 0..<500 {
      now = now + .nanoseconds(Int64.random(in: 0...60_000_000, using: &random))
      let allowed = pace.allowance(at: now)
      let bytes = Int.random(in: 0...max(allowed, 0), using: &random)
      pace.carry(bytes, at: now)
      carried += bytes
      let most = rate * Int((now - Self.at(0)).nanoseconds) / 1_000_000_000 + ahead
      #expect(allowed <= ahead && carried <= most, "seed \(seed)")
    }
  }

  @Test("whoever looks often enough loses nothing of it", arguments: [10_000, 2_500_000, 12_500_000])
  func full(rate: Int) {
    var random = SeededGenerator(seed: UInt64(rate))
    var pace = LinePace(bytesASecond: rate, at: Self.at(0))
    var (now, carried) = (Self.at(0), 0)
    while now < Self.at(10_000_000_000) {
      now = now + .nanoseconds(Int64.random(in: 1_000_000...15_000_000, using: &random))
      let allowed = pace.allowance(at: now)
      pace.carry(allowed, at: now)
      carried += allowed
    }
    let whole = rate * Int((now - Self.at(0)).nanoseconds) / 1_000_000_000
    #expect(carried <= whole && carried >= whole - whole / 500)
  }

  @Test("a new connection begins with ten packets, and with twice as many each round trip; near by all goes at once")
  func start() {
    var start = SlowStart(roundTrip: .milliseconds(20))
    for (after, packets) in [(0, 10), (19, 10), (20, 30), (39, 30), (40, 70), (100, 630)] as [(Int64, Int)] {
      #expect(start.limit(at: Self.at(after * 1_000_000)) == packets * 1_460)
    }
    #expect(start.limit(at: Self.at(3_600_000_000_000)) == .max)
    var near = SlowStart(roundTrip: .zero)
    #expect(near.limit(at: Self.at(0)) == .max)
  }

  private static func ask(_ port: Int) throws -> [UInt8] {
    let number = try #require(Loopback.connection(to: port))
    let socket = Descriptor(taking: number)
    try socket.writeAll(Array("GET /a.flac HTTP/1.1\r\nHost: a\r\n\r\n".utf8), code: "T-1", doing: "ask")
    return try socket.readAll(limit: 1 << 24, code: "T-1", doing: "hear")
  }

  /// What a server has said before it closed the connection, by way of a line; and how long that took.
  private static func through(_ shape: LineShape, _ file: Resource) throws -> (body: [UInt8], took: Duration) {
    let server = try FaultServer(serving: ["/a.flac": file])
    server.script("/a.flac", [.broken(.honest, after: file.bytes.count, .end)])
    let line = try SlowLine(shape, to: server.port)
    let began = Moment.now
    let said = try ask(line.port)
    return (Array(said.suffix(file.bytes.count)), Moment.now - began)
  }

  @Test("bytes come through a line as they are, and no sooner than it can bring them")
  func carries() throws {
    let file = Resource.noise(200_000)
    let (body, took) = try Self.through(LineShape(bytesASecond: 1_000_000), file)
    let isSame = body == file.bytes
    // But for what a line that was idle may be given at once.
    #expect(isSame && took >= .milliseconds(180))
  }

  @Test("from far away the first byte takes two round trips, and what does not fit into the beginning takes more")
  func far() throws {
    let file = Resource.noise(40_000)
    let (body, took) = try Self.through(LineShape(bytesASecond: 100_000_000, roundTrip: .milliseconds(20)), file)
    let isSame = body == file.bytes
    #expect(isSame && took >= .milliseconds(60))
  }

  @Test("several have the line together, each its own bytes")
  func shared() async throws {
    let files = (0..<3).map { Resource.noise(60_000, seed: UInt64($0) + 1) }
    let server = try FaultServer()
    for (number, file) in files.enumerated() {
      server.serve("/\(number)", file)
      server.script("/\(number)", [.broken(.honest, after: file.bytes.count, .end)])
    }
    let line = try SlowLine(LineShape(bytesASecond: 2_000_000), to: server.port)
    var sockets: [Int32] = []
    for number in 0..<3 {
      let socket = try #require(Loopback.connection(to: line.port))
      sockets.append(socket)
      let question = Array("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
      #expect(question.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) } == question.count)
    }
    for (socket, file) in zip(sockets, files) {
      let said = try Descriptor(taking: socket).readAll(limit: 1 << 24, code: "T-1", doing: "hear")
      let isSame = Array(said.suffix(file.bytes.count)) == file.bytes
      #expect(isSame)
    }
  }
}
