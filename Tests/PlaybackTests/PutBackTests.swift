import Formats
import Runtime
import TestSupport
import Testing

@testable import Playback

private func id(_ number: Int) -> EntryID { EntryID(number: UInt64(number)) }

/// Entries 1 to `count`, of which `current` is current.
private func player(_ count: Int, at current: Int = 1, seed: UInt64 = 1) -> Player {
  var player = Player(queue: PlayQueue(seed: seed))
  _ = player.perform(.add((1...count).map { FilePath("/\($0)") }), heard: .nothing)
  _ = player.perform(.jump(to: id(current)), heard: .nothing)
  return player
}

extension Player {
  fileprivate mutating func perform(_ commands: Command...) {
    for command in commands { _ = perform(command, heard: .nothing) }
  }

  fileprivate var numbers: [Int] { queue.base.all.map { Int($0.number) } }
}

@Suite("What was taken out of the queue is put back")
struct PutBackTests {
  @Test("where it stood, under its own id, in one change that is saved", arguments: 1...5)
  func place(number: Int) {
    var player = player(5, at: number == 3 ? 2 : 3)
    let path = player.queue.entry(id(number))?.path
    player.perform(.remove(id(number)))
    #expect(player.takenOut?.id == id(number) && player.takenOut?.path == path)
    let before = (player.current, player.wish, player.generation)
    let actions = player.perform(.putBack(id(number)), heard: .nothing)
    #expect(player.numbers == [1, 2, 3, 4, 5] && player.queue.entry(id(number))?.path == path)
    let entry = PlayQueue.Entry(id: id(number), path: FilePath("/\(number)"))
    #expect(actions.contains(.save(.queue(.inserted([entry], after: number == 1 ? nil : id(number - 1))))))
    // What plays goes on.
    #expect((player.current, player.wish, player.generation) == before)
    // Once only.
    #expect(player.takenOut == nil && player.perform(.putBack(id(number)), heard: .nothing).isEmpty)
    #expect(player.numbers == [1, 2, 3, 4, 5])
  }

  @Test("the last one first where several were taken out, and any of them by its id")
  func several() {
    var player = player(6, at: 4)
    player.perform(.remove(id(2)), .remove(id(5)), .remove(id(3)))
    #expect(player.numbers == [1, 4, 6])
    for (number, left) in [(3, [1, 3, 4, 6]), (5, [1, 3, 4, 5, 6]), (2, [1, 2, 3, 4, 5, 6])] {
      #expect(player.takenOut?.id == id(number))
      player.perform(.putBack(id(number)))
      #expect(player.numbers == left)
    }
    player.perform(.remove(id(6)), .remove(id(1)), .putBack(id(6)))
    #expect(player.numbers == [2, 3, 4, 5, 6] && player.takenOut?.id == id(1))
    // Those that were taken out first are forgotten first.
    var long = Self.long
    for number in 2...Player.removedLimit + 2 { long.perform(.remove(id(number))) }
    long.perform(.putBack(id(2)), .putBack(id(3)))
    #expect(long.numbers[..<3] == [1, 3, Player.removedLimit + 3])
  }

  private static var long: Player { player(Player.removedLimit + 10) }

  @Test("the one that played, while another plays on, and the only one, which is current again and stopped")
  func playing() {
    var queue = player(3, at: 2)
    queue.perform(.remove(id(2)))
    #expect(queue.current == id(3) && queue.wish == .playing)
    queue.perform(.putBack(id(2)))
    #expect(queue.numbers == [1, 2, 3] && queue.current == id(3) && queue.wish == .playing)
    var only = player(1)
    only.perform(.remove(id(1)))
    #expect(only.current == nil && only.wish == .stopped && only.takenOut?.id == id(1))
    let actions = only.perform(.putBack(id(1)), heard: .nothing)
    #expect(only.current == id(1) && only.wish == .stopped && actions.contains(.savePlace))
    only.perform(.play)
    #expect(only.wish == .playing)
  }

  @Test("what comes next is decoded next, and no more what came in its place")
  func follows() {
    var player = player(3)
    let generation = player.generation
    _ = player.hear(.opened(id(1), generation: generation), heard: .nothing)
    player.perform(.remove(id(2)))
    let actions = player.perform(.putBack(id(2)), heard: .nothing)
    #expect(actions.contains(.follow(PlayQueue.Entry(id: id(2), path: FilePath("/2")))))
  }

