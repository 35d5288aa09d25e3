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

  // MARK: Large ones

  private static func largeShop() -> ChangingSource {
    var generator = SeededGenerator(seed: 8)
    var items: [String: [UInt8]] = [:]
    for name in ["1", "2", "3", "4"] { items[name] = PartFileTests.bytes(1_200_000, &generator) }
    return ChangingSource(items, lists: ["a": ["1", "2", "3", "4"]])
  }

  @Test("who seeks in what has not come is given that part by itself, and the file still comes whole and right")
  func seeks() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    let all = try #require(depot.source.bytes("1", .low))
    depot.fetching.state.withLock { $0.isHalting = true }
    let stream = try await depot.part.stream(Self.item, at: .low)
    #expect(try await Self.read(stream, upTo: 10) == Array(all.prefix(10)))
    // Half of it comes; of what is asked for from here on, half as well.
    let place = all.count - 200_000
    let part = try await Self.read(stream, from: place, upTo: place + 90_000)
    let isRight = part == Array(all[place..<place + 90_000])
    #expect(isRight)
    #expect(depot.fetching.state.withLock { $0.asked } == ["1", "1"])
    // Back in what is here, nothing is asked for.
    #expect(try await Self.read(stream, from: 1_000, upTo: 1_500) == Array(all[1_000..<1_500]))
    #expect(depot.fetching.state.withLock { $0.asked } == ["1", "1"])
    depot.fetching.state.withLock { $0.isHalting = false }
    await depot.part.take(Situation())
    await depot.settle(.seconds(1))
    await depot.part.take(Depot.home)
    await depot.settle()
    #expect(depot.isWhole("1", .low))
    await stream.close()
    await depot.settle()
  }

  @Test("of what comes next the beginnings are fetched and no more; played, it goes on from there")
  func prepares() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    let next = ["2", "3", "4"].map { ItemKey(source: "shop", item: $0) }
    await depot.part.prepare(next, at: .low)
    await depot.settle()
    let enough = RunAhead.head + Quality.low.estimate(of: RunAhead.beginning)
    for name in ["2", "3", "4"] {
      let record = try #require(depot.record(name, .low))
      #expect(record.state == .queued && record.isCache, "\(record)")
      #expect((enough..<enough + 200_000).contains(record.durable), "\(record)")
    }
    #expect(depot.fetching.state.withLock { $0.asked.count } == 3)
    // It is the next one's turn, and another comes next.
    await depot.part.prepare([next[1], next[2], Self.item], at: .low)
    let stream = try await depot.part.stream(next[0], at: .low)
    let all = try #require(depot.source.bytes("2", .low))
    let isRight = try await Self.read(stream) == all
    #expect(isRight)
    await stream.close()
    await depot.settle()
    #expect(depot.isWhole("2", .low) && depot.record("1", .low)?.state == .queued)
  }

  @Test(
    "without the line what is here is played as far as it goes, and then the reason ends it; with nothing here, at once"
  )
  func cached() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    await depot.part.prepare([Self.item], at: .low)
    await depot.settle()
    await depot.part.take(Situation())
    guard case .stream(let stream) = try await depot.part.playable(Self.item, at: .low) else {
      Issue.record("it is not whole")
      return
    }
    var (came, code) = (0, "")
    do throws(Fault) {
      while true { came += try await stream.read(at: Int64(came), most: 60_000).count }
    } catch { code = error.code }
    #expect(Int64(came) == depot.record("1", .low)?.durable && code == WaitReason.noNetwork.code)
    await stream.close()
    await depot.settle()
    do throws(Fault) {
      _ = try await depot.part.playable(ItemKey(source: "shop", item: "4"), at: .low)
      Issue.record("nothing of it is here")
    } catch { #expect(error.code == WaitReason.noNetwork.code && error.kind == .missing) }
  }

  @Test("what has become whole is a file the next time, and is cache that was played")
  func becomesWhole() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    guard case .stream(let stream) = try await depot.part.playable(Self.item, at: .low) else {
      Issue.record("it cannot be here")
      return
    }
    _ = try await Self.read(stream)
    await stream.close()
    await depot.settle()
    #expect(depot.record("1", .low)?.plays == 1)
    guard case .file(let path) = try await depot.part.playable(Self.item, at: .high) else {
      Issue.record("it is whole")
      return
    }
    #expect(depot.disk.bytes(path) == depot.source.bytes("1", .low))
    #expect(depot.record("1", .low)?.plays == 2)
  }

  @Test("while hardly anything of a stream is there, nothing else takes part of the line; then it goes on")
  func hasTheLine() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    depot.fetching.state.withLock { $0.isHalting = true }
    let album = ContainerKey(source: "shop", kind: .album, id: "a")
    _ = try await depot.part.want(album, at: .lossless)
    await depot.settle(.seconds(1))
    #expect(depot.fetching.state.withLock { $0.asked.count } == 3)
    // Four seconds of it come, and then nothing for now.
    let stream = try await depot.part.stream(ItemKey(source: "shop", item: "4"), at: .lossless)
    await depot.settle(.seconds(1))
    let lines = await depot.part.plan(count: 10).filter(\.isRunning)
    #expect(lines.map(\.key.item.item) == ["4"])
    depot.fetching.state.withLock { $0.isHalting = false }
    await stream.close()
    await depot.part.take(Situation())
    await depot.settle(.seconds(3))
    await depot.part.take(Depot.home)
    await depot.settle()
    #expect(await depot.part.list().first?.state == .whole)
  }
}
