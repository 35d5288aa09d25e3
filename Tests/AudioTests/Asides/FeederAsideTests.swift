import CountedHeap
import Runtime
import TestSupport
import Testing

@testable import Audio

extension Bench {
  func say(_ samples: [Int16], _ lane: SoundOverlay.Lane = .cue, rate: Int32 = 44_100, softness: Double = 1) {
    feeder.door.offer(SoundOverlay(samples, rate: rate, lane: lane, softness: softness))
  }
}

@Suite("Sounds over the music, at the device")
struct FeederAsideTests {
  static let tick = (0..<441).map { Int16(truncatingIfNeeded: 3_000 + 7 * $0) }

  /// Where in `heard` the tick lies over music that counts up; nil when it does not to the bit.
  private func place(of tick: [Int16], in heard: [Int32]) -> Int? {
    let music = { (frame: Int) in 1_000_000 + Int32(frame) }
    guard let first = heard.indices.first(where: { heard[$0] != music($0) }) else { return nil }
    let isExact = tick.indices.allSatisfy { heard[first + $0] == music(first + $0) + Int32(tick[$0]) << 16 }
    return isExact ? first : nil
  }

  @Test("a tick is heard within 25 ms over two seconds of music in the device, bit for bit the sum of both")
  func overMusic() throws {
    let bench = Bench()
    bench.begin(1)
    bench.write(200_000)
    bench.run(.milliseconds(700))
    let before = bench.left.count
    bench.say(Self.tick)
    bench.run(.milliseconds(500))
    let first = try #require(place(of: Self.tick, in: bench.left))
    #expect(first >= before && first - before <= 44_100 * 25 / 1_000)
    // And all else is as the file has it.
    for (frame, sample) in bench.left.enumerated() where !(first..<first + Self.tick.count).contains(frame) {
      guard sample == 1_000_000 + Int32(frame) else {
        Issue.record("frame \(frame)")
        break
      }
    }
  }

  @Test("only where something sounds the device is told of more bits than the file has")
  func bits() {
    let bench = Bench()
    bench.begin(1)
    bench.write(200_000)
    bench.run(.milliseconds(700))
    #expect(bench.device.bits.allSatisfy { $0 == 16 || $0 == 0 })
    bench.say(Self.tick)
    bench.run(.milliseconds(300))
    #expect(bench.device.bits.contains(32))
    bench.device.bits = []
    bench.run(.milliseconds(900))
    #expect(!bench.device.bits.isEmpty && bench.device.bits.allSatisfy { $0 == 16 })
  }

  @Test("on silence it is heard as well, be the device open or not", arguments: [true, false])
  func onSilence(isOpen: Bool) {
    let bench = Bench()
    if isOpen {
      bench.begin(1)
      bench.write(20_000)
      bench.run(.milliseconds(100))
    }
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.run(.seconds(3))
    let before = bench.left.count
    bench.say(Self.tick)
    bench.run(.milliseconds(200))
    let heard = bench.left[before...].drop { $0 == 0 }
    #expect(Array(heard.prefix(441)) == Self.tick.map { Int32($0) << 16 })
    #expect(heard.dropFirst(441).allSatisfy { $0 == 0 })
    #expect(bench.told.filter { $0.0 != .heard }.isEmpty)
  }

