import Glibc

/// How far the sound goes between two samples, where a converter will go too: four points for one, as BS.1770 asks,
/// by a windowed sinc of 16 taps a point: to 0.1 dB up to 18 kHz at 44.1 kHz, too low above that, where music has
/// nothing that makes a peak. The quarters are mirror images of each other, so both cost little more than one.
struct TruePeakDetector {
  static var taps: Int { 16 }
  /// The peak of a frame is known so many frames later.
  static var delay: Int { taps / 2 }

  private let half: SIMD8<Float>
  private let even: SIMD8<Float>
  private let odd: SIMD8<Float>
  /// No point between samples is farther out than this times the largest of the samples around it.
  let bound: Float

  init() {
    let middle = Self.points(at: 0.5)
    let quarter = Self.points(at: 0.25)
    // The type checker takes seconds for these lines where the closures' types are left out.
    half = SIMD8((0..<8).map { (at: Int) -> Float in Float(middle[7 - at]) })
    even = SIMD8((0..<8).map { (at: Int) -> Float in Float((quarter[7 - at] + quarter[8 + at]) / 2) })
    odd = SIMD8((0..<8).map { (at: Int) -> Float in Float((quarter[7 - at] - quarter[8 + at]) / 2) })
    bound = 1.001 * Float(max(middle.reduce(0) { $0 + abs($1) }, quarter.reduce(0) { $0 + abs($1) }))
  }

  /// A sinc under a Kaiser window; a steady sound stays as it is.
  private static func points(at place: Double) -> [Double] {
    let beta = 4.0
    let raw = (0..<taps).map { tap -> Double in
      let distance = Double(tap) - 7 - place
      let inside = max(0, 1 - (distance / 8) * (distance / 8))
      let window = bessel(beta * inside.squareRoot()) / bessel(beta)
      return sin(.pi * distance) / (.pi * distance) * window
    }
    let sum = raw.reduce(0, +)
    return raw.map { $0 / sum }
  }

  private static func bessel(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for step in 1...30 {
      term *= (x / 2 / Double(step)) * (x / 2 / Double(step))
      sum += term
    }
    return sum
  }

  /// Peaks of `count` frames, left and right apart: of those `delay` before the ones at `frames`, before which there
  /// must be as many more as there are taps.
  @_noLocks
  func measure(
    _ frames: UnsafePointer<SIMD2<Float>>, count: Int, into peaks: UnsafeMutablePointer<Float>
  ) {
    let start = UnsafeRawPointer(frames - (Self.taps - 1)).assumingMemoryBound(to: Float.self)
    let (h0, h1, h2, h3, h4, h5, h6, h7) = (half[0], half[1], half[2], half[3], half[4], half[5], half[6], half[7])
    let (e0, e1, e2, e3, e4, e5, e6, e7) = (even[0], even[1], even[2], even[3], even[4], even[5], even[6], even[7])
    let (o0, o1, o2, o3, o4, o5, o6, o7) = (odd[0], odd[1], odd[2], odd[3], odd[4], odd[5], odd[6], odd[7])
    for sample in 0..<2 &* count {
      // Every second one is of the same side; 14 and 16 stand in the middle.
      let near = start + sample
      let (s0, s1, s2, s3) = (near[14] + near[16], near[12] + near[18], near[10] + near[20], near[8] + near[22])
      let (s4, s5, s6, s7) = (near[6] + near[24], near[4] + near[26], near[2] + near[28], near[0] + near[30])
      let (d0, d1, d2, d3) = (near[14] - near[16], near[12] - near[18], near[10] - near[20], near[8] - near[22])
      let (d4, d5, d6, d7) = (near[6] - near[24], near[4] - near[26], near[2] - near[28], near[0] - near[30])
      let middle = (h0 * s0 + h1 * s1 + h2 * s2 + h3 * s3) + (h4 * s4 + h5 * s5 + h6 * s6 + h7 * s7)
      let alike = (e0 * s0 + e1 * s1 + e2 * s2 + e3 * s3) + (e4 * s4 + e5 * s5 + e6 * s6 + e7 * s7)
      let apart = (o0 * d0 + o1 * d1 + o2 * d2 + o3 * d3) + (o4 * d4 + o5 * d5 + o6 * d6 + o7 * d7)
      // The larger of both quarters: |a + b| and |a - b| are at most, and one of them is, |a| + |b|.
      let quarters = abs(alike) + abs(apart)
      let own = abs(near[14])
      let outer = own > abs(middle) ? own : abs(middle)
      peaks[sample] = outer > quarters ? outer : quarters
    }
  }
}
