import Library

/// A moment of sound with what it says of itself, in the formats that music comes in, as few bytes as each allows: an
/// import is then about files, tags and the catalogue. Each file's sound is its own, as recordings are.
struct MadeUpSound {
  enum Format: String, CaseIterable { case mp3, flac, opus }

  private var state: UInt64

  init(seed: UInt64) { state = seed | 1 }

  mutating func file(_ format: Format, _ metadata: Metadata) -> [UInt8] {
    switch format {
    case .mp3: Self.id3(metadata) + layer3()
    case .flac: flac(metadata)
    case .opus: opus(metadata)
    }
  }

  private static func fields(_ metadata: Metadata) -> [(vorbis: String, id3: String, values: [String])] {
    [
      ("TITLE", "TIT2", [metadata.title ?? ""]), ("ALBUM", "TALB", [metadata.album ?? ""]),
      ("ARTIST", "TPE1", metadata.artists), ("ALBUMARTIST", "TPE2", metadata.albumArtists),
      ("GENRE", "TCON", metadata.genres), ("TRACKNUMBER", "TRCK", ["\(metadata.track ?? 0)"]),
      ("DATE", "TDRC", ["\(metadata.year ?? 0)"]),
    ]
  }

  /// Nothing in it looks like the beginning of a frame.
  private mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32) & 0x7F
    }
  }

  // MARK: MP3

  /// ID3v2.4, in UTF-8; several values have zeros between them.
  private static func id3(_ metadata: Metadata) -> [UInt8] {
    func sevens(_ size: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) } }
    var frames: [UInt8] = []
    for field in fields(metadata) {
      let text = [3] + Array(field.values.joined(separator: "\0").utf8)
      frames += Array(field.id3.utf8) + sevens(text.count) + [0, 0] + text
    }
    return Array("ID3".utf8) + [4, 0, 0] + sevens(frames.count) + frames
  }

  /// Silence of 128 kbit/s: no part of a frame is used, and what is left over of it may be anything.
  private mutating func layer3() -> [UInt8] {
    var frames: [UInt8] = []
    for _ in 0..<8 { frames += [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 32) + noise(417 - 36) }
    return frames
  }

  // MARK: FLAC

  private mutating func flac(_ metadata: Metadata) -> [UInt8] {
    let comment = Self.comment(metadata)
    let samples = 192
    let info: [UInt8] =
      [0, 192, 0, 192, 0, 0, 0, 0, 0, 0, 0x0A, 0xC4, 0x42, 0xF0, 0, 0, 0, UInt8(samples)]
      + [UInt8](repeating: 0, count: 16)
    // 192 samples at 44.1 kHz, two channels of 16 bits, the first frame.
    var frame: [UInt8] = [0xFF, 0xF8, 0x19, 0x18, 0]
    frame.append(UInt8(Self.remainder(frame, bits: 8, by: 0x07)))
    // As it is on the left, silence on the right.
    frame += [0x02] + noise(samples * 2) + [0x00, 0, 0]
    let check = Self.remainder(frame, bits: 16, by: 0x8005)
    frame += [UInt8(check >> 8), UInt8(check & 0xFF)]
    let size = comment.count
    return Array("fLaC".utf8) + [0, 0, 0, 34] + info
      + [0x84, UInt8(size >> 16 & 0xFF), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)] + comment + frame
  }

  private static func comment(_ metadata: Metadata) -> [UInt8] {
    let lines = fields(metadata).flatMap { field in field.values.map { Array("\(field.vorbis)=\($0)".utf8) } }
    let vendor = Array("bench".utf8)
    return little(vendor.count, 4) + vendor + little(lines.count, 4) + lines.flatMap { little($0.count, 4) + $0 }
  }

  // MARK: Opus

  private mutating func opus(_ metadata: Metadata) -> [UInt8] {
    let head = Array("OpusHead".utf8) + [1, 2] + Self.little(312, 2) + Self.little(48_000, 4) + [0, 0, 0]
    // Twenty milliseconds of stereo each; any bytes are sound.
    let packets = (0..<10).map { _ in [0xFC] + noise(60) }
    return Self.page(2, at: 0, number: 0, [head])
      + Self.page(0, at: 0, number: 1, [Array("OpusTags".utf8) + Self.comment(metadata)])
      + Self.page(4, at: packets.count * 960, number: 2, packets)
  }

  private static func page(_ flags: UInt8, at sample: Int, number: Int, _ packets: [[UInt8]]) -> [UInt8] {
    let lengths = packets.flatMap { packet in
      [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    }
    let start = Array("OggS".utf8) + [0, flags] + little(sample, 8) + little(1, 4) + little(number, 4)
    let rest = [UInt8(lengths.count)] + lengths + packets.joined()
    let check = remainder(start + [0, 0, 0, 0] + rest, bits: 32, by: 0x04C1_1DB7)
    return start + little(Int(check), 4) + rest
  }

  private static func little(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// A cyclic redundancy check, the highest bit first, that begins with zero.
  private static func remainder(_ bytes: [UInt8], bits: Int, by polynomial: UInt64) -> UInt64 {
    var rest: UInt64 = 0
    let top: UInt64 = 1 << UInt64(bits - 1)
    for byte in bytes {
      rest ^= UInt64(byte) << UInt64(bits - 8)
      for _ in 0..<8 { rest = rest & top != 0 ? (rest << 1) ^ polynomial : rest << 1 }
    }
    return rest & (top << 1 &- 1)
  }
}