  @Test("the music is soft while words are said, and comes back; they are whole, and each frame of it is heard once")
  func words() {
    let bench = Bench()
    let loud: Int32 = 1 << 28
    bench.begin(1)
    bench.write(300_000, { _ in loud })
    bench.run(.milliseconds(700))
    let before = bench.left.count
    // Words that say nothing, so that the music can be seen.
    bench.say([Int16](repeating: 0, count: 44_100), .words, softness: 0.1)
    bench.run(.seconds(4))
    let heard = bench.left
    let soft = heard.indices.filter { heard[$0] == loud / 10 || heard[$0] == loud / 10 + 1 }
    #expect(soft.count > 40_000 && soft.count < 44_100)
    #expect((soft.first ?? 0) - before < 44_100 * 80 / 1_000)
    #expect(soft.count == (soft.last ?? 0) - (soft.first ?? 0) + 1)
    #expect(
      heard.dropFirst((soft.last ?? 0) + AsideMixer.riseLength(atRate: 44_100) + 5).prefix(1_000)
        == ArraySlice(
          repeating: loud, count: 1_000))
    let steps = zip(heard.dropFirst(10), heard.dropFirst(11)).map { abs(Int64($0) - Int64($1)) }
    #expect((steps.max() ?? 0) < Int64(loud) / 1_000)
  }

  @Test("words that are broken off are over within 30 ms, and what comes instead begins there")
  func brokenOff() {
    let bench = Bench()
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.say([Int16](repeating: 5_000, count: 88_200), .words, softness: 0.1)
    bench.run(.milliseconds(500))
    let before = bench.left.count
    bench.say([Int16](repeating: 100, count: 4_410), .words, softness: 0.1)
    bench.run(.milliseconds(300))
    let after = bench.left[before...]
    let old = after.prefix { $0 > 100 << 16 }.count
    #expect(old > 0 && old < 44_100 * 30 / 1_000)
    #expect(after.dropFirst(old).prefix(4_000).allSatisfy { $0 == 100 << 16 })
    bench.feeder.door.hush(.words)
    bench.run(.milliseconds(100))
    #expect(bench.left.suffix(2_000).allSatisfy { $0 == 0 })
  }

  @Test("they are as loud as the music would be, paused or not, and follow the knob")
  func loudness() {
    let bench = Bench()
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.controls.gain.store(Gain.fixed(0.25), ordering: .relaxed)
    bench.say([Int16](repeating: 8_000, count: 132_300), .words)
    bench.run(.milliseconds(300))
    #expect(bench.left.last == 2_000 << 16)
    bench.controls.gain.store(Gain.fixed(0.5), ordering: .relaxed)
    bench.run(.milliseconds(50))
    #expect(bench.left.last == 4_000 << 16)
    bench.controls.gain.store(0, ordering: .relaxed)
    bench.run(.milliseconds(50))
    #expect(bench.left.last == 0)
  }

  @Test(
    "a pause, a play and a skip while words are said take nothing from them", arguments: 1...10 as ClosedRange<UInt64>)
  func handsMeanwhile(seed: UInt64) {
    let bench = Bench()
    var generator = SeededGenerator(seed: seed)
    bench.begin(1)
    bench.write(150_000, { _ in 0 })
    bench.run(.milliseconds(400))
    // Music that is silent, so that the words can be seen: 1, 2, 3 ...
    bench.say((1...20_000).map { Int16($0) }, .words, softness: 0.1)
    var generation: UInt32 = 1
    for _ in 0..<12 {
      bench.run(.milliseconds(Int.random(in: 1...60, using: &generator)))
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bench.controls.playing.store(Bool.random(using: &generator), ordering: .relaxed)
      case 1:
        generation += 1
        bench.controls.wantedGeneration.store(generation, ordering: .relaxed)
        bench.begin(2, generation: generation, frame: 5)
        bench.write(100_000, { _ in 0 })
      default: bench.run(.milliseconds(30))
      }
    }
    bench.run(.seconds(1))
    let words = bench.left.filter { $0 != 0 }
    #expect(words == (1...20_000).map { Int32($0) << 16 }, "seed \(seed): \(words.count)")
  }

  @Test("one that was made for another rate, that nobody waits for, or that has no device, is not heard and not kept")
  func refused() {
    let bench = Bench()
    bench.begin(1)
    bench.write(50_000)
    bench.run(.milliseconds(300))
    bench.say(Self.tick, rate: 48_000)
    bench.run(.milliseconds(200))
    #expect(bench.feeder.asides.isEmpty && !bench.feeder.door.isKnocked)
    #expect(place(of: Self.tick, in: bench.left) == nil)

    let unplugged = Bench()
    unplugged.device.broken = true
    unplugged.controls.playing.store(false, ordering: .relaxed)
    unplugged.say(Self.tick)
    unplugged.run(.milliseconds(200))
    #expect(!unplugged.feeder.door.isKnocked && unplugged.told.isEmpty, "the music has not asked for it yet")
    unplugged.device.broken = false
    unplugged.begin(1)
    unplugged.write(50_000)
    unplugged.controls.playing.store(true, ordering: .relaxed)
    unplugged.run(.milliseconds(100))
    #expect(unplugged.device.opened == [44_100] && unplugged.told.map(\.0) == [.heard], "nobody waits for a second try")
  }

  @Test("music of another rate does not wait for words to end")
  func otherRate() {
    let bench = Bench()
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.say([Int16](repeating: 9, count: 88_200), .words)
    bench.run(.milliseconds(300))
    bench.begin(1, rate: 48_000)
    bench.write(48_000)
    bench.controls.playing.store(true, ordering: .relaxed)
    bench.run(.milliseconds(100))
    #expect(bench.device.opened == [44_100, 48_000] && bench.told.map(\.0) == [.heard])
    #expect(bench.feeder.asides.isEmpty)
  }

  @Test("what a device has slept through is said again, and a device that is pulled out takes the words with it")
  func sleeps() {
    let bench = Bench()
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.say((1...30_000).map { Int16($0) }, .words)
    bench.run(.milliseconds(100))
    bench.device.sleep()
    bench.run(.milliseconds(900))
    #expect(bench.left.filter { $0 != 0 } == (1...30_000).map { Int32($0) << 16 })
    bench.say([Int16](repeating: 9, count: 88_200), .words)
    bench.run(.milliseconds(100))
    bench.device.broken = true
    bench.run(.milliseconds(100))
    #expect(bench.feeder.asides.isEmpty && bench.controls.openRate.load(ordering: .relaxed) == 0)
  }

  @Test("the output thread asks the heap for nothing while it speaks and ticks")
  func heap() {
    let clock = HandClock()
    let now: @Sendable () -> Moment = { clock.now }
    let (controls, ring) = (SoundControls(), Ring(capacity: 1 << 16))
    let feeder = Feeder(
      ring: ring, output: NullOutput(now: now), controls: controls, board: PlaceBoard(), now: now, wakeDecoder: {},
      wakeMainLoop: {})
    controls.playing.store(true, ordering: .relaxed)
    controls.wantedGeneration.store(1, ordering: .relaxed)
    _ = ring.push(.begin, entry: 1, generation: 1, frame: 0, sampleRate: 44_100, sourceBits: 16)
    let words = SoundOverlay([Int16](repeating: 9, count: 44_100), rate: 44_100, lane: .words, softness: 0.1)
    let tick = SoundOverlay(Self.tick, rate: 44_100, lane: .cue)
    var asked = 0
    for turn in 0..<600 {
      ring.commit(min(ring.place.count, turn == 0 ? 20_000 : 882))
      if turn % 30 == 7 { feeder.door.offer(words) }
      if turn % 3 == 1 { feeder.door.offer(tick) }
      let before = counted_heap_calls()
      _ = feeder.turn()
      // The first of each is slow, for it is the first.
      if turn >= 100 { asked += Int(counted_heap_calls() - before) }
      feeder.news.drop(feeder.news.count)
      clock.go(to: clock.now + .milliseconds(20))
    }
    #expect(asked == 0)
    #expect(!feeder.asides.isEmpty && ring.released > 400_000)
  }
}