  @Test("at the end of a queue that is shorter now")
  func shorter() {
    var player = player(5)
    player.perform(.remove(id(5)))
    for number in [4, 3] { player.perform(.remove(id(number))) }
    player.perform(.putBack(id(5)))
    #expect(player.numbers == [1, 2, 5])
  }

  @Test("in a shuffled queue at its place of the round, and in its own order", arguments: UInt64(1)...20)
  func shuffled(seed: UInt64) {
    var player = player(9, seed: seed)
    player.perform(.shuffle(true))
    let order = player.queue.order.all
    let gone = order[Int(seed) % 8 + 1]
    player.perform(.remove(gone))
    let actions = player.perform(.putBack(gone), heard: .nothing)
    #expect(player.queue.order.all == order && player.numbers == Array(1...9))
    let place = order.firstIndex(of: gone) ?? 0
    #expect(actions.contains(.save(.queue(.placed(gone, after: order[place - 1])))))
    player.perform(.shuffle(false))
    #expect(player.queue.order.all == (1...9).map { id($0) })
  }

  @Test("in another round than it was taken out of it is among what is to come", arguments: UInt64(1)...20)
  func otherRound(seed: UInt64) throws {
    var player = player(9, seed: seed)
    player.perform(.shuffle(true), .repeats(.all))
    let gone = player.queue.order[7]
    player.perform(.remove(gone))
    let round = player.queue.round
    while player.queue.round == round { player.perform(.next) }
    player.perform(.next, .next, .next)
    player.perform(.putBack(gone))
    let (here, there) = (player.queue.index(of: player.current), player.queue.index(of: gone))
    #expect(try #require(there) > #require(here))
    // Where it was taken out before the queue was shuffled, too.
    var other = Self.nine(seed)
    other.perform(.remove(id(5)), .shuffle(true), .next, .next, .putBack(id(5)))
    #expect(try #require(other.queue.index(of: id(5))) > #require(other.queue.index(of: other.current)))
    #expect(other.numbers == Array(1...9))
  }

  private static func nine(_ seed: UInt64) -> Player { player(9, seed: seed) }

  @Test("not once another queue is in its place, and not into a full one")
  func gone() {
    for command in [Player.Command.clear, .replace(Replacement([FilePath("/a")])), .replace(Replacement([]))] {
      var player = player(3)
      player.perform(.remove(id(2)), command)
      #expect(player.takenOut == nil, "\(command)")
      let count = player.queue.count
      #expect(player.perform(.putBack(id(2)), heard: .nothing).isEmpty && player.queue.count == count, "\(command)")
    }
    var full = player(3)
    full.perform(.remove(id(2)), .add((0..<PlayQueue.limit).map { FilePath("/\($0)") }))
    #expect(full.takenOut == nil && full.queue.count == PlayQueue.limit)
    #expect(full.perform(.putBack(id(2)), heard: .nothing) == [.notice(.queueFull(leftOut: 1))])
    // With room again it can be.
    full.perform(.remove(id(1)), .remove(id(3)), .putBack(id(2)))
    #expect(full.queue.contains(id(2)))
  }

  @Test("and is on the disk when the command returns, with where it was chosen; a start remembers nothing taken out")
  func durable() async throws {
    let work = try StoreAtWork()
    let saved = try await work.open()
    let origin = Origin(.album, "Road")
    try await TestMainLoop.alone {
      let stage = try #require(await onMainLoop { try? Stage(saved, store: work.store) })
      await onMainLoop {
        await stage.start()
        await stage.perform(.add([FilePath("/1"), FilePath("/2"), FilePath("/3")], from: origin))
        await stage.perform(.remove(id(2)))
        #expect(stage.transport.takenOut?.path == FilePath("/2"))
        #expect(await stage.perform(.putBack(id(2))) == nil)
        await stage.perform(.remove(id(3)))
        stage.stop()
      }
      await until("the end") { stage.isOver }
    }
    let found = try await work.reopen()
    #expect(found.queue.entries.map(\.id) == [id(1), id(2)])
    let chosen = try await work.store.lend { connection throws(Fault) in
      try OriginTable(connection: connection).origin(of: id(2))
    }
    #expect(chosen == origin)
    try await TestMainLoop.alone {
      let stage = try #require(await onMainLoop { try? Stage(found, store: work.store) })
      await onMainLoop {
        await stage.start()
        #expect(stage.transport.takenOut == nil)
        stage.stop()
      }
      await until("the end") { stage.isOver }
    }
  }
}

