import Glibc
import Runtime
import Testing

@testable import Audio

@Suite("Cutting bits")
struct DitherTests {
  /// What comes out, back at the top of 32 bits.
  private func cut(_ samples: [Int32], width: Int, bits: Int32, seed: UInt64 = 3) -> [Int32] {
    var noise = DitherNoise(seed: seed)
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 * samples.count)
    defer { bytes.deallocate() }
    samples.withUnsafeBufferPointer { source in
      if let start = source.baseAddress {
        SampleWriter.write(start, samples: samples.count, width: width, into: bytes, bits: bits, noise: &noise)
      }
    }
    return samples.indices.map { index in
      let value = (0..<width).reduce(UInt32(0)) { $0 | UInt32(bytes[index * width + $1]) << UInt32(8 * $1) }
      return Int32(bitPattern: value << UInt32(32 - 8 * width))
    }
  }

  private static let count = 1 << 16

  /// A soft tone, between steps for the most part.
  private var tone: [Int32] {
    (0..<Self.count).map { Int32(150_000 * sin(2 * .pi * 997 * Double($0) / 44_100)) }
  }

  @Test("what has no more bits than are kept comes through, to the bit", arguments: [2, 3, 4])
  func exact(width: Int) {
    let shift = Int32(32 - 8 * width)
    let samples = tone.map { (($0 &* 7_919) >> shift) << shift } + [(Int32.max >> shift) << shift, .min, 0]
    #expect(cut(samples, width: width, bits: Int32(8 * width)) == samples)
    #expect(cut(samples, width: 4, bits: 32) == samples)
  }

  @Test("silence is silence, and the ends do not wrap", arguments: [2, 3])
  func ends(width: Int) {
    let silence = [Int32](repeating: 0, count: 1_000)
    #expect(cut(silence, width: width, bits: 0) == silence)
    let step = Int32(1) << Int32(32 - 8 * width)
    #expect(cut([Int32](repeating: .max, count: 1_000), width: width, bits: 32).allSatisfy { $0 >= .max - 3 * step })
    #expect(cut([Int32](repeating: .min, count: 1_000), width: width, bits: 32).allSatisfy { $0 <= .min + 3 * step })
  }

  @Test(
    "with noise the error's mean is 0, its size what two throws give, whatever lies between two steps",
    arguments: [2, 3])
  func mean(width: Int) {
    let step = Double(Int32(1) << Int32(32 - 8 * width))
    for part in [0.0, 0.1, 0.25, 0.5, 0.9] {
      let level = Int32(5 * step + part * step)
      let errors = cut([Int32](repeating: level, count: Self.count), width: width, bits: 32)
        .map { (Double($0) - Double(level)) / step }
      let mean = errors.reduce(0, +) / Double(errors.count)
      let power = errors.map { $0 * $0 }.reduce(0, +) / Double(errors.count)
      #expect(abs(mean) < 0.01, "\(part): \(mean)")
      // A triangle of two steps and the cut itself: a quarter of a step squared, wherever the level stands.
      #expect(abs(power - 0.25) < 0.01, "\(part): \(power)")
    }
  }

  @Test("the error has no tone in it: alike in each of eight bands, and no line stands out")
  func flat() {
    let samples = tone
    let step = 65_536.0
    let errors = zip(cut(samples, width: 2, bits: 32), samples).map { (Double($0) - Double($1)) / step }
    let plain = samples.map { (Double((($0 + 32_768) >> 16) << 16) - Double($0)) / step }
    let lines = spectrum(errors)
    let mean = lines.reduce(0, +) / Double(lines.count)
    for band in 0..<8 {
      let part = lines[(band * lines.count / 8)..<((band + 1) * lines.count / 8)]
      let ratio = part.reduce(0, +) / Double(part.count) / mean
      #expect(abs(ratio - 1) < 0.1, "band \(band): \(ratio)")
    }
    // Noise of so many lines has its highest about 11 times above the mean; harmonics stand far above that.
    #expect((lines.max() ?? 0) < 25 * mean)
    let bare = spectrum(plain)
    #expect((bare.max() ?? 0) > 100 * bare.reduce(0, +) / Double(bare.count))
  }

  /// Power of each line but the lowest, by a plain fast Fourier transform.
  private func spectrum(_ samples: [Double]) -> [Double] {
    let count = samples.count
    var real = samples
    var imaginary = [Double](repeating: 0, count: count)
    var place = 0
    for index in 1..<count {
      var bit = count >> 1
      while place & bit != 0 {
        place ^= bit
        bit >>= 1
      }
      place |= bit
      if index < place { real.swapAt(index, place) }
    }
    var size = 2
    while size <= count {
      for start in stride(from: 0, to: count, by: size) {
        for index in 0..<size / 2 {
          let angle = -2 * Double.pi * Double(index) / Double(size)
          let (low, high) = (start + index, start + index + size / 2)
          let (sine, cosine) = (sin(angle), cos(angle))
          let turned = real[high] * cosine - imaginary[high] * sine
          let other = real[high] * sine + imaginary[high] * cosine
          (real[high], imaginary[high]) = (real[low] - turned, imaginary[low] - other)
          (real[low], imaginary[low]) = (real[low] + turned, imaginary[low] + other)
        }
      }
      size *= 2
    }
    return (1..<count / 2).map { (at: Int) -> Double in real[at] * real[at] + imaginary[at] * imaginary[at] }
  }
}
