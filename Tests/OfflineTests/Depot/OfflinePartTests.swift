import Runtime
import Services
import Synchronization
import TestSupport
import Testing

@testable import Offline

@Suite("What is wanted offline")
struct OfflinePartTests {
  static let bytes = 40_000
  static let album = ContainerKey(source: "shop", kind: .album, id: "a")
  static let list = ContainerKey(source: "shop", kind: .playlist, id: "b")

  /// `a` holds 1, 2 and 3; `b` holds 3 and 4.
  static func shop() -> ChangingSource {
    var generator = SeededGenerator(seed: 5)
    var items: [String: [UInt8]] = [:]
    for name in ["1", "2", "3", "4", "5"] { items[name] = PartFileTests.bytes(bytes, &generator) }
    return ChangingSource(items, lists: ["a": ["1", "2", "3"], "b": ["3", "4"]])
  }

  static func line(_ depot: Depot, _ container: ContainerKey = album) async throws -> OfflineLine {
    try #require(await depot.part.list().first { $0.container == container })
  }

  @Test("an album is told of before, comes whole, and the program hears of each file once")
  func album() async throws {
    let depot = try Depot(Self.shop())
    try await depot.start()
    let size = try await depot.part.size(of: Self.album, at: .lossless)
    #expect(size.items == 3 && size.bytes == Int64(3 * (Self.bytes + 5)) && size.over == 0 && size.fits)
    // How long it takes is told where the network's speed was measured.
    #expect(size.time == nil)
    var measured = Depot.home
    measured.bitsASecond = 80
    await depot.part.take(measured)
    #expect(try await depot.part.size(of: Self.album, at: .lossless).time == .seconds(size.bytes / 10))
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    for item in ["1", "2", "3"] { #expect(depot.isWhole(item), "\(item)") }
    #expect(depot.whole.map(\.key.item.item).sorted() == ["1", "2", "3"])
    #expect(
      depot.whole.allSatisfy { $0.facts?.title == "Song \($0.key.item.item)" && $0.path.description.hasSuffix(".flac") }
    )
    let line = try await Self.line(depot)
    #expect(line.state == .whole && line.whole == 3 && line.bytes == line.size && line.why.isEmpty)
    let after = try await depot.part.size(of: Self.album, at: .high)
    #expect(size.whole == size.bytes && size.here == 0)
    #expect(after.whole == line.size && after.here == line.size && after.bytes == 0)
    #expect(after.time == nil)
    let health = await depot.part.health()
    #expect(health.whole == 3 && health.completedEver == 3 && health.success == 100 && health.why.isEmpty)

    let next = try Depot(depot.source, depot.disk, depot.rows.all)
    try await next.start()
    await next.settle()
    #expect(next.whole.isEmpty && next.fetching.state.withLock { $0.asked.isEmpty })
    #expect(try await Self.line(next).state == .whole)
    #expect(await next.part.health().completedEver == 3)
  }

  @Test("without a network it waits, says so once, and goes on when there is one")
  func network() async throws {
    let depot = try Depot(Self.shop())
    try await depot.start(Depot.rules, TransferConditions())
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    await depot.settle()
    #expect(depot.told.count { if case .waits = $0 { true } else { false } } == 1)
    let line = try await Self.line(depot)
    #expect(line.state == .waiting && line.why == [Why(.noNetwork)])
    #expect(await depot.part.plan(count: 5).map(\.key.item.item) == ["1", "2", "3"])
    await depot.part.take(Depot.home)
    await depot.settle()
    #expect(depot.told.contains(.goesOn) && depot.isWhole("1") && depot.isWhole("2") && depot.isWhole("3"))
  }

  @Test("when a network appears downloads begin at some time within half a minute, and not at once")
  func settling() async throws {
    var rules = Depot.rules
    rules.settling = .seconds(30)
    var begun: [Int] = []
    for _ in 0..<12 {
      let depot = try Depot(Self.shop())
      try await depot.start(rules, TransferConditions())
      _ = try await depot.part.want(Self.album, at: .high)
      await depot.part.take(Depot.home)
      for second in 0...31 {
        if !depot.fetching.state.withLock({ $0.asked.isEmpty }) {
          begun.append(second)
          break
        }
        await depot.settle(.seconds(1))
      }
    }
    #expect(begun.count == 12 && Set(begun).count > 3 && begun.allSatisfy { $0 <= 31 }, "\(begun)")
  }

