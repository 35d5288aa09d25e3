import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

@Suite("Room for music")
struct RoomTests {
  static let song = Int64(OfflinePartTests.bytes) + 3

  /// Old enough, and whole: left over from streaming.
  private static func cached(_ items: [String], _ rules: TransferRules) async throws -> Depot {
    let first = try Depot(OfflinePartTests.shop())
    try await first.start(rules)
    for item in items {
      let stream = try await first.part.stream(ItemKey(source: "shop", item: item), at: .high)
      _ = try await StreamTests.read(stream)
      await stream.close()
    }
    await first.settle()
    let depot = try Depot(first.source, first.disk, first.rows.all, date: 1_000 + 30 * 86_400)
    try await depot.start(rules)
    await depot.settle()
    return depot
  }

  /// And not what grows.
  private static func wholes(_ depot: Depot) -> Int {
    depot.disk.names.count { $0.ending != MediaFolder.growing }
  }

  private static func warnings(_ depot: Depot) -> [Keeper.Warning] {
    var found: [Keeper.Warning] = []
    for event in depot.told { if case .warned(let warning) = event { found.append(warning) } }
    return found
  }

  @Test("old cache goes for what is wanted, as much of it as is needed, and not for what fits in no case")
  func cache() async throws {
    var rules = Depot.rules
    // Three are here; a bit more than one has to go for three and a half.
    rules.limit = Self.song * 11 / 2
    let depot = try await Self.cached(["5", "1", "2"], rules)
    #expect(Self.wholes(depot) == 3 && Self.warnings(depot).isEmpty)
    depot.source.state.withLock { state in
      state.items["vast"] = [UInt8](repeating: 1, count: Int(rules.limit))
      state.lists["v"] = ["vast"]
    }
    let vast = ContainerKey(source: "shop", kind: .album, id: "v")
    _ = try await depot.part.want(vast, at: .high)
    await depot.settle()
    #expect(Self.wholes(depot) == 3 && depot.lastWaits() == ["O-122"], "\(depot.told)")
    _ = try await depot.part.drop(vast)
    depot.source.state.withLock { state in
      state.items["long"] = [UInt8](repeating: 1, count: Int(Self.song * 7 / 2))
      state.lists["l"] = ["long"]
    }
    _ = try await depot.part.want(ContainerKey(source: "shop", kind: .album, id: "l"), at: .high)
    await depot.settle()
    await depot.settle()
    #expect(depot.isWhole("long") && Self.wholes(depot) == 2, "\(depot.disk.names)")
  }

  @Test("without anybody's asking for room it is told that there is little, and near the limit the old cache goes")
  func minute() async throws {
    var rules = Depot.rules
    rules.limit = Self.song * 3
    let depot = try await Self.cached(["5", "1"], rules)
    #expect(Self.warnings(depot).isEmpty)
    rules.limit = Self.song * 12 / 5
    await depot.part.take(rules)
    for _ in 0..<3 { await depot.settle() }
    #expect(Self.warnings(depot) == [.nearLimit(83)] && depot.disk.names.count == 2)
    rules.limit = Self.song * 2
    await depot.part.take(rules)
    for _ in 0..<3 { await depot.settle() }
    #expect(depot.disk.names.count == 1 && Self.warnings(depot).count == 1)
    depot.disk.fill(leaving: 900_000)
    for _ in 0..<3 { await depot.settle() }
    #expect(Self.warnings(depot).last == .lowDisk(900_000 + Self.song) && depot.disk.names.isEmpty)
  }

  @Test("a download that nobody went on with goes after a week, and what was asked for never does")
  func stale() async throws {
    let first = try Depot(OfflinePartTests.shop())
    try await first.start()
    first.fetching.state.withLock { $0.isHalting = true }
    _ = try await first.part.want(OfflinePartTests.list, at: .high)
    await first.settle(.seconds(1))
    await first.part.take(TransferConditions())
    await first.settle(.seconds(1))
    await first.part.take(Depot.home)
    let stream = try await first.part.stream(ItemKey(source: "shop", item: "5"), at: .high)
    await first.settle(.seconds(1))
    await stream.close()
    await first.part.take(TransferConditions())
    await first.settle(.seconds(1))
    #expect(first.disk.names.count == 3)
    for (days, count) in [(6, 3), (8, 2)] as [(Int64, Int)] {
      let next = try Depot(first.source, first.disk, first.rows.all, date: 1_000 + days * 86_400)
      var situation = TransferConditions()
      situation.minute = days == 8 ? nil : 600
      try await next.start(Depot.rules, situation)
      await next.settle()
      // While nobody knows the time, nothing is old.
      #expect(next.disk.names.count == 3, "\(days)")
      situation.minute = 600
      await next.part.take(situation)
      await next.settle()
      await next.settle()
      #expect(next.disk.names.count == count, "\(days)")
    }
  }

  @Test("what waits holds no room: an outage leaves none set aside, and neither does a power cut")
  func outage() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    depot.fetching.state.withLock { $0.isHalting = true }
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle(.seconds(1))
    // What has come is durable then.
    await depot.part.take(TransferConditions())
    await depot.settle(.seconds(1))
    await depot.part.take(Depot.home)
    await depot.settle(.seconds(1))
    #expect(depot.disk.setAside > 0)
    var generator = SeededGenerator(seed: 3)
    let after = depot.disk.copyAfterCut(&generator)
    #expect(after.setAside > 0)
    let next = try Depot(depot.source, after, depot.rows.all)
    try await next.start(Depot.rules, TransferConditions())
    #expect(next.disk.setAside == 0)
    await next.settle()
  }

  @Test("what fits is told with the room that old cache makes, and without what is on its way already")
  func fits() async throws {
    var rules = Depot.rules
    // Three are here, and there is nearly room for what another is thought to need.
    let each = Quality.high.estimate(of: .seconds(10))
    let left = each - Self.song / 2
    rules.limit = Self.song * 3 + left
    let depot = try await Self.cached(["5", "1", "2"], rules)
    #expect(Self.wholes(depot) == 3)
    // Of the album only the last one is missing, and the other two stay.
    let album = try await depot.part.size(of: OfflinePartTests.album, at: .high)
    #expect(album.items == 1 && album.bytes == each && album.room == left + Self.song && album.fits, "\(album)")
    #expect(album.whole == each + 2 * Self.song && album.here == 2 * Self.song)
    let other = ContainerKey(source: "shop", kind: .track, id: "4")
    let alone = try await depot.part.size(of: other, at: .high)
    #expect(alone.room == rules.limit && alone.fits, "\(alone)")
    var nowhere = TransferConditions()
    nowhere.minute = Depot.home.minute
    await depot.part.take(nowhere)
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle()
    let beside = try await depot.part.size(of: other, at: .high)
    #expect(beside.room < left && !beside.fits, "\(beside)")
    // With the line back it comes, as was said.
    await depot.part.take(Depot.home)
    await depot.settle(.seconds(60))
    #expect(["1", "2", "3"].allSatisfy { depot.isWhole($0) }, "\(depot.disk.names)")
  }

  @Test("how much is kept of what is told beside the list and in health")
  func usage() async throws {
    let depot = try await Self.cached(["5"], Depot.rules)
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle()
    let room = await depot.part.room()
    #expect(room.usage.asked == Self.song * 3 && room.usage.cached == Self.song && room.usage.left == 0)
    #expect(room.kept == Self.song * 4 && room.limit == Depot.rules.limit && room.free == 1 << 40)
    let health = await depot.part.health()
    #expect(health.usage == room.usage && health.kept == room.kept)
  }
}
