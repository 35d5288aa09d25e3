import CountedHeap
import Runtime
import Testing

@testable import Audio

@Suite("Heap of effects")
struct EffectHeapTests {
  @Test("equaliser, gains, limiter and crossfade ask the heap for nothing, changes of gain included")
  func chain() {
    let bands = (0..<10).map { EqualiserBand(.peak, 31.25 * Double(1 << $0), 3) }
    let chain = EffectChain(EffectSettings(equaliser: EqualiserCurve(bands), normaliser: .track), rate: 44_100)
    let source = EffectSignals.tone(441, 0.9, rate: 44_100, frames: 1_000)
    let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 2_000)
    defer { frames.deallocate() }
    func turns(_ count: Int) {
      source.withUnsafeBufferPointer { source in
        guard let start = source.baseAddress else { return }
        for turn in 0..<count {
          frames.update(from: start, count: 2_000)
          chain.process(frames, count: 1_000, gain: turn % 3 == 0 ? 0.5 : 1.5)
          chain.mix(
            start, gain: 0.5, with: frames, gain: 0.9, position: 100 * turn, length: 2_000, count: 1_000)
        }
        chain.flush(into: frames, count: chain.latency)
      }
    }
    turns(3)
    let before = counted_heap_calls()
    turns(20)
    #expect(counted_heap_calls() == before)
    // The count counts.
    let object = EffectChain(.nothing, rate: 44_100)
    #expect(before < 0 || counted_heap_calls() > before, "\(object.latency)")
  }
}
