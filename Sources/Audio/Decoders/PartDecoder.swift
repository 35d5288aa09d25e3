import Formats
import Runtime

/// A piece of a file, from its first frame to the one before the next piece: two that follow each other give the frames
/// of the file, none twice and none left out.
final class PartDecoder: Decoder {
  /// The piece that plays and the one that follows share it, so that nothing is sought where one leads into the other.
  private final class Whole {
    let decoder: any Decoder
    /// The next one; nil when nobody knows.
    var frame: Int64? = 0

    init(_ decoder: any Decoder) { self.decoder = decoder }
  }

  private let whole: Whole
  private let part: MusicPart
  private let begin: Int64
  private let end: Int64?
  /// The next one, in the file.
  private var frame: Int64
  let tags: Tags

  /// To go to its beginning may take long, and whoever cannot wait for that seeks.
  convenience init(_ decoder: any Decoder, _ part: MusicPart) { self.init(Whole(decoder), part) }

  private init(_ whole: Whole, _ part: MusicPart) {
    (self.whole, self.part) = (whole, part)
    let rate = whole.decoder.format.sampleRate
    begin = TrackPlace.time(part.begin).frame(atRate: rate)
    end = part.end.map { TrackPlace.time($0).frame(atRate: rate) }
    frame = begin
    var tags = whole.decoder.tags
    // Those are of all the pieces together.
    (tags.title, tags.trackNumber, tags.chapters) = (nil, nil, [])
    self.tags = tags
  }

  /// Read when this has ended, it goes on where this has stopped; nil for what does not follow in the file.
  func following(_ next: MusicPart) -> PartDecoder? { part.isFollowed(by: next) ? PartDecoder(whole, next) : nil }

  var format: AudioFormat { whole.decoder.format }
  var lengthIsStated: Bool { whole.decoder.lengthIsStated }
  var damages: Int { whole.decoder.damages }

  /// A length that was only reckoned is no reason to think that a sheet is wrong.
  var length: Int64? {
    let all = end == nil || lengthIsStated ? whole.decoder.length : nil
    guard let last = [end, all].compactMap({ $0 }).min() else { return nil }
    return max(last - begin, 0)
  }

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    let wanted = end.map { Int(clamping: min(max($0 - frame, 0), Int64(count))) } ?? count
    guard wanted > 0 else { return 0 }
    // Somebody has gone elsewhere with it since.
    if whole.frame != frame { _ = try go(to: frame, unless: { false }) }
    whole.frame = nil
    let got = try whole.decoder.read(into: frames, count: wanted)
    frame += Int64(got)
    whole.frame = frame
    return got
  }

  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    let (sum, isBeyond) = begin.addingReportingOverflow(max(frame, 0))
    return try go(to: min(isBeyond ? .max : sum, end ?? .max), unless: shouldStop)
  }

  private func go(to place: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    whole.frame = nil
    guard try whole.decoder.seek(toFrame: place, unless: shouldStop) else { return false }
    (frame, whole.frame) = (place, place)
    return true
  }
}
