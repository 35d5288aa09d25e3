import Runtime
import TestSupport
import Testing

@testable import Audio

/// How much the device is given, and that nobody hears when that changes.
@Suite("Low power")
struct LowPowerTests {
  private func held(_ bench: Bench) -> Int { bench.device.pending.count / 2 }

  private func want(_ milliseconds: Int64, _ bench: Bench) {
    bench.controls.depth.store(milliseconds, ordering: .relaxed)
  }

  @Test("the device gets what is wanted, as far as it and half of the ring hold it")
  func depths() {
    let table: [(depth: Int, ring: Int, wanted: Int64, given: Int)] = [
      (132_300, 1 << 18, 2_000, 88_200), (132_300, 1 << 18, 3_000, 131_072), (132_300, 1 << 18, 40, 1_764),
      (200_000, 1 << 18, 3_600_000, 131_072), (6_615, 1 << 18, 3_000, 6_615), (132_300, 1 << 16, 2_000, 32_768),
    ]
    for row in table {
      let bench = Bench(depth: row.depth, ringCapacity: row.ring)
      want(row.wanted, bench)
      bench.begin(1)
      bench.write(row.ring)
      _ = bench.feeder.turn()
      #expect(held(bench) == row.given, "\(row)")
    }
  }

  @Test("silence too is given only as deep as is wanted")
  func silence() {
    let bench = Bench(depth: 132_300)
    want(2_000, bench)
    bench.begin(1)
    bench.write(1_000)
    bench.run(.milliseconds(200))
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.run(.milliseconds(200))
    #expect(held(bench) > 70_000 && held(bench) <= 88_200)
  }

  /// Like a decoder that sleeps when the ring is full and fills it when it is woken.
  private func play(_ bench: Bench, _ duration: Duration) -> Int {
    var woken = 0
    let turns = bench.run(duration) { feeder in
      let wait = feeder.turn()
      if !bench.controls.decodeSleeps.exchange(true, ordering: .relaxed) {
        woken += 1
        bench.write(bench.ring.space)
      }
      return wait
    }
    return turns + woken
  }

  @Test("with a deeper buffer both threads are woken less often, and nothing comes late")
  func rests() {
    func wakes(_ milliseconds: Int64) -> Int {
      let bench = Bench(depth: 132_300)
      want(milliseconds, bench)
      bench.begin(1)
      bench.write(1 << 18)
      bench.controls.decodeSleeps.store(true, ordering: .relaxed)
      let wakes = play(bench, .seconds(60))
      #expect(bench.controls.starvations.load(ordering: .relaxed) == 0)
      return wakes
    }
    let (usual, deep) = (wakes(2_000), wakes(3_000))
    #expect(deep * 10 <= usual * 9, "\(deep) wake-ups instead of \(usual)")
  }

  @Test(
    "whenever it changes, each frame is heard once and in order, and a pause is heard as soon as ever", arguments: 1...6
  )
  func unheard(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bench = Bench(depth: 132_300)
    want(2_000, bench)
    bench.begin(1)
    bench.write(1 << 18)
    bench.controls.decodeSleeps.store(true, ordering: .relaxed)
    for _ in 0..<30 {
      want([2_000, 3_000, 60].randomElement(using: &random) ?? 2_000, bench)
      _ = play(bench, .milliseconds(Int.random(in: 1...3_000, using: &random)))
    }
    // Out of the silence before the first it rises at once.
    let heard = bench.left.drop { $0 == 0 }
    #expect(heard.count > 44_100, "seed \(seed)")
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $1 - $0 == 1 }, "seed \(seed)")
    let before = bench.left.count
    bench.controls.playing.store(false, ordering: .relaxed)
    bench.run(.milliseconds(100))
    let silent = try #require(bench.left[before...].firstIndex(of: 0))
    #expect(silent - before <= 882 + 441 + 45, "seed \(seed)")
  }
}
