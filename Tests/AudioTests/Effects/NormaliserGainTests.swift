import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Normaliser gain")
struct NormaliserGainTests {
  private let both = LoudnessFacts(trackGain: -8, trackPeak: 0.9, albumGain: -6, albumPeak: 1)

  @Test("each mode takes what it is for, and the other where that is missing")
  func modes() {
    func gain(_ mode: NormaliserMode, _ facts: LoudnessFacts, inAlbum: Bool = false) -> Double {
      NormaliserGain(mode, facts, inAlbum: inAlbum, hasLimiter: true).decibels
    }
    #expect(gain(.off, both) == 0)
    #expect(gain(.track, both, inAlbum: true) == -8)
    #expect(gain(.album, both) == -6)
    #expect(gain(.automatic, both) == -8)
    #expect(gain(.automatic, both, inAlbum: true) == -6)
    #expect(gain(.album, LoudnessFacts(trackGain: -8)) == -8)
    #expect(gain(.track, LoudnessFacts(albumGain: -6)) == -6)
    #expect(gain(.automatic, LoudnessFacts(trackPeak: 0.5)) == NormaliserGain.cautious)
    #expect(gain(.track, LoudnessFacts(trackGain: .nan, albumGain: 900)) == NormaliserGain.cautious)
  }

  @Test("a boost stops where the peak would, 6 dB later with a limiter")
  func peaks() {
    func gain(_ wanted: Double, peak: Double?, hasLimiter: Bool) -> Double {
      NormaliserGain(
        .track, LoudnessFacts(trackGain: wanted, trackPeak: peak), inAlbum: false, hasLimiter: hasLimiter
      ).decibels
    }
    #expect(gain(12, peak: 0.5, hasLimiter: false) == -20 * log10(0.5))
    #expect(gain(12, peak: 0.5, hasLimiter: true) == 6 - 20 * log10(0.5) || gain(12, peak: 0.5, hasLimiter: true) == 12)
    #expect(gain(12, peak: nil, hasLimiter: false) == 0)
    #expect(gain(12, peak: nil, hasLimiter: true) == 6)
    #expect(gain(12, peak: 0, hasLimiter: true) == 6)
    #expect(gain(3, peak: 0.1, hasLimiter: false) == 3)
    #expect(gain(-1, peak: 2, hasLimiter: false) == -20 * log10(2))
  }

  @Test("gains add in decibels, and no peak goes over without a limiter", arguments: [UInt64(1), 2])
  func laws(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let track = Double.random(in: -20...10, using: &generator)
      let preamp = Double.random(in: -6...6, using: &generator)
      let peak = Double.random(in: 0.01...2, using: &generator)
      let facts = LoudnessFacts(trackGain: track, trackPeak: peak)
      let free = NormaliserGain(.track, facts, inAlbum: false, preamp: preamp, hasLimiter: false)
      #expect(Double(free.factor) * peak <= 1.000_001, "seed \(seed)")
      let limited = NormaliserGain(.track, facts, inAlbum: false, preamp: preamp, hasLimiter: true)
      #expect(limited.decibels <= track + preamp + 1e-9 && free.decibels <= limited.decibels)
      #expect(Double(limited.factor) * peak <= 1.996)
      if limited.decibels == track + preamp {
        let product = pow(10, track / 20) * pow(10, preamp / 20)
        #expect(abs(Double(limited.factor) / product - 1) < 1e-6)
      }
    }
  }

  @Test("what tags say goes before what was measured, and brings its own peak")
  func filling() {
    let measured = LoudnessFacts(trackGain: -5, trackPeak: 0.4, albumGain: -4, albumPeak: 0.6)
    #expect(
      LoudnessFacts(trackGain: -8).filled(with: measured)
        == LoudnessFacts(
          trackGain: -8, trackPeak: nil, albumGain: -4, albumPeak: 0.6))
    #expect(LoudnessFacts().filled(with: measured) == measured)
    #expect(both.filled(with: measured) == both)
  }
}
