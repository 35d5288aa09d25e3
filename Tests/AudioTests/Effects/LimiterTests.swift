import Glibc
import TestSupport
import Testing

@testable import Audio

@Suite("Limiter")
struct LimiterTests {
  /// How far peaks may be above the ceiling, in decibels, by a meter after BS.1770.
  private static let standardTolerance = 0.15
  /// The same by a filter six times as long as the limiter's own; noise up to half of the rate is beyond what either
  /// meter can see.
  private static let tolerance = 0.3
  private static let toleranceOfNoise = 1.5

  private static func standardPeak(_ frames: [SIMD2<Float>]) throws -> Double {
    let meter = try LoudnessMeter(rate: 44_100)
    let whole = frames.flatMap { [Samples.integer(Double($0.x) * 0x1p31), Samples.integer(Double($0.y) * 0x1p31)] }
    try whole.withUnsafeBufferPointer { whole in
      if let start = whole.baseAddress { try meter.take(start, count: frames.count) }
    }
    return meter.truePeak
  }

  enum Sound: CaseIterable, Sendable {
    case walk, walkOfBursts, nearQuarterRate, atQuarterRate, highTone, steps, bass, impulses, music, noise

    func frames(_ count: Int, seed: UInt64) -> [SIMD2<Float>] {
      var generator = SeededGenerator(seed: seed)
      func random(_ range: ClosedRange<Float>) -> Float { .random(in: range, using: &generator) }
      switch self {
      case .walk, .walkOfBursts:
        var (level, place) = (Float(1), SIMD2<Float>.zero)
        return (0..<count).map { frame in
          if self == .walkOfBursts && frame % 700 == 0 { level = random(0...4) }
          place = (place + SIMD2(random(-0.4...0.4), random(-0.4...0.4))).clamped(
            lowerBound: SIMD2(repeating: -2), upperBound: SIMD2(repeating: 2))
          return place * level
        }
      case .nearQuarterRate: return EffectSignals.sine(44_100 / 4 + 3, 1.4, phase: .pi / 4, frames: count)
      case .atQuarterRate: return EffectSignals.sine(44_100 / 4, 1.4, phase: .pi / 4, frames: count)
      case .highTone: return EffectSignals.sine(15_000, 1.9, phase: 1, frames: count)
      case .noise: return EffectSignals.noise(2, seed: seed, frames: count)
      case .bass: return EffectSignals.sine(45, 3, frames: count)
      case .steps: return (0..<count).map { $0 / 50 % 2 == 0 ? SIMD2(1.5, -0.2) : SIMD2(-1.5, 0.2) }
      case .impulses: return (0..<count).map { $0 % 331 == 7 ? SIMD2(7, -3) : SIMD2(random(-0.1...0.1), 0) }
      case .music:
        return (0..<count).map { frame in
          let time = Float(frame) / 44_100
          let swell = 1 + sin(time * 30)
          return SIMD2(repeating: swell * (sin(time * 440) + sin(time * 2_900) * 0.7) + random(-0.2...0.2))
        }
      }
    }
  }

  @Test("no sample is above the ceiling, nor is any point between them beyond the tolerance", arguments: Sound.allCases)
  func ceiling(sound: Sound) throws {
    for (decibels, seed) in [(-1.0, UInt64(1)), (-6, 2)] {
      let limiter = Limiter(ceiling: decibels, rate: 44_100)
      let heard = EffectSignals.run(limiter, sound.frames(6_000, seed: seed), part: 441)
      let samples = heard.reduce(0) { max($0, abs($1.x), abs($1.y)) }
      #expect(samples <= GainLink.factor(decibels), "\(sound)")
      let between = 20 * log10(Interpolator.peak(heard)) - decibels
      #expect(between <= (sound == .noise ? Self.toleranceOfNoise : Self.tolerance), "\(sound), seed \(seed)")
      let standard = 20 * log10(try Self.standardPeak(heard)) - decibels
      #expect(standard <= Self.standardTolerance, "\(sound), ceiling \(decibels), seed \(seed)")
    }
  }

