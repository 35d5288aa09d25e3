import Formats
import Runtime

/// A decoder at another rate than its file's. Used by one thread at a time.
package final class ResampledDecoder: Decoder {
  package let format: AudioFormat
  package let length: Int64?
  package var lengthIsStated: Bool { inner.lengthIsStated }
  package var tags: Tags { inner.tags }
  package var damages: Int { inner.damages }
  let inner: any Decoder
  private let resampler: Resampler
  private let input: UnsafeMutablePointer<Int32>
  /// Frames of `input` that are not used yet.
  private var start = 0
  private var end = 0
  private var innerEnded = false
  /// Frames to throw away: what was decoded before the place that was asked for.
  private var drop: Int64 = 0
  private static let block = 4_096
  /// Before a place that is gone to, so many frames at the lower of both rates are heard by the filter, which is about
  /// 130 long on either side: nothing of what it never heard is left then.
  private static let preRoll: Int64 = 1_024

  package init(_ inner: any Decoder, rate: Int32) throws(Fault) {
    self.inner = inner
    let own = inner.format.sampleRate
    resampler = try Resampler(from: own, to: rate)
    var format = inner.format
    format.sampleRate = rate
    self.format = format
    length = inner.length.map { Resampler.length(of: $0, from: own, to: rate) }
    input = .allocate(capacity: 2 * Self.block)
    input.initialize(repeating: 0, count: 2 * Self.block)
  }

  deinit { input.deallocate() }

  package func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    while count > 0 {
      let made = try make(into: frames, count: count)
      if made == 0 { return 0 }
      let dropped = Int(min(drop, Int64(made)))
      drop -= Int64(dropped)
      if dropped == made { continue }
      if dropped > 0 { frames.update(from: frames + 2 * dropped, count: 2 * (made - dropped)) }
      return made - dropped
    }
    return 0
  }

  private func make(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    while true {
      if start == end && !innerEnded {
        start = 0
        end = 0
        end = try inner.read(into: input, count: Self.block)
        innerEnded = end == 0
      }
      if innerEnded { return try resampler.flush(into: frames, room: count) }
      let (used, made) = try resampler.process(input + 2 * start, count: end - start, into: frames, room: count)
      start += used
      if made > 0 { return made }
    }
  }

  package func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    start = 0
    end = 0
    innerEnded = false
    drop = 0
    try resampler.reset()
    let frame = max(frame, 0)
    if let length, frame >= length {
      innerEnded = true
      return true
    }
    // Both rates meet every so many frames, `own` of the file's and `ours`; only from there is the rest as it would
    // have been from the beginning.
    let (from, to) = (Int64(resampler.from), Int64(resampler.to))
    let common = Self.greatestCommonDivisor(from, to)
    let (own, ours) = (from / common, to / common)
    let heard = Self.preRoll * max(1, (from + to - 1) / to)
    let back = (heard + own - 1) / own
    let meeting = max(frame / ours - back, 0)
    drop = frame - meeting * ours
    return try inner.seek(toFrame: meeting * own, unless: shouldStop)
  }

  private static func greatestCommonDivisor(_ one: Int64, _ other: Int64) -> Int64 {
    other == 0 ? one : greatestCommonDivisor(other, one % other)
  }
}
