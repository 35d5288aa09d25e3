internal import CVorbis
import Formats
import Runtime

/// Ogg Vorbis by libvorbisfile, which cuts the first and the last block where the granules say. A chain of streams is
/// one track: other channels are followed. At another rate this decoder ends (`laterStreams`). Holes are passed over.
final class VorbisDecoder: StreamDecoder {
  let format: AudioFormat
  /// Of what is still coming, as its source says it, until a seek has had to look.
  private(set) var length: Int64?
  /// Of a file that was cut off the last page that is left tells the length.
  let lengthIsStated = false
  let tags: Tags
  private(set) var damages = 0
  private(set) var laterStreams: [LaterStream] = []
  private var library: VorbisLibrary
  private let bytes: OggBytes
  private let checked: CheckedVorbisSource
  private let planes: ChannelPlanes
  private var ended = false
  /// The library must not be touched any more.
  private var isBroken = false
  /// Frames to come. The library cuts no more than the last block; granules may cut deeper.
  private var left: Int64 = .max
  /// Behind its length lies a stream that nobody can play.
  private var goesOn = false
  /// Its end was looked at, where its length stands.
  private var isMeasured: Bool
  private var troubles = OggTroubles()
  /// The serial number of the stream that was heard last.
  private var serial = 0

  init(_ source: any ByteSource) throws(Fault) {
    checked = CheckedVorbisSource(source)
    bytes = OggBytes(checked)
    // The end of what is still coming is not waited for to hear its beginning.
    isMeasured = !source.isComing
    library = try Self.open(bytes, checked, jumps: isMeasured)
    guard let info = ov_info(library.file, -1)?.pointee else {
      throw Fault(.malformed, "A-180", "\(source.name) begins like Ogg Vorbis, but has no headers")
    }
    let rate = Int32(clamping: info.rate)
    guard AudioFormat.rates.contains(rate) else {
      throw Fault(.unsupported, "A-181", "\(source.name) has \(info.rate) Hz; 1,000 to 768,000 can be played")
    }
    guard let planes = ChannelPlanes(channels: Int(info.channels), order: .vorbis) else {
      throw Fault(.unsupported, "A-182", "\(source.name) has \(info.channels) channels; 1 to 8 can be played")
    }
    self.planes = planes
    format = AudioFormat(sampleRate: rate, channels: info.channels, bitsPerSample: 24, lossless: false)
    tags = library.tags()
    if isMeasured { takeLength() } else { length = source.duration.map { TrackPlace.time($0).frame(atRate: rate) } }
  }

  private func takeLength() {
    var measured = library.measure()
    let all = measured?.later.reduce(measured?.frames ?? 0) { $0 + ($1.length?.frames ?? 0) }
    if AudioFormat.believed(all, inBytes: checked.length, atMost: AudioFormat.MostFramesPerByte.ogg) == nil {
      measured = nil
    }
    length = measured?.frames
    laterStreams = measured?.later ?? []
    goesOn = measured?.isAll == false
    left = length ?? .max
  }

  /// A file that cannot be looked through, or takes too long, is played as it comes.
  private static func open(
    _ bytes: OggBytes, _ checked: CheckedVorbisSource, jumps: Bool = true
  ) throws(Fault) -> VorbisLibrary {
    try bytes.rewind()
    if let library = VorbisLibrary(bytes, jumps: jumps) { return library }
    if let fault = bytes.fault { throw fault }
    if jumps { return try open(bytes, checked, jumps: false) }
    if let refusal = checked.refusal { throw refusal }
    throw Fault(.malformed, "A-183", "\(bytes.name) begins like Ogg Vorbis, but its headers are broken or cut off")
  }

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    let wanted = Int32(min(Int64(min(count, ChannelPlanes.most)), left))
    while !ended && wanted > 0 {
      var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
      var link: Int32 = 0
      if !troubles.areOn { bytes.grant() }
      let got = ov_read_float(library.file, &channels, wanted, &link)
      if let fault = bytes.fault { throw fault }
      if got > 0, let channels {
        // In a chain that cannot be looked through the library tells of a hole before each further stream.
        if troubles.areOn, ov_seekable(library.file) == 0, library.serial != serial { damages -= 1 }
        serial = library.serial
        guard follow() else { break }
        troubles.isOver()
        put(channels, Int(got), into: frames)
        left -= Int64(got)
        return Int(got)
      }
      if got == 0 { ended = true }
      // Asked once more of a stream that it could not make ready, libvorbis would divide by zero.
      if got == Int(OV_EBADLINK) {
        isBroken = true
        ended = true
      }
      if got < 0 || bytes.isExhausted { meetTrouble() }
    }
    if left == 0 && !ended {
      ended = true
      if goesOn && laterStreams.isEmpty { damages += 1 }
    }
    return 0
  }

  private func follow() -> Bool {
    let info = ov_info(library.file, -1)?.pointee
    if let info, info.rate == format.sampleRate, planes.follow(channels: Int(info.channels)) { return true }
    ended = true
    if let info, info.rate != format.sampleRate, let start = checked.start(ofRate: Int64(info.rate)) {
      laterStreams = [LaterStream(start: start)]
    } else {
      damages += 1
    }
    return false
  }

  private func meetTrouble() {
    if troubles.isNew() { damages += 1 }
    if troubles.areTooMany { ended = true }
  }

  private func put(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, _ count: Int,
    into frames: UnsafeMutablePointer<Int32>
  ) {
    for channel in 0..<planes.channels {
      guard let floats = channels[channel] else { continue }
      FloatSample.fix(floats, stride: 1, count: count, into: planes[channel])
    }
    planes.fold(count, into: frames)
  }

  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    let frame = max(frame, 0)
    if !isMeasured {
      library = try Self.open(bytes, checked)
      isMeasured = true
      takeLength()
    }
    ended = isBroken || length.map { frame >= $0 } ?? false
    if ended { return true }
    left = .max
    if let length {
      left = length - frame
      bytes.grant()
      if library.seek(toFrame: frame) { return true }
      if let fault = bytes.fault { throw fault }
    }
    // A chain that could not be looked through, or damage on the way: from the beginning, then.
    library = try Self.open(bytes, checked, jumps: length != nil && !bytes.isExhausted)
    left = length ?? .max
    return try skip(frame, unless: shouldStop)
  }
}

/// The library tells one damaged place several times. A place ends with the first sound behind it.
struct OggTroubles {
  private var inARow = 0
  /// Beyond this nothing good is believed to come any more.
  private static let most = 10_000

  var areOn: Bool { inARow > 0 }

  mutating func isNew() -> Bool {
    inARow += 1
    return inARow == 1
  }

  mutating func isOver() { inARow = 0 }
  var areTooMany: Bool { inARow >= Self.most }
}

extension Decoder {
  /// Decodes `count` frames for nobody. False when it was stopped.
  func skip(_ count: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    let helping = ChannelPlanes.most
    let unheard = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * helping)
    defer { unheard.deallocate() }
    var left = count
    while left > 0 {
      if shouldStop() { return false }
      let got = try read(into: unheard, count: Int(min(left, Int64(helping))))
      if got == 0 { break }
      left -= Int64(got)
    }
    return true
  }
}
