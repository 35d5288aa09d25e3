import Glibc
import Runtime
import Store
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// A session store on a loop of its own, in a folder of its own.
struct StoreAtWork {
  let folder = TempFolder()
  let store: SessionStore
  let loop: EventLoop

  init(time: TimeSource = .boot) throws {
    loop = try EventLoop("store", time: time)
    try loop.start()
    store = SessionStore(in: folder.path, on: loop)
  }

  func open(afterUncleanStop: Bool = false) async throws -> SavedSession {
    try await store.open(afterUncleanStop: afterUncleanStop, today: "2026-11-21")
  }

  func reopen(afterUncleanStop: Bool = false) async throws -> SavedSession {
    await store.close()
    return try await open(afterUncleanStop: afterUncleanStop)
  }

  /// The file's slots; the newest tells what was saved last, and its sequence how often.
  var newestSlot: PlaceSlot? {
    guard let bytes = try? AtomicFile.read(folder.path / "position", limit: 4_096) else { return nil }
    return [PlaceSlot(bytes: bytes.prefix(512)), PlaceSlot(bytes: bytes.dropFirst(512))].compactMap { $0 }
      .max { $0.sequence < $1.sequence }
  }

  /// Under the descriptor that the store has of the position, another of the same file: with `O_RDONLY` every save
  /// fails from then on.
  func openPosition(_ flags: Int32) throws {
    let path = folder.path / "position"
    let mine = try Descriptor.open(path, flags, code: "T-1")
    // As many as there are: other tests have theirs open at the same time.
    let open = try Folder.names(in: FilePath("/proc/self/fd")).compactMap { Int32("\($0)") }
    for number in open where number != mine.number {
      var link = [UInt8](repeating: 0, count: 4_096)
      let length = "/proc/self/fd/\(number)".withCString { readlink($0, &link, link.count) }
      if length > 0 && Array(link[..<length]) == path.bytes { #expect(dup2(mine.number, number) == number) }
    }
  }

  /// Runs SQL beside the store, as nobody does in a car.
  func meddle(_ sql: String) throws {
    try Connection(open: folder.path / "state.db", as: .writer(durability: .full)).execute(sql)
  }
}

extension SessionStore {
  func save(_ changes: [Player.Change], of queue: PlayQueue, current: EntryID?) throws(Fault) {
    var place = SavedPlace()
    place.entry = current
    try save(changes, of: queue, at: place)
  }
}

private func path(_ number: Int) -> FilePath {
  // Some are not UTF-8.
  FilePath(bytes: Array("/music/\(number)".utf8) + (number % 3 == 0 ? [0xFF, 0xC0] : [])) ?? FilePath("/none")
}

@Suite("Session store")
struct SessionStoreTests {
  @Test("what was saved is loaded, through any changes of the queue", arguments: UInt64(1)...12)
  func law(seed: UInt64) async throws {
    let work = try StoreAtWork()
    var random = SeededGenerator(seed: seed)
    #expect(try await work.open().isFresh)
    var queue = PlayQueue()
    var place = SavedPlace()
    for step in 0..<40 {
      var changes: [Player.Change] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          queue.removeAll()
          changes.append(.queue(.cleared))
        case 1...3:
          guard let entry = queue.entries.randomElement(using: &random) else { continue }
          queue.remove(entry.id)
          changes.append(.queue(.removed(entry.id)))
        default:
          let count = Int.random(in: 1...5, using: &random)
          changes.append(.queue(.appended(queue.append((0..<count).map { path(step * 10 + $0) }))))
        }
      }
      place.entry = queue.entries.randomElement(using: &random)?.id
      place.frame = .random(in: 0...1_000_000, using: &random)
      place.volume = .random(in: 0...100, using: &random)
      place.repeats = PlayQueue.Repeat.allCases.randomElement(using: &random) ?? .off
      queue.repeats = place.repeats
      try await work.store.save(changes, of: queue, current: place.entry)
      try await work.store.savePlace(place)
      guard step % 4 == 3 else { continue }
      let saved = try await work.reopen(afterUncleanStop: step % 8 == 3)
      #expect(saved.queue.entries == queue.entries, "seed \(seed), step \(step)")
      #expect(saved.queue.nextID >= queue.nextID, "seed \(seed), step \(step)")
      #expect(saved.queue.repeats == queue.repeats && !saved.isFresh && saved.notices.isEmpty)
      if place.entry != nil { #expect(saved.place == place, "seed \(seed), step \(step)") }
    }
  }

