import Runtime
import Testing

@testable import Audio

@Suite("Playing on and on")
struct SteadyPlayingTests {
  /// A decoder that sleeps when the ring is full and fills it as soon as it is woken.
  @Test("in a minute neither thread is woken more often than it must be, and there is always something in the ring")
  func minute() {
    let bench = Bench()
    bench.controls.depth.store(2_000, ordering: .relaxed)
    bench.begin(1)
    bench.write(bench.ring.space)
    bench.controls.decodeSleeps.store(true, ordering: .relaxed)
    bench.run(.milliseconds(100))
    var wakes = 0
    var lowest = bench.ring.buffered
    let turns = bench.run(.seconds(60)) { feeder in
      let wait = feeder.turn()
      lowest = min(lowest, Int(bench.ring.written - bench.ring.read))
      if !bench.controls.decodeSleeps.exchange(true, ordering: .relaxed) {
        wakes += 1
        bench.write(bench.ring.space)
      }
      return wait
    }
    #expect(turns <= 45 && wakes <= 22, "\(turns) turns, the decoder woken \(wakes) times")
    // The device never took all that there was, or it would have to be fed in small parts.
    #expect(lowest > 8_192, "\(lowest) frames were left in the ring")
    #expect(bench.controls.starvations.load(ordering: .relaxed) == 0)
  }
}
