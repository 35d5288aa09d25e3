import Runtime
import TestSupport
import Testing

@testable import Playback

private func queue(_ count: Int, repeats: PlayQueue.Repeat = .off) -> PlayQueue {
  var queue = PlayQueue()
  _ = queue.append((0..<count).map { FilePath("/music/\($0).flac") })
  queue.repeats = repeats
  return queue
}

@Suite("Play queue")
struct PlayQueueTests {
  @Test(
    "what comes after what",
    arguments: [
      (PlayQueue.Repeat.off, 0, 1, 1 as Int?), (.off, 4, 1, nil), (.off, 0, -1, 0), (.off, 2, -9, 0), (.off, 0, 9, nil),
      (.all, 4, 1, 0), (.all, 0, -1, 4), (.all, 2, 12, 4), (.one, 2, 1, 3), (.one, 4, 1, nil),
    ])
  func skipping(repeats: PlayQueue.Repeat, from: Int, by count: Int, to expected: Int?) {
    let queue = queue(5, repeats: repeats)
    #expect(queue.skip(from: queue.entries[from].id, by: count) == expected.map { queue.entries[$0] })
  }

  @Test("by itself an entry follows itself when one repeats, and the first follows the last when all do")
  func successors() {
    #expect(queue(3, repeats: .one).successor(of: EntryID(number: 2))?.id == EntryID(number: 2))
    #expect(queue(3, repeats: .all).successor(of: EntryID(number: 3))?.id == EntryID(number: 1))
    #expect(queue(3).successor(of: EntryID(number: 3)) == nil)
  }

  @Test("it holds 10,000 entries and leaves out the rest")
  func limit() {
    var full = queue(9_990)
    #expect(full.append((0..<20).map { FilePath("/\($0)") }).count == 10)
    #expect(full.entries.count == PlayQueue.limit)
  }

  @Test("as it was saved it comes back: all entries in order, without ids seen twice, and no more than it holds")
  func saved() {
    let full = queue(PlayQueue.limit)
    let again = PlayQueue(entries: full.entries, nextID: full.nextID, repeats: .all)
    #expect(again.entries == full.entries && again.nextID == full.nextID && again.repeats == .all)
    let twice = PlayQueue(entries: full.entries + full.entries, nextID: full.nextID, repeats: .off)
    #expect(twice.entries == full.entries)
  }

  @Test("no number of steps overflows")
  func extremes() {
    for repeats in PlayQueue.Repeat.allCases {
      let queue = queue(3, repeats: repeats)
      for count in [Int.max, Int.min, Int.max - 1, Int.min + 1] {
        _ = queue.skip(from: EntryID(number: 2), by: count)
      }
    }
  }

  @Test("an id is never used twice, whatever is added and removed")
  func ids() {
    for seed in UInt64(1)...50 {
      var generator = SeededGenerator(seed: seed)
      var queue = PlayQueue()
      var seen: Set<EntryID> = []
      for _ in 0..<100 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          let made = queue.append([FilePath("/a"), FilePath("/a")])
          for entry in made { #expect(seen.insert(entry.id).inserted, "seed \(seed)") }
        case 1: if let entry = queue.entries.randomElement(using: &generator) { queue.remove(entry.id) }
        case 2: queue.removeAll()
        default: queue = PlayQueue(entries: queue.entries, nextID: queue.nextID, repeats: .off)
        }
      }
    }
  }
}

@Suite("Volume")
struct VolumeTests {
  @Test("no path goes around the maximum, and 0 and 100 are exact")
  func clamp() {
    var volume = Volume(percent: 100, maximum: 70)
    #expect(volume.percent == 70)
    volume.turn(by: .max)
    #expect(volume.percent == 70)
    volume.turn(by: .min)
    #expect(volume.percent == 0 && volume.gain == 0)
    volume.set(1_000)
    #expect(volume.percent == 70)
    #expect(Volume(percent: 100).gain == 1)
  }

  @Test("louder is never softer")
  func monotonic() {
    for percent in 0..<100 { #expect(Volume(percent: percent).gain < Volume(percent: percent + 1).gain) }
  }
}
