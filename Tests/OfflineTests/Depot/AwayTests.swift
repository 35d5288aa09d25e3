import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

@Suite("What happens to files while their disk is away, or their source changes")
struct AwayTests {
  private static func away(_ depot: Depot) async {
    depot.disk.takeAway(Depot.folder)
    var situation = Depot.home
    situation.free = nil
    await depot.part.take(situation)
  }

  private static func back(_ depot: Depot) async {
    depot.disk.bringBack(Depot.folder)
    await depot.part.take(Depot.home)
  }

  @Test("what is dropped while its disk is away goes when the disk is back, without a start")
  func dropped() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    _ = try await depot.part.want(OfflinePartTests.list, at: .high)
    await depot.settle()
    await Self.away(depot)
    #expect(try await depot.part.drop(OfflinePartTests.album) == 2)
    for _ in 0..<3 { await depot.settle() }
    #expect(depot.disk.names.count == 4 && depot.record("1") == nil)
    let strange = Depot.folder / "aa" / "holiday.jpg"
    depot.disk.put(strange, [1])
    await Self.back(depot)
    await depot.settle()
    #expect(depot.isWhole("3") && depot.isWhole("4"))
    #expect(depot.disk.names.count == 3 && depot.disk.names.contains(strange))
    #expect(await depot.part.health().removedEver == 2)
  }

  @Test("what is wanted again meanwhile is fetched, and is nobody's orphan")
  func again() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle()
    await Self.away(depot)
    _ = try await depot.part.drop(OfflinePartTests.album)
    await depot.settle()
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await Self.back(depot)
    await depot.settle()
    await depot.settle()
    for item in ["1", "2", "3"] { #expect(depot.isWhole(item), "\(item)") }
    #expect(depot.disk.names.count == 3)
  }

  /// Another version of 2 is at the source, and there is no network.
  private static func changed(_ disk: MemoryDisk = MemoryDisk()) async throws -> (
    depot: Depot, path: FilePath, old: [UInt8]
  ) {
    let depot = try Depot(OfflinePartTests.shop(), disk)
    try await depot.start()
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle()
    let path = FilePath(try #require(depot.record("2")?.path))
    let old = try #require(depot.disk.bytes(path))
    depot.source.state.withLock { state in
      state.items["2"] = [UInt8](repeating: 9, count: 30_000)
      state.changes = MediaChanges(token: "2")
      state.changes.changed = ["2"]
    }
    await depot.part.take(TransferConditions())
    await depot.part.refresh()
    await depot.settle()
    return (depot, path, old)
  }

  @Test("an item that has changed keeps its old file until the new one is whole, across a start too")
  func keeps() async throws {
    let (depot, path, old) = try await Self.changed()
    #expect(depot.record("2")?.state == .queued && depot.disk.bytes(path) == old)
    let item = ItemKey(source: "shop", item: "2")
    #expect(await depot.part.lines(of: [item]).map(\.offline) == [.valid])
    guard case .file(path) = try await depot.part.playable(item, at: .high) else {
      Issue.record("the old one is here")
      return
    }
    let next = try Depot(depot.source, depot.disk, depot.rows.all)
    try await next.start(Depot.rules, TransferConditions())
    await next.settle()
    #expect(next.disk.bytes(path) == old)
    // In the middle of the new one.
    next.fetching.state.withLock { $0.isHalting = true }
    await next.part.take(Depot.home)
    await next.settle(.seconds(1))
    #expect(next.record("2")?.state == .downloading(.fetching) && next.disk.bytes(path) == old)
    await next.part.take(TransferConditions())
    await next.settle(.seconds(1))
    next.fetching.state.withLock { $0.isHalting = false }
    await next.part.take(Depot.home)
    await next.settle()
    #expect(next.isWhole("2") && next.disk.names.count == 3)
    #expect(next.whole.map(\.key.item.item) == ["2"])
  }

  @Test("wherever the power goes meanwhile, the old one or the new one is there", arguments: [false, true])
  func cuts(afterwards: Bool) async throws {
    var generator = SeededGenerator(seed: 3)
    var failing = 1
    while true {
      let disk = MemoryDisk()
      let (depot, path, old) = try await Self.changed(disk)
      disk.fail(failing, .dies(afterwards: afterwards))
      await depot.part.take(Depot.home)
      await depot.settle(.seconds(5))
      guard disk.isDead else { break }
      let after = disk.copyAfterCut(&generator)
      let part = after.names.first { $0.ending == MediaFolder.growing }.flatMap { after.bytes($0) }
      let new = depot.source.bytes("2", .high)
      let isThere = after.bytes(path) == old || after.bytes(path) == new || part == new
      #expect(isThere, "call \(failing)")
      let next = try Depot(depot.source, after, depot.rows.all)
      try await next.start()
      await next.settle()
      #expect(next.isWhole("1") && next.isWhole("2") && next.isWhole("3"), "call \(failing)")
      #expect(next.disk.names.count == 3, "call \(failing)")
      failing += 1
    }
    #expect(failing > 10)
  }

  @Test("rows that cannot be stored for a while change nothing of that; one whose file is called otherwise goes then")
  func unstored() async throws {
    let (depot, path, old) = try await Self.changed()
    depot.source.state.withLock { $0.ending = "mp3" }
    depot.rows.refuse(true)
    await depot.part.take(Depot.home)
    await depot.settle()
    #expect(depot.disk.bytes(path) == old && depot.record("2")?.state == .queued)
    depot.rows.refuse(false)
    await depot.settle()
    #expect(depot.isWhole("2") && depot.record("2")?.path?.hasSuffix(".mp3") == true)
    #expect(depot.disk.names.count == 3)
  }

  @Test("dropped, both versions go")
  func both() async throws {
    let (depot, _, _) = try await Self.changed()
    _ = try await depot.part.drop(OfflinePartTests.album)
    await depot.settle()
    await depot.settle()
    #expect(depot.disk.names.isEmpty && depot.rows.all.downloads.isEmpty)
  }
}
