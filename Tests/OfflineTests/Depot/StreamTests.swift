import Kit
import Library
import Runtime
import Services
import Synchronization
import Testing

@testable import Offline

@Suite("What is played while it comes")
struct StreamTests {
  static let item = ItemKey(source: "shop", item: "1")

  static func read(_ stream: MediaStream, from start: Int = 0, upTo end: Int = .max) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while start + bytes.count < end {
      let next = try await stream.read(at: Int64(start + bytes.count), most: min(7_000, end - start - bytes.count))
      if next.isEmpty { break }
      bytes += next
    }
    return bytes
  }

  @Test("it is read as it grows, waits where the line breaks, and goes on by itself")
  func grows() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    let all = try #require(depot.source.bytes("1", .high))
    depot.fetching.state.withLock { $0.isHalting = true }
    let stream = try await depot.part.stream(Self.item, at: .high)
    let first = try await Self.read(stream, upTo: all.count / 2)
    #expect(first == Array(all.prefix(all.count / 2)))
    await depot.part.take(Situation())
    await depot.settle(.seconds(1))
    #expect(await stream.why() == [Why(.noNetwork)])
    async let rest = Self.read(stream, from: first.count)
    depot.fetching.state.withLock { $0.isHalting = false }
    await depot.part.take(Depot.home)
    let isRight = try await first + rest == all
    #expect(isRight)
    await depot.settle()
    #expect(depot.isWhole("1") && depot.record("1")?.isCache == true)
    #expect(depot.whole.isEmpty)
    await stream.close()
  }

  @Test("it takes another's place, is not one of what is wanted, and stays as cache until its room is needed")
  func cache() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    var rules = Depot.rules
    rules.limit = Int64(OfflinePartTests.bytes) * 4
    try await depot.start(rules)
    let stream = try await depot.part.stream(ItemKey(source: "shop", item: "5"), at: .high)
    _ = try await Self.read(stream)
    await stream.close()
    await depot.settle()
    #expect(depot.isWhole("5"))
    #expect(await depot.part.list().isEmpty)
    // It survives a start, and is read again without the network.
    let next = try Depot(depot.source, depot.disk, depot.rows.all)
    try await next.start(rules, Situation())
    let again = try await next.part.stream(ItemKey(source: "shop", item: "5"), at: .lossless)
    #expect(try await Self.read(again).count == OfflinePartTests.bytes + 3)
    #expect(next.fetching.state.withLock { $0.asked.isEmpty })
    await again.close()
    await next.settle()
    // Four are asked for, and there is room for three beside it. It was played just now, so nothing is given up for them.
    _ = try await next.part.want(OfflinePartTests.album, at: .high)
    _ = try await next.part.want(OfflinePartTests.list, at: .high)
    await next.part.take(Depot.home)
    await next.settle()
    let health = await next.part.health()
    #expect(next.isWhole("5") && health.whole == 2 && health.kept <= rules.limit)
  }

  @Test("what fails tells whoever reads")
  func fails() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    let stream = try await depot.part.stream(ItemKey(source: "shop", item: "none"), at: .high)
    var code: String?
    do throws(Fault) { _ = try await stream.read(at: 0, most: 10) } catch { code = error.code }
    #expect(code == Trouble.notThere.code)
    await stream.close()
  }
}
