import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Loudness meter")
struct LoudnessMeterTests {
  private func meter(_ sounds: [[Int32]], rate: Int32 = 48_000) throws -> LoudnessMeter {
    let meter = try LoudnessMeter(rate: rate)
    for sound in sounds {
      try sound.withUnsafeBufferPointer { sound in
        guard let start = sound.baseAddress else { return }
        try meter.take(start, count: sound.count / 2)
      }
    }
    return meter
  }

  @Test("EBU's reference tone, 1 kHz at -23 dB on both sides, is -23 LUFS", arguments: [Int32(44_100), 48_000, 96_000])
  func reference(rate: Int32) throws {
    let tone = EffectSignals.tone(1_000, pow(10, -23.0 / 20), rate: rate, frames: Int(rate) * 2)
    let meter = try meter([tone], rate: rate)
    let loudness = try #require(meter.loudness)
    #expect(abs(loudness + 23) < 0.1, "\(loudness)")
    #expect(meter.frames == Int64(rate) * 2 && abs(20 * log10(meter.truePeak) + 23) < 0.1)
  }

  @Test("silence, and less than a moment, have no loudness; pieces and the whole have the same")
  func edges() throws {
    #expect(try meter([]).loudness == nil)
    #expect(try meter([[Int32](repeating: 0, count: 96_000)]).loudness == nil)
    #expect(try meter([EffectSignals.tone(1_000, 0.5, rate: 48_000, frames: 4_800)]).loudness == nil)
    let sound = EffectSignals.tone(440, 0.3, rate: 48_000, frames: 40_000)
    #expect(try meter([sound]).loudness == meter([Array(sound[..<4_002]), Array(sound[4_002...])]).loudness)
    #expect(try faultOf { () throws(Fault) in try LoudnessMeter(rate: 0) }.code == "A-184")
  }

  @Test("a peak between samples is seen")
  func truePeak() throws {
    // At a quarter of the rate, sampled 45 degrees beside its tops.
    let sound = (0..<20_000).map { Int32(0x1p30 * sin(Double($0 / 2) * .pi / 2 + .pi / 4)) }
    #expect(abs(20 * log10(try meter([sound]).truePeak) + 6.02) < 0.3)
  }

  @Test("an album is as loud as its tracks one behind the other")
  func album() throws {
    let soft = EffectSignals.tone(1_000, 0.05, rate: 48_000, frames: 96_000)
    let loud = EffectSignals.tone(1_000, 0.2, rate: 48_000, frames: 48_000)
    let together = try #require(try meter([soft, loud]).loudness)
    let meters = [try meter([soft]), try meter([loud])]
    let album = try #require(LoudnessMeter.albumLoudness(meters))
    // Blocks across the seam are in one and not in the other.
    #expect(abs(album - together) < 0.3)
    #expect(album > meters[0].loudness ?? 0 && album < meters[1].loudness ?? 0)
    #expect(LoudnessMeter.albumLoudness([]) == nil)
  }
}
