import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

/// What is changed while two seconds of it are in the device already.
@Suite("A deep buffer")
struct DeepBufferTests {
  enum Source: CaseIterable, Sendable {
    case sine, level

    /// 50 Hz at full scale, or nothing but loud.
    func sample(_ frame: Int32) -> Int32 {
      switch self {
      case .sine: Int32(2_147_483_647 * sin(2 * Double.pi * 50 * Double(frame) / 44_100))
      case .level: .max
      }
    }

    /// Between two neighbours, by itself.
    var step: Int64 {
      switch self {
      case .sine: Int64(2_147_483_648 * 2 * Double.pi * 50 / 44_100) + 2
      case .level: 0
      }
    }

    /// With a ramp of 10 ms over it.
    var most: Int64 { step + (1 << 31) / 441 + 2 }
  }

  private func largestStep(_ samples: [Int32]) -> Int64 {
    zip(samples, samples.dropFirst()).map { abs(Int64($0) - Int64($1)) }.max() ?? 0
  }

  @Test("a stop without a ramp is seen as a step", arguments: Source.allCases)
  func plainStop(source: Source) {
    let bench = Bench()
    bench.begin(1)
    bench.write(50_000, source.sample)
    bench.run(.milliseconds(505))
    #expect(largestStep(bench.left) <= source.most)
    #expect(largestStep(bench.left + [0]) > source.most)
  }

