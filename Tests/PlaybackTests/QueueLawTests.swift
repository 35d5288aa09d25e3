import Runtime
import TestSupport
import Testing

@testable import Playback

private func queue(_ count: Int, repeats: PlayQueue.Repeat = .off, seed: UInt64 = 1) -> PlayQueue {
  var queue = PlayQueue(seed: seed)
  _ = queue.append((0..<count).map { FilePath("/music/\($0).flac") })
  queue.repeats = repeats
  return queue
}

/// A queue that is played through by its own rules.
private struct Playing {
  var queue: PlayQueue
  var turn: PlayQueue.Turn

  init(_ queue: PlayQueue, at id: EntryID) {
    self.queue = queue
    turn = queue.turn(of: id)
  }

  mutating func next() -> Bool {
    guard let next = queue.successor(of: turn) else { return false }
    _ = queue.enter(next)
    turn = next
    return true
  }

  /// So many, from this one on.
  mutating func play(_ count: Int) -> [EntryID] {
    var played = [turn.id]
    while played.count < count, next() { played.append(turn.id) }
    return played
  }
}

@Suite("Rounds")
struct QueueLawTests {
  @Test("shuffled and back again it is as it was, and goes on from its place", arguments: UInt64(1)...30)
  func identity(seed: UInt64) throws {
    var queue = queue(Int(seed) * 7, seed: seed)
    let before = queue.entries
    let current = before[Int(seed) * 3].id
    _ = queue.shuffle(at: current)
    #expect(Set(queue.order.all) == Set(before.map(\.id)) && queue.order.count == before.count)
    _ = queue.unshuffle()
    #expect(queue.entries == before && queue.order.all == before.map(\.id))
    #expect(queue.successor(of: current) == before[Int(seed) * 3 + 1])
  }

  @Test("what is jumped to comes behind an entry that was heard and before one that was not, at the beginning too")
  func bringForward() {
    for (place, wasHeard) in [(0, false), (0, true), (3, false), (3, true)] {
      var queue = queue(8)
      _ = queue.shuffle(at: nil)
      var wanted = queue.order.all
      let (current, chosen) = (wanted[place], wanted[6])
      #expect(queue.bringForward(chosen, to: current, wasHeard: wasHeard).count == 1)
      wanted.insert(wanted.remove(at: 6), at: wasHeard ? place + 1 : place)
      #expect(queue.order.all == wanted, "\(place), heard: \(wasHeard)")
      // It is there already.
      _ = queue.bringForward(chosen, to: current, wasHeard: wasHeard)
      #expect(queue.order.all == wanted)
    }
  }

  @Test("a shuffle begins with the current entry, and all others come once", arguments: [1, 2, 3, 10, 1_000])
  func once(count: Int) {
    var queue = queue(count)
    let current = queue.entries[count / 2].id
    _ = queue.shuffle(at: current)
    #expect(queue.order.first == current)
    var playing = Playing(queue, at: current)
    let played = playing.play(count + 1)
    #expect(played.count == count && Set(played).count == count)
  }

  @Test("what was played in a row before it is not played again in the round; what was jumped over is")
  func history() {
    for (since, settled) in [(2, [2, 3, 4]), (4, [4]), (0, [0, 1, 2, 3, 4]), (9, [4])] {
      var queue = queue(10)
      let ids = queue.entries.map(\.id)
      _ = queue.shuffle(at: ids[4], playedSince: ids[since])
      #expect(Array(queue.order.all.prefix(settled.count)) == settled.map { ids[$0] })
      var playing = Playing(queue, at: ids[4])
      #expect(playing.play(20).count == 11 - settled.count)
    }
  }

