import Runtime
import Store
import TestSupport
import Testing

@testable import Playback

private func path(_ number: Int) -> FilePath { FilePath("/music/\(number)") }

@Suite("Saved order, history and bookmarks")
struct SessionOrderTests {
  @Test("both orders come back as they were, through any changes of the queue", arguments: UInt64(1)...10)
  func law(seed: UInt64) async throws {
    let work = try StoreAtWork()
    var random = SeededGenerator(seed: seed)
    _ = try await work.open()
    var queue = PlayQueue(seed: seed)
    var gone: RemovedEntry?
    for step in 0..<150 {
      var changes: [PlayQueue.Change] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let current = queue.order.all.randomElement(using: &random)
        let paths = (0..<Int.random(in: 1...4, using: &random)).map { path(step * 10 + $0) }
        switch Int.random(in: 0..<26, using: &random) {
        case 0...3: changes += queue.add(paths, behind: current).changes
        case 4...7: changes += queue.playNext(paths, behind: queue.order.first).changes
        case 8...13:
          guard let current else { continue }
          // Often to the same place, which uses up the room there.
          changes += queue.move(current, to: Bool.random(using: &random) ? 1 : .random(in: 0...50, using: &random))
        case 14...15:
          guard let current else { continue }
          gone = queue.remove(current)
          changes.append(.removed(current))
        case 24...25:
          guard let back = gone else { continue }
          changes += queue.putBack(back, behind: current)
          gone = nil
        case 16...18: changes += queue.shuffle(at: current)
        case 19: changes += queue.unshuffle()
        case 20: changes += queue.beginAgain()
        case 21: changes += queue.bringForward(queue.order.last ?? EntryID(number: 0), to: current, wasHeard: true)
        case 22 where Int.random(in: 0..<10, using: &random) == 0:
          queue.removeAll()
          gone = nil
          changes.append(.cleared)
        default: changes += queue.bringBack(queue.order.last ?? EntryID(number: 0), before: current)
        }
      }
      try await work.store.save(changes.map { .queue($0) }, of: queue, current: queue.order.first)
      guard step % 5 == 4 else { continue }
      let saved = try await work.reopen(afterUncleanStop: step % 10 == 4).queue
      #expect(saved.entries == queue.entries, "seed \(seed), step \(step)")
      #expect(saved.order == queue.order && saved.isShuffled == queue.isShuffled, "seed \(seed), step \(step)")
      if queue.isShuffled { #expect(saved.round == queue.round && saved.chance == queue.chance) }
      queue.rounds = Array(queue.rounds.prefix(1))
    }
  }

  @Test("history and bookmarks come back, bounded, the newest of them")
  func memory() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    let heard = (1...History.limit + 20).map {
      History.PlayedEntry(
        entry: EntryID(number: UInt64($0)), path: path($0), begun: Int64($0), lasted: .milliseconds($0),
        isFinished: $0 % 2 == 0)
    }
    var bookmarks = Bookmarks()
    var changes: [Player.Change] = heard.map { .heard($0) }
    for number in 1...Bookmarks.limit + 20 {
      bookmarks.put(path(number), at: .seconds(number))
      changes.append(.bookmark(path(number), .seconds(number)))
    }
    // One is touched again, one finished.
    bookmarks.put(path(100), at: .seconds(7))
    _ = bookmarks.remove(path(101))
    changes += [.bookmark(path(100), .seconds(7)), .noBookmark(path(101))]
    try await work.store.save(changes, of: PlayQueue(), current: nil)
    let saved = try await work.reopen()
    #expect(saved.history == heard.suffix(History.limit))
    #expect(Bookmarks(saved.bookmarks) == bookmarks)
  }

  @Test("a database of the first version is brought up to date and loses nothing")
  func firstVersion() async throws {
    let work = try StoreAtWork()
    let first = Migrations(
      applicationID: StateSchema.migrations.applicationID, Array(StateSchema.migrations.steps.prefix(1)))
    try {
      let (connection, _) = try Database.open(
        in: work.folder.path, name: "state.db", migrations: first, durability: .full, afterUncleanStop: false, today: ""
      )
      for number in 1...100 {
        let values: [SQLValue] = [.integer(Int64(number) << 20), .integer(Int64(number)), SQLValue(path(number))]
        try connection.run("INSERT INTO queue_entry (place, id, path) VALUES (?, ?, ?)", values)
      }
      try connection.execute("INSERT INTO session VALUES ('next_id', 150), ('current', 42)")
      #expect(try Migrations.version(of: connection) == 1)
    }()
    let saved = try await work.open(afterUncleanStop: true)
    #expect(saved.notices.isEmpty && saved.queue.nextID == 150 && saved.place.entry == EntryID(number: 42))
    #expect(saved.queue.entries == (1...100).map { .init(id: EntryID(number: UInt64($0)), path: path($0)) })
    #expect(!saved.queue.isShuffled && saved.history.isEmpty && saved.bookmarks.isEmpty)
    var queue = saved.queue
    let changes = queue.shuffle(at: EntryID(number: 42)) + queue.move(EntryID(number: 7), to: 1)
    try await work.store.save(changes.map { .queue($0) }, of: queue, current: nil)
    #expect(try await work.reopen().queue.order == queue.order)
  }

  @Test("where the newer tables are missing the queue is saved all the same")
  func notMigrated() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    await work.store.close()
    // In the way of the step, which then fails; what there was is kept.
    try work.meddle(
      "DROP TABLE shuffled_entry; DROP TABLE bookmark; DROP TABLE heard; PRAGMA user_version = 1; CREATE TABLE heard(a)"
    )
    let saved = try await work.open()
    #expect(saved.notices.map(\.code) == ["S-112"])
    var queue = saved.queue
    var changes = queue.add([path(1), path(2)], behind: nil).changes.map { Player.Change.queue($0) }
    changes += queue.shuffle(at: nil).map { .queue($0) }
    changes += [.bookmark(path(1), .seconds(1)), .noBookmark(path(1))]
    try await work.store.save(changes, of: queue, current: nil)
    #expect(try await work.reopen().queue.entries == queue.entries)
  }

  @Test("a shuffled order with rows that make no sense is mended: each entry once, none lost")
  func foreignRows() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    var queue = PlayQueue()
    var changes = queue.add((1...5).map { path($0) }, behind: nil).changes
    changes += queue.shuffle(at: nil)
    try await work.store.save(changes.map { .queue($0) }, of: queue, current: nil)
    await work.store.close()
    try work.meddle(
      """
      DELETE FROM shuffled_entry WHERE id = 3; INSERT INTO shuffled_entry VALUES (-9223372036854775808, 77);
      INSERT INTO shuffled_entry VALUES (9223372036854775807, -1); UPDATE session SET value = -1 WHERE name = 'round';
      """)
    var saved = try await work.open().queue
    #expect(saved.count == 5 && Set(saved.order.all) == Set(queue.order.all) && saved.order.last == EntryID(number: 3))
    // And it can be gone on with, if need be by writing it anew.
    for id in saved.order.all {
      let changes = saved.move(id, to: 0).map { Player.Change.queue($0) }
      do { try await work.store.save(changes, of: saved, current: nil) } catch {
        let whole: [PlayQueue.Change] = [.cleared, .appended(saved.entries), .shuffled(saved.order.all)]
        try await work.store.save(whole.map { .queue($0) }, of: saved, current: nil)
      }
    }
    #expect(try await work.reopen().queue.order == saved.order)
  }
}

