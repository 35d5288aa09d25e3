import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Effect chain")
struct EffectChainTests {
  /// A chain that is there and does nothing.
  private static let idle = EffectSettings(normaliser: .track)

  private func whole(_ chain: EffectChain, _ sound: [Int32], gain: Float = 1, part: Int = 1_000) -> [Int32] {
    var frames = sound
    var tail = [Int32](repeating: 9, count: 2 * chain.latency)
    frames.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      var done = 0
      while done < sound.count / 2 {
        let count = min(part, sound.count / 2 - done)
        chain.process(start + 2 * done, count: count, gain: gain)
        done += count
      }
    }
    tail.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      let first = chain.latency / 3
      chain.flush(into: start, count: first)
      chain.flush(into: start + 2 * first, count: chain.latency - first)
    }
    return Array((frames + tail).dropFirst(2 * chain.latency))
  }

  @Test("up to 24 bits come back exactly from a chain that changes nothing", arguments: [8, 16, 20, 24])
  func exact(bits: Int) {
    let sound = EffectSignals.integers(bits: bits, seed: UInt64(bits), frames: 3_000)
    var settings = Self.idle
    settings.limiter = false
    for part in [1, 512, 3_000] { #expect(whole(EffectChain(settings, rate: 44_100), sound, part: part) == sound) }
    // With the limiter too, where nothing is above the ceiling.
    let soft = sound.map { $0 / 4 / 256 * 256 }
    #expect(whole(EffectChain(Self.idle, rate: 44_100), soft, part: 333) == soft)
  }

  @Test("nothing is nothing: a limiter alone has nobody to guard against")
  func nothing() {
    #expect(EffectSettings.nothing.isNothing && EffectSettings(limiter: false).isNothing)
    #expect(!EffectSettings(equaliser: EqualiserCurve([.init(.peak, 60, 1)])).isNothing)
    #expect(!EffectSettings(equaliser: EqualiserCurve(preamp: -1)).isNothing)
    #expect(!EffectSettings(normaliser: .track).isNothing && !EffectSettings(preamp: 1).isNothing)
    #expect(EffectSettings(equaliser: EqualiserCurve([.init(.peak, 60, 0)])).isNothing)
    #expect(EffectChain(.nothing, rate: 44_100).latency == Limiter(ceiling: -1, rate: 44_100).latency)
    #expect(EffectChain(EffectSettings(limiter: false), rate: 44_100).latency == 0)
  }

  @Test("full scale and beyond is held, never wrapped", arguments: [false, true])
  func clamped(limiter: Bool) {
    let sound = EffectSignals.integers(bits: 16, seed: 2, frames: 2_000)
    var settings = EffectSettings(preamp: 12)
    settings.limiter = limiter
    let heard = whole(EffectChain(settings, rate: 44_100), sound)
    for (given, got) in zip(sound, heard) {
      #expect(given == 0 || got.signum() == given.signum() || abs(got) < 1 << 12)
    }
    let loudest = heard.reduce(0) { max($0, abs(Double($1))) }
    #expect(limiter ? loudest <= 0x1p31 * Double(GainLink.factor(-1)) : loudest >= 0x1p31 - 1)
  }

  @Test("gains add in decibels, wherever they are said")
  func gains() {
    let sound = EffectSignals.tone(441, 0.05, rate: 44_100, frames: 2_000)
    func heard(_ settings: EffectSettings, _ decibels: Double) -> [Int32] {
      var settings = settings
      settings.limiter = false
      return whole(EffectChain(settings, rate: 44_100), sound, gain: GainLink.factor(decibels))
    }
    let plain = heard(EffectSettings(preamp: 5), 0)
    for other in [
      heard(EffectSettings(preamp: 2), 3), heard(EffectSettings(equaliser: EqualiserCurve(preamp: 4)), 1),
      heard(EffectSettings(equaliser: EqualiserCurve(preamp: 4), preamp: 1), 0),
      // Inside the track's gain, when the normaliser is on.
      heard(EffectSettings(normaliser: .track, preamp: 3), 5),
    ] { #expect(zip(plain, other).allSatisfy { abs($0 - $1) <= 1_000 }) }
  }

  @Test("another track's gain is gone over to without a step, the first one is there at once")
  func ramps() {
    var settings = Self.idle
    settings.limiter = false
    let chain = EffectChain(settings, rate: 44_100)
    var frames = [Int32](repeating: 1 << 29, count: 2_000)
    frames.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      chain.process(start, count: 500, gain: 0.5)
      chain.process(start + 1_000, count: 500, gain: 1)
    }
    #expect(frames[..<1_000].allSatisfy { $0 == 1 << 28 } && frames[1_999] == 1 << 29)
    let steps = zip(frames, frames.dropFirst(2)).map { abs($0.1 - $0.0) }
    #expect(steps.max() ?? 0 <= (1 << 28) / 220 + 1_000)
    #expect(frames[1_000 + 440] == 1 << 29)
  }

  @Test("a crossfade through a chain is the crossfade, each track with its own gain, and goes on without a step")
  func crossfades() {
    var settings = EffectSettings(normaliser: .track, limiter: false)
    settings.mixes = true
    let chain = EffectChain(settings, rate: 44_100)
    let length = 1_200
    let tail = EffectSignals.tone(50, 0.6, rate: 44_100, frames: length)
    let head = EffectSignals.tone(80, 0.4, rate: 44_100, frames: 2_000)
    let (old, new): (Float, Float) = (0.5, 0.9)
    var heard = head
    heard.withUnsafeMutableBufferPointer { heard in
      tail.withUnsafeBufferPointer { tail in
        guard let heard = heard.baseAddress, let tail = tail.baseAddress else { return }
        for start in stride(from: 0, to: length, by: 400) {
          chain.mix(
            tail + 2 * start, gain: old, with: heard + 2 * start, gain: new, position: start, length: length, count: 400
          )
        }
        chain.jump(to: new)
        chain.process(heard + 2 * length, count: 2_000 - length, gain: new)
      }
    }
    for index in 0..<heard.count {
      let gains = Crossfade.gains(at: index / 2, of: length)
      let own = index < tail.count ? Double(tail[index]) * gains.tail * Double(old) : 0
      let exact = own + Double(head[index]) * gains.head * Double(new)
      #expect(abs(Double(heard[index]) - exact) < 1_000, "\(index)")
    }
  }

  @Test("after a reset it is as new")
  func reset() {
    let settings = EffectSettings(equaliser: EqualiserCurve([.init(.lowShelf, 100, 9)]), preamp: 6)
    let sound = EffectSignals.integers(bits: 16, seed: 8, frames: 2_000)
    let chain = EffectChain(settings, rate: 44_100)
    let first = whole(chain, sound, gain: 0.9)
    chain.reset()
    #expect(whole(chain, sound, gain: 0.9) == first)
  }
}

@Suite("Samples")
struct SamplesTests {
  @Test(
    "numbers are rounded to the nearest, held within what there is, and never trap",
    arguments: [
      (0, 0), (0.4, 0), (-0.4, 0), (0.6, 1), (-0.6, -1), (2_147_483_647, .max), (2_147_483_648, .max), (1e300, .max),
      (-2_147_483_648, .min), (-2_147_483_649, .min), (-1e300, .min), (.infinity, .max), (-.infinity, .min),
      (123_456_789.2, 123_456_789), (.nan, .min),
    ] as [(Double, Int32)])
  func integer(value: Double, whole: Int32) { #expect(Samples.integer(value) == whole) }
}
