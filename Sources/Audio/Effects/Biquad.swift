import Glibc

/// The five numbers of a filter of second order, after the audio EQ cookbook of Robert Bristow-Johnson, with a0 = 1.
struct Biquad: Equatable {
  var b0: Double
  var b1: Double
  var b2: Double
  var a1: Double
  var a2: Double

  /// Nil where the band lies so near the half of the rate that there is nothing left to filter.
  init?(_ band: EqualiserBand, rate: Double) {
    guard band.hertz < 0.49 * rate else { return nil }
    let amplitude = pow(10, band.decibels / 40)
    let angle = 2 * .pi * band.hertz / rate
    let cosine = cos(angle)
    let alpha = sin(angle) / (2 * band.q)
    let b: (Double, Double, Double)
    let a: (Double, Double, Double)
    switch band.kind {
    case .peak:
      b = (1 + alpha * amplitude, -2 * cosine, 1 - alpha * amplitude)
      a = (1 + alpha / amplitude, -2 * cosine, 1 - alpha / amplitude)
    case .lowShelf, .highShelf:
      // A high shelf is a low one with the sign of every cosine turned.
      let sign: Double = band.kind == .lowShelf ? 1 : -1
      let rest = sign * cosine
      let slope = 2 * amplitude.squareRoot() * alpha
      let (up, down) = (amplitude + 1, amplitude - 1)
      b = (
        amplitude * (up - down * rest + slope), sign * 2 * amplitude * (down - up * rest),
        amplitude * (up - down * rest - slope)
      )
      a = (up + down * rest + slope, sign * -2 * (down + up * rest), up + down * rest - slope)
    }
    b0 = b.0 / a.0
    b1 = b.1 / a.0
    b2 = b.2 / a.0
    a1 = a.1 / a.0
    a2 = a.2 / a.0
  }

  /// What becomes of a steady tone.
  func decibels(at hertz: Double, rate: Double) -> Double {
    let angle = 2 * .pi * hertz / rate
    func power(_ first: Double, _ second: Double, _ third: Double) -> Double {
      let real = first + second * cos(angle) + third * cos(2 * angle)
      let imaginary = second * sin(angle) + third * sin(2 * angle)
      return real * real + imaginary * imaginary
    }
    return 10 * log10(power(b0, b1, b2) / power(1, a1, a2))
  }
}