  @Test("each round of a repeated shuffle plays each once, no two rounds alike, and nothing twice at the seam")
  func rounds() {
    for count in [2, 3, 5, 50] {
      for seed in UInt64(1)...20 {
        var queue = queue(count, repeats: .all, seed: seed)
        _ = queue.shuffle(at: queue.entries[0].id)
        var playing = Playing(queue, at: queue.entries[0].id)
        let played = playing.play(count * 30)
        var orders: Set<[EntryID]> = []
        for round in 0..<30 {
          let order = Array(played[round * count..<(round + 1) * count])
          #expect(Set(order).count == count, "seed \(seed), \(count) entries, round \(round)")
          orders.insert(order)
        }
        for (one, other) in zip(played, played.dropFirst()) { #expect(one != other, "seed \(seed), \(count) entries") }
        if count == 50 { #expect(orders.count == 30, "seed \(seed)") }
      }
    }
  }

  @Test("what is shown as coming is what comes, across the seam too", arguments: PlayQueue.Repeat.allCases)
  func upNext(repeats: PlayQueue.Repeat) {
    for shuffles in [false, true] {
      var queue = queue(7, repeats: repeats)
      if shuffles { _ = queue.shuffle(at: queue.entries[2].id) }
      let current = queue.order[4]
      let shown = queue.upNext(after: current, count: 20).map(\.id)
      #expect(shown.count == (repeats == .all ? 20 : 2))
      queue.repeats = repeats == .one ? .off : repeats
      var playing = Playing(queue, at: current)
      #expect(Array(playing.play(21).dropFirst()) == shown)
    }
  }

  @Test("of a shuffle every order is as likely as any other")
  func fair() {
    var counts: [[EntryID]: Int] = [:]
    for seed in UInt64(0)..<2_400 {
      var queue = queue(5, seed: seed)
      _ = queue.shuffle(at: queue.entries[0].id)
      counts[Array(queue.order.all.dropFirst()), default: 0] += 1
    }
    #expect(counts.count == 24)
    // A hundred each, give or take five standard deviations.
    for (order, count) in counts { #expect((51...149).contains(count), "\(order): \(count)") }
  }

  @Test("what is added to a shuffled queue comes behind the current entry, anywhere there as likely")
  func scattered() {
    var places: [Int: Int] = [:]
    for seed in UInt64(0)..<1_000 {
      var queue = queue(6, seed: seed)
      _ = queue.shuffle(at: queue.entries[0].id)
      let current = queue.order[2]
      let before = queue.order.all
      let (made, _) = queue.add([FilePath("/new")], behind: current)
      let place = queue.index(of: made[0].id) ?? 0
      places[place, default: 0] += 1
      #expect(queue.order.all.filter { $0 != made[0].id } == before)
      #expect(queue.entries.last == made[0])
    }
    #expect(Set(places.keys) == [3, 4, 5, 6])
    for (place, count) in places { #expect((180...320).contains(count), "\(place): \(count)") }
  }

  @Test("what is to be played next stands behind the current entry in both orders, what was said last first")
  func playNext() {
    var queue = queue(4)
    let current = queue.entries[1].id
    _ = queue.shuffle(at: current)
    let first = queue.playNext([FilePath("/a"), FilePath("/b")], behind: current).made.map(\.id)
    let second = queue.playNext([FilePath("/c")], behind: current).made.map(\.id)
    #expect(Array(queue.order.all.prefix(4)) == [current] + second + first)
    #expect(Array(queue.base.all[1...4]) == [current] + second + first)
    _ = queue.unshuffle()
    #expect(queue.successor(of: current)?.path == FilePath("/c"))
  }

  @Test("moving while it is shuffled leaves the other order alone, and the other way round there is only one")
  func moving() {
    var queue = queue(5)
    let before = queue.base
    _ = queue.shuffle(at: queue.entries[0].id)
    let last = queue.order[4]
    _ = queue.move(last, to: 1)
    #expect(queue.order[1] == last && queue.base == before)
    _ = queue.unshuffle()
    _ = queue.move(queue.entries[0].id, to: 99)
    #expect(queue.order.last == before.first)
    #expect(queue.move(queue.entries[2].id, to: 2).isEmpty && queue.move(EntryID(number: 99), to: 0).isEmpty)
  }

  @Test("skipping is clamped whatever the number, and a shuffled round is left for the next one only")
  func extremes() {
    for repeats in PlayQueue.Repeat.allCases {
      var queue = queue(9, repeats: repeats)
      _ = queue.shuffle(at: queue.entries[0].id)
      for count in [Int.max, Int.min, Int.max - 1, Int.min + 1, 1_000_000] {
        let turn = queue.skip(from: queue.turn(of: queue.order[3]), by: count)
        if let turn { #expect(turn.round - queue.round <= 1) } else { #expect(count > 0 && repeats != .all) }
      }
      #expect(queue.rounds.count <= 2)
    }
  }

  @Test("the same seed and the same commands give the same orders; another seed gives others")
  func seeded() {
    func orders(_ seed: UInt64) -> [EntryID] {
      var queue = queue(100, repeats: .all, seed: seed)
      _ = queue.shuffle(at: queue.entries[0].id)
      var playing = Playing(queue, at: queue.entries[0].id)
      return playing.play(300)
    }
    #expect(orders(7) == orders(7))
    #expect(orders(7) != orders(8))
  }
}
