internal import CMPG123
import Formats
import Glibc
import Runtime

/// MPEG audio by libmpg123, as its own program decodes it: 16 bits, the encoder's delay and padding cut off, so that
/// split albums join without a gap.
///
/// A seek is exact to the frame in a file, in a stream of which all is here by now, and wherever a stream was played
/// already. Only ahead of that, while bytes are missing, the place is reckoned: by the encoder's table of a hundred places
/// (Xing, LAME), which is about a hundredth of the length off at most, or else by how long a frame has been so far; and
/// heard on from there to its end, the encoder's padding is not cut off.
///
/// Damage often looks like a frame of another rate. Such a frame is left out, unless several headers behind it agree with
/// it; then another stream begins there (`laterStreams`).
final class MP3Decoder: StreamDecoder {
  let format: AudioFormat
  let length: Int64?
  let lengthIsStated: Bool
  let tags: Tags
  private(set) var damages = 0
  private(set) var laterStreams: [LaterStream] = []
  private var library: MPG123Library
  private let bytes: MP3Bytes
  /// Of what is being decoded now: it may differ from frame to frame.
  private var channels: Int32
  private var ended = false
  /// The library is inside what only looks like a stream of another rate.
  private var isAstray = false
  /// Where the music begins for the library, and how much of it is to come, where a note says so and not the library.
  private let first: Int64
  private var left: Int64
  /// Where it has not been yet, places are reckoned and not counted.
  private var isGuessing: Bool

  init(_ file: any ByteSource, tagLength: Int64) throws(Fault) {
    let source = ReadAheadSource(file)
    let skips = tagLength > 16 << 20
    let info = MP3InfoFrame(try source.peek(MP3InfoFrame.length, at: tagLength))
    let tail = APETags.read(source)
    let chapters = ID3v2Chapters.read(source, tagLength: tagLength)
    bytes = MP3Bytes(source)
    library = try Self.open(bytes, source, skippingTag: skips, gapless: true)
    var tags = library.readTags(behind: tail)
    tags.chapters = chapters
    self.tags = tags
    let isPossible = { (frames: Int64) in
      AudioFormat.believed(frames, inBytes: source.length, atMost: AudioFormat.MostFramesPerByte.mpeg) != nil
    }
    let statesLength = info?.statesLength == true
    let isLie = statesLength && !isPossible(Int64(mpg123_length(library.handle)))
    var note = info?.statesDelay == true ? nil : library.comment(GaplessNote.comment).flatMap(GaplessNote.init)
    if let frames = note?.frames, !isPossible(frames) { note = nil }
    // With the library trimming too, for reasons of its own, the two would add up.
    if note != nil || isLie {
      library = try Self.open(bytes, source, skippingTag: skips, gapless: note == nil, ignoringInfo: isLie)
    }
    var rate = 0
    var channels: Int32 = 0
    var encoding: Int32 = 0
    guard mpg123_getformat(library.handle, &rate, &channels, &encoding) == MPG123_OK.rawValue else {
      throw bytes.fault ?? Self.undecodable(source)
    }
    guard AudioFormat.rates.contains(Int32(clamping: rate)), (1...2).contains(channels) else {
      throw Fault(.malformed, "A-131", "\(source.name) says it has \(rate) Hz and \(channels) channels")
    }
    self.channels = channels
    format = AudioFormat(sampleRate: Int32(rate), channels: channels, bitsPerSample: 16, lossless: false)
    let counted = Int64(mpg123_length(library.handle))
    length = note?.frames ?? (counted > 0 ? counted : nil)
    lengthIsStated = statesLength && !isLie || note != nil
    first = note.map { $0.delay + GaplessNote.decoderDelay } ?? 0
    left = note?.frames ?? .max
    isGuessing = source.isComing
    bytes.isOpening = false
    if first > 0 { _ = try seek(toFrame: 0, unless: { false }) }
  }

