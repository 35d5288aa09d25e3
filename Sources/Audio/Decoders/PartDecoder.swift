import Runtime

/// A piece of a file, from its first frame to the one before the next piece: two that follow each other give the frames
/// of the file, none twice and none left out.
final class PartDecoder: Decoder {
  private let whole: any Decoder
  private let begin: Int64
  private let end: Int64?
  /// The next one, in the file; nil until it was led to the first.
  private var frame: Int64?
  let tags: Tags

  /// It stands nowhere yet: going there may take long, and whoever cannot wait for that seeks.
  init(_ whole: any Decoder, _ part: MusicPart) {
    self.whole = whole
    let rate = whole.format.sampleRate
    begin = TrackPlace.time(part.begin).frame(atRate: rate)
    end = part.end.map { TrackPlace.time($0).frame(atRate: rate) }
    var tags = whole.tags
    // Those are of all the pieces together.
    (tags.title, tags.trackNumber) = (nil, nil)
    self.tags = tags
  }

  var format: AudioFormat { whole.format }
  var lengthIsStated: Bool { whole.lengthIsStated }
  var damages: Int { whole.damages }

  var length: Int64? {
    guard let last = [end, whole.length].compactMap({ $0 }).min() else { return nil }
    return max(last - begin, 0)
  }

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    if frame == nil { try seek(toFrame: 0) }
    guard let frame else { return 0 }
    let wanted = end.map { Int(clamping: min(max($0 - frame, 0), Int64(count))) } ?? count
    guard wanted > 0 else { return 0 }
    let got = try whole.read(into: frames, count: wanted)
    self.frame = frame + Int64(got)
    return got
  }

  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    let (sum, isBeyond) = begin.addingReportingOverflow(max(frame, 0))
    let place = min(isBeyond ? .max : sum, end ?? .max)
    guard try whole.seek(toFrame: place, unless: shouldStop) else { return false }
    self.frame = place
    return true
  }
}
