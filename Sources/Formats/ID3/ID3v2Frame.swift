import Runtime

/// The head of one frame, and where what is inside lies in its tag.
struct ID3v2Frame {
  enum Kind: Equatable {
    case text(TagField)
    case ownText, comment, picture, podcast, other
  }

  private(set) var kind: Kind
  private(set) var start: Int64
  let end: Int64
  private(set) var isReadable = true
  private(set) var isUnsynchronised = false
  /// With zlib; and then perhaps escaped.
  private(set) var isCompressed = false

  /// Nil at the end, in the padding, and where nothing makes sense any more.
  init?(at offset: Int64, in tag: ID3v2Tag, _ bytes: FileBytes) throws(Fault) {
    let isOld = tag.version == 2
    let headLength = isOld ? 6 : 10
    let head = try tag.piece(at: offset, count: headLength, in: bytes)
    guard head.count == headLength, Self.isName(head, isOld ? 3 : 4) else { return nil }
    start = offset + Int64(headLength)
    let id = isOld ? UInt32(head.big24(0)) << 8 : head.big32(0)
    kind = Self.kinds[id] ?? .other
    var length: Int64
    if isOld {
      length = Int64(head.big24(3))
    } else if tag.version == 3 {
      length = Int64(head.big32(4))
    } else {
      length = Int64(head.syncSafe(4))
      // iTunes wrote all eight bits of each byte: that is told by where the next frame begins.
      let plain = Int64(head.big32(4))
      if plain != length {
        let isSafe = (4..<8).allSatisfy { head[$0] < 0x80 }
        // Evaluated one by one: an operator's right side would lose the kind of error.
        let safeFits = try Self.begins(at: start + length, in: tag, bytes)
        let plainFits = try Self.begins(at: start + plain, in: tag, bytes)
        if !isSafe || (!safeFits && plainFits) { length = plain }
      }
    }
    let flags = isOld ? 0 : try tag.piece(at: offset, count: headLength, in: bytes)[9]
    // A frame that is said to be longer than its tag ends with it.
    end = min(start + length, tag.length)
    if tag.version == 3 {
      // What is encrypted cannot be read.
      isReadable = flags & 0x40 == 0
      isCompressed = flags & 0x80 != 0
      // Its length before it was compressed.
      if isCompressed { start += 4 }
      if flags & 0x20 != 0 { start += 1 }
    } else if tag.version == 4 {
      isReadable = flags & 0x04 == 0
      isCompressed = flags & 0x08 != 0
      isUnsynchronised = flags & 0x02 != 0 || tag.framesAreUnsynchronised
      if flags & 0x40 != 0 { start += 1 }
      if flags & 0x01 != 0 { start += 4 }
    }
    if start >= end { isReadable = false }
  }

  private static func isName(_ piece: Piece, _ count: Int) -> Bool {
    for index in 0..<count {
      let byte = piece[index]
      let isLetter = byte >= 0x41 && byte <= 0x5A || byte >= 0x30 && byte <= 0x39
      // Frames of 2.2 that were moved into a newer tag have a blank or a zero behind their three letters.
      if !isLetter && !(index == 3 && (byte == 0 || byte == 0x20)) { return false }
    }
    return true
  }

  private static func begins(at offset: Int64, in tag: ID3v2Tag, _ bytes: FileBytes) throws(Fault) -> Bool {
    if offset == tag.length { return true }
    let head = try tag.piece(at: offset, count: 4, in: bytes)
    return head.count == 4 && (head.big32(0) == 0 || isName(head, 4))
  }

  private static let kinds: [UInt32: Kind] = {
    let fields: [(Letters, Letters, TagField)] = [
      ("TIT2", "TT2", .title), ("TPE1", "TP1", .artist), ("TALB", "TAL", .album), ("TPE2", "TP2", .albumArtist),
      ("TCOM", "TCM", .composer), ("TCON", "TCO", .genre), ("TSOT", "TST", .titleSort), ("TSOP", "TSP", .artistSort),
      ("TSOA", "TSA", .albumSort), ("TSO2", "TS2", .albumArtistSort), ("TCMP", "TCP", .compilation),
      ("TPOS", "TPA", .disc), ("TRCK", "TRK", .track), ("TDRC", "TYE", .year), ("TYER", "TYE", .year),
      ("TDRL", "TOR", .otherYear), ("TDOR", "TOR", .otherYear), ("TORY", "TOR", .otherYear),
      ("XSOT", "XST", .titleSort), ("XSOP", "XSP", .artistSort), ("XSOA", "XSA", .albumSort),
    ]
    let others: [(Letters, Letters, Kind)] = [
      ("TXXX", "TXX", .ownText), ("COMM", "COM", .comment), ("APIC", "PIC", .picture), ("PCST", "PCS", .podcast),
    ]
    var kinds: [UInt32: Kind] = [:]
    for (new, old, kind) in fields.map({ ($0, $1, Kind.text($2)) }) + others {
      kinds[new.value] = kind
      kinds[old.value << 8] = kind
      // In a newer tag, with a blank.
      kinds[old.value << 8 | 0x20] = kind
    }
    return kinds
  }()
}
