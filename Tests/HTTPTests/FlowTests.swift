import FaultServer
import HTTP
import Runtime
import Synchronization
import TestSupport
import Testing

@Suite("Bytes flow as fast as they are taken, and no faster")
struct FlowTests {
  /// curl hands over so much in one piece.
  private static let piece = 16_384

  @Test("a transfer whose bytes nobody gives back stops to read, while another goes on")
  func pause() async throws {
    // More than the kernel holds for both ends of a connection.
    let held = Resource([UInt8](repeating: 7, count: 60_000_000))
    let other = Resource.noise(5_000_000)
    let server = try FaultServer(serving: ["/held": held, "/other": other])
    let line = try TestTransfers()
    let miser = Taker(on: line.loop) { _ in 0 }
    var request = TransferRequest(server.url("/held"))
    request.window = 100_000
    let transfer = await line.transfers.start(request, for: miser)
    await miser.until { $0.owed >= 100_000 }
    for _ in 0..<3 { #expect(try await line.fetch(server.url("/other")).isAll(of: other.bytes)) }
    let kept = miser.state.withLock { $0.bytes.count }
    #expect((100_000..<100_000 + Self.piece).contains(kept))
    #expect(try #require(server.requests.first).sent < 40_000_000)
    // It goes on where it stopped.
    transfer.credit(100_000)
    await miser.until { $0.owed >= 200_000 }
    transfer.cancel()
    #expect(try await miser.outcome().trouble == .cancelled)
  }

  @Test("a transfer that is held back is not taken for a slow one")
  func heldIsNotStalled() async throws {
    let server = try FaultServer(serving: ["/a": .noise(3_000_000)])
    let line = try TestTransfers()
    let miser = Taker(on: line.loop) { _ in 0 }
    var request = impatient(server.url("/a"))
    request.window = 50_000
    let transfer = await line.transfers.start(request, for: miser)
    await miser.until { $0.owed >= 50_000 }
    // Another that does stall tells that the limit has gone by.
    server.script("/b", [.silence])
    #expect(try await line.fetch(impatient(server.url("/b"))).trouble == .stalled)
    #expect(miser.state.withLock { $0.end } == nil)
    transfer.credit(50_000)
    await miser.until { $0.owed >= 100_000 }
    transfer.cancel()
    _ = try await miser.outcome()
  }

  @Test("whatever is given back and when, no byte is lost, doubled or moved", arguments: 1...6 as ClosedRange<UInt64>)
  func randomCredit(seed: UInt64) async throws {
    let file = Resource.noise(2_000_000, seed: seed)
    let trusted = try Trusted()
    let isSafe = seed % 2 == 0
    let server = try FaultServer(serving: ["/a": file], over: isSafe ? ServedTLS(trusted.server) : nil)
    let line = try TestTransfers(trusted.settings)
    let dice = Mutex(SeededGenerator(seed: seed))
    let window = dice.withLock { Int.random(in: 1...200_000, using: &$0) }
    let taker = Taker(on: line.loop) { owed in
      dice.withLock { dice in
        // With nothing left in the window something has to be given, or nothing more would ever come.
        let least = owed >= window ? owed - window + 1 : 0
        return max(least, Int.random(in: -owed...owed, using: &dice))
      }
    }
    var request = TransferRequest(server.url("/a"))
    request.window = window
    taker.holds(await line.transfers.start(request, for: taker))
    let outcome = try await taker.outcome()
    #expect(outcome.trouble == nil, "seed \(seed)")
    #expect(outcome.isAll(of: file.bytes), "seed \(seed)")
    #expect(taker.state.withLock { $0.mostOwed } < window + Self.piece, "seed \(seed)")
  }

  @Test("a transfer that is cancelled is gone, with its connection, at any time")
  func cancel() async throws {
    let server = try FaultServer(serving: ["/a": .noise(5_000_000)])
    let line = try TestTransfers()
    for act in [Act.honest, .silence, .stall(at: 1_000), .slowly(.honest, bytes: 100, every: .milliseconds(1))] {
      server.always(act)
      let asked = server.seen.requests.count
      let taker = Taker(on: line.loop) { _ in 0 }
      let transfer = await line.transfers.start(TransferRequest(server.url("/a")), for: taker)
      await server.until { $0.requests.count > asked }
      transfer.cancel()
      #expect(try await taker.outcome().trouble == .cancelled)
      await server.until { $0.openConnections == 0 }
    }
  }

  @Test("whoever does not want the bytes gets none")
  func unwanted() async throws {
    let server = try FaultServer(serving: ["/a": .noise(5_000_000)])
    let line = try TestTransfers()
    let taker = Taker(on: line.loop, wants: false)
    await line.transfers.start(TransferRequest(server.url("/a")), for: taker)
    let outcome = try await taker.outcome()
    #expect(outcome.trouble == .cancelled && outcome.bytes.isEmpty && outcome.head?.status == 200)
    await server.until { $0.openConnections == 0 }
  }

  @Test("closing ends what runs, and closes what was kept for the next")
  func close() async throws {
    let server = try FaultServer(serving: ["/a": .noise(1_000)])
    let line = try TestTransfers()
    #expect(try await line.fetch(server.url("/a")).trouble == nil)
    server.always(.silence)
    let takers = (0..<3).map { _ in Taker(on: line.loop) }
    for taker in takers { await line.transfers.start(TransferRequest(server.url("/a")), for: taker) }
    await server.until { $0.requests.count == 4 }
    await line.transfers.close()
    for taker in takers { #expect(try await taker.outcome().trouble == .cancelled) }
    await server.until { $0.openConnections == 0 }
    #expect(try await line.fetch(server.url("/a")).trouble == .cancelled)
  }

  @Test("what is capped is shared: when the first is done, the others are nearly as far")
  func cap() async throws {
    let file = Resource.noise(400_000)
    let server = try FaultServer(serving: ["/a": file])
    let line = try TestTransfers()
    // Nobody gets anything worth speaking of before all are there.
    await line.transfers.limit(bytesASecond: 1)
    let takers = (0..<3).map { _ in Taker(on: line.loop) }
    for taker in takers {
      taker.holds(await line.transfers.start(TransferRequest(server.url("/a")), for: taker))
      await taker.until { $0.head != nil }
    }
    let began = Moment.now
    await line.transfers.limit(bytesASecond: 1_200_000)
    let first = try await takers[0].outcome()
    #expect(first.isAll(of: file.bytes))
    for taker in takers { #expect(taker.state.withLock { $0.bytes.count } > 300_000) }
    for taker in takers { #expect(try await taker.outcome().isAll(of: file.bytes)) }
    // 1.2 MB at 1.2 MB a second; each may have begun its last piece early.
    #expect(Moment.now - began > .milliseconds(900))
  }

  @Test("what somebody begins to listen to is served before the others, and no more when that is over")
  func listened() async throws {
    let file = Resource.noise(60_000)
    let server = try FaultServer(serving: ["/a": file])
    let line = try TestTransfers()
    await line.transfers.limit(bytesASecond: 1)
    let others = (0..<2).map { _ in Taker(on: line.loop) }
    let seen = Mutex([Int]())
    let takers =
      others + [
        Taker(on: line.loop, atEnd: { seen.withLock { $0 = others.map { $0.state.withLock { $0.bytes.count } } } })
      ]
    var transfers: [Transfer] = []
    for taker in takers {
      transfers.append(await line.transfers.start(TransferRequest(server.url("/a")), for: taker))
      await taker.until { $0.head != nil }
    }
    for (taker, transfer) in zip(takers, transfers) { taker.holds(transfer) }
    transfers[1].urgency(.listening)
    transfers[1].urgency(.whenever)
    transfers[2].urgency(.listening)
    // With each piece that comes more is taken than is dealt in most of a second, so that there is never anything left
    // over, on a busy machine either.
    await line.transfers.limit(bytesASecond: 20_000)
    #expect(try await takers[2].outcome().isAll(of: file.bytes))
    let late = seen.withLock { $0 }
    #expect(late.count == 2 && late.allSatisfy { 2 * $0 < file.bytes.count }, "\(late)")
    await line.transfers.limit(bytesASecond: nil)
    for taker in others { #expect(try await taker.outcome().isAll(of: file.bytes)) }
  }

  @Test("a paced server's line is as slow as it says, whoever shares it, and the speed is told")
  func paced() async throws {
    let file = Resource.noise(300_000)
    let server = try FaultServer(
      serving: ["/a": file], pace: Pace(bytesASecond: 1_000_000, delay: .milliseconds(20)))
    let line = try TestTransfers()
    let began = Moment.now
    let takers = (0..<2).map { _ in Taker(on: line.loop) }
    for taker in takers {
      taker.holds(await line.transfers.start(TransferRequest(server.url("/a")), for: taker))
    }
    for taker in takers {
      let outcome = try await taker.outcome()
      #expect(outcome.isAll(of: file.bytes))
      #expect(try #require(outcome.ending?.bytesASecond) < 1_300_000)
    }
    #expect(Moment.now - began > .milliseconds(550))
  }

  @Test("many small answers keep within the cap, too; without one they come at once")
  func smallCapped() async throws {
    let server = try FaultServer(serving: ["/a": .noise(20_000)])
    let line = try TestTransfers()
    await line.transfers.limit(bytesASecond: 100_000)
    let began = Moment.now
    for _ in 0..<5 { _ = try await line.fetch(server.url("/a")) }
    // 100 kB; the last may have come early.
    #expect(Moment.now - began > .milliseconds(700))
    let taker = Taker(on: line.loop)
    await line.transfers.limit(bytesASecond: 1)
    server.serve("/b", .noise(500_000))
    taker.holds(await line.transfers.start(TransferRequest(server.url("/b")), for: taker))
    await taker.until { $0.head != nil }
    await line.transfers.limit(bytesASecond: nil)
    #expect(try await taker.outcome().bytes.count == 500_000)
  }
}
