import Glibc
import Runtime
import TestSupport
import Testing

@testable import Offline

/// `LAYBY_LONG=1` fails each call of the disk, and not only one in five.
@Suite("Everything goes to another disk")
struct MovingTests {
  private static let step = getenv("LAYBY_LONG") != nil ? 1 : 5
  static let mark = Depot.ssd.path / VolumeMark.file

  /// The three of the album are whole, and of the list's fourth a half is here.
  static func filled(_ disk: MemoryDisk = MemoryDisk()) async throws -> Depot {
    let depot = try Depot(OfflinePartTests.shop(), disk)
    try await depot.start()
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle()
    depot.fetching.state.withLock { $0.isHalting = true }
    _ = try await depot.part.want(OfflinePartTests.list, at: .high)
    await depot.settle(.seconds(1))
    await depot.part.take(TransferConditions())
    await depot.settle(.seconds(1))
    depot.fetching.state.withLock { $0.isHalting = false }
    return depot
  }

  /// All that is whole lies in that folder, right, and nothing lies anywhere else.
  static func expectAll(_ items: [String], of depot: Depot, in folder: FilePath, parts: Int, _ comment: String = "") {
    var wholes: Set<FilePath> = []
    for item in items {
      let key = MediaKey(source: "shop", item: item, quality: .high)
      guard let name = try? MediaFolder.Name(of: key) else { continue }
      let path = MediaFolder(folder).whole(name, ending: "flac")
      wholes.insert(path)
      let isRight = depot.disk.bytes(path) == depot.source.bytes(item, .high)
      #expect(isRight, "\(item) in \(folder) \(comment)")
    }
    let others = depot.disk.names.subtracting(wholes).subtracting([mark])
    let growing = others.filter { $0.ending == MediaFolder.growing && $0.bytes.starts(with: folder.bytes) }
    #expect(growing.count == parts && others.count == parts, "\(others) \(comment)")
  }

