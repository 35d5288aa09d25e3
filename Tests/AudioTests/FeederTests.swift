import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Feeder")
struct FeederTests {
  @Test("at full volume a track from its beginning is heard bit for bit, and two run on without a gap")
  func identity() {
    let bench = Bench()
    bench.begin(1)
    bench.write(50_000)
    bench.begin(2)
    bench.write(50_000)
    bench.end()
    bench.run(.seconds(3))
    #expect(Array(bench.left.prefix(100_000)) == (0..<100_000).map { 1_000_000 + Int32($0) })
    #expect(bench.told.map(\.0) == [.heard, .heard, .drained])
    #expect(bench.left.dropFirst(100_000).allSatisfy { $0 == 0 })
  }

  @Test("a mark is told within 5 ms of being heard, with two seconds of sound in the device")
  func marks() {
    let bench = Bench()
    let start = bench.clock.now
    bench.begin(1)
    bench.write(66_150)
    bench.begin(2)
    bench.write(66_150)
    bench.end()
    bench.run(.seconds(5))
    let expected: [Duration] = [.zero, .milliseconds(1_500), .milliseconds(3_000)]
    #expect(bench.told.count == 3)
    for (told, heard) in zip(bench.told, expected) {
      #expect(told.2 - start >= heard && told.2 - start <= heard + .milliseconds(5), "\(told)")
    }
  }

  @Test("playing steadily from a deep device needs few turns")
  func fewTurns() {
    let bench = Bench()
    bench.begin(1)
    bench.write(220_500)
    bench.run(.milliseconds(100))
    #expect(bench.run(.seconds(2)) <= 45)
  }

  @Test("the place is what was heard, and goes on between two looks", arguments: [0, 44_100])
  func place(from frame: Int) throws {
    let bench = Bench()
    bench.begin(7, frame: Int64(frame))
    bench.write(200_000)
    #expect(bench.board.read(at: bench.clock.now) == nil)
    bench.run(.milliseconds(1_000))
    let heard = try #require(bench.board.read(at: bench.clock.now))
    #expect(heard.entry == 7 && abs(heard.spot.frame - Int64(frame) - 44_100) < 100)
  }

  @Test(
    "pause is silence within 40 ms, or the 150 ms of a device that gives nothing back; it loses nothing, and goes on there",
    arguments: [true, false])
  func pause(rewinds: Bool) {
    let bench = Bench(depth: rewinds ? 88_200 : 6_615)
    bench.device.rewinds = rewinds
    bench.begin(1)
    bench.write(200_000, { 100_000_000 + $0 })
    bench.run(.milliseconds(800))
    bench.controls.playing.store(false, ordering: .relaxed)
    let before = bench.left.count
    bench.run(.milliseconds(500))
    let after = bench.left[before...]
    let sounding = after.prefix { $0 != 0 }.count
    #expect(sounding > 0 && sounding < 44_100 * (rewinds ? 40 : 150 + 10 + 5) / 1_000)
    #expect(after.dropFirst(sounding).allSatisfy { $0 == 0 })
    bench.controls.playing.store(true, ordering: .relaxed)
    bench.run(.milliseconds(2_000))
    // Each frame once and in order: those at full loudness say which they are.
    let music = bench.left.filter { $0 >= 100_000_000 }
    #expect(zip(music, music.dropFirst()).allSatisfy { $0 < $1 })
    let softer = bench.left.filter { $0 > 0 && $0 < 100_000_000 }.count
    #expect(softer > 400 && softer <= 882)
    // The last frame on the way down is silence already.
    #expect([0, 1].contains(Int((music.last ?? 0)) - 100_000_000 + 1 - music.count - softer))
  }

