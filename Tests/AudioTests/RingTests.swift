import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Ring")
struct RingTests {
  @Test("what is read is what was written, whatever is taken back and released in between")
  func model() {
    for seed in UInt64(1)...200 {
      var generator = SeededGenerator(seed: seed)
      let ring = Ring(capacity: 64)
      var written = 0
      for _ in 0..<400 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          let (place, room) = ring.place
          let count = Int.random(in: 0...room, using: &generator)
          for frame in 0..<count {
            place[2 * frame] = Int32(written + frame)
            place[2 * frame + 1] = -Int32(written + frame)
          }
          ring.commit(count)
          written += count
        case 1:
          let (frames, count) = ring.next
          let taken = Int.random(in: 0...count, using: &generator)
          for frame in 0..<taken {
            let expected = Int32(ring.read) + Int32(frame)
            #expect(frames[2 * frame] == expected && frames[2 * frame + 1] == -expected, "seed \(seed)")
          }
          ring.take(taken)
        case 2: ring.takeBack(to: UInt64.random(in: ring.released...ring.read, using: &generator))
        default: ring.release(to: UInt64.random(in: ring.released...ring.read, using: &generator))
        }
        #expect(ring.released <= ring.read && ring.read <= ring.written && ring.written == UInt64(written))
        #expect(ring.space == 64 - Int(ring.written - ring.released), "seed \(seed)")
      }
    }
  }

  @Test("two threads pass a million frames and the marks between them")
  func twoThreads() throws {
    let ring = Ring(capacity: 1_024)
    let total = 1_000_000
    try NamedThread.start("producer") {
      var written = 0
      while written < total {
        let (place, room) = ring.place
        let count = min(room, total - written, 1_000 - written % 1_000)
        if count == 0 {
          sched_yield()
          continue
        }
        if written % 1_000 == 0 {
          while !ring.push(
            .begin, entry: UInt64(written / 1_000), generation: 1, frame: 0, sampleRate: 44_100, sourceBits: 16)
          { sched_yield() }
        }
        for sample in 0..<2 * count { place[sample] = Int32(2 * written + sample) }
        ring.commit(count)
        written += count
      }
    }
    var read = 0
    var marks: UInt64 = 0
    var wrong = 0
    while read < total {
      let (frames, count) = ring.next
      for sample in 0..<2 * count where frames[sample] != Int32(2 * read + sample) { wrong += 1 }
      read += count
      ring.take(count)
      ring.release(to: ring.read)
      while ring.marks.count > 0, ring.marks[0].at < ring.read {
        if ring.marks[0].entry != marks || ring.marks[0].at != marks * 1_000 { wrong += 1 }
        marks += 1
        ring.marks.drop(1)
      }
      // A mark is there before its frames are.
      if marks != UInt64((read + 999) / 1_000) { wrong += 1 }
      if count == 0 { sched_yield() }
    }
    #expect(wrong == 0)
  }
}

@Suite("Gain")
struct GainTests {
  private func apply(_ gain: Int64, _ samples: [Int32]) -> [Int32] {
    var result = [Int32](repeating: 0, count: samples.count)
    samples.withUnsafeBufferPointer { source in
      result.withUnsafeMutableBufferPointer { target in
        if let from = source.baseAddress, let to = target.baseAddress {
          Gain.apply(gain, from, count: samples.count / 2, into: to)
        }
      }
    }
    return result
  }

  private let samples: [Int32] = [.min, .max, 0, 1, -1, 65_536, -65_536, 1 << 30]

  @Test("1.0 is the same bits, 0.0 is silence, a half is a half")
  func ends() {
    #expect(apply(Gain.fixed(1), samples) == samples)
    #expect(apply(Gain.fixed(0), samples).allSatisfy { $0 == 0 })
    #expect(apply(Gain.fixed(0.5), samples)[5...] == [32_768, -32_768, 1 << 29])
    #expect(Gain.fixed(7) == Gain.unity && Gain.fixed(-1) == 0 && Gain.fixed(.nan) == 0)
  }

  @Test("a ramp arrives, and no step of it is larger than its share")
  func ramp() {
    var ramp = Ramp(at: 0)
    ramp.turn(to: Gain.unity, over: 441)
    var last: Int64 = 0
    for done in 1...441 {
      let gain = Gain.at(done, of: ramp)
      #expect(gain >= last && gain - last <= Gain.unity / 441 + 1)
      last = gain
    }
    #expect(last == Gain.unity)
    ramp.done = 200
    let middle = ramp.gain
    ramp.turn(to: 0, over: 441)
    #expect(ramp.gain == middle && Gain.at(441, of: ramp) == 0)
  }
}
