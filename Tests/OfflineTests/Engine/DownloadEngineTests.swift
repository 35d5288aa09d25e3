import Runtime
import Services
import Synchronization
import TestSupport
import Testing

@testable import Offline

@Suite("What carries downloads")
struct DownloadEngineTests {
  let folder = MediaFolder(FilePath("/media"))

  static func source(_ count: Int, _ bytes: Int) -> MemorySource {
    var generator = SeededGenerator(seed: 9)
    var items: [String: [UInt8]] = [:]
    for number in 0..<count { items["\(number)"] = PartFileTests.bytes(bytes + number, &generator) }
    return MemorySource(items: items)
  }

  func key(_ item: String) -> MediaKey { MediaKey(source: "shop", item: item, quality: .high) }

  /// One life between two power cuts.
  final class Life {
    let disk: MemoryDisk
    let rows: MemoryRows
    let fetching: PacedFetching
    let carrier: DownloadEngine
    private let loop: EventLoop
    private let box = EventBox()

    init(_ folder: MediaFolder, _ disk: MemoryDisk, _ rows: MemoryRows, _ fetching: PacedFetching) throws {
      (self.disk, self.rows, self.fetching) = (disk, rows, fetching)
      let loop = try EventLoop("work", mayBlock: true)
      try loop.start()
      let told = box
      carrier = DownloadEngine(
        folder, on: disk, rows: rows, sources: [fetching.source], fetching: fetching, loop: loop, date: { 1_000 }
      ) { told.add($0) }
      self.loop = loop
    }

    var told: [DownloadEvent] { box.all }
    deinit { loop.stop() }

    /// From here on they come.
    func want(_ keys: [MediaKey]) async {
      await carrier.take(TransferRules.prompt)
      await carrier.want(keys.map { .alone($0) }, again: false)
      await carrier.begin(.open)
    }

    /// Until all are whole, or the power is gone.
    func end(_ count: Int) async {
      while !disk.isDead {
        let whole = rows.all.values.count { $0.state == .completed }
        if whole == count { return }
        await Task.yield()
      }
    }
  }

  final class EventBox: Sendable {
    private let events = Mutex<[DownloadEvent]>([])
    var all: [DownloadEvent] { events.withLock { $0 } }
    func add(_ event: DownloadEvent) { events.withLock { $0.append(event) } }
  }

  func check(_ life: Life) throws {
    for (item, bytes) in life.fetching.source.items {
      let record = try #require(life.rows.all[key(item)])
      let there = life.disk.bytes(FilePath(record.path ?? "-"))
      let isRight = there == bytes
      #expect(isRight && record.state == .completed, "\(item)")
    }
    #expect(life.disk.names.count == life.fetching.source.items.count)
  }

  @Test("a hundred small files arrive whole, three at once and never more, and each once")
  func hundred() async throws {
    let disk = MemoryDisk()
    let fetching = PacedFetching(Self.source(100, 5_000), piece: 700, together: 3)
    let life = try Life(folder, disk, MemoryRows(with: disk), fetching)
    await life.want(fetching.source.items.keys.sorted().map { key($0) })
    await life.end(100)
    try check(life)
    let sent = fetching.counts.withLock { $0.sent }
    #expect(sent.allSatisfy { $0.value == fetching.source.items[$0.key]?.count })
    var (running, most, completed) = (0, 0, 0)
    for event in life.told {
      if case .started = event { running += 1 }
      if case .completed = event { (running, completed) = (running - 1, completed + 1) }
      most = max(most, running)
    }
    #expect(most == 3, "\(most) at once")
    #expect(completed == 100)
  }

  @Test("nothing runs before all that was stored is taken up, nor what the owner has paused", arguments: [false, true])
  func begins(isResting: Bool) async throws {
    let disk = MemoryDisk()
    let fetching = PacedFetching(Self.source(1, 5_000), piece: 700)
    let life = try Life(folder, disk, MemoryRows(with: disk), fetching)
    await life.carrier.take(TransferRules.prompt)
    await life.carrier.take(TransferConditions.open)
    await life.carrier.want([.alone(key("0"))], again: false)
    await life.carrier.reconsider()
    #expect(await life.carrier.runningCount == 0)
    await life.carrier.begin(.open, isResting: isResting)
    if isResting { #expect(await life.carrier.runningCount == 0) }
    await life.carrier.restAll(false)
    await life.end(1)
    try check(life)
  }

  @Test("no more comes than the disk has taken")
  func window() async throws {
    let disk = MemoryDisk()
    let fetching = PacedFetching(Self.source(1, 2_000_000), piece: 20_000)
    let life = try Life(folder, disk, MemoryRows(with: disk), fetching)
    await life.want([key("0")])
    await life.end(1)
    try check(life)
    #expect(fetching.counts.withLock { $0.furthestAhead } <= PacedFetching.window + 20_000)
  }

  @Test("wherever the power goes, all arrive whole, and a megabyte is sent again at most", arguments: [false, true])
  func cuts(afterwards: Bool) async throws {
    var generator = SeededGenerator(seed: 31)
    let source = Self.source(2, 1_400_000)
    var failing = 1
    while true {
      let disk = MemoryDisk()
      disk.fail(failing, .dies(afterwards: afterwards))
      let fetching = PacedFetching(source, piece: 50_000)
      var life = try Life(folder, disk, MemoryRows(with: disk), fetching)
      let keys = source.items.keys.sorted().map { key($0) }
      await life.want(keys)
      await life.end(2)
      guard disk.isDead else { break }
      let before = life.rows.all
      let survivor = disk.copyAfterCut(&generator)
      life = try Life(folder, survivor, MemoryRows(before, with: survivor), fetching)
      var reconciler = try Reconciler(Array(before.values), in: folder, on: survivor)
      while let found = reconciler.next() {
        for one in found {
          if let record = before[one.key] { await life.carrier.take(up: record, as: one) }
        }
      }
      await life.want(keys)
      await life.end(2)
      try check(life)
      let sent = fetching.counts.withLock { $0.sent }
      for (item, bytes) in source.items {
        let again = (sent[item] ?? 0) - bytes.count
        // What was on its way, and the pieces that filled the megabyte, come on top.
        let most = 1 << 20 + PacedFetching.window + 2 * fetching.piece
        #expect(again <= most, "call \(failing), \(item): \(again) again")
      }
      // Each call at first, then fewer: a file is a hundred calls.
      failing += failing < 20 ? 1 : 5
    }
    #expect(failing > 50)
  }
}
