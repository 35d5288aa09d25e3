/// Bells and shelves, one behind the other: transposed direct form II, left and right side by side. Inside it counts
/// with Double, because a bell at 60 Hz has poles so near the circle that Float would hiss where nobody could mask it,
/// and two Doubles fill a register just as two Floats leave it half empty. Bands of 0 dB are left out, and with none
/// left every bit passes. Used by one thread at a time.
final class Equaliser: Effect {
  let latency = 0
  private let rate: Double
  private let fade: Int
  private var now: Bank
  /// What sounded before the last change, fading out; empty of meaning when `left` is 0.
  private var before: Bank
  private var left = 0
  /// Waits until a change under way is through.
  private var pending: [EqualiserBand]?
  private let scratch: UnsafeMutablePointer<SIMD2<Float>>
  private static let block = 512

  /// `keepsIdle`: bands of 0 dB are reckoned with too, which tests use to see that they change nothing.
  init(_ bands: [EqualiserBand], rate: Int32, keepsIdle: Bool = false) {
    self.rate = Double(rate)
    fade = max(1, Int(rate) / 100)
    now = Bank()
    before = Bank()
    scratch = .allocate(capacity: Self.block)
    scratch.initialize(repeating: .zero, count: Self.block)
    now.take(bands, rate: self.rate, keepsIdle: keepsIdle)
  }

  deinit {
    now.free()
    before.free()
    scratch.deallocate()
  }

  func turn(to link: EffectSettings.Link) -> Bool {
    guard case .equaliser(let bands) = link else { return false }
    if left > 0 { pending = bands } else { begin(bands) }
    return true
  }

  /// The new filters start from the state of the old ones in the same places, which is near to what they will have.
  private func begin(_ bands: [EqualiserBand]) {
    swap(&now, &before)
    now.take(bands, rate: rate, keepsIdle: false)
    now.continueFrom(before)
    left = fade
  }

  func reset() {
    if let bands = pending { now.take(bands, rate: rate, keepsIdle: false) }
    pending = nil
    left = 0
    now.forget()
  }

  func process(_ frames: UnsafeMutablePointer<SIMD2<Float>>, count: Int) {
    var done = 0
    while done < count && left > 0 {
      let part = min(min(count - done, left), Self.block)
      change(frames + done, count: part)
      done += part
      if left == 0, let bands = pending {
        pending = nil
        begin(bands)
      }
    }
    now.run(frames + done, count: count - done)
  }

  private func change(_ frames: UnsafeMutablePointer<SIMD2<Float>>, count: Int) {
    let old = scratch
    old.update(from: frames, count: count)
    before.run(old, count: count)
    now.run(frames, count: count)
    Self.fade(from: old, to: frames, count: count, weight: Float(left) / Float(fade), step: 1 / Float(fade))
    left -= count
  }

  @_noLocks
  private static func fade(
    from old: UnsafePointer<SIMD2<Float>>, to frames: UnsafeMutablePointer<SIMD2<Float>>, count: Int, weight: Float,
    step: Float
  ) {
    var weight = weight
    for frame in 0..<count {
      weight -= step
      frames[frame] += (old[frame] - frames[frame]) * max(weight, 0)
    }
  }
}