@Suite("Sparse places")
struct SparsePlacesTests {
  private func table(_ count: Int) throws -> (Connection, SparsePlaces, TempFolder) {
    let folder = TempFolder()
    let connection = try Connection(open: folder.path / "a.db", as: .writer(durability: .normal))
    try connection.execute("CREATE TABLE rows(place INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE) STRICT")
    let places = SparsePlaces(table: "rows", connection: connection)
    try connection.transaction { () throws(Fault) in
      for number in 1...Int64(count) {
        try connection.run("INSERT INTO rows VALUES (?, ?)", [.integer(try places.last()), .integer(number)])
      }
    }
    return (connection, places, folder)
  }

  /// Rows written since the connection was opened.
  private func written(_ connection: Connection) throws -> Int64 {
    try connection.first("SELECT total_changes()") { $0.integer(0) } ?? 0
  }

  private func order(_ connection: Connection) throws -> [Int64] {
    try connection.rows("SELECT id FROM rows ORDER BY place") { $0.integer(0) ?? 0 }
  }

  @Test("a move among ten thousand writes one row, and a few more when always the same room is used")
  func cost() throws {
    let (connection, places, _) = try table(10_000)
    var expected = try order(connection)
    var random = SeededGenerator(seed: 1)
    var worst: Int64 = 0
    let start = try written(connection)
    try connection.execute("BEGIN")
    for step in 0..<2_000 {
      let before = try written(connection)
      // The last to behind the first, again and again, as "play this next" does; then anywhere.
      let from = step < 1_000 ? expected.count - 1 : Int.random(in: 0..<expected.count, using: &random)
      let id = expected.remove(at: from)
      let to = step < 1_000 ? 1 : Int.random(in: 0...expected.count, using: &random)
      let other = to == 0 ? nil : EntryID(number: UInt64(expected[to - 1]))
      try places.move(EntryID(number: UInt64(id)), behind: other)
      expected.insert(id, at: to)
      worst = max(worst, try written(connection) - before)
    }
    try connection.execute("COMMIT")
    #expect(try order(connection) == expected)
    let total = try written(connection) - start
    #expect(total < 2_000 * 12 && worst < 2_600, "\(total) rows for 2,000 moves, \(worst) for one")
  }

  @Test("behind one that is not there is the end; before all others is the beginning, again and again")
  func ends() throws {
    let (connection, places, _) = try table(3)
    try places.move(EntryID(number: 1), behind: EntryID(number: 99))
    #expect(try order(connection) == [2, 3, 1])
    for id in [UInt64(3), 1, 2, 3, 1, 2] { try places.move(EntryID(number: id), behind: nil) }
    #expect(try order(connection) == [2, 1, 3])
  }
}
