internal import COpus
import Formats
import Runtime

/// Opus by libopusfile, at its one rate of 48 kHz. The library leaves out the pre-skip and what lies behind the last
/// granule, and applies the header's gain, which is part of the sound; gains in the tags are the listener's to apply.
final class OpusDecoder: Decoder {
  private static let rate: Int32 = 48_000

  let format: AudioFormat
  /// Of what is still coming, as its source says it, until a seek has had to look.
  private(set) var length: Int64?
  /// Of a file that was cut off the last page that is left tells the length.
  let lengthIsStated = false
  let tags: Tags
  private(set) var damages = 0
  private var library: OpusLibrary
  private let bytes: OggBytes
  private let planes: ChannelPlanes
  private let floats: UnsafeMutablePointer<Float>
  private let block: UnsafeMutablePointer<Int32>
  private var taken = 0
  private var filled = 0
  private var ended = false
  private var troubles = OggTroubles()
  /// Its end was looked at, where its length stands.
  private var isMeasured: Bool

  /// Opus leans on what came before. The library decodes 80 ms ahead of a place, which leaves the first sound there up
  /// to -17 dB off; with so much more it is -77 dB, and takes less than a millisecond.
  private static let settling: Int64 = 9_600
  private static let room = ChannelPlanes.most * ChannelFold.most

  init(_ source: any ByteSource) throws(Fault) {
    bytes = OggBytes(source)
    // The end of what is still coming is not waited for to hear its beginning.
    isMeasured = !source.isComing
    library = try Self.open(bytes, jumps: isMeasured)
    let channels = op_channel_count(library.file, 0)
    guard let planes = ChannelPlanes(channels: Int(channels), order: .vorbis) else {
      throw Fault(.unsupported, "A-186", "\(source.name) has \(channels) channels; 1 to 8 can be played")
    }
    self.planes = planes
    format = AudioFormat(sampleRate: Self.rate, channels: channels, bitsPerSample: 24, lossless: false)
    length =
      isMeasured
      ? Self.length(library, source.length) : source.duration.map { TrackPlace.time($0).frame(atRate: Self.rate) }
    tags = library.tags()
    // Last: of an object that was refused half made, nobody gives these back.
    floats = .allocate(capacity: Self.room)
    block = .allocate(capacity: 2 * ChannelPlanes.most)
  }

  deinit {
    floats.deallocate()
    block.deallocate()
  }

  private static func length(_ library: borrowing OpusLibrary, _ bytes: Int64?) -> Int64? {
    AudioFormat.believed(library.length(), inBytes: bytes, atMost: AudioFormat.MostFramesPerByte.ogg)
  }

  /// A file that cannot be looked through, or takes too long, is played as it comes.
  private static func open(_ bytes: OggBytes, jumps: Bool = true) throws(Fault) -> OpusLibrary {
    try bytes.rewind()
    if let library = OpusLibrary(bytes, jumps: jumps) { return library }
    if let fault = bytes.fault { throw fault }
    if jumps { return try open(bytes, jumps: false) }
    throw Fault(.malformed, "A-187", "\(bytes.name) begins like Opus, but its headers are broken or cut off")
  }

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    guard count > 0 else { return 0 }
    while taken == filled {
      if ended { return 0 }
      try decode()
    }
    let moved = min(count, filled - taken)
    frames.update(from: block + 2 * taken, count: 2 * moved)
    taken += moved
    return moved
  }

  /// One packet. Into a block of our own: the library gives nothing to a place that is too small for all channels, and
  /// the next stream of a chain may have more of them.
  private func decode() throws(Fault) {
    var link: Int32 = 0
    if !troubles.areOn { bytes.grant() }
    let got = Int(op_read_float(library.file, floats, Int32(Self.room), &link))
    if let fault = bytes.fault { throw fault }
    if got > 0 {
      let channels = Int(op_channel_count(library.file, link))
      guard got <= ChannelPlanes.most, planes.follow(channels: channels) else {
        damages += 1
        ended = true
        return
      }
      troubles.isOver()
      for channel in 0..<channels {
        FloatSample.fix(floats + channel, stride: channels, count: got, into: planes[channel])
      }
      planes.fold(got, into: block)
      taken = 0
      filled = got
    } else {
      if got == 0 { ended = true }
      guard got < 0 || bytes.isExhausted else { return }
      if troubles.isNew() { damages += 1 }
      // Behind a hole or a bad packet it goes on; whatever else is wrong is wrong with all that follows.
      if troubles.areTooMany || got < 0 && got != Int(OP_HOLE) && got != Int(OP_EBADPACKET) { ended = true }
    }
  }

  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    ended = false
    taken = 0
    filled = 0
    let frame = max(frame, 0)
    if !isMeasured {
      library = try Self.open(bytes)
      isMeasured = true
      length = Self.length(library, bytes.length)
    }
    if let length {
      ended = frame >= length
      if ended { return true }
      bytes.grant()
      let early = max(0, frame - Self.settling)
      if op_pcm_seek(library.file, early) == 0, op_pcm_tell(library.file) == early {
        return try skip(frame - early, unless: shouldStop)
      }
      if let fault = bytes.fault { throw fault }
    }
    // A chain that could not be looked through, or damage on the way: from the beginning, then.
    library = try Self.open(bytes, jumps: length != nil && !bytes.isExhausted)
    return try skip(frame, unless: shouldStop)
  }
}
