import Formats
import Runtime
import Synchronization

/// What the listener hears now, from the output up to the player.
package struct Heard: Equatable, Sendable {
  /// The number of the queue's entry, which means nothing to the sound path.
  package var entry: UInt64
  /// The number of the start that the place belongs to.
  package var generation: UInt32
  package var spot: Spot

  package init(entry: UInt64, generation: UInt32, spot: Spot) {
    self.entry = entry
    self.generation = generation
    self.spot = spot
  }
}

/// Where the music is, written by the output thread whenever it looks at the device and read by anyone at any time.
/// Between two looks the reader lets the clock go on, up to what the device had been given. A writer never waits; a
/// reader that met a writer reads again.
final class PlaceBoard: Sendable {
  struct Reading: Equatable {
    var heard: Heard
    var at: Moment
    /// Frames that play on from there without the output thread.
    var ahead: Int64
  }

  private let version = Atomic<UInt64>(0)
  private let entry = Atomic<UInt64>(0)
  private let generation = Atomic<UInt32>(0)
  private let frame = Atomic<Int64>(0)
  private let rate = Atomic<Int32>(0)
  private let nanoseconds = Atomic<Int64>(0)
  private let ahead = Atomic<Int64>(0)

  /// Nil: nothing of the present start was heard yet.
  func write(_ place: Reading?) {
    let old = version.load(ordering: .relaxed)
    version.store(old + 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    entry.store(place?.heard.entry ?? 0, ordering: .relaxed)
    generation.store(place?.heard.generation ?? 0, ordering: .relaxed)
    frame.store(place?.heard.spot.frame ?? 0, ordering: .relaxed)
    rate.store(place?.heard.spot.rate ?? 0, ordering: .relaxed)
    nanoseconds.store(place?.at.nanoseconds ?? 0, ordering: .relaxed)
    ahead.store(place?.ahead ?? 0, ordering: .relaxed)
    version.store(old + 2, ordering: .releasing)
  }

  func read(at now: Moment) -> Heard? {
    while true {
      let before = version.load(ordering: .acquiring)
      var heard = Heard(
        entry: entry.load(ordering: .relaxed), generation: generation.load(ordering: .relaxed),
        spot: Spot(frame: frame.load(ordering: .relaxed), rate: rate.load(ordering: .relaxed)))
      let since = now.nanoseconds - nanoseconds.load(ordering: .relaxed)
      let most = ahead.load(ordering: .relaxed)
      atomicMemoryFence(ordering: .acquiring)
      guard before & 1 == 0, version.load(ordering: .relaxed) == before else { continue }
      guard heard.spot.rate > 0 else { return nil }
      let gone = max(0, since) / 1_000 * Int64(heard.spot.rate) / 1_000_000
      heard.spot.frame += min(gone, most)
      return heard
    }
  }
}
