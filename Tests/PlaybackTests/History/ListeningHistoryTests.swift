import Library
import Runtime
import Store
import TestSupport
import Testing

@testable import Playback

@Suite("Listening history and playlists")
struct ListeningHistoryTests {
  private let folder = TempFolder()
  private let connection: Connection

  init() throws {
    connection = try Database.open(
      in: folder.path, name: "state.db", migrations: StateSchema.migrations, durability: .full,
      afterUncleanStop: false, today: "2026-11-21"
    ).connection
  }

  private func key(_ number: Int) -> ContentKey { ContentKey(upper: 3, lower: UInt64(number)) }

  @Test("history is bounded, its totals are of all that ever was", arguments: [1, 2])
  func totals(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = ListeningTable(connection: connection, limit: 40, slack: 10)
    var model: [Listening] = []
    for step in 0..<300 {
      var one = Listening(
        Int.random(in: 0..<9, using: &random) == 0 ? nil : key(Int.random(in: 0..<12, using: &random)),
        at: FilePath("/m/\(step)"), begun: Int64(Int.random(in: 1..<10_000, using: &random)),
        lasted: .milliseconds(Int.random(in: 0..<90_000, using: &random)), isFinished: Bool.random(using: &random))
      one.origin = .playlist
      (one.originName, one.isStreamed) = ("Mine", step % 3 == 0)
      try table.note(one)
      model.append(one)
      let kept = try table.latest(before: nil, count: 500)
      #expect(kept.count <= 50 && kept.count >= min(model.count, 40), "seed \(seed)")
      #expect(kept.map(\.listening) == model.suffix(kept.count).reversed(), "seed \(seed)")
      let pruned = try table.pruned()
      let gone = model.dropLast(kept.count)
      #expect(Int(pruned.count) == gone.count, "seed \(seed)")
      #expect(pruned.lasted == gone.reduce(.zero) { $0 + $1.lasted }, "seed \(seed)")
    }
    var parts: [Catalogue.Count] = []
    while true {
      let part = try table.totals(after: parts.last?.key, count: 5)
      if part.isEmpty { break }
      parts += part
    }
    let expected = (0..<12).map { number in
      let plays = model.filter { $0.recording == key(number) && $0.isPlay }
      return Catalogue.Count(
        key: key(number), plays: Int64(plays.count), lastPlayed: plays.map(\.begun).max() ?? 0)
    }
    #expect(parts == expected, "seed \(seed)")
    // In pages, backwards.
    let all = try table.latest(before: nil, count: 500).map(\.number)
    var paged: [Int64] = []
    while true {
      let part = try table.latest(before: paged.last, count: 7).map(\.number)
      if part.isEmpty { break }
      paged += part
    }
    #expect(paged == all)
  }

