import Runtime

/// An AIFF or AIFF-C file as its decoder needs it; see `WaveFile` for what the library sees otherwise.
package struct AIFFFile {
  package let stream: PCMStream
  package private(set) var tags = Tags()
  /// The tag of ID3's that is in it, as it stands there. It says it better than the short list.
  package private(set) var id3: [UInt8]?

  package static func begins(_ bytes: [UInt8]) -> Bool { Piece.with(bytes.prefix(12)) { AIFFHead.begins($0) } }

  package init(_ source: any ByteSource) throws(Fault) {
    let bytes = SourceBytes(source)
    let head = try AIFFHead(bytes, stopsAtSound: source.isComing)
    guard let common = head.common else {
      throw Fault(.malformed, "A-196", "\(source.name) is an AIFF file that does not say what it holds (no \"COMM\")")
    }
    var stream = try Self.stream(common, source.name)
    for text in head.texts {
      let key = text.name == "NAME" ? "TITLE" : text.name == "AUTH" ? "ARTIST" : "COMMENT"
      tags.add(key, try bytes.piece(at: text.start, count: Int(min(text.length, Chunks.longestText))).localText)
    }
    tags.title = tags.values("TITLE").first
    tags.artist = Tags.joined(tags.values("ARTIST"))
    let frames = common.frames
    guard let sound = head.sound else {
      // A file of no frames needs none.
      guard frames == 0 else {
        throw Fault(.malformed, "A-197", "\(source.name) is an AIFF file with no sound in it (no \"SSND\")")
      }
      stream.place(start: source.length ?? 12, stated: 0, length: source.length)
      self.stream = stream
      return
    }
    let isOpen = sound.length == 0 || sound.length == AIFFHead.open
    let inside = isOpen ? nil : max(0, sound.length - 8 - head.soundOffset)
    let byFrames = frames == 0 || frames == AIFFHead.open ? nil : frames * Int64(stream.frameBytes)
    let stated: Int64? = inside.map { min($0, byFrames ?? $0) } ?? byFrames
    stream.place(start: head.start(of: sound), stated: stated, length: source.length)
    self.stream = stream
    id3 = try source.tag(head.id3)
  }

  private static func stream(_ common: AIFFHead.Common, _ name: String) throws(Fault) -> PCMStream {
    guard common.isWhole else {
      throw Fault(.malformed, "A-198", "\(name) is an AIFF file whose \"COMM\" is too short")
    }
    let (channels, bits) = (common.channels, common.bits)
    var encoding = PCMStream.Encoding.signed
    var bigEndian = true
    var width = (bits + 7) / 8
    var known = true
    switch common.codec {
    case "NONE", "twos": break
    case "sowt": bigEndian = false
    case "raw ": encoding = .unsigned
    case "in24", "in32": width = common.codec == "in24" ? 3 : 4
    case "42ni", "23ni": (width, bigEndian) = (common.codec == "42ni" ? 3 : 4, false)
    case "fl32", "FL32": (encoding, width) = (.float, 4)
    case "fl64", "FL64": (encoding, width) = (.float, 8)
    default: known = false
    }
    let whole = bits > 0 && bits <= 8 * width ? bits : 8 * width
    guard known, channels > 0, width > 0,
      let stream = PCMStream(
        encoding: encoding, bigEndian: bigEndian, width: width, bits: Int32(encoding == .float ? 8 * width : whole),
        channels: channels, sampleRate: Int32(clamping: common.rate),
        // The format's own order for six channels is used by nobody; programs write what they write into WAV files.
        order: .flac
      ).readable
    else {
      throw Fault(
        .unsupported, "A-199",
        "\(name) is an AIFF file of codec \"\(Tags.clean(common.codec.text))\", \(channels) channels and \(bits) bits; expected"
          + " whole numbers of 8 to 32 bits or floats of 32 or 64")
    }
    return stream
  }
}