  @Test("what stays below passes bit for bit, later by the latency", arguments: [8_000, 44_100, 192_000])
  func transparent(rate: Int) {
    let limiter = Limiter(ceiling: -1, rate: Int32(rate))
    let sound = EffectSignals.noise(0.3, seed: 7, frames: 5_000)
    let heard = EffectSignals.run(limiter, sound + Array(repeating: .zero, count: limiter.latency), part: 700)
    #expect(heard.dropFirst(limiter.latency).elementsEqual(sound))
    #expect(heard.prefix(limiter.latency).allSatisfy { $0 == .zero })
    #expect(limiter.latency >= rate * 15 / 10_000 && (rate < 44_100 || limiter.latency <= rate * 5 / 1_000))
    // A tone just below the ceiling, where every point between samples counts.
    // It comes in slowly: a sudden start swings over.
    let loud = EffectSignals.sine(1_000, 0.88, frames: 3_000).enumerated().map { $1 * min(Float($0) / 1_000, 1) }
    limiter.reset()
    let passed = EffectSignals.run(limiter, loud)
    #expect(passed.dropFirst(limiter.latency).elementsEqual(loud.dropLast(limiter.latency)))
  }

  @Test("after a peak it lets go smoothly and all the way, and how it is cut up makes no difference")
  func release() {
    let count = 60_000
    let sound = (0..<count).map { $0 == 2_000 ? SIMD2<Float>(repeating: 2) : SIMD2<Float>(repeating: 0.4) }
    let heard = EffectSignals.run(Limiter(ceiling: -1, rate: 44_100), sound, part: 512)
    for part in [1, 100, 5_000] {
      #expect(EffectSignals.run(Limiter(ceiling: -1, rate: 44_100), sound, part: part) == heard)
    }
    let limiter = Limiter(ceiling: -1, rate: 44_100)
    let peak = 2_000 + limiter.latency
    #expect(abs(heard[peak].x - GainLink.factor(-1)) < 0.001)
    // Around it the constant sinks and rises; no step is larger than the fall over a millisecond would make.
    let around = heard[(limiter.latency + 1)..<count].enumerated().filter { $0.offset + limiter.latency + 1 != peak }
    let steps = zip(around, around.dropFirst()).map { abs($0.1.element.x - $0.0.element.x) }
    #expect(steps.max() ?? 1 < 0.4 * 0.6 / 44)
    #expect(heard[count - 1].x == 0.4)
    #expect(heard[peak + 4_410].x > 0.2 && heard[peak + 4_410].x < 0.4)
    limiter.reset()
  }

  @Test("the course of loudness is never above any wish it has to reach", arguments: [UInt64(1), 2, 3])
  func course(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (ramp, hold) = (Int.random(in: 16...60, using: &generator), 12)
    var gain = LimiterGain(ramp: ramp, hold: hold, releaseFrames: 50)
    defer { gain.free() }
    let wishes = (0..<4_000).map { _ -> Int64 in
      Int.random(in: 0..<40, using: &generator) == 0
        ? Int64.random(in: 0...LimiterGain.unity, using: &generator) : LimiterGain.unity
    }
    var gains = [Float](repeating: 0, count: wishes.count)
    gains.withUnsafeMutableBufferPointer { gains in
      wishes.withUnsafeBufferPointer { wishes in
        guard let wishes = wishes.baseAddress, let gains = gains.baseAddress else { return }
        gain.follow(wishes, count: 4_000, into: gains)
      }
    }
    // A wish is met from `ramp` frames after it came, and for as long as it is held.
    for (time, wish) in wishes.enumerated() {
      let wanted = Float(Double(wish) / 0x1p30)
      for later in (time + ramp - 1)..<(time + ramp + hold) where later < gains.count {
        #expect(gains[later] <= wanted.nextUp, "seed \(seed), \(time), \(later - time)")
      }
    }
  }
}

/// A filter far longer than the limiter's own, as the judge: four points for each sample, 96 taps a point.
enum Interpolator {
  private static let reach = 48
  private static let points: [[Double]] = [0.25, 0.5, 0.75].map { place in
    (-reach + 1...reach).map { tap in
      let distance = Double(tap) - place
      let window = 0.5 + 0.5 * cos(.pi * distance / Double(reach))
      return sin(.pi * distance) / (.pi * distance) * window
    }
  }

  static func peak(_ frames: [SIMD2<Float>]) -> Double {
    var peak = 0.0
    for side in 0..<2 {
      let samples = frames.map { Double($0[side]) }
      samples.withUnsafeBufferPointer { samples in
        for middle in reach..<samples.count - reach {
          peak = max(peak, abs(samples[middle]))
          for filter in points {
            let sum = filter.withUnsafeBufferPointer { filter -> Double in
              var sum = 0.0
              var place = middle - reach + 1
              for tap in 0..<2 * reach {
                sum += filter[tap] * samples[place]
                place += 1
              }
              return sum
            }
            peak = max(peak, abs(sum))
          }
        }
      }
    }
    return peak
  }
}
