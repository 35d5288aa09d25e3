internal import CAV
import DecoderProtocol

/// How long a track is, and whether the file says so to the sample.
struct TrackLength {
  private(set) var frames: Int64?
  private(set) var isStated = false

  /// These write how many samples there are. Others write a time, or nothing, and it is reckoned.
  private static let exact: Set = ["mov,mp4,m4a,3gp,3g2,mj2", "ape", "wv", "tta"]

  init(_ container: Container, _ clock: SampleClock, noted: Int64?, edits: Edits?) {
    let stream = container.stream.pointee
    if Self.exact.contains(container.kind) {
      let end = edits?.end ?? stream.duration
      let (ticks, overflow) = end.subtractingReportingOverflow(clock.firstTime ?? 0)
      let isKnown = end > 0 && !overflow && clock.firstTime != nil
      if let length = noted ?? (isKnown ? clock.samples(in: ticks) : nil), length > 0 {
        (frames, isStated) = (length, true)
        return
      }
    }
    let duration = container.context.pointee.duration
    let rate = clock.rate
    // With more the product would overflow.
    guard duration > 0, duration < Reply.farthest / 2 else { return }
    let (seconds, rest) = duration.quotientAndRemainder(dividingBy: layby_av_second)
    let length = seconds * rate + rest * rate / layby_av_second
    if (1...Reply.farthest).contains(length) { frames = length }
  }

  /// iTunes' note: " 00000000 00000840 000001CC 0000000000AC2C34 ...": nothing, samples before the music, behind it,
  /// and of the music itself.
  static func noted(_ tags: [(key: String, value: String)]) -> Int64? {
    guard let text = tags.first(where: { $0.key == "iTunSMPB" })?.value else { return nil }
    let words = text.split(separator: " ")
    guard words.count >= 4, let length = Int64(words[3], radix: 16), (1...Reply.farthest).contains(length) else {
      return nil
    }
    return length
  }
}