  @Test("the charger is pulled at 9 %: what runs stops, says why, and goes on with the charger")
  func charger() async throws {
    let depot = try Depot(Self.shop())
    try await depot.start()
    depot.fetching.state.withLock { $0.isHalting = true }
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(.seconds(1))
    #expect(try await Self.line(depot).state == .running)
    var situation = Depot.home
    (situation.battery, situation.hasCharger) = (9, false)
    await depot.part.take(situation)
    await depot.settle(.seconds(1))
    let line = try await Self.line(depot)
    #expect(line.state == .waiting && line.why == [Why(code: "O-111", words: "the battery is at 9 %")])
    #expect(depot.lastWaits() == ["O-111"])
    // What had come is kept, and nobody's fault.
    let record = try #require(depot.record("1"))
    #expect(record.durable == Int64(Self.bytes + 3) / 2 && record.retry.attempts == 0)
    depot.fetching.state.withLock { $0.isHalting = false }
    situation.hasCharger = true
    await depot.part.take(situation)
    await depot.settle()
    #expect(depot.isWhole("1") && depot.isWhole("2") && depot.isWhole("3") && depot.lastWaits() == nil)
  }

  @Test("a full disk is told, waited for, and gone on with after room is made", arguments: [0, 1_020_000])
  func full(free: Int64) async throws {
    let depot = try Depot(Self.shop())
    depot.disk.fill(leaving: free)
    try await depot.start()
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    #expect(depot.lastWaits() == ["O-121"], "\(depot.told)")
    let line = try await Self.line(depot)
    #expect(line.state == .waiting && line.why.map(\.code) == ["O-121"] && line.failed == 0)
    depot.disk.fill(leaving: 1 << 30)
    await depot.settle()
    #expect(depot.isWhole("1") && depot.isWhole("2") && depot.isWhole("3") && depot.lastWaits() == nil)
  }

  @Test("never more is kept than is allowed; what is too much waits, and comes when more is allowed")
  func limit() async throws {
    let depot = try Depot(Self.shop())
    var rules = Depot.rules
    rules.limit = Int64(Self.bytes) * 2 + 100
    try await depot.start(rules)
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    let health = await depot.part.health()
    #expect(health.whole == 2 && health.waiting == 1 && health.kept <= rules.limit)
    let line = try await Self.line(depot)
    #expect(line.why.map(\.code) == ["O-122"])
    rules.limit *= 2
    await depot.part.take(rules)
    await depot.settle()
    #expect(await depot.part.health().whole == 3)
  }

  @Test("where bytes cost only what the owner pays for is fetched")
  func metered() async throws {
    let depot = try Depot(Self.shop())
    var situation = Depot.home
    situation.isMetered = true
    try await depot.start(Depot.rules, situation)
    _ = try await depot.part.want(Self.album, at: .high)
    _ = try await depot.part.want(Self.list, at: .high)
    await depot.settle()
    #expect(depot.fetching.state.withLock { $0.asked.isEmpty })
    #expect(try await Self.line(depot).why.map(\.code) == ["O-104"])
    try await depot.part.payFor(Self.list, true)
    await depot.settle()
    #expect(depot.isWhole("3") && depot.isWhole("4") && !depot.isWhole("1"))
    let next = try Depot(depot.source, depot.disk, depot.rows.all)
    let stored = try #require(depot.rows.all.wishes[Self.list])
    #expect(stored.isExcepted && stored.items.count == 2)
    try await next.start(Depot.rules, situation)
    await next.settle()
    #expect(try await Self.line(next).whole == 1)
  }

  @Test("a playlist of this device that is paid for stays so when it changes")
  func paidPlaylist() async throws {
    let depot = try Depot(Self.shop())
    var situation = Depot.home
    situation.isMetered = true
    try await depot.start(Depot.rules, situation)
    func song(_ name: String) -> ItemKey { ItemKey(source: "shop", item: name) }
    try await depot.part.keep(playlist: "car", [song("1")], at: .high)
    try await depot.part.payFor(ContainerKey(source: "shop", kind: .devicePlaylist, id: "car"), true)
    await depot.settle()
    try await depot.part.keep(playlist: "car", [song("1"), song("2")], at: .high)
    await depot.settle()
    #expect(depot.isWhole("1") && depot.isWhole("2"))
  }

