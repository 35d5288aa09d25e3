import Glibc
import TestSupport
import Testing

@testable import Audio

@Suite("Crossfade")
struct CrossfadeTests {
  @Test("the squares of both gains make 1, one goes down and the other up, and the ends are exact")
  func gains() {
    for length in [1, 2, 3, 441, 529_200] {
      #expect(Crossfade.gains(at: 0, of: length) == (1, 0))
      #expect(Crossfade.gains(at: length, of: length) == (0, 1))
      var last = (tail: 2.0, head: -1.0)
      for position in stride(from: 0, through: length, by: max(1, length / 300)) {
        let now = Crossfade.gains(at: position, of: length)
        #expect(abs(now.tail * now.tail + now.head * now.head - 1) < 1e-12)
        #expect(now.tail < last.tail && now.head > last.head)
        last = now
      }
    }
  }

  /// `head` and `tail` as the chain mixes them, in parts of the sizes that `parts` gives.
  private func mix(
    _ tail: [Int32], _ head: [Int32], from position: Int = 0, length: Int, parts: () -> Int = { 512 }
  ) -> [Int32] {
    var mixed = head
    let floats = UnsafeMutablePointer<SIMD2<Float>>.allocate(capacity: head.count / 2)
    defer { floats.deallocate() }
    tail.withUnsafeBufferPointer { tail in
      mixed.withUnsafeMutableBufferPointer { frames in
        guard let tail = tail.baseAddress, let frames = frames.baseAddress else { return }
        var done = 0
        while done < head.count / 2 {
          let count = min(parts(), head.count / 2 - done)
          Samples.toFloats(frames + 2 * done, count: count, into: floats)
          Crossfade.mix(
            tail + 2 * done, into: floats, relation: 1, position: position + done, length: length, count: count)
          Samples.toIntegers(floats, count: count, into: frames + 2 * done)
          done += count
        }
      }
    }
    return mixed
  }

  @Test("a mix is what the gains say, however it is cut up", arguments: [UInt64(1), 2])
  func mix(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let length = 3_000
    let tail = EffectSignals.integers(bits: 24, seed: seed, frames: length)
    let head = EffectSignals.integers(bits: 24, seed: seed + 10, frames: length)
    let mixed = mix(tail, head, length: length) { Int.random(in: 1...700, using: &generator) }
    #expect(mixed[0] == tail[0] && mixed[1] == tail[1])
    for index in 0..<2 * length {
      let gains = Crossfade.gains(at: index / 2, of: length)
      let exact = Double(tail[index]) * gains.tail + Double(head[index]) * gains.head
      let held = min(max(exact, Double(Int32.min)), Double(Int32.max))
      // One step of 24 bits, which is what Float keeps.
      #expect(abs(Double(mixed[index]) - held) <= 256, "seed \(seed), \(index)")
    }
  }

  @Test("before it is the old track and behind it the new one")
  func ends() {
    let tail = EffectSignals.integers(bits: 24, seed: 4, frames: 40)
    let head = EffectSignals.integers(bits: 24, seed: 5, frames: 40)
    let mixed = mix(tail, head, from: -10, length: 20)
    #expect(mixed[..<22].elementsEqual(tail[..<22]))
    #expect(mixed[60...].elementsEqual(head[60...]))
    #expect(mixed[24] != tail[24] && mixed[24] != head[24])
  }

  @Test("two tones that know nothing of each other stay equally loud")
  func power() {
    let length = 44_100
    let tail = EffectSignals.tone(441, 0.5, rate: 44_100, frames: length)
    let head = EffectSignals.tone(1_000, 0.5, rate: 44_100, frames: length)
    let mixed = mix(tail, head, length: length)
    for start in stride(from: 0, to: length - 4_410, by: 4_410) {
      let part = mixed[2 * start..<2 * start + 8_820]
      let power = part.reduce(0) { $0 + (Double($1) * 0x1p-31) * (Double($1) * 0x1p-31) } / Double(part.count)
      #expect(abs(10 * log10(power / 0.125)) < 0.1)
    }
  }
}