  private static func open(
    _ bytes: MP3Bytes, _ source: any ByteSource, skippingTag: Bool, gapless: Bool, ignoringInfo: Bool = false
  ) throws(Fault) -> MPG123Library {
    try source.seek(to: 0)
    let library = try MPG123Library(
      skippingTag: skippingTag, gapless: gapless, guessing: source.isComing, ignoringInfo: ignoringInfo)
    var rate = 0
    var channels: Int32 = 0
    var encoding: Int32 = 0
    guard library.open(bytes), mpg123_getformat(library.handle, &rate, &channels, &encoding) == MPG123_OK.rawValue
    else { throw bytes.fault ?? undecodable(source) }
    return library
  }

  private static func undecodable(_ source: any ByteSource) -> Fault {
    Fault(.malformed, "A-130", "\(source.name) looks like MP3, but no frame of it can be decoded")
  }

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    while !ended && count > 0 && left > 0 {
      var done = 0
      let wanted = Int(min(Int64(min(count, MP3Bytes.most)), left)) * Int(channels) * MemoryLayout<Int16>.stride
      let answer = mpg123_read(library.handle, bytes.scratch, wanted, &done)
      if let fault = bytes.fault { throw fault }
      let got = done / (Int(channels) * MemoryLayout<Int16>.stride)
      let isMusic = got > 0 && !isAstray
      if isMusic { widen(got, into: frames) }
      switch answer {
      case MPG123_OK.rawValue: break
      case MPG123_NEW_FORMAT.rawValue: try followFormat()
      case MPG123_DONE.rawValue: ended = true
      default:
        // Lost, and nothing found within the limit: what came so far is all that can be played.
        damages += 1
        ended = true
      }
      if isMusic {
        left -= Int64(got)
        return got
      }
    }
    return 0
  }

  /// Another number of channels is followed.
  private func followFormat() throws(Fault) {
    var rate = 0
    var encoding: Int32 = 0
    guard mpg123_getformat(library.handle, &rate, &channels, &encoding) == MPG123_OK.rawValue,
      (1...2).contains(channels)
    else {
      damages += 1
      ended = true
      return
    }
    let wasAstray = isAstray
    isAstray = Int32(clamping: rate) != format.sampleRate
    guard isAstray else { return }
    let place = Int64(mpg123_framepos(library.handle))
    if try bytes.holdsStream(at: place, rate: Int32(clamping: rate)) {
      laterStreams = [LaterStream(start: place)]
      ended = true
    } else if !wasAstray {
      damages += 1
    }
  }

  private func widen(_ count: Int, into frames: UnsafeMutablePointer<Int32>) {
    let scratch = bytes.scratch
    if channels == 1 {
      for frame in 0..<count {
        let sample = Int32(scratch[frame]) &<< 16
        frames[2 &* frame] = sample
        frames[2 &* frame &+ 1] = sample
      }
    } else {
      for sample in 0..<2 &* count { frames[sample] = Int32(scratch[sample]) &<< 16 }
    }
  }

  /// The library reads headers on the way and decodes nothing: there is no need to stop it.
  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    laterStreams = []
    ended = lengthIsStated && length.map { frame >= $0 } ?? false
    if ended { return true }
    if isGuessing, try bytes.isWhole() { countPlaces() }
    let frame = max(frame, 0)
    if first > 0, let length { left = length - frame }
    let reached = mpg123_seek(library.handle, off_t(min(frame, 1 << 48) + first), SEEK_SET)
    if let fault = bytes.fault { throw fault }
    if reached < 0 { ended = true }  // beyond the end
    // Where the rate is another one than where it was, the library says so with the first frame.
    return true
  }

  /// All is here by now. A place that was reckoned is left for one that is known, or it would be counted on from there.
  private func countPlaces() {
    isGuessing = false
    library.stopGuessing()
    if !library.isPlaceSure { _ = mpg123_seek(library.handle, 0, SEEK_SET) }
  }
}