  @Test("there and back: nothing is fetched again, what grows goes on where it was, and the program is told")
  func thereAndBack() async throws {
    let depot = try await Self.filled()
    let asked = depot.fetching.state.withLock { $0.asked.count }
    let half = try #require(depot.record("4")?.durable)
    #expect(half > 0)
    let line = try await depot.part.move(to: "ssd")
    #expect(line.from == "board" && line.to == "ssd" && line.files == 3 && line.size == Int64(3 * 40_003))
    #expect(line.free == 1 << 40)
    await depot.settle()
    Self.expectAll(["1", "2", "3"], of: depot, in: Depot.ssd.path, parts: 1)
    #expect(await depot.part.moving() == nil && depot.moved == [Depot.ssd.path])
    // Whichever way to its file a player knows, that it was heard counts.
    let name = FilePath(try #require(depot.record("1")?.path)).name
    await depot.part.heard(FilePath("/state/kept/\(name)"), at: 7)
    #expect(depot.record("1")?.plays == 1 && depot.record("1")?.path?.hasPrefix("\(Depot.ssd.path)/") == true)
    #expect(depot.told.contains(.moving(from: "board", to: "ssd")) && depot.told.contains(.moved(to: "ssd")))
    let health = await depot.part.health()
    #expect(health.volumes.filter(\.isHome).map(\.volume) == [Depot.ssd])

    // A start looks for all of it there.
    let next = try Depot(depot.source, depot.disk, depot.rows.all)
    try await next.start(Depot.rules, TransferConditions())
    await next.settle()
    #expect(await next.part.health().whole == 3)
    let path = try #require(await next.part.engine.completed().first?.path)
    #expect(path.hasPrefix("\(Depot.ssd.path)/"))
    _ = try await next.part.move(to: "board")
    await next.settle()
    Self.expectAll(["1", "2", "3"], of: next, in: Depot.folder, parts: 1)
    #expect(next.record("4")?.durable == half)
    await next.part.take(Depot.home)
    await next.settle()
    Self.expectAll(["1", "2", "3", "4"], of: next, in: Depot.folder, parts: 0)
    #expect(depot.fetching.state.withLock { $0.asked.count } == asked)
    #expect(next.fetching.state.withLock { $0.asked } == ["4"])
  }

  @Test("what is fetched while it is moved is moved too, and what is dropped leaves nothing")
  func meanwhile() async throws {
    let depot = try await Self.filled()
    await depot.part.take(Depot.home)
    _ = try await depot.part.move(to: "ssd")
    #expect(try await depot.part.drop(OfflinePartTests.album) == 2)
    await depot.settle()
    await depot.settle()
    await depot.settle()
    Self.expectAll(["3", "4"], of: depot, in: Depot.ssd.path, parts: 0)
  }

  @Test(
    "a power cut anywhere: after the next start it goes on by itself, and nothing is fetched again",
    arguments: [false, true])
  func cuts(afterwards: Bool) async throws {
    var generator = SeededGenerator(seed: 12)
    var failing = afterwards ? 1 : 3
    while true {
      let disk = MemoryDisk()
      let depot = try await Self.filled(disk)
      disk.fail(failing, .dies(afterwards: afterwards))
      _ = try? await depot.part.move(to: "ssd")
      await depot.settle()
      guard disk.isDead else { break }
      let next = try Depot(depot.source, disk.copyAfterCut(&generator), depot.rows.all)
      try await next.start(Depot.rules, TransferConditions())
      let known = next.rows.all.volumes
      let isMoved = known.target == "ssd" || known.home == "ssd"
      await next.settle()
      await next.settle()
      Self.expectAll(
        ["1", "2", "3"], of: next, in: isMoved ? Depot.ssd.path : Depot.folder, parts: 1, "call \(failing)")
      #expect(next.record("4")?.durable == depot.record("4")?.durable, "call \(failing)")
      #expect(next.fetching.state.withLock { $0.asked.isEmpty } && next.disk.openFiles == 0, "call \(failing)")
      // Behind these it looks for what is left over, folder by folder.
      failing += failing < 160 ? Self.step : 41
    }
    #expect(failing > 100)
  }

  @Test("whichever call fails, it says why, and goes on by itself")
  func failures() async throws {
    var failing = 1
    var told = 0
    while true {
      let disk = MemoryDisk()
      let depot = try await Self.filled(disk)
      let before = disk.calls
      disk.fail(failing, .says(Fault(.damaged, "T-2", "made up")))
      let isRefused: Bool
      do {
        _ = try await depot.part.move(to: "ssd")
        isRefused = false
      } catch { isRefused = true }
      await depot.settle()
      if disk.calls < before + failing { break }
      if depot.told.contains(where: { if case .moveWaits = $0 { true } else { false } }) { told += 1 }
      if isRefused { _ = try await depot.part.move(to: "ssd") }
      for _ in 0..<3 { await depot.settle() }
      let next = try Depot(depot.source, disk, depot.rows.all)
      try await next.start(Depot.rules, TransferConditions())
      await next.settle()
      Self.expectAll(["1", "2", "3"], of: next, in: Depot.ssd.path, parts: 1, "call \(failing)")
      // Behind these it looks for what is left over, folder by folder.
      failing += failing < 160 ? Self.step : 41
    }
    #expect(failing > 100 && told > 3)
  }

  @Test("it is told before that there is no room, and then nothing is begun")
  func room() async throws {
    let depot = try await Self.filled()
    depot.disk.fill(leaving: 1_100_000)
    let code = await OfflinePartTests().faultCode { _ = try await depot.part.move(to: "ssd") }
    #expect(code == "O-427")
    await depot.settle()
    #expect(await depot.part.moving() == nil && depot.rows.all.volumes.target == nil)
    Self.expectAll(["1", "2", "3"], of: depot, in: Depot.folder, parts: 1)
  }

  @Test("a disk in which another device keeps its music is left alone, and one that nobody named is not known")
  func others() async throws {
    let depot = try await Self.filled()
    func code(_ name: String = "ssd") async -> String? {
      await OfflinePartTests().faultCode { _ = try await depot.part.move(to: name) }
    }
    #expect(await code("usb") == "O-423")
    depot.disk.takeAway(Depot.ssd.path)
    #expect(await code() == "O-426")
    depot.disk.bringBack(Depot.ssd.path)
    depot.disk.put(Self.mark, Array("ssd of somebody".utf8))
    #expect(await code() == "O-424")
    depot.disk.remove(Self.mark)
    let name = String(repeating: "ab", count: 16)
    depot.disk.put(Depot.ssd.path / "ab" / "\(name).flac", [1])
    #expect(await code() == "O-425")
  }

  /// Below a disk that is unplugged its folder stays, and is empty.
  @Test("a disk that is unplugged keeps its mark: no music goes into its empty folder, and it is used again")
  func unplugged() async throws {
    let depot = try await Self.filled()
    _ = try await depot.part.move(to: "ssd")
    await depot.settle()
    _ = try await depot.part.move(to: "board")
    for _ in 0..<2 { await depot.settle() }
    let mark = try #require(depot.disk.bytes(Self.mark))
    depot.disk.remove(Self.mark)
    let code = await OfflinePartTests().faultCode { _ = try await depot.part.move(to: "ssd") }
    #expect(code == "O-307")
    #expect(depot.disk.names.allSatisfy { !$0.bytes.starts(with: Depot.ssd.path.bytes) }, "\(depot.disk.names)")
    depot.disk.put(Self.mark, mark)
    _ = try await depot.part.move(to: "ssd")
    for _ in 0..<2 { await depot.settle() }
    Self.expectAll(["1", "2", "3"], of: depot, in: Depot.ssd.path, parts: 1)
  }

  @Test("another disk in its place is used when the owner says so; if a call fails, the first keeps its mark")
  func accepted() async throws {
    for failing in 1... {
      let disk = MemoryDisk()
      let depot = try await Self.filled(disk)
      _ = try await depot.part.move(to: "ssd")
      await depot.settle()
      _ = try await depot.part.move(to: "board")
      for _ in 0..<2 { await depot.settle() }
      let mark = try #require(disk.bytes(Self.mark))
      disk.remove(Self.mark)
      let before = disk.calls
      disk.fail(failing, .says(Fault(.damaged, "T-2", "made up")))
      let isRefused = await OfflinePartTests().faultCode { _ = try await depot.part.accept("ssd") } != nil
      guard disk.calls >= before + failing else {
        #expect(!isRefused && failing > 4 && disk.bytes(Self.mark) != mark)
        break
      }
      if isRefused { disk.put(Self.mark, mark) }
      _ = try await depot.part.move(to: "ssd")
      for _ in 0..<3 { await depot.settle() }
      Self.expectAll(["1", "2", "3"], of: depot, in: Depot.ssd.path, parts: 1, "call \(failing)")
      #expect(await OfflinePartTests().faultCode { _ = try await depot.part.accept("ssd") } == "O-431")
    }
  }

  @Test("called off, all stays where it is; and what was carried is taken away")
  func calledOff() async throws {
    let depot = try await Self.filled()
    // Somebody listens, so that it does not come to its end.
    let stream = try await depot.part.stream(ItemKey(source: "shop", item: "5"), at: .high)
    _ = try await depot.part.move(to: "ssd")
    await depot.settle()
    #expect(await depot.part.moving()?.there == 3)
    _ = try await depot.part.move(to: "board")
    await depot.settle()
    #expect(await depot.part.moving() == nil && depot.moved.isEmpty)
    await stream.close()
    Self.expectAll(["1", "2", "3"], of: depot, in: Depot.folder, parts: 1)
    _ = try await depot.part.move(to: "ssd")
    await depot.settle()
    Self.expectAll(["1", "2", "3"], of: depot, in: Depot.ssd.path, parts: 1)
  }

  @Test("a disk that goes away in the middle is waited for, and another in its place is not taken for it")
  func away() async throws {
    let depot = try await Self.filled()
    depot.disk.takeAway(Depot.ssd.path, after: 30)
    _ = try await depot.part.move(to: "ssd")
    for _ in 0..<2 { await depot.settle() }
    #expect(await depot.part.moving()?.why.map(\.code) == ["O-307"])
    depot.disk.bringBack(Depot.ssd.path)
    let text = try #require(depot.disk.bytes(Self.mark))
    depot.disk.put(Self.mark, Array("another".utf8))
    await depot.settle()
    #expect(await depot.part.moving()?.why.map(\.code) == ["O-307"])
    depot.disk.put(Self.mark, text)
    await depot.settle()
    Self.expectAll(["1", "2", "3"], of: depot, in: Depot.ssd.path, parts: 1)

    // It holds everything now: while it is away nothing is lost, nothing fetched, and that is said.
    depot.disk.takeAway(Depot.ssd.path)
    let next = try Depot(depot.source, depot.disk, depot.rows.all)
    try await next.start()
    await next.settle()
    #expect(await next.part.free() == nil)
    #expect(try await OfflinePartTests.line(next).why == [Why(.otherDisk)])
    #expect(next.fetching.state.withLock { $0.asked.isEmpty })
    depot.disk.bringBack(Depot.ssd.path)
    await next.part.take(Depot.home)
    await next.settle()
    Self.expectAll(["1", "2", "3", "4"], of: next, in: Depot.ssd.path, parts: 0)
    #expect(next.fetching.state.withLock { $0.asked } == ["4"])

    // And while it runs.
    depot.disk.takeAway(Depot.ssd.path)
    _ = try await next.part.want(OfflinePartTests.album, at: .lossless)
    await next.settle()
    #expect(next.lastWaits() == ["O-123"], "\(next.told)")
    #expect(next.disk.names.allSatisfy { $0.bytes.starts(with: Depot.ssd.path.bytes) })
    depot.disk.bringBack(Depot.ssd.path)
    await next.settle()
    await next.part.take(Depot.home)
    await next.settle()
    #expect(await next.part.health().whole == 4)
  }

  @Test("a file that is not as it was is fetched anew, and then moved")
  func damaged() async throws {
    let depot = try await Self.filled()
    let path = FilePath(try #require(depot.record("2")?.path))
    depot.disk.put(path, [UInt8](repeating: 0, count: 40_003))
    _ = try await depot.part.move(to: "ssd")
    await depot.part.take(Depot.home)
    for _ in 0..<3 { await depot.settle() }
    Self.expectAll(["1", "2", "3", "4"], of: depot, in: Depot.ssd.path, parts: 0)
  }

  @Test("who listens to what grows is not disturbed: the last step waits until that is whole, or nobody listens")
  func listening() async throws {
    for isLeft in [false, true] {
      let depot = try await Self.filled()
      depot.fetching.state.withLock { $0.isHalting = true }
      await depot.part.take(Depot.home)
      let stream = try await depot.part.stream(ItemKey(source: "shop", item: "5"), at: .high)
      _ = try await depot.part.move(to: "ssd")
      await depot.settle()
      #expect(depot.moved.isEmpty && !depot.isWhole("5"))
      let first = try await stream.read(at: 0, most: 1_000)
      if isLeft { await stream.close() }
      depot.fetching.state.withLock { $0.isHalting = false }
      await depot.part.take(TransferConditions())
      await depot.settle(.seconds(1))
      await depot.part.take(Depot.home)
      for _ in 0..<2 { await depot.settle() }
      #expect(depot.moved == [Depot.ssd.path])
      Self.expectAll(["1", "2", "3", "4", "5"], of: depot, in: Depot.ssd.path, parts: 0)
      guard !isLeft else { continue }
      // It is read on from the other disk.
      let isRight = try await first + StreamTests.read(stream, from: first.count) == depot.source.bytes("5", .high)
      #expect(isRight)
      await stream.close()
    }
  }
}
