internal import CMPG123
import Glibc
import Runtime

/// MPEG audio by libmpg123, as its own program decodes it: 16 bits, the encoder's delay and padding cut off, so that
/// split albums join without a gap.
final class MP3Decoder: Decoder {
  let format: AudioFormat
  let length: Int64?
  let lengthIsStated: Bool
  let tags: Tags
  private(set) var damages = 0
  private let library: MPG123Library
  private let bytes: MP3Bytes
  /// Of what is being decoded now: it may differ from frame to frame.
  private var channels: Int32
  private var ended = false

  init(_ source: some ByteSource, tagLength: Int64) throws(Fault) {
    library = try MPG123Library(skippingTag: tagLength > 16 << 20)
    bytes = MP3Bytes(source)
    lengthIsStated = try Self.statesLength(source, at: tagLength)
    var rate = 0
    var channels: Int32 = 0
    var encoding: Int32 = 0
    guard library.open(bytes), mpg123_getformat(library.handle, &rate, &channels, &encoding) == MPG123_OK.rawValue
    else {
      if let fault = bytes.fault { throw fault }
      throw Fault(.malformed, "A-130", "\(source.name) looks like MP3, but no frame of it can be decoded")
    }
    guard AudioFormat.rates.contains(Int32(clamping: rate)), (1...2).contains(channels) else {
      throw Fault(.malformed, "A-131", "\(source.name) says it has \(rate) Hz and \(channels) channels")
    }
    self.channels = channels
    format = AudioFormat(sampleRate: Int32(rate), channels: channels, bitsPerSample: 16, lossless: false)
    let frames = Int64(mpg123_length(library.handle))
    length = frames > 0 ? frames : nil
    tags = library.readTags()
  }

  /// Encoders write the number of frames into a first, silent one, which begins so.
  private static func statesLength(_ source: some ByteSource, at start: Int64) throws(Fault) -> Bool {
    let bytes = try source.peek(48, at: start)
    guard MPEGHeader(bytes) != nil else { return false }
    return (4..<max(bytes.count - 4, 4)).contains { at in
      bytes[at...].starts(with: "Xing".utf8) || bytes[at...].starts(with: "Info".utf8)
    }
  }

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    while !ended && count > 0 {
      var done = 0
      let wanted = min(count, MP3Bytes.most) * Int(channels) * MemoryLayout<Int16>.stride
      let answer = mpg123_read(library.handle, bytes.scratch, wanted, &done)
      if let fault = bytes.fault { throw fault }
      let got = done / (Int(channels) * MemoryLayout<Int16>.stride)
      if got > 0 { widen(got, into: frames) }
      switch answer {
      case MPG123_OK.rawValue: break
      case MPG123_NEW_FORMAT.rawValue: followFormat()
      case MPG123_DONE.rawValue: ended = true
      default:
        // Lost, and nothing found within the limit: what came so far is all that can be played.
        damages += 1
        ended = true
      }
      if got > 0 { return got }
    }
    return 0
  }

  /// Another number of channels is followed; at another rate the rest would sound wrong, so it is left out.
  private func followFormat() {
    var rate = 0
    var encoding: Int32 = 0
    let known = mpg123_getformat(library.handle, &rate, &channels, &encoding) == MPG123_OK.rawValue
    if !known || Int32(clamping: rate) != format.sampleRate || !(1...2).contains(channels) {
      damages += 1
      ended = true
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
    ended = length.map { frame >= $0 } ?? false
    if ended { return true }
    let reached = mpg123_seek(library.handle, off_t(max(frame, 0)), SEEK_SET)
    if let fault = bytes.fault { throw fault }
    if reached < 0 { ended = true }  // beyond the end
    return true
  }
}