  @Test("another quality takes the old one's place only when it is whole")
  func replaced() async throws {
    let depot = try Depot(Self.shop())
    try await depot.start()
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    await depot.part.take(TransferConditions())
    _ = try await depot.part.want(Self.album, at: .lossless)
    await depot.settle()
    #expect(depot.isWhole("1") && !depot.isWhole("1", .lossless))
    // A power cut in between changes nothing.
    let next = try Depot(depot.source, depot.disk, depot.rows.all)
    try await next.start(Depot.rules, TransferConditions())
    await next.settle()
    #expect(next.isWhole("1") && !next.isWhole("1", .lossless))
    await next.part.take(Depot.home)
    await next.settle()
    await next.settle()
    for item in ["1", "2", "3"] { #expect(next.isWhole(item, .lossless) && next.record(item) == nil, "\(item)") }
    #expect(next.disk.names.count == 3)
  }

  @Test("what is dropped goes, unless something else wants it")
  func drops() async throws {
    let depot = try Depot(Self.shop())
    try await depot.start()
    _ = try await depot.part.want(Self.album, at: .high)
    _ = try await depot.part.want(Self.list, at: .high)
    await depot.settle()
    #expect(try await depot.part.drop(Self.album) == 2)
    await depot.settle()
    await depot.settle()
    #expect(depot.isWhole("3") && depot.isWhole("4") && depot.disk.names.count == 2)
    #expect(Set(depot.rows.all.downloads.keys.map(\.item.item)) == ["3", "4"])
    try await depot.part.leaveOut(ItemKey(source: "shop", item: "4"))
    await depot.settle()
    await depot.settle()
    #expect(depot.disk.names.count == 1 && depot.record("4") == nil)
    try await depot.part.takeIn(ItemKey(source: "shop", item: "4"))
    await depot.settle()
    #expect(depot.isWhole("4"))
    #expect(try await depot.part.drop(Self.album) == 0)
  }

  @Test("a page in place of music stops everything, uses up no attempt, and is over when the probe says so")
  func portal() async throws {
    let depot = try Depot(Self.shop())
    try await depot.start()
    depot.fetching.state.withLock { $0.pages = ["1", "2", "3"] }
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(.seconds(1))
    #expect(depot.lastWaits() == ["O-103"], "\(depot.told)")
    var situation = Depot.home
    situation.internet = .portal
    await depot.part.take(situation)
    await depot.settle(.seconds(600))
    #expect(depot.fetching.state.withLock { $0.asked.count } <= 3)
    for item in ["1", "2", "3"] { #expect(depot.record(item)?.retry.attempts ?? 0 == 0) }
    depot.fetching.state.withLock { $0.pages = [] }
    await depot.part.take(Depot.home)
    await depot.settle()
    #expect(depot.isWhole("1") && depot.isWhole("2") && depot.isWhole("3"))
  }

  @Test("what is paused rests, across a start too, and goes on when the owner says so")
  func pauses() async throws {
    var depot = try Depot(Self.shop())
    try await depot.start(Depot.rules, TransferConditions())
    _ = try await depot.part.want(Self.album, at: .high)
    _ = try await depot.part.want(Self.list, at: .high)
    try await depot.part.pause(Self.album)
    await depot.part.take(Depot.home)
    await depot.settle()
    #expect(depot.isWhole("3") && depot.isWhole("4") && !depot.isWhole("1"))
    #expect(try await Self.line(depot).state == .paused)
    try await depot.part.pause(nil)
    depot = try Depot(depot.source, depot.disk, depot.rows.all)
    try await depot.start()
    await depot.settle()
    #expect(!depot.isWhole("1"))
    #expect(try await Self.line(depot).why == [Why(.owner)])
    try await depot.part.resume(nil)
    await depot.settle()
    #expect(depot.isWhole("1") && depot.isWhole("2"))
    #expect(
      await faultCode { try await depot.part.pause(ContainerKey(source: "shop", kind: .album, id: "x")) } == "O-403")
  }

  @Test("where everything rests, one goes on alone, and none of the others ran meanwhile; also across a start")
  func oneGoesOn() async throws {
    var depot = try Depot(Self.shop())
    try await depot.start(Depot.rules, TransferConditions())
    _ = try await depot.part.want(Self.album, at: .high)
    _ = try await depot.part.want(Self.list, at: .high)
    try await depot.part.pause(nil)
    #expect(
      await faultCode { try await depot.part.resume(ContainerKey(source: "shop", kind: .album, id: "x")) } == "O-403")
    await depot.part.take(Depot.home)
    await depot.settle()
    #expect(depot.fetching.state.withLock { $0.asked }.isEmpty)
    try await depot.part.resume(Self.album)
    await depot.settle()
    // The third is in both.
    for item in ["1", "2", "3"] { #expect(depot.isWhole(item)) }
    #expect(Set(depot.fetching.state.withLock { $0.asked }) == ["1", "2", "3"])
    let lines = await depot.part.list()
    #expect(lines.first { $0.container == Self.list }?.state == .paused, "\(lines)")
    depot = try Depot(depot.source, depot.disk, depot.rows.all)
    try await depot.start()
    await depot.settle()
    #expect(!depot.isWhole("4") && depot.rows.all.wishes[Self.list]?.isPaused == true)
    try await depot.part.resume(nil)
    await depot.settle()
    #expect(depot.isWhole("4"))
  }

  @Test("who lets everything go on means what was paused by itself too, across a start")
  func allGoOn() async throws {
    var depot = try Depot(Self.shop())
    try await depot.start(Depot.rules, TransferConditions())
    _ = try await depot.part.want(Self.album, at: .high)
    _ = try await depot.part.want(Self.list, at: .high)
    try await depot.part.pause(Self.album)
    try await depot.part.resume(nil)
    #expect(depot.rows.all.wishes.values.allSatisfy { !$0.isPaused })
    depot = try Depot(depot.source, depot.disk, depot.rows.all)
    try await depot.start()
    await depot.part.take(Depot.home)
    await depot.settle()
    for item in ["1", "2", "3", "4"] { #expect(depot.isWhole(item)) }
  }

  func faultCode(_ body: () async throws -> Void) async -> String? {
    do { try await body() } catch { return (error as? Fault)?.code }
    return nil
  }

  @Test("containers are followed: new items come, those that left go, and a container that is gone takes nothing away")
  func follows() async throws {
    let depot = try Depot(Self.shop())
    try await depot.start()
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    depot.source.state.withLock { state in
      state.lists["a"] = ["2", "3", "5"]
      state.changes = MediaChanges(token: "2")
      state.changes.containers = [ContainerID(.album, "a")]
    }
    await depot.part.refresh()
    await depot.settle()
    #expect(depot.isWhole("5") && depot.isWhole("2") && depot.record("1")?.state != .completed)
    #expect(depot.told.contains(.followed(Self.album, new: 1, gone: 1, over: 0)))
    #expect(depot.rows.all.tokens["shop"] == "2" && depot.rows.all.wishes[Self.album]?.items.count == 3)
    depot.source.state.withLock { state in
      state.lists["a"] = nil
      state.changes = MediaChanges(token: "3", isEverything: true)
    }
    await depot.part.refresh()
    await depot.settle()
    #expect(depot.isWhole("5") && depot.isWhole("2") && depot.isWhole("3"))
    #expect(depot.source.state.withLock { $0.asked.last } == "2")
  }

  @Test("an item with other bytes at its source is fetched anew", arguments: [false, true])
  func renews(isEverything: Bool) async throws {
    let depot = try Depot(Self.shop())
    try await depot.start()
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    depot.source.state.withLock { state in
      state.items["2"] = [1, 2, 3]
      state.changes = MediaChanges(token: "2", isEverything: isEverything)
      if !isEverything { state.changes.changed = ["2"] }
    }
    #expect(!depot.isWhole("2"))
    await depot.part.refresh()
    await depot.settle()
    #expect(depot.isWhole("2") && depot.isWhole("1"))
    #expect(depot.fetching.state.withLock { $0.asked.count } == 4)
  }

  @Test("what a source tells of something that is looked at again and again is stored once")
  func told() async throws {
    let depot = try Depot(StreamTests.largeShop())
    try await depot.start()
    for _ in 0..<3 {
      #expect(try await depot.part.items(of: ContainerKey(source: "shop", kind: .playlist, id: "a")).count == 4)
      await depot.settle(.seconds(1))
    }
    #expect(depot.rows.all.timesRemembered == 1 && depot.rows.all.remembered.count == 4)
  }

  @Test("a file that is not as it was is found in idle moments, and fetched anew", arguments: [false, true])
  func damaged(isGone: Bool) async throws {
    let depot = try Depot(Self.shop())
    try await depot.start()
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    let path = FilePath(try #require(depot.record("2")?.path))
    if isGone { depot.disk.remove(path) } else { depot.disk.put(path, [UInt8](repeating: 0, count: Self.bytes + 3)) }
    #expect(!depot.isWhole("2"))
    // One a minute.
    for _ in 0..<6 { await depot.settle() }
    #expect(depot.isWhole("1") && depot.isWhole("3"))
    #expect(depot.isWhole("2"))
    #expect(await depot.part.health().damagedEver == 1)
  }

  @Test("while the disk is not there nothing is taken for lost, and it goes on when the disk is")
  func otherDisk() async throws {
    let depot = try Depot(Self.shop())
    try await depot.start()
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    let next = try Depot(depot.source, MemoryDisk(), depot.rows.all)
    var situation = Depot.home
    situation.free = nil
    try await next.start(Depot.rules, situation)
    await next.settle()
    #expect(next.rows.all.downloads == depot.rows.all.downloads)
    let line = try await Self.line(next)
    #expect(line.state == .waiting && line.items == 3 && line.why == [Why(.otherDisk)])
    #expect(await next.part.health().why == [Why(.otherDisk)])
    next.disk.mount(depot.disk)
    await next.part.take(Depot.home)
    await next.settle()
    #expect(next.isWhole("1") && next.isWhole("2") && next.fetching.state.withLock { $0.asked.isEmpty })
  }

  @Test("a start finds what nobody wants any more, and what is wanted and was never begun")
  func reconciles() async throws {
    let depot = try Depot(Self.shop())
    try await depot.start()
    _ = try await depot.part.want(Self.list, at: .high)
    await depot.settle()
    var tables = depot.rows.all
    let wish = try #require(tables.wishes[Self.list])
    tables.wishes = [Self.album: StoredWish(Self.album, at: .high, wantedAt: 1, wish.items.filter { $0.id == "3" })]
    tables.wishes[Self.album]?.items.append(MediaItem(id: "1"))
    let next = try Depot(depot.source, depot.disk, tables)
    try await next.start()
    await next.settle()
    await next.settle()
    #expect(next.isWhole("1") && next.isWhole("3") && next.disk.names.count == 2 && next.record("4") == nil)
    // That not all was taken up yet is nothing to tell.
    #expect(!next.told.contains { if case .waits = $0 { true } else { false } })
  }

  @Test("wherever the power goes, all that was wanted arrives", arguments: [false, true])
  func cuts(afterwards: Bool) async throws {
    var generator = SeededGenerator(seed: 77)
    var failing = 1
    while true {
      let disk = MemoryDisk()
      let depot = try Depot(Self.shop(), disk)
      try await depot.start()
      disk.fail(failing, .dies(afterwards: afterwards))
      _ = try? await depot.part.want(Self.album, at: .high)
      await depot.settle(.seconds(5))
      guard disk.isDead else { break }
      let next = try Depot(depot.source, disk.copyAfterCut(&generator), depot.rows.all)
      try await next.start()
      if next.rows.all.wishes.isEmpty { _ = try await next.part.want(Self.album, at: .high) }
      await next.settle()
      for item in ["1", "2", "3"] { #expect(next.isWhole(item), "call \(failing): \(item)") }
      #expect(next.disk.names.count == 3 && next.disk.openFiles == 0, "call \(failing)")
      failing += 1
    }
    #expect(failing > 20)
  }
}