  @Test("no step is larger than the ramp allows, whatever is pressed", arguments: 1...20)
  func clickFree(seed: UInt64) {
    let bench = Bench()
    var generator = SeededGenerator(seed: seed)
    let loud: Int32 = 1 << 30
    bench.begin(1)
    bench.write(150_000, { _ in loud })
    var generation: UInt32 = 1
    bench.run(.milliseconds(300))
    for _ in 0..<30 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bench.controls.playing.store(Bool.random(using: &generator), ordering: .relaxed)
      case 1:
        let gain = Double.random(in: 0...1, using: &generator)
        bench.controls.gain.store(Gain.fixed(gain), ordering: .relaxed)
      case 2:
        generation += 1
        bench.controls.wantedGeneration.store(generation, ordering: .relaxed)
        bench.run(.milliseconds(Int.random(in: 0...30, using: &generator)))
        bench.begin(2, generation: generation, frame: 5)
        bench.write(120_000, { _ in loud })
      default: bench.run(.milliseconds(Int.random(in: 0...400, using: &generator)))
      }
      bench.run(.milliseconds(Int.random(in: 1...60, using: &generator)))
    }
    // 10 ms are 441 frames: one of them is 1/441 of the loudness, and the music itself is level.
    let largest = zip(bench.left, bench.left.dropFirst()).map { abs(Int64($0) - Int64($1)) }.max() ?? 0
    #expect(bench.controls.starvations.load(ordering: .relaxed) == 0, "seed \(seed)")
    #expect(largest <= Int64(loud) / 441 + 2, "seed \(seed): \(largest)")
  }

  @Test("a skip is heard within 40 ms and nothing of the old start afterwards")
  func skip() {
    let bench = Bench()
    bench.begin(1)
    bench.write(100_000, { _ in 7_000_000 })
    // A follower of the old start, never to be heard.
    bench.begin(3)
    bench.write(100_000, { _ in 7_000_000 })
    bench.run(.milliseconds(500))
    bench.controls.wantedGeneration.store(2, ordering: .relaxed)
    bench.run(.milliseconds(1))
    let before = bench.left.count
    // Frames of the old start that the decoder had in hand, then those of the new one.
    bench.write(1_000, { _ in 7_000_000 })
    bench.begin(2, generation: 2)
    bench.write(50_000, { _ in 9_000_000 })
    bench.run(.milliseconds(500))
    let after = Array(bench.left[before...])
    let first = after.firstIndex(of: 9_000_000) ?? .max
    #expect(first < 44_100 * 40 / 1_000)
    #expect(after.dropFirst(first).allSatisfy { $0 == 9_000_000 })
    #expect(bench.told.map(\.1) == [1, 2])
  }

  @Test("another rate reopens the device when it has played out, and loses no frame")
  func rates() {
    let bench = Bench()
    bench.begin(1)
    bench.write(20_000)
    bench.begin(2, rate: 48_000)
    bench.write(20_000)
    bench.end()
    bench.run(.seconds(2))
    #expect(bench.device.opened == [44_100, 48_000])
    #expect(bench.left.filter { $0 != 0 } == Array(1_000_000..<1_040_000))
    #expect(bench.told.map(\.0) == [.heard, .heard, .drained])
  }

  @Test("what the device cannot play is told once and passed over; what is around it is heard whole", arguments: 1...3)
  func refused(seed: UInt64) {
    let bench = Bench()
    var generator = SeededGenerator(seed: seed)
    bench.device.refuses = 48_000
    bench.begin(1)
    bench.write(20_000)
    bench.begin(2, rate: 48_000)
    bench.write(5_000, { _ in 7 })
    bench.run(.milliseconds(Int.random(in: 1...900, using: &generator)))
    #expect(bench.controls.refusedAt.load(ordering: .relaxed) == (bench.told.count > 1 ? 20_001 : 0), "seed \(seed)")
    // More of it comes when some was thrown away already.
    bench.write(15_000, { _ in 7 })
    bench.run(.milliseconds(Int.random(in: 1...900, using: &generator)))
    bench.begin(3)
    bench.write(20_000)
    bench.end()
    bench.run(.seconds(2))
    #expect(bench.device.opened == [44_100, 44_100], "seed \(seed)")
    let whole = (0..<60_000).filter { $0 / 20_000 != 1 }.map { 1_000_000 + Int32($0) }
    #expect(bench.left.filter { $0 != 0 } == whole)
    #expect(bench.told.map(\.0) == [.heard, .refused, .heard, .drained], "seed \(seed)")
    #expect(bench.told.map(\.1) == [1, 2, 3, 0])
    #expect(bench.feeder.refusals.withLock { $0.map(\.code) } == ["T-4"])
  }

  @Test(
    "at the end what sounds is faded out before the device is closed, within 250 ms",
    arguments: [(88_200, true), (6_615, false), (88_200, false)])
  func closing(depth: Int, rewinds: Bool) {
    let bench = Bench(depth: depth)
    bench.device.rewinds = rewinds
    let loud: Int32 = 1 << 30
    bench.begin(1)
    bench.write(200_000, { _ in loud })
    bench.run(.milliseconds(800))
    let start = bench.clock.now
    bench.controls.shutdown.store(true, ordering: .relaxed)
    bench.run(.seconds(2), by: { $0.turnToClose() })
    bench.device.play()
    #expect(bench.told.last?.0 == .closed)
    #expect(bench.clock.now - start <= .milliseconds(250))
    // So deep that it cannot be faded in time: then there is nothing to be done.
    if depth == 88_200 && !rewinds { return }
    let steps = zip(bench.left, bench.left.dropFirst() + [0]).map { abs(Int64($0) - Int64($1)) }
    #expect(bench.left.contains(loud) && (steps.max() ?? .max) <= Int64(loud) / 441 + 2)
    #expect(bench.clock.now - start <= .milliseconds(rewinds ? 40 : 200))
  }

  @Test("a main loop that does not listen is not told, and nothing breaks; told later, it hears all")
  func fullNews() throws {
    let bench = Bench()
    bench.begin(1)
    bench.write(10_000)
    bench.begin(2)
    bench.write(50_000)
    bench.run(.milliseconds(100))
    #expect(bench.told.map(\.1) == [1])
    while bench.feeder.tell(.deviceBack) {}
    for _ in 0..<20 {
      _ = bench.feeder.turn()
      bench.clock.go(to: bench.clock.now + .milliseconds(50))
    }
    // The last that was told plays on, and the clock lets it go no further than was looked at.
    #expect(try #require(bench.board.read(at: bench.clock.now + .seconds(1))).entry == 1)
    bench.feeder.news.drop(1)
    _ = bench.feeder.turn()
    bench.feeder.news.drop(255)
    #expect(bench.feeder.news[0].mark.entry == 2)
    #expect(try #require(bench.board.read(at: bench.clock.now)).entry == 2)
  }

  @Test("a device that is pulled out is told once, tried again, and goes on where it was")
  func lost() {
    let bench = Bench()
    bench.begin(1)
    bench.write(200_000)
    bench.run(.milliseconds(700))
    bench.device.broken = true
    bench.run(.seconds(9))
    let heard = bench.left.count
    bench.device.broken = false
    bench.run(.seconds(3))
    #expect(bench.told.map(\.0) == [.heard, .deviceLost, .deviceBack])
    let music = bench.left.filter { $0 >= 1_000_000 }
    // What had been heard since the last look is heard again, the fade-in is softer; nothing else is left out.
    #expect(heard > 0 && zip(music, music.dropFirst()).allSatisfy { $1 - $0 <= 442 && $0 - $1 <= 44_100 })
    #expect(music.last.map { $0 > 1_060_000 } == true)
  }

  @Test("what the device says is kept: asked at the first turn, opened, lost, and asked again while nothing plays")
  func answers() {
    let bench = Bench()
    var answer: DeviceAnswer? { bench.controls.answer.withLock { $0 } }
    bench.device.broken = true
    #expect(answer == nil)
    bench.run(.milliseconds(100))
    #expect(answer == .fails(Fault(.busy, "T-5", "somebody else plays")))
    bench.device.broken = false
    bench.run(.seconds(3))
    // Nobody has asked since.
    #expect(answer != .works)
    bench.controls.asksDevice.store(true, ordering: .relaxed)
    bench.run(.milliseconds(100))
    #expect(answer == .works && bench.controls.played.load(ordering: .relaxed) == 0)
    bench.begin(1)
    bench.write(100_000)
    // What was played is known when the device is looked at again, which is not often.
    bench.run(.seconds(2))
    #expect(answer == .works && bench.controls.played.load(ordering: .relaxed) > 0)
    bench.device.broken = true
    bench.run(.milliseconds(700))
    #expect(answer == .fails(Fault(.missing, "T-3", "unplugged")))
  }

  @Test("a decoder that comes late costs a silence between two fades, not the frames")
  func starved() throws {
    let bench = Bench()
    bench.begin(1)
    bench.write(10_000)
    bench.run(.seconds(1))
    bench.write(10_000)
    bench.end()
    bench.run(.seconds(2))
    #expect(bench.controls.starvations.load(ordering: .relaxed) == 1)
    let heard = bench.left.filter { $0 != 0 }
    let plain = { (range: Range<Int>) in range.allSatisfy { heard[$0] == 1_000_000 + Int32($0) } }
    // The fade's last frame is silent.
    try #require(heard.count == 19_999)
    #expect(plain(0..<9_559) && zip(heard[9_559...], heard[9_560..<9_999]).allSatisfy { $0 > $1 })
    #expect(heard[10_440...].enumerated().allSatisfy { $1 == 1_010_441 + Int32($0) })
  }
}
