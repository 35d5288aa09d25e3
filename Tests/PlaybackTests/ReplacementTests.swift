import Audio
import Formats
import Runtime
import Store
import TestSupport
import Testing

@testable import Playback

private func files(_ numbers: Int...) -> [FilePath] { numbers.map { FilePath("/\($0)") } }
private let somewhere = Spot(frame: 44_100 * 100, rate: 44_100)

@Suite("A queue that is replaced")
struct ReplacementTests {
  /// A player after some use: it plays, pauses or is stopped, shuffled or not, with history and places that it keeps.
  private static func used(_ random: inout SeededGenerator) -> Player {
    var player = Player(queue: PlayQueue(seed: random.next()))
    _ = player.resume(nil, at: .beginning, wish: .stopped)
    for step in 0..<Int.random(in: 0...25, using: &random) {
      _ = player.pass(to: Moment(nanoseconds: Int64(step) * 60_000_000_000), date: Int64(step), heard: somewhere)
      let id = player.queue.order.all.randomElement(using: &random) ?? EntryID(number: 1)
      let paths = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        FilePath("/\(Int.random(in: 0..<10, using: &random))")
      }
      let commands: [Player.Command] = [
        .play, .play, .pause, .stop, .next, .previous, .jump(to: id), .add(paths), .add(paths), .playNext(paths),
        .remove(id), .shuffle(true), .shuffle(false), .repeats(.all), .sleep(.track), .giveWay(to: "voice", .pause),
        .giveWay(to: "voice", .rest), .giveWay(to: "voice", nil), .seek(to: .seconds(30)),
      ]
      _ = player.perform(commands.randomElement(using: &random) ?? .play, heard: somewhere)
      guard let current = player.current, player.wish == .playing else { continue }
      // An hour long, so that its place is kept.
      let item = Player.Item(length: .seconds(3_600))
      _ = player.hear(.opened(current, generation: player.generation, item), heard: somewhere)
      if Bool.random(using: &random) {
        _ = player.hear(.heard(current, generation: player.generation), heard: somewhere)
      }
    }
    return player
  }

  @Test("is what clear, shuffle, add, jump and play lead to, in every part of the player")
  func law() {
    var (played, bookmarked, shuffled) = (0, 0, 0)
    for seed in UInt64(1)...1_000 {
      var random = SeededGenerator(seed: seed)
      let player = Self.used(&random)
      let paths = (0..<Int.random(in: 0...100, using: &random)).map { _ in
        FilePath("/\(Int.random(in: 0..<10, using: &random))")
      }
      let first = Bool.random(using: &random) ? Int.random(in: 0...paths.count, using: &random) : nil
      let new = Replacement(
        paths, order: [.asBefore, .inOrder, .shuffled].randomElement(using: &random) ?? .asBefore, first: first,
        plays: first != nil || Bool.random(using: &random))
      var (one, many) = (player, player)
      let actions = one.perform(.replace(new), heard: somewhere)
      var told = many.perform(.clear, heard: somewhere)
      if new.order != .asBefore { told += many.perform(.shuffle(new.order == .shuffled), heard: .nothing) }
      let begin = many.queue.nextID
      told += many.perform(.add(paths), heard: .nothing)
      if let first { told += many.perform(.jump(to: EntryID(number: begin + UInt64(first))), heard: .nothing) }
      if new.plays { told += many.perform(.play, heard: .nothing) }
      // How often it was begun on the way is heard by nobody.
      many.generation = one.generation
      guard one == many, actions.filter(\.isSaved) == told.filter(\.isSaved) else {
        Issue.record("seed \(seed), \(new)")
        return
      }
      played += player.wish == .playing ? 1 : 0
      bookmarked += one.startAt == .beginning ? 0 : 1
      shuffled += one.queue.isShuffled ? 1 : 0
    }
    #expect(played > 100 && bookmarked > 30 && shuffled > 100, "\(played), \(bookmarked), \(shuffled)")
  }

  @Test("and music that plays at once in the old queue is what add, jump and play lead to")
  func atOnce() {
    for seed in UInt64(1)...1_000 {
      var random = SeededGenerator(seed: seed)
      let player = Self.used(&random)
      let paths = files(3, 4, 5)
      var (one, many) = (player, player)
      _ = one.perform(.playAtOnce(paths), heard: somewhere)
      _ = many.perform(.add(paths), heard: somewhere)
      _ = many.perform(.jump(to: EntryID(number: player.queue.nextID)), heard: somewhere)
      _ = many.perform(.play, heard: somewhere)
      many.generation = one.generation
      guard one == many else {
        Issue.record("seed \(seed)")
        return
      }
    }
  }

  @Test("begins with the chosen file at the chosen place, and is stopped there when it is not to play")
  func place() {
    for plays in [true, false] {
      var player = Player()
      let new = Replacement(files(1, 2, 3), order: .shuffled, first: 2, at: .seconds(90), plays: plays)
      let actions = player.perform(.replace(new), heard: .nothing)
      #expect(player.queue.entry(player.current)?.path == FilePath("/3") && player.queue.index(of: player.current) == 0)
      #expect(player.wish == (plays ? .playing : .stopped) && player.startAt == .time(.seconds(90)))
      let starts = actions.filter { if case .start(_, .time(.seconds(90)), _) = $0 { true } else { false } }
      #expect(starts.count == (plays ? 1 : 0))
    }
  }

  @Test("takes 10,000 files and tells how many it left out; without any there is nothing to play")
  func bounds() {
    var player = Player()
    let many = (0..<PlayQueue.limit + 7).map { FilePath("/\($0)") }
    let actions = player.perform(.replace(Replacement(many, first: PlayQueue.limit + 3)), heard: .nothing)
    #expect(actions.contains(.notice(.queueFull(leftOut: 7))) && player.queue.count == PlayQueue.limit)
    #expect(player.current == player.queue.first?.id && player.wish == .playing)
    #expect(player.perform(.replace(Replacement([])), heard: .nothing).contains(.notice(.nothingToPlay)))
    #expect(player.queue.isEmpty && player.current == nil && player.wish == .stopped)
  }

  @Test("can be had back when it was kept, with its order, its entry and the place in it, shuffled or not")
  func formerAsItWas() throws {
    let spot = Spot(frame: 44_100 * 83, rate: 44_100)
    for isShuffled in [true, false] {
      // The one that plays has its turn in the middle of the round.
      var player = Player()
      _ = player.perform(.add(files(1, 2, 3, 4, 5, 6, 7)), heard: .nothing)
      _ = player.perform(.shuffle(isShuffled), heard: .nothing)
      _ = player.perform(.play, heard: .nothing)
      for _ in 0..<3 { _ = player.perform(.next, heard: .nothing) }
      let order = player.queue.order.all.compactMap { player.queue.entry($0)?.path }
      let put = player.queue.entries.map(\.path)
      let current = try #require(player.queue.entry(player.current)?.path)
      #expect(player.queue.index(of: player.current) == 3)

      // Whatever becomes of the shuffle meanwhile.
      _ = player.perform(.replace(Replacement(files(8, 9))), heard: spot)
      _ = player.perform(.shuffle(!isShuffled), heard: .nothing)
      let other = player.queue.order.all.compactMap { player.queue.entry($0)?.path }
      let actions = player.perform(.replace(Replacement(back: try #require(player.former))), heard: .nothing)
      #expect(player.queue.order.all.compactMap { player.queue.entry($0)?.path } == order)
      #expect(player.queue.entries.map(\.path) == put && player.queue.isShuffled == isShuffled)
      #expect(player.queue.entry(player.current)?.path == current && player.startAt == .time(.seconds(83)))
      let starts = actions.filter { if case .start(_, .time(.seconds(83)), _) = $0 { true } else { false } }
      #expect(starts.count == 1 && player.wish == .playing)

      // And there and back again.
      _ = player.perform(.replace(Replacement(back: try #require(player.former))), heard: spot)
      #expect(player.queue.order.all.compactMap { player.queue.entry($0)?.path } == other)
      #expect(player.queue.isShuffled != isShuffled)
      _ = player.perform(.replace(Replacement(back: try #require(player.former))), heard: .nothing)
      #expect(player.queue.order.all.compactMap { player.queue.entry($0)?.path } == order)
    }
  }

  @Test("is had back whole where the order that was stored is not one of its files")
  func foreignOrder() {
    for order in [[2, 2, 9, 0], [], [7]] {
      var player = Player()
      let former = FormerQueue(files(1, 2, 3), index: 1, at: .seconds(5), shuffled: order)
      _ = player.perform(.replace(Replacement(back: former)), heard: .nothing)
      let rest = order.first == 2 ? files(3, 1, 2) : files(1, 2, 3)
      #expect(player.queue.order.all.compactMap { player.queue.entry($0)?.path } == rest, "\(order)")
      #expect(player.queue.entry(player.current)?.path == FilePath("/2") && player.startAt == .time(.seconds(5)))
    }
  }

  @Test("can be had back, from the entry that was played, also when it was shuffled")
  func former() throws {
    var player = Player()
    _ = player.perform(.replace(Replacement(files(1, 2, 3, 4, 5), order: .shuffled)), heard: .nothing)
    let current = player.queue.entry(player.current)?.path
    #expect(player.former == nil)
    _ = player.perform(.replace(Replacement(files(6))), heard: .nothing)
    #expect(player.former?.files == files(1, 2, 3, 4, 5))
    // Neither of these takes it away: a single song is not worth it.
    _ = player.perform(.replace(Replacement(files(7))), heard: .nothing)
    _ = player.perform(.replace(Replacement(files(8, 9))), heard: .nothing)
    let former = try #require(player.former)
    let back = Replacement(back: former)
    let exchanged = player.perform(.replace(back), heard: .nothing)
    let other = FormerQueue(files(8, 9), index: 0, shuffled: [0, 1])
    #expect(exchanged.contains(.save(.former(other))))
    #expect(player.queue.entry(player.current)?.path == current && player.queue.entries.map(\.path) == former.files)
    #expect(player.former?.files == files(8, 9))
    // What there is instead is not worth keeping.
    _ = player.perform(.clear, heard: .nothing)
    #expect(player.perform(.replace(back), heard: .nothing).contains(.save(.former(nil))))
  }

  @Test("knows where it was chosen")
  func origin() {
    var player = Player()
    _ = player.perform(.add(files(1, 2)), heard: .nothing)
    let origin = Origin(.album, "Road")
    let actions = player.perform(.replace(Replacement(files(3, 4, 5), from: origin)), heard: .nothing)
    #expect(actions.contains(.save(.origin(origin, of: 3, from: EntryID(number: 3)))))
    #expect(!player.perform(.replace(Replacement([], from: origin)), heard: .nothing).contains { $0.isOrigin })
    // What is put into the queue does too, and is saved with it.
    for command in [
      Player.Command.add(files(1, 2), from: origin), .playNext(files(1, 2), from: origin),
      .playAtOnce(files(1, 2), from: origin),
    ] {
      let first = EntryID(number: player.queue.nextID)
      let actions = player.perform(command, heard: .nothing)
      #expect(actions.contains(.save(.origin(origin, of: 2, from: first))), "\(command)")
    }
  }

  @Test("is heard before the disk has it, in one transaction, and it is told what is played and what is queued")
  func oneTransaction() async throws {
    let work = try StoreAtWork()
    let saved = try await work.open()
    try await TestMainLoop.alone {
      let stage = try #require(await onMainLoop { try? Stage(saved, store: work.store) })
      await onMainLoop {
        await stage.start()
        await stage.perform(.add(files(1, 2, 3)))
        await stage.perform(.shuffle(true))
        _ = (stage.takeCalls(), stage.takeKinds())
      }
      let before = try work.commits()
      // The disk takes its time.
      let disk = try Bell()
      work.loop.post { disk.wait() }
      let new = Replacement(files(4, 5, 6), order: .shuffled, first: 2, from: Origin(.folder, "a"))
      let command = await onMainLoop { MainLoop.start { #expect(await stage.perform(.replace(new)) == nil) } }
      await until("it sounds") { stage.sound.calls.contains("resume") }
      await onMainLoop {
        #expect(stage.takeCalls() == ["start 6 at 0", "resume"])
        #expect(stage.transport.status.entry?.path == FilePath("/6") && stage.transport.status.wish == .playing)
        let kinds = stage.takeKinds()
        #expect(kinds.contains(.queue) && kinds.contains(.playing))
      }
      #expect(try work.commits() == before)
      disk.ring()
      await command.value
      #expect(try work.commits() == before + 1)
      await onMainLoop { stage.stop() }
      await until("the end") { stage.isOver }
    }
    let found = try await work.reopen()
    #expect(found.queue.entries.map(\.path) == files(4, 5, 6) && found.former?.files == files(1, 2, 3))
    #expect(found.queue.entry(found.place.entry)?.path == FilePath("/6") && found.place.wish == .playing)
  }
}

extension Player.Action {
  fileprivate var isSaved: Bool { if case .save = self { true } else { false } }
  fileprivate var isOrigin: Bool { if case .save(.origin) = self { true } else { false } }
}

extension StoreAtWork {
  /// So many transactions stand in the write-ahead log, which is never begun anew while it is as short as here: the
  /// header of a transaction's last page has the size of the database after it.
  fileprivate func commits() throws -> Int {
    let log = try AtomicFile.read(folder.path / "state.db-wal", limit: 1 << 24)
    guard log.count > 32 else { return 0 }
    func number(_ at: Int) -> Int { log[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    return stride(from: 32, to: log.count, by: 24 + number(8)).count { number($0 + 4) > 0 }
  }
}
