import Audio
import Formats
import Runtime
import TestSupport
import Testing

@testable import Playback

/// A player whose clock is turned by hand, with a sound that plays what it is given at once.
struct Listener {
  var player: Player
  private(set) var clock = Moment(nanoseconds: 1_000_000_000)
  /// Where the sound is in the current entry.
  var elapsed = Duration.zero
  var lengths: [EntryID: Player.Item] = [:]
  var saved: [Player.Change] = []

  init(_ count: Int, repeats: PlayQueue.Repeat = .off, volume: Int = 50, bookmarks: [Bookmarks.Mark] = []) {
    var queue = PlayQueue(seed: 5)
    _ = queue.append((1...max(count, 1)).prefix(count).map { FilePath("/\($0)") })
    queue.repeats = repeats
    player = Player(queue: queue, volume: Volume(percent: volume), bookmarks: Bookmarks(bookmarks))
    obey(player.resume(nil, at: .beginning, wish: .stopped))
    tick()
  }

  var heard: Spot { Spot(frame: elapsed.milliseconds * 441 / 10, rate: 44_100) }

  @discardableResult
  mutating func tick(_ time: Duration = .zero) -> [Player.Action] {
    clock = clock + time
    if player.isHeard && player.wish == .playing { elapsed += time }
    return obey(player.pass(to: clock, date: 1_000 + clock.nanoseconds / 1_000_000_000, heard: heard))
  }

  @discardableResult
  mutating func perform(_ command: Player.Command) -> [Player.Action] {
    tick()
    return obey(player.perform(command, heard: heard))
  }

  @discardableResult
  mutating func hear(_ news: Player.News) -> [Player.Action] {
    tick()
    return obey(player.hear(news, heard: heard))
  }

  /// The decoder opens what is current and the first of it is heard.
  mutating func begin() {
    guard let id = player.current else { return }
    hear(.opened(id, generation: player.generation, lengths[id] ?? .init(length: .seconds(200))))
    hear(.heard(id, generation: player.generation))
  }

  /// What was given to the decoder behind it is opened and heard: the one before has ended.
  mutating func goOn(to id: EntryID) {
    hear(.opened(id, generation: player.generation, lengths[id] ?? .init(length: .seconds(200))))
    hear(.heard(id, generation: player.generation))
    elapsed = .zero
  }

  mutating func drain() { hear(.drained(generation: player.generation)) }

  @discardableResult
  private mutating func obey(_ actions: [Player.Action]) -> [Player.Action] {
    for action in actions {
      switch action {
      case .start(_, let place, _): elapsed = Spot(frame: place.frame(atRate: 44_100), rate: 44_100).elapsed
      case .save(let change): saved.append(change)
      default: break
      }
    }
    if player.cue == nil {
      elapsed = Spot(frame: player.startAt.frame(atRate: 44_100), rate: 44_100).elapsed
    }
    return actions
  }
}

private func id(_ number: UInt64) -> EntryID { EntryID(number: number) }

@Suite("History")
struct HistoryTests {
  @Test("what was heard is there with how long and how it ended; pauses and what was passed over are not")
  func heard() {
    var listener = Listener(4)
    listener.perform(.play)
    listener.begin()
    listener.tick(.seconds(60))
    listener.perform(.pause)
    listener.tick(.seconds(1_000))
    listener.perform(.play)
    listener.tick(.seconds(20))
    listener.goOn(to: id(2))
    listener.tick(.seconds(5))
    listener.perform(.next)
    listener.perform(.next)
    let heard = listener.player.history.heard
    #expect(heard.map(\.entry) == [id(1), id(2)])
    #expect(heard.map(\.lasted) == [.seconds(80), .seconds(5)])
    #expect(heard.map(\.isFinished) == [true, false])
    #expect(heard.map(\.begun) == [1_001, 2_081])
    #expect(listener.saved == heard.map { .heard($0) })
  }

  @Test("a seek is no end, and what repeats is heard each time anew")
  func seeks() {
    var listener = Listener(1, repeats: .one)
    listener.perform(.play)
    listener.begin()
    listener.tick(.seconds(10))
    listener.perform(.seek(to: .seconds(100)))
    listener.begin()
    listener.tick(.seconds(10))
    #expect(listener.player.history.heard.isEmpty)
    listener.goOn(to: id(1))
    listener.tick(.seconds(3))
    listener.perform(.stop)
    #expect(listener.player.history.heard.map(\.lasted) == [.seconds(20), .seconds(3)])
    #expect(listener.player.history.heard.map(\.isFinished) == [true, false])
  }

  @Test("a device that is away plays nothing that could have been heard")
  func deviceAway() {
    var listener = Listener(2)
    listener.perform(.play)
    listener.begin()
    listener.tick(.seconds(10))
    listener.hear(.deviceLost(Fault(.missing, "T-1", "gone")))
    listener.tick(.seconds(100))
    listener.hear(.deviceBack)
    listener.tick(.seconds(1))
    listener.perform(.next)
    #expect(listener.player.history.heard.map(\.lasted) == [.seconds(11)])
  }

