import Formats
import Runtime

/// A decoder of one stream, which knows what follows it in the same file at another rate.
protocol StreamDecoder: Decoder {
  /// In the file's order. Known from the beginning, or only when this stream has ended there.
  var laterStreams: [LaterStream] { get }
}

/// A stream that follows another one of another rate.
struct LaterStream: Equatable {
  /// The place of its first byte.
  var start: Int64
  /// Nil when only playing it would tell.
  var length: Length?

  struct Length: Equatable {
    var frames: Int64
    var rate: Int32
  }
}

/// A file in which streams of different rates follow each other: recordings of a broadcast, files that were joined. They
/// play as one track, at the first one's rate. Each stream gets a decoder of its own, which sees the file from the
/// stream's first byte on. Only one stream besides the first is open at a time.
final class ChainedDecoder: Decoder {
  typealias Opener = (any ByteSource) throws(Fault) -> any StreamDecoder

  private struct Link {
    var start: Int64
    /// In the track.
    var firstFrame: Int64
  }

  private let source: any ByteSource
  private let open: Opener
  private let first: any StreamDecoder
  /// Where the streams behind the first begin, as far as that is known.
  private var places: [Link] = []
  /// 0 is the first stream, `n` is `places[n - 1]`.
  private var index = 0
  /// Decodes that stream; `current` is the same at the first one's rate.
  private var stream: any StreamDecoder
  private var current: any Decoder
  private var frame: Int64 = 0
  /// Damages that were met in streams whose decoders are closed.
  private var earlierDamages = 0
  private var isOver = false
  private let wholeLength: Int64?

  /// More of them are no music. Each costs the opening of a file.
  private static let mostStreams = 1_000

  init(_ source: any ByteSource, open: @escaping Opener) throws(Fault) {
    // Each decoder keeps a place of its own in the file.
    first = try open(ShortenedSource(source, head: [], then: 0))
    (self.source, self.open, stream, current) = (source, open, first, first)
    let rate = first.format.sampleRate
    var whole = first.length
    for later in first.laterStreams {
      guard let length = later.length, let begin = whole else {
        whole = nil
        break
      }
      places.append(Link(start: later.start, firstFrame: begin))
      whole = begin + Resampler.length(of: length.frames, from: length.rate, to: rate)
    }
    wholeLength = places.isEmpty ? nil : whole
  }

  var format: AudioFormat { first.format }
  var tags: Tags { first.tags }
  var lengthIsStated: Bool { places.isEmpty && first.lengthIsStated }
  var damages: Int { first.damages + earlierDamages + (index > 0 ? current.damages : 0) }

  var length: Int64? {
    if let wholeLength { return wholeLength }
    return index == 0 ? first.length : current.length.map { places[index - 1].firstFrame + $0 }
  }

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    guard count > 0, !isOver else { return 0 }
    while true {
      let got = try current.read(into: frames, count: count)
      frame += Int64(got)
      if got > 0 { return got }
      guard try goOn() else {
        isOver = true
        return 0
      }
    }
  }

  /// Into the next stream; false when there is none.
  private func goOn() throws(Fault) -> Bool {
    guard let later = stream.laterStreams.first, index < Self.mostStreams else { return false }
    let start = later.start + (index == 0 ? 0 : places[index - 1].start)
    // What was found before is found again, unless a seek has led somewhere else.
    if !(index < places.count && places[index].start == start) {
      places.removeSubrange(index...)
      places.append(Link(start: start, firstFrame: frame))
    }
    return try enter(index + 1)
  }

  /// False when it cannot be played.
  private func enter(_ wanted: Int) throws(Fault) -> Bool {
    do throws(Fault) {
      var next = first
      if wanted > 0 { next = try open(ShortenedSource(source, head: [], then: places[wanted - 1].start)) }
      let rate = format.sampleRate
      let fitted: any Decoder = next.format.sampleRate == rate ? next : try ResampledDecoder(next, rate: rate)
      if index > 0 { earlierDamages += current.damages }
      (index, stream, current) = (wanted, next, fitted)
      return true
    } catch {
      if error.isGivingUp { throw error }
      Log("decode").info("a later stream cannot be played", ["file": source.name, "reason": error.message])
      earlierDamages += 1
      return false
    }
  }

  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    let frame = max(frame, 0)
    self.frame = frame
    let wanted = (places.lastIndex { $0.firstFrame <= frame } ?? -1) + 1
    isOver = false
    if wanted != index { isOver = try !enter(wanted) }
    if isOver { return true }
    return try current.seek(toFrame: wanted == 0 ? frame : frame - places[wanted - 1].firstFrame, unless: shouldStop)
  }
}
