import TestSupport
import Testing

@testable import Audio

@Suite("Sounds over the music end and change without a click")
struct AsideClickTests {
  static let loud: Int16 = 11_141

  /// As loud all the time, but for a soft begin and end: what steps more than its slopes was cut.
  private static func tone(_ frames: Int) -> [Int16] {
    let slope = 220
    return (0..<frames).map { frame in
      let edge = min(frame, frames - 1 - frame, slope)
      return Int16(Int(loud) * edge / slope)
    }
  }

  /// The largest step from one frame to the next, as 16 bits count.
  private static func largestStep(_ samples: some Sequence<Int32>, from first: Int32 = 0) -> Int {
    var (last, largest) = (Int64(first), Int64(0))
    for sample in samples {
      largest = max(largest, abs(Int64(sample) - last))
      last = Int64(sample)
    }
    return Int(largest >> 16)
  }

  /// Two that cross, and a volume that moves meanwhile.
  private static let slopes = Int(loud) / 50

  @Test(
    "whatever hands do in quick succession, words never step", arguments: 1...60 as ClosedRange<UInt64>)
  func walk(seed: UInt64) {
    let bench = Bench()
    var generator = SeededGenerator(seed: seed)
    bench.begin(1)
    bench.write(200_000, { _ in 0 })
    bench.run(.milliseconds(400))
    bench.say(Self.tone(80_000), .words, softness: 0.1)
    bench.run(.milliseconds(100))
    var generation: UInt32 = 1
    for _ in 0..<40 {
      bench.run(.milliseconds(Int.random(in: 1...14, using: &generator)))
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...2:
        bench.controls.gain.store(Gain.fixed(Double.random(in: 0...1, using: &generator)), ordering: .relaxed)
      case 3: bench.say([Int16](repeating: 0, count: 441))
      case 4: bench.say(Self.tone(Int.random(in: 1_000...60_000, using: &generator)), .words, softness: 0.1)
      case 5: bench.feeder.door.hush(.words)
      case 6: bench.controls.playing.store(Bool.random(using: &generator), ordering: .relaxed)
      default:
        generation += 1
        bench.controls.wantedGeneration.store(generation, ordering: .relaxed)
        bench.begin(2, generation: generation, frame: 5)
        bench.write(100_000, { _ in 0 })
      }
    }
    bench.run(.seconds(1))
    #expect(Self.largestStep(bench.left) <= Self.slopes, "seed \(seed)")
  }

  @Test("a volume that has just begun to change goes on from there when new words come")
  func twice() {
    let bench = Bench()
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.say(Self.tone(80_000), .words)
    bench.run(.milliseconds(300))
    bench.controls.gain.store(Gain.fixed(0.05), ordering: .relaxed)
    bench.run(.milliseconds(5))
    bench.say(Self.tone(80_000), .words)
    bench.run(.milliseconds(300))
    #expect(Self.largestStep(bench.left) <= Self.slopes)
  }

  // MARK: The music gives way

  private static let music: Int32 = 1 << 28
  private static let soft = music / 10

  /// Words that say nothing over music that stands still, so that its loudness can be seen.
  private static func giving(_ words: Int) -> Bench {
    let bench = Bench()
    bench.begin(1)
    bench.write(220_000, { _ in music })
    bench.run(.milliseconds(700))
    bench.say([Int16](repeating: 0, count: words), .words, softness: 0.1)
    return bench
  }

  /// Milliseconds from the last frame that is soft to the first that is loud again.
  private static func rise(_ heard: [Int32]) -> Int {
    let last = heard.lastIndex { $0 <= soft + 1 } ?? 0
    let loud = heard[last...].firstIndex { $0 == music } ?? heard.count
    return (loud - last) * 1_000 / 44_100
  }

  /// And from the last that is loud before that to the first that is soft.
  private static func fall(_ heard: [Int32], after before: Int) -> Int {
    let there = heard[before...].firstIndex { $0 <= soft + 1 } ?? heard.count
    let loud = heard[..<there].lastIndex(of: music) ?? 0
    return (there - loud) * 1_000 / 44_100
  }

  @Test(
    "ticks while the music comes back do not hurry it", arguments: [[], [20], [60], [100], [20, 60, 100, 140, 180]])
  func rising(ticks: [Int]) {
    let bench = Self.giving(44_100)
    bench.run(.milliseconds(500))
    bench.feeder.door.hush(.words)
    var gone = 0
    for tick in ticks {
      bench.run(.milliseconds(tick - gone))
      gone = tick
      bench.say([Int16](repeating: 0, count: 441))
    }
    bench.run(.seconds(1))
    #expect((280...320).contains(Self.rise(bench.left)), "\(Self.rise(bench.left)) ms")
    #expect(Self.largestStep(bench.left.dropFirst(30_000), from: Self.music) < Int(Self.music >> 16) / 400)
  }

  @Test("nor at the end of words that nobody broke off", arguments: [20, 60, 100])
  func risingAtTheEnd(after: Int) {
    let bench = Self.giving(22_050)
    bench.run(.milliseconds(520 + after))
    bench.say([Int16](repeating: 0, count: 441))
    bench.run(.seconds(1))
    #expect((280...320).contains(Self.rise(bench.left)), "\(Self.rise(bench.left)) ms")
  }

  @Test("nor does somebody who turns the volume up; turned down it is softer at once")
  func volumeMeanwhile() {
    for (gain, range) in [(1.0, 200...320), (0.2, 0...30)] {
      let bench = Self.giving(44_100)
      bench.controls.gain.store(Gain.fixed(0.5), ordering: .relaxed)
      bench.run(.milliseconds(500))
      bench.feeder.door.hush(.words)
      bench.run(.milliseconds(160))
      let before = bench.left.count
      bench.controls.gain.store(Gain.fixed(gain), ordering: .relaxed)
      bench.run(.milliseconds(400))
      let target = Int32((Double(Self.music) * gain).rounded())
      let there = bench.left[before...].firstIndex { abs($0 - target) <= 1 } ?? bench.left.count
      #expect(range.contains((there - before) * 1_000 / 44_100), "\((there - before) * 1_000 / 44_100) ms to \(gain)")
    }
  }

  @Test("ticks while it gives way do not hurry that either", arguments: [[], [5], [5, 15, 25, 35]])
  func falling(ticks: [Int]) {
    let bench = Self.giving(66_150)
    let before = bench.left.count
    var gone = 0
    for tick in ticks {
      bench.run(.milliseconds(tick - gone))
      gone = tick
      bench.say([Int16](repeating: 0, count: 441))
    }
    bench.run(.milliseconds(900))
    #expect((45...60).contains(Self.fall(bench.left, after: before)), "\(Self.fall(bench.left, after: before)) ms")
  }

  // MARK: The device closes

  @Test("music of another rate waits for the end of words, which comes softly and at once")
  func otherRate() throws {
    let bench = Bench()
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.say(Self.tone(88_200), .words)
    bench.run(.milliseconds(300))
    bench.begin(1, rate: 48_000)
    bench.write(48_000, { _ in 0 })
    bench.controls.playing.store(true, ordering: .relaxed)
    // Who goes on turning keeps nobody waiting.
    for _ in 0..<8 {
      bench.say([Int16](repeating: 0, count: 441))
      bench.run(.milliseconds(10))
    }
    #expect(bench.device.opened == [44_100, 48_000] && bench.told.map(\.0) == [.heard])
    #expect(bench.feeder.asides.isEmpty && Self.largestStep(bench.left) <= Self.slopes)
    // And in the new rate they are heard as ever.
    bench.say(Self.tone(4_800), .words, rate: 48_000)
    bench.run(.milliseconds(200))
    #expect(bench.left.suffix(9_000).contains(Int32(Self.loud) << 16))
  }

  @Test("a rate that is wanted no more before the device is opened for it leaves the next words alone")
  func rateAndBack() {
    let bench = Bench()
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.say(Self.tone(88_200), .words)
    bench.run(.milliseconds(300))
    bench.begin(1, rate: 48_000)
    bench.write(48_000, { _ in 0 })
    bench.controls.playing.store(true, ordering: .relaxed)
    bench.run(.milliseconds(5))
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.run(.milliseconds(200))
    #expect(bench.device.opened == [44_100])
    bench.say(Self.tone(4_410), .words)
    bench.run(.milliseconds(200))
    #expect(bench.left.suffix(8_000).contains(Int32(Self.loud) << 16))
  }

  @Test("at the end of the program words go softly, over music and over silence", arguments: [true, false])
  func shutDown(plays: Bool) {
    let bench = Bench()
    if plays {
      bench.begin(1)
      bench.write(200_000, { _ in 0 })
    } else {
      bench.controls.playing.store(false, ordering: .relaxed)
    }
    bench.run(.milliseconds(100))
    bench.say(Self.tone(88_200), .words)
    bench.run(.milliseconds(300))
    bench.controls.shutdown.store(true, ordering: .relaxed)
    bench.run(.seconds(2), by: { $0.turnToClose() })
    #expect(bench.told.last?.0 == .closed)
    // Behind what was played there is nothing.
    #expect(Self.largestStep(bench.left + [0]) <= Self.slopes)
  }

  @Test("a hush in front of the door does not hide what is behind it")
  func behindAHush() {
    let bench = Bench()
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.feeder.door.hush(.words)
    bench.say(Self.tone(4_410))
    bench.run(.milliseconds(200))
    #expect(bench.device.opened == [44_100] && bench.left.contains(Int32(Self.loud) << 16))
    let silent = Bench()
    silent.controls.playing.store(false, ordering: .relaxed)
    silent.feeder.door.hush(.words)
    silent.run(.milliseconds(200))
    #expect(silent.device.opened.isEmpty, "silence is no reason to open it")
  }
}
