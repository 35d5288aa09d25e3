import Runtime

/// The header of a WAV file (RIFF, and RF64 or BW64, which are longer than 4 GB), its chunks in whatever order.
package struct WaveFile {
  package let stream: PCMStream
  package private(set) var tags = Tags()
  /// The tag of ID3's that is in it, as it stands there. It says it better than the short list.
  package private(set) var id3: [UInt8]?

  package static func begins(_ bytes: [UInt8]) -> Bool {
    ["RIFF", "RF64", "BW64"].contains { bytes.starts(with: $0.utf8) } && bytes.dropFirst(8).starts(with: "WAVE".utf8)
  }

  package init(_ source: any ByteSource) throws(Fault) {
    var lengths = Lengths(outer: Int64(Chunks.number(try source.peek(8, at: 0).dropFirst(4), bigEndian: false)))
    var data: Chunks.Head?
    var format: PCMStream?
    var chunks = Chunks(from: 12, bigEndian: false)
    var tag: [UInt8]?
    while let head = try chunks.next(in: source) {
      var length = head.length
      switch head.name {
      case "fmt ": if format == nil { format = try Self.format(source.peek(40, at: head.start), head, source.name) }
      case "ds64":
        let bytes = try source.peek(16, at: head.start)
        if bytes.count == 16 { lengths.longData = Int64(exactly: Chunks.number(bytes[8...], bigEndian: false)) }
      case "data":
        if data == nil { data = head }
        length = lengths.stated(of: head, fileLength: source.length) ?? (source.length ?? .max) - head.start
      case "LIST": Self.readList(try source.peek(Int(min(length, Chunks.longestText)), at: head.start), into: &tags)
      case "id3 ", "ID3 ":
        if length <= Chunks.longestTag { tag = try source.peek(Int(length), at: head.start) }
      default: break
      }
      // What stands behind the sound of one that is still coming is not waited for.
      if head.name == "data", source.isComing, format != nil { break }
      try chunks.pass(head, length: length, in: source)
    }
    guard var stream = format else {
      throw Fault(.malformed, "A-192", "\(source.name) is a WAV file that does not say what it holds (no \"fmt \")")
    }
    guard let data else {
      throw Fault(.malformed, "A-193", "\(source.name) is a WAV file with no sound in it (no \"data\")")
    }
    stream.place(start: data.start, stated: lengths.stated(of: data, fileLength: source.length), length: source.length)
    self.stream = stream
    id3 = tag
  }

  private struct Lengths {
    /// Written when a recording ends; 0 or nonsense in one that was cut off.
    let outer: Int64
    var longData: Int64?

    init(outer: Int64) { self.outer = outer }

    /// Of a recording that was never finished, or one written into a pipe, it is open: to the end of the file.
    func stated(of head: Chunks.Head, fileLength: Int64?) -> Int64? {
      if head.length == 0xFFFF_FFFF { return longData.flatMap { $0 > 0 ? $0 : nil } }
      let finished = fileLength.map { outer + 8 == $0 || outer + 9 == $0 } ?? false
      if head.length == 0 { return finished ? 0 : nil }
      // What sox writes into a pipe, a little below 2 GB.
      if head.length >= 0x7FFF_F000, fileLength.map({ head.start + head.length > $0 }) ?? true { return nil }
      return head.length
    }
  }

  private static let guidTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

  private static func format(_ bytes: [UInt8], _ head: Chunks.Head, _ name: String) throws(Fault) -> PCMStream {
    let bytes = bytes.prefix(Int(min(head.length, 40)))
    guard bytes.count >= 16 else {
      throw Fault(.malformed, "A-194", "\(name) is a WAV file whose \"fmt \" is too short")
    }
    func number(_ at: Int, _ count: Int) -> Int { Int(Chunks.number(bytes[at..<at + count], bigEndian: false)) }
    var codec = number(0, 2)
    let channels = number(2, 2)
    let bits = number(14, 2)
    var validBits = bits
    var order = ChannelOrder.flac
    if codec == 0xFFFE, bytes.count >= 40, bytes[26...].elementsEqual(guidTail) {
      codec = number(24, 2)
      if number(18, 2) > 0 { validBits = min(bits, number(18, 2)) }
      if number(20, 4) != 0 { order = .mask(UInt32(number(20, 4))) }
    }
    // Samples may lie in more bytes than their bits need.
    let block = number(12, 2)
    let least = (bits + 7) / 8
    let width = channels > 0 && block % channels == 0 && block / channels >= least ? block / channels : least
    let encoding: PCMStream.Encoding? =
      switch codec {
      case 1: bits <= 8 && width == 1 ? .unsigned : .signed
      case 3: .float
      default: nil
      }
    guard bits > 0, channels > 0, let encoding,
      let stream = PCMStream(
        encoding: encoding, bigEndian: false, width: width,
        bits: Int32(encoding == .float ? bits : min(validBits, 8 * width)), channels: channels,
        sampleRate: Int32(clamping: number(4, 4)), order: order
      ).readable
    else {
      throw Fault(
        .unsupported, "A-195",
        "\(name) is a WAV file of codec \(codec), \(channels) channels and \(bits) bits; expected whole numbers of 8 to 32"
          + " bits or floats of 32 or 64")
    }
    return stream
  }

  private static let names = [
    "INAM": "TITLE", "IART": "ARTIST", "IPRD": "ALBUM", "ITRK": "TRACKNUMBER", "IPRT": "TRACKNUMBER", "ICRD": "DATE",
    "IGNR": "GENRE", "ICMT": "COMMENT",
  ]

  private static func readList(_ bytes: [UInt8], into tags: inout Tags) {
    guard bytes.starts(with: "INFO".utf8) else { return }
    var at = 4
    while at + 8 <= bytes.count {
      let length = Int(Chunks.number(bytes[at + 4..<at + 8], bigEndian: false))
      let end = min(bytes.count, at + 8 + length)
      let name = String(decoding: bytes[at..<at + 4], as: UTF8.self)
      tags.add(names[name] ?? name, Chunks.text(bytes[at + 8..<end]))
      at = end + length % 2
    }
    tags.title = tags.values("TITLE").first
    tags.artist = Tags.joined(tags.values("ARTIST"))
    tags.album = tags.values("ALBUM").first
    tags.trackNumber = Tags.number(tags.values("TRACKNUMBER").first)
  }
}
