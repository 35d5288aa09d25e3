/// A short sound that is heard over whatever plays, or over silence: words, or the tick of a detent. It is laid over the
/// music at the device's edge, so that it is heard at once however much the device holds, and neither the ring nor the
/// queue know of it.
package struct Aside: Equatable, Sendable {
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
  package static let longest = 1 << 21

  package init(_ samples: [Int16], rate: Int32, lane: Lane, softness: Double = 1) {
    self.samples = samples.count > Self.longest ? Array(samples[..<Self.longest]) : samples
    (self.rate, self.lane, self.softness) = (rate, lane, softness)
  }

  package var duration: Duration { .nanoseconds(Int64(samples.count) * 1_000_000_000 / Int64(max(rate, 1))) }
}
