import Runtime
import Synchronization
import Testing

@testable import Audio

/// A clock that a test moves.
final class HandClock: Sendable {
  private let nanoseconds = Atomic<Int64>(1_000_000_000)
  var now: Moment { Moment(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
  func go(to moment: Moment) { nanoseconds.store(moment.nanoseconds, ordering: .relaxed) }
}

/// A device of 44,100 Hz that remembers what was really played, and can be rewound to 20 ms.
final class ListeningDevice: Output {
  let isLive = true
  let mayReopen = true
  let clock: HandClock
  let depth: Int
  var rewinds = true
  var played: [Int32] = []
  var pending: [Int32] = []
  var opened: [Int32] = []
  var broken = false
  /// Frames that it has forgotten in its sleep.
  var forgotten = 0
  /// What its frames were said to carry, helping by helping.
  var bits: [Int32] = []
  /// A rate that it cannot do.
  var refuses: Int32 = 0
  private var last: Moment
  private var rate: Int32 = 44_100

  init(_ clock: HandClock, depth: Int) {
    self.clock = clock
    self.depth = depth
    last = clock.now
  }

  func open(rate: Int32, bits: Int32) throws(Fault) {
    if broken { throw Fault(.missing, "T-3", "unplugged") }
    if rate == refuses { throw Fault(.unsupported, "T-4", "cannot do \(rate) Hz") }
    opened.append(rate)
    self.rate = rate
    pending = []
    last = clock.now
  }

  func probe() throws(Fault) {
    if broken { throw Fault(.busy, "T-5", "somebody else plays") }
  }

  func play() {
    if broken { pending = [] }
    let frames = min(Int((clock.now - last).nanoseconds / 1_000 * Int64(rate) / 1_000_000), pending.count / 2)
    guard frames > 0 || pending.isEmpty else { return }
    played += pending[..<(2 * frames)]
    pending.removeFirst(2 * frames)
    last = pending.isEmpty ? clock.now : last + .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(rate))
  }

  func room() throws(Fault) -> Int {
    if broken { throw Fault(.missing, "T-3", "unplugged") }
    play()
    return depth - pending.count / 2
  }

  func write(_ frames: UnsafePointer<Int32>, count: Int) throws(Fault) -> Int {
    let count = min(count, try room())
    pending += UnsafeBufferPointer(start: frames, count: 2 * count)
    return count
  }

  func write(_ frames: UnsafePointer<Int32>, count: Int, bits: Int32) throws(Fault) -> Int {
    self.bits.append(bits)
    return try write(frames, count: count)
  }

  /// The box sleeps: what it held is gone unheard.
  func sleep() {
    play()
    forgotten += pending.count / 2
    pending = []
  }

  func dropped() -> Int {
    defer { forgotten = 0 }
    return forgotten
  }

  func delay() throws(Fault) -> Int {
    if broken { throw Fault(.missing, "T-3", "unplugged") }
    play()
    return pending.count / 2
  }

  func rewind(_ frames: Int) -> Int {
    let back = rewinds ? max(0, min(frames, pending.count / 2 - 882)) : 0
    pending.removeLast(2 * back)
    return back
  }

  func nextRoom() -> Moment? { clock.now + .milliseconds(50) }
  func close() {}
}

/// Feeder, ring and device on a clock; the test is the decoder.
final class Bench {
  let clock = HandClock()
  let controls = SoundControls()
  let board = PlaceBoard()
  let ring: Ring
  let device: ListeningDevice
  let feeder: Feeder
  var told: [(OutputNews.Kind, UInt64, Moment)] = []
  private var written: Int32 = 0

  init(depth: Int = 88_200, ringCapacity: Int = 1 << 18) {
    ring = Ring(capacity: ringCapacity)
    device = ListeningDevice(clock, depth: depth)
    let clock = clock
    feeder = Feeder(
      ring: ring, output: device, controls: controls, board: board, now: { clock.now }, wakeDecoder: {},
      wakeMainLoop: {})
    controls.playing.store(true, ordering: .relaxed)
    controls.wantedGeneration.store(1, ordering: .relaxed)
  }

  func begin(_ entry: UInt64, generation: UInt32 = 1, frame: Int64 = 0, rate: Int32 = 44_100) {
    _ = ring.push(
      .begin, entry: entry, generation: generation, frame: frame, sampleRate: rate, sourceBits: 16)
  }

  func end(generation: UInt32 = 1) {
    _ = ring.push(.end, entry: 0, generation: generation, frame: 0, sampleRate: 1, sourceBits: 16)
  }

  /// Frames that count up, both sides alike, loud enough that a click would show.
  func write(_ frames: Int, _ sample: (Int32) -> Int32 = { 1_000_000 + $0 }) {
    var left = frames
    while left > 0 {
      let (place, room) = ring.place
      let count = min(room, left)
      if count == 0 { return }
      for frame in 0..<count {
        place[2 * frame] = sample(written)
        place[2 * frame + 1] = sample(written)
        written += 1
      }
      ring.commit(count)
      left -= count
    }
  }

  /// Turns as the output thread would, until `duration` has gone by. How many turns.
  @discardableResult
  func run(_ duration: Duration, by turn: ((Feeder) -> Feeder.Wait?)? = nil) -> Int {
    let end = clock.now + duration
    var turns = 0
    while true {
      let wait = turn.map { $0(feeder) } ?? feeder.turn()
      turns += 1
      // A feeder that asks to be turned again for ever would burn a processor, and hang this test.
      if turns > 20_000 {
        Issue.record("the feeder spins")
        return turns
      }
      while feeder.news.count > 0 {
        told.append((feeder.news[0].kind, feeder.news[0].mark.entry, clock.now))
        feeder.news.drop(1)
      }
      // Closed: what the device still had is never heard.
      guard let wait else { return turns }
      let next = max(min(wait.until ?? end, end), clock.now)
      if next >= end {
        clock.go(to: end)
        device.play()
        return turns
      }
      clock.go(to: next)
    }
  }

  /// The left samples that were heard.
  var left: [Int32] { stride(from: 0, to: device.played.count, by: 2).map { device.played[$0] } }
}
