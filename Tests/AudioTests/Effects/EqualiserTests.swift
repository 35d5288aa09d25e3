import Glibc
import TestSupport
import Testing

@testable import Audio

@Suite("Equaliser")
struct EqualiserTests {
  @Test("with nothing to do every bit passes; bands of 0 dB that are reckoned all the same stay below -120 dB")
  func identity() {
    let sound = EffectSignals.noise(0.9, seed: 5, frames: 4_000)
    #expect(EffectSignals.run(Equaliser([], rate: 44_100), sound) == sound)
    let idle = (0..<10).map { EqualiserBand(.peak, 30 * exp2(Double($0)), 0) }
    #expect(EffectSignals.run(Equaliser(idle, rate: 44_100), sound) == sound)
    let reckoned = EffectSignals.run(Equaliser(idle, rate: 44_100, keepsIdle: true), sound)
    #expect(EffectSignals.difference(reckoned, sound) < -120)
  }

  @Test(
    "up and down again by the same filter is the sound itself, down to -140 dB: what counting adds is no louder",
    arguments: [EqualiserBand.Kind.peak, .lowShelf, .highShelf], [60.0, 1_000, 12_000])
  func noise(kind: EqualiserBand.Kind, hertz: Double) {
    let sound = EffectSignals.sine(60, 0.2, frames: 6_000)
    let there = Equaliser([EqualiserBand(kind, hertz, 12), EqualiserBand(kind, hertz, -12)], rate: 44_100)
    let difference = EffectSignals.difference(EffectSignals.run(there, sound), sound)
    #expect(difference < -140, "\(difference) dB")
  }

  @Test("a tone comes out as loud as the curve says", arguments: [60.0, 250, 1_000, 8_000], [44_100.0, 96_000])
  func response(hertz: Double, rate: Double) {
    let curve = EqualiserCurve([
      .init(.lowShelf, 80, 4), .init(.peak, 250, -6, q: 1.4), .init(.peak, 1_000, 3), .init(.highShelf, 8_000, -5),
    ])
    let frames = Int(rate) / 4
    let sound = EffectSignals.sine(hertz, 0.1, rate: rate, frames: frames)
    let heard = EffectSignals.run(Equaliser(curve.bands, rate: Int32(rate)), sound)
    // Whole periods of all four, after the filters have swung in.
    let steady = heard.suffix(Int(rate) / 10)
    let level = EffectSignals.level(steady, at: hertz, rate: rate) - 20 * log10(0.1)
    #expect(abs(level - curve.decibels(at: hertz, rate: rate)) < 0.02, "\(level)")
    // The middle of a bell is its gain, the half of a shelf stands at its frequency.
    #expect(abs(EqualiserCurve([.init(.peak, 500, 7)]).decibels(at: 500, rate: rate) - 7) < 1e-9)
    #expect(abs(EqualiserCurve([.init(.lowShelf, 500, 8)]).decibels(at: 500, rate: rate) - 4) < 1e-9)
    #expect(abs(EqualiserCurve([.init(.lowShelf, 500, 8)]).decibels(at: 1, rate: rate) - 8) < 0.01)
    #expect(abs(EqualiserCurve([.init(.highShelf, 500, 8)]).decibels(at: rate / 2, rate: rate) - 8) < 0.01)
  }

  @Test("parts of any size give the same sound, and silence after it is silence")
  func parts() {
    let bands = [EqualiserBand(.peak, 40, 6, q: 2), .init(.highShelf, 10_000, -3)]
    let sound = EffectSignals.noise(0.5, seed: 9, frames: 3_000) + Array(repeating: .zero, count: 3_000)
    let whole = EffectSignals.run(Equaliser(bands, rate: 48_000), sound, part: 6_000)
    for part in [1, 7, 512] { #expect(EffectSignals.run(Equaliser(bands, rate: 48_000), sound, part: part) == whole) }
    let equaliser = Equaliser(bands, rate: 48_000)
    _ = EffectSignals.run(equaliser, sound)
    equaliser.reset()
    #expect(EffectSignals.run(equaliser, sound) == whole)
    let long = EffectSignals.run(equaliser, Array(repeating: .zero, count: 90_000), part: 500)
    #expect(long.suffix(500).allSatisfy { $0 == .zero })
  }

  @Test("bands beyond half of the rate do nothing")
  func beyond() {
    let sound = EffectSignals.noise(0.5, seed: 3, frames: 500)
    #expect(EffectSignals.run(Equaliser([.init(.highShelf, 8_000, 12)], rate: 8_000), sound) == sound)
  }

  private func steps(_ frames: ArraySlice<SIMD2<Float>>) -> Double {
    zip(frames, frames.dropFirst()).reduce(0) { max($0, Double(abs($1.1.x - $1.0.x)), Double(abs($1.1.y - $1.0.y))) }
  }
}
