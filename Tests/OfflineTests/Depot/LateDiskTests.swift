import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

@Suite("The board's disk is mounted late, or another is in its place")
struct LateDiskTests {
  static let mark = Depot.folder / VolumeMark.file

  /// The album is whole.
  static func filled() async throws -> Depot {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle()
    return depot
  }

  private static func expectAll(_ depot: Depot, _ comment: String = "") {
    for item in ["1", "2", "3"] { #expect(depot.isWhole(item), "\(item) \(comment)") }
    #expect(depot.disk.names.count == 3, "\(comment)")
  }

  @Test("the folder below it is not taken for it: nothing is lost, fetched or removed, and all is there when it comes")
  func late() async throws {
    let depot = try await Self.filled()
    let next = try Depot(depot.source, MemoryDisk(), depot.rows.all)
    #expect(await next.part.free() == nil)
    try await next.start()
    for _ in 0..<3 {
      await next.part.take(Depot.home)
      await next.settle()
    }
    #expect(next.rows.all.downloads == depot.rows.all.downloads)
    #expect(next.disk.names.isEmpty && next.disk.bytes(Self.mark) == nil)
    #expect(next.fetching.state.withLock { $0.asked.isEmpty })
    let line = try await OfflinePartTests.line(next)
    #expect(line.state == .waiting && line.why.map(\.code) == ["O-123"])
    #expect(line.why.first?.words.contains("/media is not the disk") == true)
    next.disk.mount(depot.disk)
    #expect(await next.part.free() == 1 << 40)
    await next.part.take(Depot.home)
    await next.settle()
    Self.expectAll(next)
    #expect(next.fetching.state.withLock { $0.asked.isEmpty })
    #expect(await next.part.health().why.isEmpty)
  }

  @Test("the first start gives it a mark, wherever the power goes meanwhile", arguments: [false, true])
  func first(afterwards: Bool) async throws {
    var generator = SeededGenerator(seed: 4)
    var failing = 1
    while true {
      let disk = MemoryDisk()
      disk.fail(failing, .dies(afterwards: afterwards))
      let depot = try Depot(OfflinePartTests.shop(), disk)
      try? await depot.start()
      await depot.settle(.seconds(1))
      let wasThrough = !disk.isDead
      let next = try Depot(depot.source, disk.copyAfterCut(&generator), depot.rows.all)
      try await next.start()
      _ = try await next.part.want(OfflinePartTests.album, at: .high)
      await next.settle()
      Self.expectAll(next, "call \(failing)")
      let text = try #require(next.disk.bytes(Self.mark))
      #expect(next.rows.all.volumes.marks == ["board": String(decoding: text, as: UTF8.self)], "call \(failing)")
      if wasThrough { break }
      failing += failing < 20 ? 1 : 201
    }
    #expect(failing > 4)
  }

  @Test(
    "what an older program has kept is known by what lies there, wherever the power goes", arguments: [false, true])
  func older(afterwards: Bool) async throws {
    var generator = SeededGenerator(seed: 6)
    let depot = try await Self.filled()
    depot.disk.remove(Self.mark)
    var tables = depot.rows.all
    tables.volumes = StoredVolumes()
    var failing = 1
    while true {
      let disk = MemoryDisk()
      disk.mount(depot.disk)
      disk.fail(failing, .dies(afterwards: afterwards))
      let first = try Depot(depot.source, disk, tables)
      try? await first.start()
      let wasThrough = !disk.isDead
      let next = try Depot(depot.source, disk.copyAfterCut(&generator), first.rows.all)
      try await next.start()
      await next.settle()
      Self.expectAll(next, "call \(failing)")
      #expect(next.fetching.state.withLock { $0.asked.isEmpty }, "call \(failing)")
      #expect(next.rows.all.volumes.marks.count == 1 && next.disk.bytes(Self.mark) != nil, "call \(failing)")
      if wasThrough { break }
      failing += failing < 20 ? 1 : 201
    }
    #expect(failing > 4)
    // And when that lies somewhere else, nothing is believed either.
    let away = try Depot(depot.source, MemoryDisk(), tables)
    try await away.start()
    await away.settle()
    #expect(away.rows.all.downloads == tables.downloads && away.fetching.state.withLock { $0.asked.isEmpty })
  }

  @Test("another device's disk is left alone, and its words say what to do")
  func anothers() async throws {
    let depot = try await Self.filled()
    let next = try Depot(depot.source, depot.disk)
    try await next.start()
    await next.settle()
    #expect(next.disk.names.count == 3 && next.rows.all.volumes.marks.isEmpty)
    let why = await next.part.health().why
    #expect(why.map(\.code) == ["O-123"] && why.first?.words.contains("another device's") == true)
    #expect(await OfflinePartTests().faultCode { _ = try await next.part.accept() } == "O-424")
  }

  @Test("an empty disk in its place is used when the owner says so, and all is fetched anew")
  func accepted() async throws {
    let depot = try await Self.filled()
    #expect(await OfflinePartTests().faultCode { _ = try await depot.part.accept() } == "O-431")
    let next = try Depot(depot.source, MemoryDisk(), depot.rows.all)
    try await next.start()
    #expect(try await next.part.accept())
    await next.part.take(Depot.home)
    await next.settle()
    Self.expectAll(next)
    #expect(next.fetching.state.withLock { $0.asked.sorted() } == ["1", "2", "3"])
    // The old one is another's now.
    let last = try Depot(depot.source, depot.disk, next.rows.all)
    try await last.start()
    await last.settle()
    #expect(last.rows.all.downloads == next.rows.all.downloads && last.disk.names.count == 3)
  }

  @Test("it goes away while it is in use: what runs waits for it, nothing is written to what is in its place")
  func pulled() async throws {
    let depot = try await Self.filled()
    let text = try #require(depot.disk.bytes(Self.mark))
    let before = depot.disk.names
    depot.disk.put(Self.mark, Array("board of somebody".utf8))
    _ = try await depot.part.want(OfflinePartTests.list, at: .high)
    await depot.settle()
    #expect(depot.disk.names == before && depot.lastWaits() == ["O-123"], "\(depot.told)")
    #expect(await depot.part.free() == nil)
    // Nor is anything found to be lost.
    await depot.settle(.seconds(600))
    #expect(await depot.part.health().damagedEver == 0)
    depot.disk.put(Self.mark, text)
    await depot.part.take(Depot.home)
    await depot.settle()
    #expect(depot.isWhole("1") && depot.isWhole("3") && depot.isWhole("4"))
  }

  @Test("files that rows do not know of are taken from where they lie, without a network, one after the other")
  func taken() async throws {
    let depot = try await Self.filled()
    var tables = depot.rows.all
    for key in tables.downloads.keys {
      tables.downloads[key]?.state = key.item.item == "2" ? .failed : .queued
      tables.downloads[key]?.path = nil
      tables.downloads[key]?.durable = 0
    }
    // One of them is not what it was.
    let third = MediaFolder(Depot.folder).whole(
      try MediaFolder.Name(of: MediaKey(source: "shop", item: "3", quality: .high)), ending: "flac")
    depot.disk.put(third, [UInt8](repeating: 1, count: OfflinePartTests.bytes + 3))
    let next = try Depot(depot.source, depot.disk, tables)
    try await next.start(Depot.rules, TransferConditions())
    await next.settle()
    #expect(next.isWhole("1") && next.isWhole("2") && next.record("3")?.state != .completed)
    #expect(next.fetching.state.withLock { $0.asked.isEmpty })
    #expect(next.whole.map(\.key.item.item).sorted() == ["1", "2"])
    await next.part.take(Depot.home)
    await next.settle()
    Self.expectAll(next)
    #expect(next.fetching.state.withLock { $0.asked } == ["3"])
  }

  @Test("a folder that cannot be listed keeps nobody from starting, and its files are there when it can be")
  func unlistable() async throws {
    let depot = try await Self.filled()
    let folder = FilePath(try #require(depot.record("2")?.path)).folder
    depot.disk.makeUnlistable(folder)
    let next = try Depot(depot.source, depot.disk, depot.rows.all)
    try await next.start()
    await next.settle()
    #expect(await next.part.health().whole == 3)
    _ = try await next.part.want(OfflinePartTests.list, at: .high)
    await next.settle()
    #expect(next.isWhole("4"))
    next.disk.makeUnlistable(folder, false)
    _ = try await next.part.drop(OfflinePartTests.list)
    await next.settle()
    Self.expectAll(next)
  }
}