@Suite("What lies elsewhere now")
struct ReaddressTests {
  private static let near = FilePath("/2")
  private static let far = FilePath("source:kiosk/2.mp3")

  @Test("stands where it stood, under its own id, and is saved in one change; what plays goes on")
  func place() {
    var player = player(3, at: 1)
    let before = (player.current, player.wish, player.generation)
    let actions = player.perform(.readdress([Self.near: Self.far, FilePath("/9"): Self.far]), heard: .nothing)
    let entry = PlayQueue.Entry(id: id(2), path: Self.far)
    #expect(actions.contains(.save(.queue(.readdressed([entry])))))
    #expect(player.numbers == [1, 2, 3] && player.queue.entry(id(2)) == entry)
    #expect((player.current, player.wish, player.generation) == before)
    #expect(player.perform(.readdress([Self.near: Self.far]), heard: .nothing).isEmpty, "it lies there already")
  }

  @Test("is given to the decoder anew while that has not opened it, and not once it has")
  func given() {
    for isOpen in [false, true] {
      var player = player(3, at: 1)
      _ = player.perform(.play, heard: .nothing)
      let generation = player.generation
      let next = player.hear(.opened(id(1), generation: generation), heard: .nothing)
      #expect(next.contains(.follow(PlayQueue.Entry(id: id(2), path: FilePath("/2")))))
      if isOpen { _ = player.hear(.opened(id(2), generation: generation), heard: .nothing) }
      let actions = player.perform(.readdress([Self.near: Self.far]), heard: .nothing)
      #expect(actions.contains(.follow(PlayQueue.Entry(id: id(2), path: Self.far))) == !isOpen)
    }
  }

  @Test("what was taken out lies there when it is put back, and so does what is had back of the former queue")
  func hadBack() {
    var player = Self.begun(at: 1)
    _ = player.perform(.remove(id(2)), heard: .nothing)
    #expect(player.files == [FilePath("/1"), Self.near, FilePath("/3")])
    #expect(player.perform(.readdress([Self.near: Self.far]), heard: .nothing).isEmpty, "it is saved nowhere yet")
    #expect(player.takenOut == PlayQueue.Entry(id: id(2), path: Self.far))
    _ = player.perform(.putBack(id(2)), heard: .nothing)
    #expect(player.queue.entry(id(2))?.path == Self.far && player.numbers == [1, 2, 3])

    player = Self.begun(at: 2)
    _ = player.perform(.replace(Replacement([FilePath("/new")])), heard: .nothing)
    #expect(player.files.contains(Self.near))
    let former = FormerQueue([FilePath("/1"), Self.far, FilePath("/3")], index: 1)
    #expect(player.perform(.readdress([Self.near: Self.far]), heard: .nothing) == [.save(.former(former))])
    #expect(player.former == former && player.queue.entries.map(\.path) == [FilePath("/new")])
    #expect(player.perform(.readdress([Self.near: Self.far]), heard: .nothing).isEmpty)
  }

  @Test(
    "a book of one file is had back like a queue of several, each time; a single song is not", arguments: [true, false])
  func book(isBook: Bool) {
    var player = player(1)
    if isBook { player.bookmarks.put(FilePath("/1"), at: .seconds(100)) }
    let heard = Spot(frame: 100, rate: 1)
    _ = player.perform(.replace(Replacement([FilePath("/a"), FilePath("/b")])), heard: heard)
    #expect(player.former?.files == (isBook ? [FilePath("/1")] : nil))
    guard let former = player.former else { return }
    _ = player.perform(.replace(Replacement(back: former)), heard: heard)
    #expect(player.queue.entries.map(\.path) == [FilePath("/1")] && player.former?.files.count == 2)
    guard let other = player.former else { return }
    _ = player.perform(.replace(Replacement(back: other)), heard: heard)
    #expect(player.former?.files == [FilePath("/1")], "it is not lost when the other one is had back")
  }

  private static func begun(at current: Int) -> Player { player(3, at: current) }
}
