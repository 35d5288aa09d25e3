import Runtime

/// A WAV file as its decoder needs it. What is not written as the decoder can read it is a fault here, while the library
/// (`FileReading.readWave`) lists such a file for the decoder of foreign formats. Texts are taken as UTF-8 or ISO 8859-1:
/// they are shown for music that the library does not know, and nobody waits for statistics then.
package struct WaveFile {
  package let stream: PCMStream
  package private(set) var tags = Tags()
  /// The tag of ID3's that is in it, as it stands there. It says it better than the short list.
  package private(set) var id3: [UInt8]?

  package static func begins(_ bytes: [UInt8]) -> Bool { Piece.with(bytes.prefix(12)) { WaveHead.begins($0) } }

  package init(_ source: any ByteSource) throws(Fault) {
    let bytes = SourceBytes(source)
    let head = try WaveHead(bytes, stopsAtSound: source.isComing)
    guard let format = head.format else {
      throw Fault(.malformed, "A-192", "\(source.name) is a WAV file that does not say what it holds (no \"fmt \")")
    }
    var stream = try Self.stream(format, source.name)
    guard let sound = head.sound else {
      throw Fault(.malformed, "A-193", "\(source.name) is a WAV file with no sound in it (no \"data\")")
    }
    stream.place(start: sound.start, stated: head.stated, length: source.length)
    self.stream = stream
    for list in head.lists { try Self.read(list, in: bytes, into: &tags) }
    id3 = try source.tag(head.id3)
  }

  private static func stream(_ format: WaveHead.Format, _ name: String) throws(Fault) -> PCMStream {
    guard format.count >= 16 else {
      throw Fault(.malformed, "A-194", "\(name) is a WAV file whose \"fmt \" is too short")
    }
    let (channels, bits, block) = (format.channels, format.bits, format.block)
    // Samples may lie in more bytes than their bits need.
    let least = (bits + 7) / 8
    let width = channels > 0 && block % channels == 0 && block / channels >= least ? block / channels : least
    let encoding: PCMStream.Encoding? =
      switch format.codec {
      case 1: bits <= 8 && width == 1 ? .unsigned : .signed
      case 3: .float
      default: nil
      }
    guard bits > 0, channels > 0, let encoding,
      let stream = PCMStream(
        encoding: encoding, bigEndian: false, width: width,
        bits: Int32(encoding == .float ? bits : min(format.validBits, 8 * width)), channels: channels,
        sampleRate: Int32(clamping: format.rate), order: format.mask == 0 ? .flac : .mask(format.mask)
      ).readable
    else {
      throw Fault(
        .unsupported, "A-195",
        "\(name) is a WAV file of codec \(format.codec), \(channels) channels and \(bits) bits; expected whole numbers of"
          + " 8 to 32 bits or floats of 32 or 64")
    }
    return stream
  }

  private static let names: [Letters: String] = [
    "INAM": "TITLE", "IART": "ARTIST", "IPRD": "ALBUM", "ITRK": "TRACKNUMBER", "IPRT": "TRACKNUMBER", "ICRD": "DATE",
    "IGNR": "GENRE", "ICMT": "COMMENT",
  ]

  private static func read(_ list: Range<Int64>, in bytes: SourceBytes, into tags: inout Tags) throws(Fault) {
    let end = min(list.upperBound, list.lowerBound + Chunks.longestText)
    var items = Chunks(from: list.lowerBound, to: end, bigEndian: false)
    while let item = try items.next(in: bytes) {
      let text = try bytes.piece(at: item.start, count: item.range(upTo: end).count).localText
      tags.add(names[item.name] ?? item.name.text, text)
      try items.pass(item.length, in: bytes)
    }
    tags.title = tags.values("TITLE").first
    tags.artist = Tags.joined(tags.values("ARTIST"))
    tags.album = tags.values("ALBUM").first
    tags.trackNumber = Tags.number(tags.values("TRACKNUMBER").first)
  }
}

extension ByteSource {
  /// The last of the tags that is short enough to be read.
  func tag(_ chunks: [Chunks.Head]) throws(Fault) -> [UInt8]? {
    guard let chunk = chunks.last(where: { $0.length <= Chunks.longestTag }) else { return nil }
    return try peek(Int(chunk.length), at: chunk.start)
  }
}
