/// Bells and shelves, one behind the other: transposed direct form II, left and right side by side. Inside it counts
/// with Double, because a bell at 60 Hz has poles so near the circle that Float would hiss where nobody could mask it,
/// and two Doubles fill a register just as two Floats leave it half empty. Bands of 0 dB are left out, and with none
/// left every bit passes. Used by one thread at a time.
final class Equaliser: Effect {
  let latency = 0
  private let bank: Bank

  /// `keepsIdle`: bands of 0 dB are reckoned with too, which tests use to see that they change nothing.
  init(_ bands: [EqualiserBand], rate: Int32, keepsIdle: Bool = false) {
    bank = Bank(bands, rate: Double(rate), keepsIdle: keepsIdle)
  }

  deinit { bank.free() }

  func reset() { bank.forget() }

  func process(_ frames: UnsafeMutablePointer<SIMD2<Float>>, count: Int) { bank.run(frames, count: count) }
}
