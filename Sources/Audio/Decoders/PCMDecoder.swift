import Formats
import Runtime

/// WAV and AIFF: the samples are there, they only want to be brought into order. There is nothing to find the way by,
/// so that damage inside them is heard and not counted.
final class PCMDecoder: Decoder {
  let format: AudioFormat
  let length: Int64?
  let lengthIsStated: Bool
  let tags: Tags
  private(set) var damages = 0
  private let source: any ByteSource
  private let stream: PCMStream
  private let planes: ChannelPlanes
  private let bytes: UnsafeMutablePointer<UInt8>
  private var frame: Int64 = 0

  private init(
    _ source: any ByteSource, _ stream: PCMStream, _ texts: Tags, _ id3: [UInt8]?
  ) throws(Fault) {
    guard AudioFormat.rates.contains(stream.sampleRate) else {
      throw Fault(
        .unsupported, "A-190", "\(source.name) has \(stream.sampleRate) Hz; 1,000 to 768,000 can be played")
    }
    guard let planes = ChannelPlanes(channels: stream.channels, order: stream.order) else {
      throw Fault(.unsupported, "A-191", "\(source.name) has \(stream.channels) channels; 1 to 8 can be played")
    }
    self.source = source
    self.stream = stream
    self.planes = planes
    var tags = texts
    if let id3, let better = MPG123Library.tags(id3) { tags.fill(from: better) }
    self.tags = tags
    bytes = .allocate(capacity: ChannelPlanes.most * stream.frameBytes)
    format = AudioFormat(
      sampleRate: stream.sampleRate, channels: Int32(stream.channels), bitsPerSample: stream.bits, lossless: true)
    length = stream.frames
    lengthIsStated = stream.lengthIsStated
    try source.seek(to: stream.start)
  }

  convenience init(wave source: any ByteSource) throws(Fault) {
    let file = try WaveFile(source)
    try self.init(source, file.stream, file.tags, file.id3)
  }

  convenience init(aiff source: any ByteSource) throws(Fault) {
    let file = try AIFFFile(source)
    try self.init(source, file.stream, file.tags, file.id3)
  }

  deinit { bytes.deallocate() }

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    var wanted = min(count, ChannelPlanes.most)
    if let length { wanted = Int(min(Int64(wanted), length - frame)) }
    guard wanted > 0 else {
      if count > 0 { end() }
      return 0
    }
    let got = try fill(wanted * stream.frameBytes) / stream.frameBytes
    for channel in 0..<stream.channels {
      stream.unpack(bytes + channel * stream.width, count: got, into: planes[channel])
    }
    planes.fold(got, into: frames)
    frame += Int64(got)
    if got == 0 { end() }
    return got
  }

  private func end() {
    if stream.isCutOff { damages = 1 }
  }

  /// As many bytes as there are, up to `wanted`: a read may give fewer, and a frame may lie across two.
  private func fill(_ wanted: Int) throws(Fault) -> Int {
    var filled = 0
    while filled < wanted {
      let got = try source.read(into: UnsafeMutableRawBufferPointer(start: bytes + filled, count: wanted - filled))
      if got == 0 { break }
      filled += got
    }
    return filled
  }

  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    // A length that the file does not know is bounded here: places are counted in bytes too.
    self.frame = min(max(frame, 0), length ?? Int64.max / Int64(2 * stream.frameBytes) - stream.start)
    try source.seek(to: stream.start + self.frame * Int64(stream.frameBytes))
    return true
  }
}
