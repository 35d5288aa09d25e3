/// A short sound that is heard over whatever plays, or over silence: words, or the tick of a detent. It is laid over the
/// music at the device's edge, so that it is heard at once however much the device holds, and neither the ring nor the
/// queue know of it.
package struct SoundOverlay: Equatable, Sendable {
  /// Of one lane only the newest is heard: words take the place of words, a tick that of a tick.
  package enum Lane: UInt8, Sendable, BitwiseCopyable {
    case words, cue
  }

  /// Heard on both sides alike.
  package let samples: [Int16]
  package let rate: Int32
  package let lane: Lane
  /// The factor for the music's loudness meanwhile; 1 leaves it as it is.
  package let softness: Double

  /// More is no word to a person who turns a knob; and what is held is bounded by it.
  package static let longestSeconds = 30

  package init(_ samples: [Int16], rate: Int32, lane: Lane, softness: Double = 1) {
    self.samples = Self.bounded(samples, rate: rate)
    (self.rate, self.lane, self.softness) = (rate, lane, softness)
  }

  private static func bounded(_ samples: [Int16], rate: Int32) -> [Int16] {
    let most = longestSeconds * Int(max(rate, 1))
    guard samples.count > most else { return samples }
    var bounded = Array(samples[..<most])
    endSoftly(&bounded, rate: rate)
    return bounded
  }

  /// What is cut off would click.
  static func endSoftly(_ samples: inout [Int16], rate: Int32) {
    let fade = min(Int(AsideMixer.goingLength(atRate: rate)), samples.count)
    for left in 0..<fade {
      let place = samples.count - 1 - left
      samples[place] = Int16(Int(samples[place]) * left / fade)
    }
  }

  package var duration: Duration { .nanoseconds(Int64(samples.count) * 1_000_000_000 / Int64(max(rate, 1))) }
}
