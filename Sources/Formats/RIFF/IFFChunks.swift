import Runtime

/// The chunks of which WAV and AIFF files are made: four letters, a length, so many bytes, and one more where that is
/// odd. The player's own reader of them has each text read for itself and takes its tags from a decoder's library.
struct IFFChunks {
  struct Chunk {
    let name: Letters
    let start: Int64
    /// As it is stated.
    let length: Int64
  }

  private let bigEndian: Bool
  private let end: Int64
  private(set) var at: Int64
  private var left = 1_000

  init(_ range: Range<Int64>, bigEndian: Bool) {
    (at, end) = (range.lowerBound, range.upperBound)
    self.bigEndian = bigEndian
  }

  mutating func next(in bytes: FileBytes) throws(Fault) -> Chunk? {
    guard left > 0, end - at >= 8 else { return nil }
    left -= 1
    let head = try bytes.piece(at: at, count: 8)
    guard head.count == 8 else { return nil }
    let length = Int64(bigEndian ? head.big32(4) : head.little32(4))
    at += 8
    return Chunk(name: Letters(head.big32(0)), start: at, length: length)
  }

  /// Goes on behind what `next` gave; its length may be known better than it says.
  mutating func pass(_ length: Int64, in bytes: FileBytes) throws(Fault) {
    guard length <= end - at else {
      at = end
      return
    }
    at += length
    guard length % 2 == 1 else { return }
    // Some programs forget the byte that makes it even: then letters follow at once.
    let next = try bytes.piece(at: at, count: 4)
    if !(next.count == 4 && next.buffer.allSatisfy { $0 >= 0x20 && $0 < 0x7F }) { at += 1 }
  }
}

/// WAV, and RF64 and BW64, which are longer than 4 GB.
extension FileReading {
  mutating func readWave() throws(Fault) {
    found.codec = "WAV"
    let outer = Int64(try bytes.piece(at: 0, count: 8).little32(4))
    var chunks = IFFChunks(span(12, bytes.size), bigEndian: false)
    var longData: Int64?
    var frameBytes: Int64 = 0
    var stated: Int64?
    var isPCM = true
    var isPacked = false
    var hasSound = false
    // A tag of ID3's says it better than the short list.
    texts.rank = TagRank.list
    while let chunk = try chunks.next(in: bytes) {
      var length = chunk.length
      switch chunk.name {
      case "fmt ":
        let format = try bytes.piece(at: chunk.start, count: Int(min(length, 40)))
        frameBytes = Int64(format.little16(12))
        var codec = format.little16(0)
        var bits = format.little16(14)
        if codec == 0xFFFE, format.count >= 26 {
          codec = format.little16(24)
          if format.little16(18) > 0 { bits = min(bits, format.little16(18)) }
        }
        isPCM = codec == 1 || codec == 3
        // A-law and mu-law: a byte a sample.
        isPacked = codec == 6 || codec == 7
        setFormat(rate: Int(clamping: format.little32(4)), channels: format.little16(2), bits: isPCM ? bits : 0)
        if codec == 0x55 { found.codec = "MP3" }
      case "ds64": longData = Int64(clamping: try bytes.piece(at: chunk.start, count: 16).little64(8))
      case "fact": stated = Int64(try bytes.piece(at: chunk.start, count: 4).little32(0))
      case "data":
        length = soundLength(of: chunk, longData, isFinished: outer + 8 == bytes.size || outer + 9 == bytes.size)
        if !hasSound { found.audio = span(chunk.start, chunk.start + min(length, bytes.size)) }
        hasSound = true
      case "LIST":
        if try bytes.piece(at: chunk.start, count: 4).begins("INFO") {
          try readInfo(span(chunk.start + 4, chunk.start + length))
        }
      case "id3 ", "ID3 ": try readID3Chunk(at: chunk.start)
      default: break
      }
      try chunks.pass(length, in: bytes)
    }
    let sound = found.audio.upperBound - found.audio.lowerBound
    if isPCM || isPacked, frameBytes > 0 { setFrames(sound / frameBytes) } else if let stated { setFrames(stated) }
  }

  /// What was recorded and never finished, or written into a pipe, goes to the end of the file.
  private func soundLength(of chunk: IFFChunks.Chunk, _ longData: Int64?, isFinished: Bool) -> Int64 {
    let there = bytes.size - chunk.start
    if chunk.length == 0xFFFF_FFFF { return longData.map { $0 > 0 ? $0 : there } ?? there }
    if chunk.length == 0 { return isFinished ? 0 : there }
    return min(chunk.length, there)
  }

  mutating func readID3Chunk(at offset: Int64) throws(Fault) {
    let rank = texts.rank
    texts.rank = TagRank.front
    _ = try readID3v2(at: offset)
    texts.rank = rank
  }

  private static let info: [Letters: TagField] = [
    "INAM": .title, "IART": .artist, "IPRD": .album, "ITRK": .track, "IPRT": .track, "ICRD": .year, "IGNR": .genre,
    "IMUS": .composer, "IAAR": .albumArtist,
  ]

  private mutating func readInfo(_ range: Range<Int64>) throws(Fault) {
    guard range.lowerBound < range.upperBound else { return }
    var items = IFFChunks(range, bigEndian: false)
    while let item = try items.next(in: bytes) {
      if let field = Self.info[item.name] {
        let text = try bytes.piece(at: item.start, count: Int(min(item.length, range.upperBound - item.start)))
        texts.add(field, text.from(0), .local)
      }
      try items.pass(item.length, in: bytes)
    }
  }
}

/// AIFF and AIFF-C: the same with numbers the other way round.
extension FileReading {
  mutating func readAIFF() throws(Fault) {
    found.codec = "AIFF"
    texts.rank = TagRank.list
    var chunks = IFFChunks(span(12, bytes.size), bigEndian: true)
    while let chunk = try chunks.next(in: bytes) {
      switch chunk.name {
      case "COMM":
        let common = try bytes.piece(at: chunk.start, count: 18)
        guard common.count == 18 else { break }
        setFormat(rate: Self.extended(common.from(8)), channels: common.big16(0), bits: common.big16(6))
        setFrames(Int64(common.big32(2)))
      case "SSND":
        let start = chunk.start + 8 + Int64(try bytes.piece(at: chunk.start, count: 4).big32(0))
        let end = min(bytes.size, chunk.length == 0 ? bytes.size : chunk.start + chunk.length)
        found.audio = span(start, end)
      case "NAME": try readText(.title, chunk)
      case "AUTH": try readText(.artist, chunk)
      case "ID3 ", "id3 ": try readID3Chunk(at: chunk.start)
      default: break
      }
      try chunks.pass(chunk.length, in: bytes)
    }
  }

  private mutating func readText(_ field: TagField, _ chunk: IFFChunks.Chunk) throws(Fault) {
    texts.add(field, try bytes.piece(at: chunk.start, count: Int(min(chunk.length, Int64(TagTexts.longest)))), .local)
  }

  /// A float of 80 bits; 0 when it is no rate.
  private static func extended(_ piece: Piece) -> Int {
    let exponent = piece.big16(0) - 16_383
    guard (0...30).contains(exponent) else { return 0 }
    let mantissa = piece.big64(2)
    return Int(mantissa >> UInt64(63 - exponent)) + Int(mantissa >> UInt64(62 - exponent) & 1)
  }
}
