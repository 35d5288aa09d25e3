import Glibc

/// Keeps true peaks at or below a ceiling. It looks ahead 3 ms: the loudness is down when the peak arrives, and comes
/// back over some tenths of a second. What stays below the ceiling passes bit for bit, only later. Used by one thread
/// at a time.
final class Limiter: Effect {
  let latency: Int
  private let ceiling: Float
  private let detector = TruePeakDetector()
  private var gain: LimiterGain
  /// The last `latency` frames, then the block at hand.
  private let line: UnsafeMutablePointer<SIMD2<Float>>
  private let peaks: UnsafeMutablePointer<Float>
  private let wishes: UnsafeMutablePointer<Int64>
  private let gains: UnsafeMutablePointer<Float>
  private static let block = 512
  private static let releaseSeconds = 0.15

  init(ceiling decibels: Double, rate: Int32) {
    ceiling = GainLink.factor(decibels)
    let ramp = max(16, Int(rate) * 3 / 1_000)
    // A peak lies between the samples that its taps reach, so its wish holds for them all.
    gain = LimiterGain(
      ramp: ramp, hold: TruePeakDetector.taps, releaseFrames: Double(rate) * Self.releaseSeconds)
    latency = ramp + TruePeakDetector.taps - 1
    line = .allocate(capacity: latency + Self.block)
    peaks = .allocate(capacity: 2 * Self.block)
    wishes = .allocate(capacity: Self.block)
    gains = .allocate(capacity: Self.block)
    line.initialize(repeating: .zero, count: latency + Self.block)
    peaks.initialize(repeating: 0, count: 2 * Self.block)
    wishes.initialize(repeating: LimiterGain.unity, count: Self.block)
    gains.initialize(repeating: 1, count: Self.block)
  }

  deinit {
    gain.free()
    line.deallocate()
    peaks.deallocate()
    wishes.deallocate()
    gains.deallocate()
  }

  func reset() {
    line.update(repeating: .zero, count: latency)
    gain.forget()
  }

  func process(_ frames: UnsafeMutablePointer<SIMD2<Float>>, count: Int) {
    var done = 0
    while done < count {
      let part = min(count - done, Self.block)
      hold(frames + done, count: part)
      done += part
    }
  }

  private func hold(_ frames: UnsafeMutablePointer<SIMD2<Float>>, count: Int) {
    (line + latency).update(from: frames, count: count)
    let wishesAny = wish(count)
    if gain.isCalm && !wishesAny {
      frames.update(from: line, count: count)
    } else {
      gain.follow(wishes, count: count, into: gains)
      Self.apply(gains, to: line, count: count, ceiling: ceiling, into: frames)
    }
    line.update(from: line + count, count: latency)
  }

  @_noLocks
  private static func apply(
    _ gains: UnsafePointer<Float>, to line: UnsafePointer<SIMD2<Float>>, count: Int, ceiling: Float,
    into frames: UnsafeMutablePointer<SIMD2<Float>>
  ) {
    let most = SIMD2<Float>(repeating: ceiling)
    for frame in 0..<count {
      let sound = line[frame] * gains[frame]
      // Only what the last bit of a product may be too much.
      frames[frame] = sound.clamped(lowerBound: -most, upperBound: most)
    }
  }

  /// What each frame that is known by now asks for. False when none asks for anything.
  private func wish(_ count: Int) -> Bool {
    let reach = TruePeakDetector.taps - 1
    let newest = line + latency
    if Self.largest(newest - reach, count: count + reach) * detector.bound <= ceiling {
      wishes.update(repeating: LimiterGain.unity, count: count)
      return false
    }
    detector.measure(newest, count: count, into: peaks)
    return Self.wishes(of: peaks, count: count, ceiling: ceiling, none: LimiterGain.unity, into: wishes)
  }

  @_noLocks
  private static func largest(_ frames: UnsafePointer<SIMD2<Float>>, count: Int) -> Float {
    let samples = UnsafeRawPointer(frames).assumingMemoryBound(to: Float.self)
    var largest: Float = 0
    for sample in 0..<2 &* count {
      let size = abs(samples[sample])
      largest = size > largest ? size : largest
    }
    return largest
  }

  @_noLocks
  private static func wishes(
    of peaks: UnsafePointer<Float>, count: Int, ceiling: Float, none: Int64,
    into wishes: UnsafeMutablePointer<Int64>
  ) -> Bool {
    var any = false
    for frame in 0..<count {
      let (left, right) = (peaks[2 &* frame], peaks[2 &* frame &+ 1])
      let peak = left > right ? left : right
      if peak > ceiling {
        any = true
        // Rounded down.
        wishes[frame] = Int64(truncatingIfNeeded: Samples.integer(Double(ceiling / peak) * 0x1p30 - 0.5))
      } else {
        wishes[frame] = none
      }
    }
    return any
  }
}
