import Glibc
import TestSupport

@testable import Audio

/// Frames that tests of effects make themselves, left and right different.
enum EffectSignals {
  static func sine(_ hertz: Double, _ amplitude: Double, rate: Double = 44_100, phase: Double = 0, frames: Int)
    -> [SIMD2<Float>]
  {
    (0..<frames).map { frame in
      let angle = 2 * .pi * hertz * Double(frame) / rate + phase
      return SIMD2(Float(amplitude * sin(angle)), Float(amplitude * cos(angle)))
    }
  }

  static func noise(_ amplitude: Float, seed: UInt64, frames: Int) -> [SIMD2<Float>] {
    var generator = SeededGenerator(seed: seed)
    return (0..<frames).map { _ in
      SIMD2(
        Float.random(in: -amplitude...amplitude, using: &generator),
        .random(in: -amplitude...amplitude, using: &generator))
    }
  }

  /// Whole numbers that carry `bits` bits at the top.
  static func integers(bits: Int, seed: UInt64, frames: Int) -> [Int32] {
    var generator = SeededGenerator(seed: seed)
    return (0..<2 * frames).map { index in
      if index % 97 == 5 { return index % 2 == 0 ? .min : .max << Int32(32 - bits) }
      return (Int32(truncatingIfNeeded: generator.next()) >> Int32(32 - bits)) << Int32(32 - bits)
    }
  }

  /// A tone of whole numbers on both sides.
  static func tone(_ hertz: Double, _ amplitude: Double, rate: Int32, frames: Int) -> [Int32] {
    (0..<2 * frames).map { index in
      Int32((amplitude * sin(2 * .pi * hertz * Double(index / 2) / Double(rate)) * 0x1p31).rounded())
    }
  }

  static func run(_ effect: any Effect, _ frames: [SIMD2<Float>], part: Int = 300) -> [SIMD2<Float>] {
    var frames = frames
    frames.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      var done = 0
      while done < buffer.count {
        let count = min(part, buffer.count - done)
        effect.process(start + done, count: count)
        done += count
      }
    }
    return frames
  }

  /// The power of what differs, in decibels of full scale.
  static func difference(_ one: some Sequence<SIMD2<Float>>, _ other: some Sequence<SIMD2<Float>>) -> Double {
    var (sum, count) = (0.0, 0)
    for (first, second) in zip(one, other) {
      let (left, right) = (Double(first.x) - Double(second.x), Double(first.y) - Double(second.y))
      sum += left * left + right * right
      count += 2
    }
    return 10 * log10(sum / Double(max(count, 1)) + 1e-40)
  }

  /// Decibels of the left side's part at `hertz`, over the frames given.
  static func level(_ frames: some Sequence<SIMD2<Float>>, at hertz: Double, rate: Double) -> Double {
    var (real, imaginary, count) = (0.0, 0.0, 0)
    for frame in frames {
      let angle = 2 * .pi * hertz * Double(count) / rate
      real += Double(frame.x) * cos(angle)
      imaginary += Double(frame.x) * sin(angle)
      count += 1
    }
    return 20 * log10(2 * (real * real + imaginary * imaginary).squareRoot() / Double(max(count, 1)))
  }
}