  @Test("whatever is pressed, there is no step larger than the music's own and the ramp's", arguments: Source.allCases)
  func clickFree(source: Source) {
    for seed in UInt64(1)...3 {
      let bench = Bench()
      var generator = SeededGenerator(seed: seed)
      bench.begin(1, frame: 5)
      bench.write(170_000, source.sample)
      var generation: UInt32 = 1
      bench.run(.milliseconds(300))
      for _ in 0..<40 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bench.controls.playing.store(Bool.random(using: &generator), ordering: .relaxed)
        case 1:
          bench.controls.gain.store(Gain.fixed(Double.random(in: 0...1, using: &generator)), ordering: .relaxed)
        case 2:
          generation += 1
          bench.controls.wantedGeneration.store(generation, ordering: .relaxed)
          bench.run(.milliseconds(Int.random(in: 0...30, using: &generator)))
          bench.begin(2, generation: generation, frame: 5)
          bench.write(130_000, source.sample)
        default: bench.run(.milliseconds(Int.random(in: 0...400, using: &generator)))
        }
        bench.run(.milliseconds(Int.random(in: 1...60, using: &generator)))
      }
      #expect(largestStep(bench.left) <= source.most, "seed \(seed)")
    }
  }

  @Test("a decoder that comes late again and again makes no step, whatever is pressed", arguments: Source.allCases)
  func lateDecoder(source: Source) {
    for seed in UInt64(1)...3 {
      let bench = Bench()
      var generator = SeededGenerator(seed: seed)
      var generation: UInt32 = 1
      bench.begin(1, frame: 5)
      for _ in 0..<60 {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0...1:
          generation += 1
          bench.controls.wantedGeneration.store(generation, ordering: .relaxed)
          bench.run(.milliseconds(Int.random(in: 0...30, using: &generator)))
          bench.begin(2, generation: generation, frame: 5)
        case 2...4: bench.controls.playing.store(Bool.random(using: &generator), ordering: .relaxed)
        case 5:
          bench.controls.gain.store(Gain.fixed(Double.random(in: 0...1, using: &generator)), ordering: .relaxed)
        default: break
        }
        bench.write(Int.random(in: 1...6_000, using: &generator), source.sample)
        bench.run(.milliseconds(Int.random(in: 0...120, using: &generator)))
      }
      #expect(largestStep(bench.left) <= source.most, "seed \(seed)")
      #expect(bench.controls.starvations.load(ordering: .relaxed) > 0)
    }
  }

  @Test("a decoder that comes just in time is not heard to do so")
  func timelyDecoder() {
    let bench = Bench()
    bench.begin(1)
    for _ in 0..<50 {
      bench.write(4_096)
      bench.run(.milliseconds(40))
    }
    #expect(bench.controls.starvations.load(ordering: .relaxed) == 0)
    let isWhole = bench.left.enumerated().allSatisfy { $1 == 1_000_000 + Int32($0) }
    #expect(isWhole && bench.left.count > 80_000)
  }

  enum Change: CaseIterable, Sendable {
    case pause, quieter, louder, skip
  }

  @Test("pause, volume and skip begin to be heard within 20 ms and are done within 35", arguments: Change.allCases)
  func prompt(change: Change) throws {
    let bench = Bench()
    let loud: Int32 = 1 << 30
    bench.controls.gain.store(Gain.fixed(0.5), ordering: .relaxed)
    bench.begin(1)
    bench.write(200_000, { _ in loud })
    bench.run(.milliseconds(1_000))
    let before = bench.left.count
    switch change {
    case .pause: bench.controls.playing.store(false, ordering: .relaxed)
    case .quieter: bench.controls.gain.store(Gain.fixed(0.25), ordering: .relaxed)
    case .louder: bench.controls.gain.store(Gain.fixed(1), ordering: .relaxed)
    case .skip: bench.controls.wantedGeneration.store(2, ordering: .relaxed)
    }
    bench.run(.milliseconds(500))
    let after = Array(bench.left[before...])
    let target: Int32 =
      switch change {
      case .pause, .skip: 0
      case .quieter: loud / 4
      case .louder: loud
      }
    let first = try #require(after.firstIndex { $0 != loud / 2 })
    let last = try #require(after.firstIndex(of: target))
    #expect(first <= 882 + 45 && last <= 882 + 441 + 221)
    #expect(after[last...].allSatisfy { $0 == target })
  }

  @Test("playing from two seconds of it wakes the thread less than twice a second")
  func rests() {
    let bench = Bench()
    bench.begin(1)
    bench.write(262_144)
    bench.run(.milliseconds(100))
    #expect(bench.run(.seconds(3)) <= 6)
  }

  @Test("a knob turned as fast as can be never passes the highest volume, and the list of what was given stays short")
  func sweep() {
    let bench = Bench()
    var generator = SeededGenerator(seed: 7)
    let most = 0.3
    bench.controls.gain.store(Gain.fixed(0), ordering: .relaxed)
    bench.begin(1)
    bench.write(262_144, { _ in .max })
    bench.run(.milliseconds(100))
    var longest = 0
    for step in 0..<800 {
      // Wanted beyond it as well: what limits it stands before the gain is set.
      let wanted = step % 3 == 0 ? most : min(most, Double.random(in: 0...1, using: &generator))
      bench.controls.gain.store(Gain.fixed(wanted), ordering: .relaxed)
      bench.run(.milliseconds(Int.random(in: 0...4, using: &generator)))
      longest = max(longest, bench.feeder.handed.count)
    }
    #expect(bench.left.contains { $0 > 0 })
    let limit = Int32(most * 2_147_483_648) + 1
    #expect(bench.left.allSatisfy { $0 <= limit && $0 >= 0 })
    #expect(longest <= 32, "\(longest)")
  }

  @Test("what the device forgot in its sleep is given to it again, each frame heard once and in order")
  func slept() {
    let bench = Bench()
    bench.begin(1)
    bench.write(200_000, { 100_000_000 + $0 })
    bench.run(.milliseconds(800))
    bench.device.sleep()
    let before = bench.left.count
    bench.run(.milliseconds(2_500))
    let after = bench.left[before...].filter { $0 != 0 }
    // It comes back with a ramp, which is over after 10 ms; nothing of the two seconds is left out.
    #expect(after.dropFirst(441).first == 100_000_000 + Int32(before) + 441)
    #expect(zip(after.dropFirst(441), after.dropFirst(442)).allSatisfy { $1 - $0 == 1 })
  }

  @Test("of a device that was pulled out at most 50 ms are heard twice, and nothing is left out")
  func pulled() {
    let bench = Bench()
    bench.begin(1)
    bench.write(250_000, { 100_000_000 + $0 })
    bench.run(.milliseconds(700))
    // The clock has gone on since the feeder last looked.
    bench.clock.go(to: bench.clock.now + .milliseconds(300))
    bench.device.play()
    let before = bench.left.count
    bench.device.broken = true
    bench.feeder.isCalled = true
    bench.run(.seconds(5))
    bench.device.broken = false
    bench.run(.seconds(3))
    let after = bench.left[before...].filter { $0 != 0 }
    let first = (after.dropFirst(441).first ?? 0) - 100_000_000 - 441
    #expect(Int(first) <= before && Int(first) >= before - 2_205, "\(first) after \(before)")
    #expect(zip(after.dropFirst(441), after.dropFirst(442)).allSatisfy { $1 - $0 == 1 })
  }

  @Test("bits are said to be the source's only at full volume and where nothing was done to them")
  func exactness() {
    let bench = Bench()
    bench.begin(1)
    bench.write(10_000)
    _ = bench.ring.push(
      .begin, entry: 2, generation: 1, frame: 0, sampleRate: 44_100, sourceBits: 16, isExact: false)
    bench.write(10_000)
    bench.begin(3)
    bench.write(10_000)
    bench.run(.milliseconds(1))
    #expect(bench.device.bits.filter { $0 != 0 }.allSatisfy { $0 == 16 || $0 == 32 })
    let changes = zip(bench.device.bits, bench.device.bits.dropFirst()).filter { $0 != $1 }.count
    #expect(bench.device.bits.first == 16 && changes >= 2)
    bench.device.bits = []
    bench.controls.gain.store(Gain.fixed(0.5), ordering: .relaxed)
    bench.run(.milliseconds(20))
    #expect(bench.device.bits.first == 32)
    bench.controls.gain.store(0, ordering: .relaxed)
    bench.run(.milliseconds(20))
    #expect(bench.device.bits.last == 0)
  }
}
