import CountedHeap
import Runtime
import Testing

@testable import Audio

@Suite("Heap")
struct HeapTests {
  @Test("a thousand turns of steady playing ask the heap for nothing", arguments: [1.0, 0.3])
  func steady(loudness: Double) {
    let clock = HandClock()
    let now: @Sendable () -> Moment = { clock.now }
    let controls = SoundControls()
    let ring = Ring(capacity: 1 << 16)
    let feeder = Feeder(
      ring: ring, output: NullOutput(now: now), controls: controls, board: PlaceBoard(), now: now, wakeDecoder: {},
      wakeMainLoop: {})
    controls.playing.store(true, ordering: .relaxed)
    controls.gain.store(Gain.fixed(loudness), ordering: .relaxed)
    controls.wantedGeneration.store(1, ordering: .relaxed)
    var tracks = 0

    func turns(_ count: Int) {
      for turn in 0..<count {
        // A track each second, without a gap.
        if turn % 50 == 0 {
          tracks += 1
          _ = ring.push(
            .begin, entry: UInt64(tracks), generation: 1, frame: 0, sampleRate: 44_100, sourceBits: 16)
        }
        ring.commit(min(ring.place.count, turn == 0 ? 20_000 : 882))
        _ = feeder.turn()
        feeder.news.drop(feeder.news.count)
        clock.go(to: clock.now + .milliseconds(20))
      }
    }

    turns(100)
    let before = counted_heap_calls()
    turns(1_000)
    #expect(counted_heap_calls() == before)
    #expect(ring.released > 800_000 && controls.starvations.load(ordering: .relaxed) == 0)
    // The count counts.
    let object = HandClock()
    #expect(before < 0 || counted_heap_calls() > before, "\(object.now)")
  }
}
