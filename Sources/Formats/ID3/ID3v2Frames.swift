import Compression
import Runtime

/// The frames of an ID3v2 tag, one after the other. What is not kept is passed over unread.
extension FileReading {
  /// Several tags may follow one another. Gives the place behind them.
  mutating func readID3v2(at offset: Int64) throws(Fault) -> Int64 {
    var at = offset
    for _ in 0..<Self.mostTags {
      guard let tag = ID3v2Tag(try bytes.piece(at: at, count: ID3v2Tag.headLength), at: at) else { break }
      try readFrames(tag)
      at += tag.whole
      if texts.rank < 100 { texts.rank += 1 }
    }
    return at
  }

  static let mostTags = 8
  private static let mostFrames = 2_000
  /// Of a picture's frame before the picture itself.
  private static let longestPictureHead = 1_024

  mutating func readFrames(_ given: ID3v2Tag) throws(Fault) {
    var tag = given
    guard (2...4).contains(tag.version), try tag.unsynchronise(in: bytes) else { return }
    // A bit of 2.2 that promised a compression which was never told.
    if tag.version == 2 && tag.flags & 0x40 != 0 { return }
    var at: Int64 = 0
    if tag.version > 2 && tag.flags & 0x40 != 0 {
      let head = try tag.piece(at: 0, count: 4, in: bytes)
      at = tag.version == 4 ? Int64(head.syncSafe(0)) : Int64(head.big32(0)) + 4
    }
    for _ in 0..<Self.mostFrames {
      guard let frame = try ID3v2Frame(at: at, in: tag, bytes) else { return }
      try read(frame, of: tag)
      at = frame.end
    }
  }

  private mutating func read(_ frame: ID3v2Frame, of tag: ID3v2Tag) throws(Fault) {
    // What is encrypted is left alone.
    guard frame.isReadable else { return }
    switch frame.kind {
    case .text(let field): try readText(frame, field, of: tag)
    case .ownText, .comment: try readKeyed(frame, of: tag)
    case .picture: try readPicture(frame, of: tag)
    case .podcast: texts.add(.bookOrPodcast, number: 2)
    case .other: break
    }
  }

  /// The first bytes of what is inside, as they were before they were compressed and escaped.
  private func inside(_ frame: ID3v2Frame, of tag: ID3v2Tag, upTo most: Int) throws(Fault) -> Piece {
    let count = Int(min(Int64(frame.isCompressed ? FileBytes.most : most), frame.end - frame.start))
    var piece = try tag.piece(at: frame.start, count: count, in: bytes)
    if frame.isUnsynchronised {
      let space = UnsafeMutableBufferPointer(start: bytes.scratch, count: piece.count)
      _ = space.update(fromContentsOf: piece.buffer)
      piece = Piece(start: bytes.scratch, count: Unsynchronised.undo(space))
    }
    guard frame.isCompressed else { return piece }
    guard let plain = ZlibBytes.inflated(piece.buffer, most: most) else { return piece.part(0, 0) }
    let space = UnsafeMutableBufferPointer(start: bytes.scratch, count: plain.count)
    _ = space.update(fromContentsOf: plain)
    return Piece(start: bytes.scratch, count: plain.count)
  }

  private mutating func readText(_ frame: ID3v2Frame, _ field: TagField, of tag: ID3v2Tag) throws(Fault) {
    let piece = try inside(frame, of: tag, upTo: 2 * TagTexts.longest)
    texts.addAll(field, piece.from(1), Self.coding(piece[0]), numberedGenre: field == .genre)
  }

  private static func coding(_ byte: UInt8) -> TagTexts.Coding {
    switch byte {
    case 1, 2: .utf16
    case 3: .utf8
    default: .undeclared
    }
  }

  /// A key of people's own, its end, and the text.
  private mutating func readKeyed(_ frame: ID3v2Frame, of tag: ID3v2Tag) throws(Fault) {
    let piece = try inside(frame, of: tag, upTo: 2 * TagTexts.longest)
    // Comments have a language of three letters first.
    let first = frame.kind == .comment ? 4 : 1
    let isWide = piece[0] == 1 || piece[0] == 2
    let end = Self.end(of: piece, from: first, isWide: isWide)
    let text = piece.from(end + (isWide ? 2 : 1))
    let field: TagField?
    if isWide {
      // Keys that are known are plain letters: half of their bytes are zeros.
      let space = bytes.scratch + FileBytes.most / 2
      var count = 0
      for index in first..<max(first, end) where piece[index] != 0 && piece[index] < 0x80 && count < 64 {
        space[count] = piece[index]
        count += 1
      }
      field = .named(Piece(start: space, count: count))
    } else {
      field = .named(piece.part(first, end - first))
    }
    guard let field, frame.kind == .ownText || field == .gapless else { return }
    var coding = Self.coding(piece[0])
    // The mark may stand in front of the key alone.
    if piece[0] == 1, piece[first] == 0xFF, piece[first + 1] == 0xFE { coding = .utf16Little }
    texts.addAll(field, text, coding)
  }

  private static func end(of piece: Piece, from first: Int, isWide: Bool) -> Int {
    if !isWide { return piece.first(0, from: first) ?? piece.count }
    var at = first
    while at + 1 < piece.count && (piece[at] != 0 || piece[at + 1] != 0) { at += 2 }
    return at
  }

  private mutating func readPicture(_ frame: ID3v2Frame, of tag: ID3v2Tag) throws(Fault) {
    let piece = try inside(frame, of: tag, upTo: Self.longestPictureHead)
    let isWide = piece[0] == 1 || piece[0] == 2
    // 2.2 has three letters for the kind of picture, later ones a name with its end.
    let kindAt = tag.version == 2 ? 4 : (piece.first(0, from: 1) ?? piece.count) + 1
    let end = Self.end(of: piece, from: kindAt + 1, isWide: isWide) + (isWide ? 2 : 1)
    // Instead of a picture there may be a link to one.
    guard end < piece.count, !(tag.version == 2 ? piece.part(1, 3) : piece.part(1, 3)).isNamed("-->") else { return }
    let kind: ArtPlace.Kind = piece[kindAt] == 3 ? .front : .other
    let isEscaped = frame.isUnsynchronised || tag.isUnsynchronised
    if frame.isCompressed {
      let place = try tag.place(of: frame.start..<frame.end, in: bytes)
      return add(
        ArtPlace(
          kind, at: place.lowerBound, length: Int(place.upperBound - place.lowerBound),
          coding: isEscaped ? .compressedUnsynchronised : .compressed, skipped: end))
    }
    var head = end
    if frame.isUnsynchronised {
      let raw = try tag.piece(at: frame.start, count: 2 * Self.longestPictureHead, in: bytes)
      head = Unsynchronised.length(of: end, in: raw)
    }
    let place = try tag.place(of: min(frame.start + Int64(head), frame.end)..<frame.end, in: bytes)
    add(
      ArtPlace(
        kind, at: place.lowerBound, length: Int(place.upperBound - place.lowerBound),
        coding: isEscaped ? .unsynchronised : .plain))
  }
}
