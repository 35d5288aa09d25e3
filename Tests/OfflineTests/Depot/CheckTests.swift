import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

@Suite("A check of all that is kept")
struct CheckTests {
  private static func maintenance(_ depot: Depot) -> [DownloadEvent] {
    var found: [DownloadEvent] = []
    for event in depot.told {
      if case .download(let download) = event, case .maintenanceDone = download { found.append(download) }
    }
    return found
  }

  /// Until it has ended.
  private static func end(_ depot: Depot) async throws -> CheckLine {
    for _ in 0..<100 {
      let line = try #require(await depot.part.checking())
      if !line.isRunning { return line }
      await depot.settle(.milliseconds(1))
    }
    Issue.record("it never ends")
    return try #require(await depot.part.checking())
  }

  @Test("finds what is damaged and gone and has it fetched anew, removes what is nobody's, and says so")
  func finds() async throws {
    let depot = try await LateDiskTests.filled()
    #expect(await depot.part.checking() == nil)
    #expect(await depot.part.callOffCheck() == nil)
    let paths = try ["1", "2"].map { FilePath(try #require(depot.record($0)?.path)) }
    depot.disk.put(paths[0], [UInt8](repeating: 0, count: OfflinePartTests.bytes + 3))
    depot.disk.remove(paths[1])
    let name = String(repeating: "cd", count: 16)
    depot.disk.put(Depot.folder / "cd" / "\(name).flac", [1])
    depot.disk.put(Depot.folder / "cd" / "notes.txt", [1])
    let begun = try await depot.part.check()
    #expect(begun.isRunning && begun.check.files == 3 && begun.check.bytes == Int64(3 * (OfflinePartTests.bytes + 3)))
    let line = try await Self.end(depot)
    #expect(line.check.state == .over && line.check.checked == 3 && line.check.bytesRead == line.check.bytes)
    #expect(line.check.repaired == 2 && line.check.unread == 0 && line.check.removed == 1)
    #expect(Self.maintenance(depot) == [.maintenanceDone(checked: 3, repaired: 2, removed: 1)])
    await depot.settle()
    for item in ["1", "2", "3"] { #expect(depot.isWhole(item), "\(item)") }
    #expect(depot.disk.names.count == 4)
    let health = await depot.part.health()
    #expect(health.check == line && health.damagedEver == 2 && health.removedEver == 1 && health.lookedAfterAt != nil)
    // Another finds nothing.
    _ = try await depot.part.check()
    #expect(try await Self.end(depot).check.isThorough)
  }

  @Test("called off it ends in the middle of a file, and what was found counts")
  func calledOff() async throws {
    var generator = SeededGenerator(seed: 2)
    let large = PartFileTests.bytes(3_000_000, &generator)
    let depot = try Depot(ChangingSource(["1": [1, 2, 3], "2": large, "3": large], lists: ["a": ["1", "2", "3"]]))
    try await depot.start()
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle(.seconds(5))
    depot.disk.put(FilePath(try #require(depot.record("1")?.path)), [0, 0, 0, 0, 0, 0])
    let part = depot.part
    depot.disk.onRead { offset in
      // In the middle of the second.
      if offset == 1 << 20 { part.assumeIsolated { _ = $0.callOffCheck() } }
    }
    _ = try await depot.part.check()
    let line = try await Self.end(depot)
    depot.disk.onRead(nil)
    await depot.settle(.seconds(5))
    #expect(line.check.state == .calledOff && line.check.checked == 1 && line.check.repaired == 1)
    #expect(line.check.bytesRead > 1 << 20 && line.check.bytesRead < 3_000_000 && line.check.files == 3)
    #expect(await depot.part.health().lookedAfterAt == nil && depot.isWhole("1") && depot.disk.openFiles == 0)
  }

  @Test("a disk that goes away in the middle has lost nothing; what cannot be read is told")
  func away() async throws {
    let depot = try await LateDiskTests.filled()
    depot.disk.takeAway(Depot.folder)
    #expect(await OfflinePartTests().faultCode { _ = try await depot.part.check() } == "O-307")
    depot.disk.bringBack(Depot.folder)
    // The mark is looked at first.
    depot.disk.takeAway(Depot.folder, after: 4)
    _ = try await depot.part.check()
    let line = try await Self.end(depot)
    #expect(line.check.unread > 0 && line.check.repaired == 0 && line.check.removed == 0 && !line.check.isThorough)
    depot.disk.bringBack(Depot.folder)
    #expect(await depot.part.health().damagedEver == 0 && depot.isWhole("1") && depot.isWhole("3"))
  }

  @Test("what failed long ago is tried again when it is wanted, and goes when it is not")
  func failures() async throws {
    let first = try await LateDiskTests.filled()
    var tables = first.rows.all
    for (item, days) in [("1", 8), ("2", 1), ("5", 8)] as [(String, Int64)] {
      let key = MediaKey(source: "shop", item: item, quality: .high)
      var record = tables.downloads[key] ?? DownloadRecord(key)
      if let path = record.path { first.disk.remove(FilePath(path)) }
      (record.state, record.trouble, record.durable, record.path) = (.failed, .wrongHash, 0, nil)
      // Streamed; whatever else nobody wants goes at a start.
      (record.endedAt, record.isCache) = (1_000 + (100 - days) * 86_400, item == "5")
      tables.downloads[key] = record
    }
    let depot = try Depot(first.source, first.disk, tables, date: 1_000 + 100 * 86_400)
    // The start's attempt fails as well.
    OutageTests.refuse(depot, .wrongHash)
    try await depot.start()
    await depot.settle(.seconds(1))
    for item in ["1", "2", "5"] { #expect(depot.record(item)?.state == .failed, "\(item)") }
    OutageTests.refuse(depot, nil)
    _ = try await depot.part.check()
    let line = try await Self.end(depot)
    await depot.settle()
    await depot.settle()
    #expect(line.check.again == 1 && depot.isWhole("1") && depot.record("2")?.state == .failed)
    #expect(line.check.removed == 1 && depot.record("5") == nil)
  }

  @Test("by itself all is looked at once a month, and what is nobody's goes then too")
  func monthly() async throws {
    let first = try await LateDiskTests.filled()
    for _ in 0..<5 { await first.settle() }
    let done = try #require(await first.part.health().lookedAfterAt)
    #expect(Self.maintenance(first) == [.maintenanceDone(checked: 3, repaired: 0, removed: 0)])
    await first.settle(.seconds(3_600))
    #expect(await first.part.health().lookedAfterAt == done && Self.maintenance(first).count == 1)
    for (days, rounds) in [(29, 0), (31, 1)] as [(Int64, Int)] {
      let next = try Depot(first.source, first.disk, first.rows.all, date: done + days * 86_400)
      try await next.start()
      let name = String(repeating: "cd", count: 16)
      next.disk.put(Depot.folder / "cd" / "\(name).part", [1])
      for _ in 0..<6 { await next.settle() }
      #expect(Self.maintenance(next).count == rounds, "\(days)")
      #expect(next.disk.names.count == 4 - rounds, "\(days)")
    }
  }
}
