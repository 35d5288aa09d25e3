import Runtime

/// The header of an AIFF or AIFF-C file: like WAV, with the bytes of numbers the other way round.
package struct AIFFFile {
  package let stream: PCMStream
  package private(set) var tags = Tags()
  /// The tag of ID3's that is in it, as it stands there. It says it better than the short list.
  package private(set) var id3: [UInt8]?

  package static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "FORM".utf8) && ["AIFF", "AIFC"].contains { bytes.dropFirst(8).starts(with: $0.utf8) }
  }

  package init(_ source: any ByteSource) throws(Fault) {
    var chunks = Chunks(from: 12, bigEndian: true)
    let compresses = try source.peek(12, at: 0).dropFirst(8).starts(with: "AIFC".utf8)
    var common: (stream: PCMStream, frames: Int64)?
    var sound: Chunks.Head?
    var tag: [UInt8]?
    func text(_ head: Chunks.Head) throws(Fault) -> String {
      Chunks.text(try source.peek(Int(min(head.length, Chunks.longestText)), at: head.start))
    }
    while let head = try chunks.next(in: source) {
      switch head.name {
      case "COMM":
        if common == nil { common = try Self.common(source.peek(22, at: head.start), head, compresses, source.name) }
      case "SSND": if sound == nil { sound = head }
      case "NAME": tags.add("TITLE", try text(head))
      case "AUTH": tags.add("ARTIST", try text(head))
      case "ANNO": tags.add("COMMENT", try text(head))
      case "ID3 ", "id3 ":
        if head.length <= Chunks.longestTag { tag = try source.peek(Int(head.length), at: head.start) }
      default: break
      }
      // Written into a pipe: nothing can follow. What follows in one that is still coming is not waited for.
      if head.name == "SSND", head.length == 0xFFFF_FFFF || source.isComing && common != nil { break }
      try chunks.pass(head, length: head.length, in: source)
    }
    tags.title = tags.values("TITLE").first
    tags.artist = Tags.joined(tags.values("ARTIST"))
    guard let common else {
      throw Fault(.malformed, "A-196", "\(source.name) is an AIFF file that does not say what it holds (no \"COMM\")")
    }
    var stream = common.stream
    let frames = common.frames
    guard let sound else {
      // A file of no frames needs none.
      guard frames == 0 else {
        throw Fault(.malformed, "A-197", "\(source.name) is an AIFF file with no sound in it (no \"SSND\")")
      }
      stream.place(start: source.length ?? 12, stated: 0, length: source.length)
      self.stream = stream
      return
    }
    // The sound begins `offset` bytes behind the chunk's own two numbers.
    let offset = Int64(Chunks.number(try source.peek(4, at: sound.start), bigEndian: true))
    let inside = sound.length == 0 || sound.length == 0xFFFF_FFFF ? nil : max(0, sound.length - 8 - offset)
    let byFrames = frames == 0 || frames == 0xFFFF_FFFF ? nil : frames * Int64(stream.frameBytes)
    let stated: Int64? = inside.map { min($0, byFrames ?? $0) } ?? byFrames
    stream.place(start: sound.start + 8 + offset, stated: stated, length: source.length)
    self.stream = stream
    id3 = tag
  }

  private static func common(
    _ bytes: [UInt8], _ head: Chunks.Head, _ compresses: Bool, _ name: String
  ) throws(Fault) -> (PCMStream, Int64) {
    let bytes = bytes.prefix(Int(min(head.length, 22)))
    guard bytes.count >= (compresses ? 22 : 18) else {
      throw Fault(.malformed, "A-198", "\(name) is an AIFF file whose \"COMM\" is too short")
    }
    func number(_ at: Int, _ count: Int) -> Int { Int(Chunks.number(bytes[at..<at + count], bigEndian: true)) }
    let channels = number(0, 2)
    let bits = number(6, 2)
    let codec = compresses ? String(decoding: bytes[18..<22], as: UTF8.self) : "NONE"
    var encoding = PCMStream.Encoding.signed
    var bigEndian = true
    var width = (bits + 7) / 8
    var known = true
    switch codec {
    case "NONE", "twos": break
    case "sowt": bigEndian = false
    case "raw ": encoding = .unsigned
    case "in24", "in32": width = codec == "in24" ? 3 : 4
    case "42ni", "23ni": (width, bigEndian) = (codec == "42ni" ? 3 : 4, false)
    case "fl32", "FL32": (encoding, width) = (.float, 4)
    case "fl64", "FL64": (encoding, width) = (.float, 8)
    default: known = false
    }
    let whole = bits > 0 && bits <= 8 * width ? bits : 8 * width
    guard known, channels > 0, width > 0,
      let stream = PCMStream(
        encoding: encoding, bigEndian: bigEndian, width: width, bits: Int32(encoding == .float ? 8 * width : whole),
        channels: channels, sampleRate: extended(bytes[8..<18]),
        // The format's own order for six channels is used by nobody; programs write what they write into WAV files.
        order: .flac
      ).readable
    else {
      throw Fault(
        .unsupported, "A-199",
        "\(name) is an AIFF file of codec \"\(Tags.clean(codec))\", \(channels) channels and \(bits) bits; expected"
          + " whole numbers of 8 to 32 bits or floats of 32 or 64")
    }
    return (stream, Int64(number(2, 4)))
  }

  /// A float of 80 bits: sign, 15 bits of exponent, and 64 of which the first is written out. 0 when it is no rate.
  static func extended(_ bytes: some Collection<UInt8>) -> Int32 {
    let exponent = Int(Chunks.number(bytes.prefix(2), bigEndian: true)) - 16_383
    let mantissa = Chunks.number(bytes.dropFirst(2), bigEndian: true)
    guard (0...30).contains(exponent) else { return 0 }
    let (whole, rest) = (mantissa >> UInt64(63 - exponent), mantissa >> UInt64(62 - exponent) & 1)
    return Int32(clamping: whole + rest)
  }
}