  @Test("it is bounded")
  func bounded() {
    var listener = Listener(2, repeats: .all)
    listener.perform(.play)
    for _ in 0..<2 * History.limit {
      listener.begin()
      listener.tick(.seconds(1))
      listener.perform(.next)
    }
    #expect(listener.player.history.heard.count == History.limit)
    listener.perform(.skip(by: -10_000))
    #expect(listener.player.current != nil)
  }

  @Test("previous after next is where it was, whatever moved it on, in any order of play", arguments: UInt64(1)...60)
  func wayBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var listener = Listener(20, repeats: seed % 2 == 0 ? .all : .off)
    var before: [EntryID] = []
    for step in 0..<200 {
      let here = try #require(listener.player.current)
      let any = try #require(listener.player.queue.order.all.randomElement(using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: listener.perform(.shuffle(!listener.player.queue.isShuffled))
      case 1...3: listener.perform(.next)
      case 4: listener.perform(.skip(by: Int.random(in: 1...3, using: &random)))
      case 5: listener.perform(.jump(to: any))
      case 6:
        listener.perform(.play)
        listener.begin()
        if let next = listener.player.queue.successor(of: listener.player.current ?? here) {
          listener.goOn(to: next.id)
        }
      default:
        listener.elapsed = .zero
        listener.perform(.previous)
        if let expected = before.popLast() {
          #expect(listener.player.current == expected, "seed \(seed), step \(step)")
        }
        continue
      }
      if listener.player.current != here { before.append(here) }
    }
  }

  @Test("after a restart previous goes back through what was heard")
  func restart() {
    let heard = [3, 1, 4].map {
      History.PlayedEntry(entry: id($0), path: FilePath("/"), begun: 0, lasted: .seconds(1), isFinished: true)
    }
    var queue = PlayQueue()
    _ = queue.append((1...5).map { FilePath("/\($0)") })
    var player = Player(queue: queue, history: History(heard))
    _ = player.resume(id(2), at: .beginning, wish: .paused)
    for expected in [4, 1, 3] {
      _ = player.perform(.previous, heard: .nothing)
      #expect(player.current == id(UInt64(expected)))
    }
  }

  @Test("what is jumped to in a shuffled round comes before what was not heard yet, and after what was")
  func jumping() {
    for (isHeard, skipped) in [(false, 0), (false, 3), (true, 0), (true, 3)] {
      var listener = Listener(10)
      listener.perform(.shuffle(true))
      for _ in 0..<skipped { listener.perform(.next) }
      listener.perform(.play)
      if isHeard {
        listener.begin()
        listener.tick(.seconds(5))
      }
      var expected = listener.player.queue.order.all
      expected.insert(expected.remove(at: 8), at: isHeard ? skipped + 1 : skipped)
      listener.perform(.jump(to: expected[isHeard ? skipped + 1 : skipped]))
      #expect(listener.player.queue.order.all == expected, "heard: \(isHeard), \(skipped) passed over")
      // What comes next follows from it: the one that was passed over unheard is not lost to its round.
      let behind = listener.player.queue.successor(of: listener.player.current ?? id(0))?.id
      #expect(behind == expected[isHeard ? skipped + 2 : skipped + 1])
    }
  }

  @Test("a shuffled queue that has been played to its end is in another order the next time, and that is saved")
  func playedAgain() {
    var listener = Listener(30)
    listener.perform(.shuffle(true))
    listener.perform(.play)
    listener.begin()
    let round = listener.player.queue.order.all
    for next in round.dropFirst() { listener.goOn(to: next) }
    listener.tick(.seconds(5))
    listener.drain()
    let again = listener.player.queue.order.all
    #expect(listener.player.wish == .stopped && listener.player.current == again.first)
    #expect(again != round && Set(again) == Set(round))
    #expect(listener.saved.contains(.queue(.shuffled(again))))
  }

  @Test("in a shuffled round going back and on plays nothing twice that was not gone back to")
  func backInShuffle() {
    var listener = Listener(6, repeats: .all)
    listener.perform(.shuffle(true))
    let round = listener.player.queue.order.all
    for _ in 0..<8 { listener.perform(.next) }
    // Two into the second round; back over the seam and on again.
    let second = listener.player.queue.order.all
    #expect(second != round && listener.player.current == second[2])
    for _ in 0..<3 { listener.perform(.skip(by: -1)) }
    #expect(listener.player.current == round[5])
    var played: [EntryID?] = []
    for _ in 0..<5 {
      listener.perform(.next)
      played.append(listener.player.current)
    }
    #expect(Set(played) == Set(second).subtracting([round[5]]).union([]), "\(played) of \(second)")
  }
}

@Suite("Bookmarks")
struct BookmarkTests {
  private func long(_ count: Int, _ marks: [Bookmarks.Mark] = []) -> Listener {
    var listener = Listener(count, bookmarks: marks)
    for number in 1...UInt64(count) { listener.lengths[id(number)] = .init(length: .seconds(3_600)) }
    return listener
  }