  @Test("a damaged database is set aside and told; volume and repeat are kept, and no old id is given again")
  func damaged() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    var queue = PlayQueue()
    let made = queue.append([path(1), path(2)])
    var place = SavedPlace()
    (place.entry, place.frame, place.volume, place.repeats) = (made[1].id, 1_234, 33, .all)
    try await work.store.save([.queue(.appended(made))], of: queue, current: place.entry)
    try await work.store.savePlace(place)
    await work.store.close()
    try AtomicFile.replace(work.folder.path / "state.db", with: [UInt8](repeating: 0x55, count: 8_192))
    let saved = try await work.open(afterUncleanStop: true)
    #expect(saved.notices.count == 1)
    #expect(saved.queue.isEmpty && saved.place.entry == nil && saved.place.frame == 0)
    #expect(saved.place.volume == 33 && saved.queue.repeats == .all && !saved.isFresh)
    #expect(saved.queue.nextID > made[1].id.number)
    let names = try Folder.names(in: work.folder.path).map(\.description)
    #expect(names.contains("state.db.damaged-2026-11-21"))
  }

  @Test("when both slots are damaged the database still knows the entry")
  func slotsDamaged() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    var queue = PlayQueue()
    let made = queue.append([path(1), path(2)])
    try await work.store.save([.queue(.appended(made))], of: queue, current: made[1].id)
    await work.store.close()
    try AtomicFile.replace(work.folder.path / "position", with: [UInt8](repeating: 0x55, count: 1_024))
    let saved = try await work.open()
    #expect(saved.queue.entries == made)
    #expect(saved.place.entry == made[1].id && saved.place.frame == 0 && saved.place.wish == .stopped)
  }

  @Test("a queue whose place did not reach the file has the place that was saved with it", arguments: [false, true])
  func placeBehind(isFirst: Bool) async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    var queue = PlayQueue()
    var place = SavedPlace()
    if !isFirst {
      let old = queue.append([path(1), path(2)])
      (place.entry, place.frame, place.wish, place.volume) = (old[1].id, 1_234, .paused, 20)
      try await work.store.save([.queue(.appended(old))], of: queue, at: place)
      try await work.store.savePlace(place)
      queue.removeAll()
    }
    let new = queue.append([path(3), path(4)])
    (place.entry, place.frame, place.rate, place.wish) = (new[1].id, 96_000, 48_000, .playing)
    (place.volume, place.repeats) = (30, .all)
    try await work.store.save([.queue(.cleared), .queue(.appended(new))], of: queue, at: place)
    let saved = try await work.reopen(afterUncleanStop: true)
    #expect(saved.queue.entries == new && saved.place == place && saved.queue.repeats == .all && !saved.isFresh)
    // From then on the file is followed again.
    place.frame = 100_000
    try await work.store.savePlace(place)
    #expect(try await work.reopen().place == place)
  }

  @Test("while nothing is in the queue the file alone says how loud it is")
  func placeOfNothing() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    var place = SavedPlace()
    place.volume = 20
    try await work.store.save([.queue(.cleared)], of: PlayQueue(), at: place)
    place.volume = 70
    try await work.store.savePlace(place)
    #expect(try await work.reopen().place == place)
  }

  @Test("a database that was removed or emptied is told, where something was played; the first start tells nothing")
  func lost() async throws {
    for isEmptied in [false, true] {
      let work = try StoreAtWork()
      #expect(try await work.open().notices.isEmpty)
      var queue = PlayQueue()
      let entries = queue.append([path(1)])
      try await work.store.save([.queue(.appended(entries))], of: queue, current: entries.first?.id)
      var place = SavedPlace()
      place.entry = entries.first?.id
      try await work.store.savePlace(place)
      await work.store.close()
      let file = work.folder.path / "state.db"
      for ending in ["", "-wal", "-shm"] { _ = "\(file)\(ending)".withCString { unlink($0) } }
      if isEmptied { try AtomicFile.replace(file, with: []) }
      let notices = try await work.open().notices
      #expect(notices.map(\.code) == ["P-122"] && notices[0].message.hasSuffix("begin anew"), "\(notices)")
      await work.store.close()
      #expect(try await work.open().notices.isEmpty, "it is told once")
    }
  }

  @Test("the former queue is kept as it was, and gone when it is no more")
  func former() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    let order = [4, 8, 0, 2, 6, 1, 3, 5, 7]
    let former = FormerQueue((1...9).map { path($0) }, index: 4, at: .milliseconds(83_456), shuffled: order)
    try await work.store.save([.former(former)], of: PlayQueue(), current: nil)
    let saved = try await work.reopen()
    #expect(saved.former == former && saved.former?.files == (1...9).map { path($0) } && saved.former?.index == 4)
    // One that is not shuffled takes nothing from the one before it.
    let plain = FormerQueue((1...9).map { path($0) }, index: 2)
    try await work.store.save([.former(plain)], of: PlayQueue(), current: nil)
    #expect(try await work.reopen().former == plain)
    try await work.store.save([.former(nil)], of: PlayQueue(), current: nil)
    #expect(try await work.reopen().former == nil)
    await work.store.close()
    try work.meddle(
      """
      INSERT OR REPLACE INTO session VALUES ('former', x'2F6100002F62'), ('former_index', -7), ('place', 'here'),
      ('former_place', -3), ('former_order', x'090005')
      """)
    let foreign = try await work.open().former
    #expect(foreign?.files == ["/a", "/b"].map { FilePath($0) } && foreign?.index == 0 && foreign?.place == .zero)
  }

  @Test(
    "numbers that we never wrote end no start and no save",
    arguments: [
      "INSERT INTO queue_entry VALUES (5, -1, x'2F61')", "INSERT INTO queue_entry VALUES (5, 0, x'2F61')",
      "INSERT INTO queue_entry VALUES (5, 9223372036854775807, x'2F61')",
      "INSERT INTO queue_entry VALUES (9223372036854775807, 77, x'2F61')", "INSERT INTO queue_entry VALUES (5, 7, x'')",
      "INSERT INTO session VALUES ('next_id', -1)", "INSERT INTO session VALUES ('next_id', 9223372036854775807)",
      "INSERT INTO session VALUES ('next_id', 'seven')", "INSERT INTO session VALUES ('current', -9223372036854775808)",
    ])
  func foreignNumbers(sql: String) async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    await work.store.close()
    try work.meddle(sql)
    var saved = try await work.open()
    let made = saved.queue.append([path(1)])
    #expect(made.count == 1)
    // What the keeper does when a change alone cannot be saved.
    do { try await work.store.save([.queue(.appended(made))], of: saved.queue, current: nil) } catch {
      let all = Player.Change.queue(.appended(saved.queue.entries))
      try await work.store.save([.queue(.cleared), all], of: saved.queue, current: nil)
    }
    #expect(try await work.reopen().queue.entries == saved.queue.entries)
  }

  @Test("what is closed says that it cannot save")
  func closed() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    await work.store.close()
    await #expect(throws: Fault.self) { try await work.store.savePlace(SavedPlace()) }
    await #expect(throws: Fault.self) { try await work.store.save([.queue(.cleared)], of: PlayQueue(), current: nil) }
  }

  @Test("what plays is saved by the store's own clock while it moves, and while it is the same")
  func course() async throws {
    let work = try StoreAtWork(time: .virtual(VirtualTime()))
    _ = try await work.open()
    var place = SavedPlace()
    place.entry = EntryID(number: 1)
    let now = Mutex<SavedPlace?>(place)
    func goes(to frame: Int64?) async -> Int64? {
      now.withLock { there in
        there = frame.map { frame in
          var moved = place
          moved.frame = frame
          return moved
        }
      }
      await work.loop.advance(by: SessionStore.savesEvery)
      return work.newestSlot?.place.frame
    }
    try await work.store.savePlace(
      place, course: .init(now: { _ in now.withLock { $0 } }, told: { _ in Issue.record("nothing fails") }))
    #expect(await goes(to: 9) == 9)
    let sequence = work.newestSlot?.sequence
    #expect(await goes(to: 9) == 9 && work.newestSlot?.sequence == sequence, "what stands still is not saved again")
    #expect(await goes(to: nil) == 9, "something else is heard")
    #expect(await goes(to: 50) == 50)
    try await work.store.savePlace(place)
    #expect(await goes(to: 70) == 0, "nothing plays any more")
  }

  @Test("when the clock's save fails that is told once, and once that it works again")
  func clockFails() async throws {
    let work = try StoreAtWork(time: .virtual(VirtualTime()))
    _ = try await work.open()
    let frames = Mutex<Int64>(0)
    let told = Mutex<[String]>([])
    func turn() async { await work.loop.advance(by: SessionStore.savesEvery) }
    let course = SessionStore.Course(
      now: { place in
        var place = place
        place.frame = frames.withLock { frames in
          frames += 1
          return frames
        }
        return place
      }, told: { fault in told.withLock { $0.append(fault?.code ?? "good") } })
    try await work.store.savePlace(SavedPlace(), course: course)
    await turn()
    try work.openPosition(O_RDONLY)
    for _ in 0..<3 { await turn() }
    try work.openPosition(O_RDWR)
    for _ in 0..<2 { await turn() }
    #expect(told.withLock { $0 } == ["P-111", "good"])
    #expect(work.newestSlot?.place.frame == 6)
  }
}