  @Test("a playlist is what was done to it, with its count and duration, in any order of moves", arguments: [3, 4, 5])
  func playlist(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = PlaylistTable(connection: connection)
    let id = try table.make("Mine", today: 1)
    let other = try table.make("Other", today: 1)
    try table.add([PlaylistWish(nil, at: FilePath("/o"), lasting: .seconds(1))], to: other, today: 1)
    var model: [PlaylistEntry] = []
    for step in 0..<250 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let wishes = (0..<Int.random(in: 1..<4, using: &random)).map { number in
          PlaylistWish(key(number), at: FilePath("/m/\(step)-\(number)"), lasting: .milliseconds(step * 100))
        }
        try table.add(wishes, to: id, today: Int64(step))
        model += try table.entries(of: id, after: nil, count: 500).suffix(wishes.count)
      case 2:
        guard let gone = model.randomElement(using: &random) else { continue }
        try table.remove(entry: gone.id, from: id, today: Int64(step))
        model.removeAll { $0.id == gone.id }
      default:
        guard let moved = model.randomElement(using: &random) else { continue }
        // Mostly to the same two places, where the room is soon used up.
        let rest = model.filter { $0.id != moved.id }
        let place = Bool.random(using: &random) ? min(1, rest.count) : Int.random(in: 0...rest.count, using: &random)
        try table.move(moved.id, behind: place == 0 ? nil : rest[place - 1].id, in: id, today: Int64(step))
        model = rest
        model.insert(moved, at: place)
      }
      let entries = try table.entries(of: id, after: nil, count: 500)
      #expect(entries.map(\.id) == model.map(\.id), "step \(step), seed \(seed)")
      #expect(entries.map(\.path) == model.map(\.path), "step \(step), seed \(seed)")
      let list = try #require(try table.all().first { $0.id == id })
      #expect(Int(list.count) == model.count, "step \(step), seed \(seed)")
      #expect(list.duration == model.reduce(.zero) { $0 + $1.duration }, "step \(step), seed \(seed)")
    }
    try table.remove(id)
    #expect(try table.all().map(\.name) == ["Other"])
    #expect(try table.entries(of: other, after: nil, count: 9).count == 1)
  }

  @Test("room between two entries that is used up is made again")
  func crowded() throws {
    let table = PlaylistTable(connection: connection)
    let id = try table.make("Mine", today: 1)
    let wishes = (0..<4).map { PlaylistWish(nil, at: FilePath("/\($0)"), lasting: .zero) }
    try table.add(wishes, to: id, today: 1)
    for _ in 0..<60 {
      let entries = try table.entries(of: id, after: nil, count: 9)
      try table.move(entries[3].id, behind: entries[0].id, in: id, today: 2)
      let after = try table.entries(of: id, after: nil, count: 9)
      #expect(after.map(\.id) == [0, 3, 1, 2].map { entries[$0].id })
    }
  }

  @Test("names, the wish to have it offline, and what is not there")
  func edges() throws {
    let table = PlaylistTable(connection: connection)
    let id = try table.make("Mine", today: 1)
    try table.rename(id, String(repeating: "long ", count: 1_000), today: 5)
    try table.setOffline(id, true)
    let list = try #require(try table.all().first)
    #expect(list.name.count == 200 && list.isOffline && list.changedAt == 5)
    let wish = PlaylistWish(nil, at: FilePath("/a"), lasting: .zero)
    #expect(try faultOf { try table.add([wish], to: 99, today: 1) }.code == "P-180")
    let many = [PlaylistWish](repeating: wish, count: Int(PlaylistTable.mostEntries) + 1)
    #expect(try faultOf { try table.add(many, to: id, today: 1) }.code == "P-181")
    try table.add([wish], to: id, today: 1)
    let entry = try #require(try table.entries(of: id, after: nil, count: 1).first)
    #expect(try faultOf { try table.move(entry.id, behind: 77, in: id, today: 1) }.code == "P-182")
  }

  @Test("a source that goes and comes back leaves playlists, history and counts as they were")
  func roundTrip() async throws {
    let loop = try EventLoop("library", mayBlock: true)
    try loop.start()
    let catalogue = Catalogue(in: folder.path, on: loop)
    _ = try await catalogue.open(afterUncleanStop: false, today: "2026-11-21")
    func arrive() async throws -> Int64 {
      let source = try await catalogue.source(
        .stick, key: [1], label: "Stick", root: FilePath("/media/s"), today: 1)
      let root = try await catalogue.folder([], in: nil, of: source)
      var metadata = Metadata()
      metadata.title = "Air"
      let facts = FileFacts(folder: root, name: [65], size: 1, modified: 1)
      try await catalogue.store([Found(facts, .music(metadata, key(1)))], today: 1)
      return source
    }
    let source = try await arrive()
    let lists = PlaylistTable(connection: connection)
    let history = ListeningTable(connection: connection)
    let id = try lists.make("Mine", today: 1)
    try lists.add([PlaylistWish(key(1), at: FilePath("/media/s/A"), lasting: .seconds(9))], to: id, today: 2)
    try history.note(Listening(key(1), at: FilePath("/media/s/A"), begun: 50, lasted: .seconds(40), isFinished: true))
    try await catalogue.played(key(1), at: 50)
    func all() async throws -> String {
      let count = try await catalogue.count(of: key(1))
      let entries = try lists.entries(of: id, after: nil, count: 9)
      let latest = try history.latest(before: nil, count: 9)
      let totals = try history.totals(after: nil, count: 9)
      return "\(try lists.all()) \(entries) \(latest) \(totals) \(count.map { "\($0)" } ?? "none")"
    }
    let before = try await all()
    try await catalogue.setPresent(source, false)
    #expect(try await catalogue.file(of: key(1))?.isPresent == false)
    #expect(try await all() == before)
    #expect(try await arrive() == source)
    #expect(try await all() == before)
    #expect(try await catalogue.file(of: key(1))?.isPresent == true)
    // Somebody no longer wanted it, and it comes all the same.
    _ = try await catalogue.forget(source: source)
    #expect(try await all() == before)
    _ = try await arrive()
    #expect(try await all() == before)
    // A library begun anew gets its counts back from the history.
    await catalogue.close()
    for ending in ["", "-wal", "-shm"] { try AtomicFile.replace(folder.path / "library.db\(ending)", with: []) }
    _ = try await catalogue.open(afterUncleanStop: false, today: "2026-11-21")
    try await catalogue.restore(history.totals(after: nil, count: 100))
    _ = try await arrive()
    #expect(try await all() == before)
  }
}