  @Test("a long piece goes on where it was left, less five seconds; a short one begins")
  func goesOn() {
    var listener = long(3)
    listener.lengths[id(2)] = .init(length: .seconds(200))
    listener.perform(.play)
    listener.begin()
    listener.tick(.seconds(1_000))
    listener.perform(.next)
    listener.begin()
    listener.tick(.seconds(100))
    listener.perform(.previous)
    listener.perform(.skip(by: -1))
    #expect(listener.player.current == id(1))
    #expect(listener.player.startAt == .time(.seconds(995)))
    listener.begin()
    listener.perform(.jump(to: id(2)))
    #expect(listener.player.startAt == .beginning)
    #expect(
      listener.saved.last { if case .bookmark = $0 { true } else { false } } == .bookmark(FilePath("/1"), .seconds(995))
    )
  }

  @Test("heard to its end it has no place any more; also when it is passed by near its end or its beginning")
  func finished() {
    for (time, command) in [(3_600, nil), (3_595, Player.Command.next), (4, .next)] {
      var listener = long(2)
      listener.lengths[id(2)] = nil
      listener.perform(.play)
      listener.begin()
      listener.tick(.seconds(time))
      if let command { listener.perform(command) } else { listener.goOn(to: id(2)) }
      #expect(listener.player.bookmarks.marks.isEmpty && listener.saved.contains(.noBookmark(FilePath("/1"))))
    }
  }

  @Test("a podcast of any length keeps its place, and music shorter than the limit does not")
  func spoken() {
    for (item, keeps) in [
      (Player.Item(length: .seconds(300), isSpoken: true), true), (.init(length: .seconds(899)), false),
      (.init(length: .seconds(900)), true), (.init(), false),
    ] {
      var listener = Listener(2)
      listener.lengths[id(1)] = item
      listener.perform(.play)
      listener.begin()
      listener.tick(.seconds(100))
      listener.perform(.stop)
      #expect((listener.player.startAt == .time(.seconds(95))) == keeps)
    }
  }

  @Test("in its turn it begins in its middle too: it waits until what is before it has ended")
  func inTurn() {
    var listener = long(2, [.init(path: FilePath("/2"), place: .seconds(605))])
    listener.lengths[id(1)] = .init(length: .seconds(200))
    listener.perform(.play)
    let actions = listener.hear(
      .opened(id(1), generation: listener.player.generation, .init(length: .seconds(200))))
    #expect(actions.isEmpty)
    listener.hear(.heard(id(1), generation: listener.player.generation))
    listener.tick(.seconds(200))
    listener.drain()
    #expect(listener.player.current == id(2) && listener.player.startAt == .time(.seconds(600)))
    #expect(listener.player.wish == .playing)
    #expect(listener.player.history.heard.map(\.isFinished) == [true])
  }

  @Test("behind one that cannot be played it begins in its middle as well")
  func behindBroken() {
    var listener = long(2, [.init(path: FilePath("/2"), place: .seconds(605))])
    listener.perform(.play)
    let actions = listener.hear(
      .failed(id(1), Fault(.malformed, "T-1", "no music"), generation: listener.player.generation))
    #expect(actions.contains { if case .start(_, .time(.seconds(600)), _) = $0 { true } else { false } })
  }

  @Test("passing over it without listening leaves it where it was")
  func passedOver() {
    var listener = long(3, [.init(path: FilePath("/2"), place: .seconds(605))])
    for _ in 0..<10 {
      listener.perform(.next)
      listener.perform(.skip(by: -1))
      listener.perform(.skip(by: 1))
      listener.perform(.skip(by: 1))
      listener.perform(.jump(to: id(1)))
    }
    #expect(listener.player.bookmarks.place(of: FilePath("/2")) == .seconds(605))
  }

  @Test("after a power cut and without having been opened again it still keeps its place")
  func afterCut() {
    // The start found the position file; the bookmark is the one of the moment in which it began.
    var queue = PlayQueue()
    _ = queue.append([FilePath("/1"), FilePath("/2")])
    var player = Player(queue: queue, bookmarks: Bookmarks([.init(path: FilePath("/1"), place: .zero)]))
    _ = player.resume(id(1), at: .frame(44_100 * 1_234), wish: .paused)
    _ = player.perform(.next, heard: Spot(frame: 44_100 * 1_234, rate: 44_100))
    #expect(player.bookmarks.place(of: FilePath("/1")) == .seconds(1_234))
  }

  @Test("they are bounded, and what was touched last stays")
  func bounded() {
    var marks = Bookmarks()
    for number in 0..<2 * Bookmarks.limit { marks.put(FilePath("/\(number)"), at: .seconds(number)) }
    #expect(marks.marks.count == Bookmarks.limit)
    #expect(marks.place(of: FilePath("/\(2 * Bookmarks.limit - 1)")) != nil && marks.place(of: FilePath("/0")) == nil)
  }
}
