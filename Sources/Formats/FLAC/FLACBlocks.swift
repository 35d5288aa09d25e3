import Runtime

/// The blocks in front of a FLAC file's sound, one after the other: a kind, a length, so many bytes.
struct FLACBlocks {
  struct Block {
    let kind: UInt8
    let isLast: Bool
    /// Of what is inside.
    let start: Int64
    let length: Int64
  }

  static let padding: UInt8 = 1
  static let picture: UInt8 = 6
  static let headLength: Int64 = 4
  private static let most = 1_000

  /// Behind the block that was read last: when that is the last of all, the sound begins there.
  private(set) var end: Int64
  private var left = FLACBlocks.most
  private var isOver = false

  /// `start`: of the letters `fLaC`.
  init(from start: Int64) { end = start + 4 }

  /// Nil behind the last one, and where the file ends.
  mutating func next(in bytes: any PlacedBytes) throws(Fault) -> Block? {
    guard !isOver, left > 0 else { return nil }
    left -= 1
    let head = try bytes.piece(at: end, count: Int(Self.headLength))
    guard head.count == Int(Self.headLength) else { return nil }
    isOver = head[0] & 0x80 != 0
    let block = Block(
      kind: head[0] & 0x7F, isLast: isOver, start: end + Self.headLength, length: Int64(head.big24(1)))
    end = block.start + block.length
    return block
  }
}

extension FileReading {
  mutating func readFLAC(at offset: Int64) throws(Fault) {
    found.codec = "FLAC"
    var blocks = FLACBlocks(from: offset)
    while let block = try blocks.next(in: bytes) { try readBlock(block.kind, at: block.start, length: block.length) }
    found.audio = span(blocks.end, bytes.size)
  }

  private mutating func readBlock(_ kind: UInt8, at offset: Int64, length: Int64) throws(Fault) {
    switch kind {
    case 0: readStreamInfo(try bytes.piece(at: offset, count: 34))
    case 4: try readComments(at: offset, end: min(offset + length, bytes.size))
    case FLACBlocks.picture:
      let piece = try bytes.piece(at: offset, count: Int(min(length, 1_024)))
      guard let picture = FLACPicture(piece), picture.headLength < length else { return }
      let inside = length - Int64(picture.headLength)
      let stated = picture.length > 0 ? min(Int64(picture.length), inside) : inside
      add(ArtPlace(picture.kind, at: offset + Int64(picture.headLength), length: Int(stated)))
    default: break
    }
  }

  mutating func readStreamInfo(_ piece: Piece) {
    guard piece.count >= 18 else { return }
    let word = piece.big64(10)
    setFormat(rate: Int(word >> 44), channels: Int(word >> 41 & 7) + 1, bits: Int(word >> 36 & 31) + 1)
    setFrames(Int64(word & 0xF_FFFF_FFFF), atMost: AudioFormat.MostFramesPerByte.flac)
  }

  private mutating func readComments(at offset: Int64, end: Int64) throws(Fault) {
    let vendor = try bytes.piece(at: offset, count: 4)
    var at = offset + 4 + Int64(vendor.little32(0))
    let count = try bytes.piece(at: at, count: 4)
    var left = count.count == 4 ? min(count.little32(0), 10_000) : 0
    at += 4
    while left > 0, at + 4 <= end {
      left -= 1
      let length = Int64(try bytes.piece(at: at, count: 4).little32(0))
      at += 4
      guard length <= end - at else { return }
      // A picture in a text is read no further than its key.
      let text = try bytes.piece(at: at, count: Int(min(length, Int64(TagTexts.longest))))
      if let picture = Base64Picture(text, length: Int(length)) {
        add(
          ArtPlace(
            picture.kind, at: at + Int64(picture.start), length: picture.length, coding: .base64,
            skipped: picture.skipped))
      } else {
        texts.add(vorbis: text)
      }
      at += length
    }
  }
}

/// A comment whose value is a picture in letters: a whole picture block of FLAC's, or, of old, the picture alone.
struct Base64Picture {
  private(set) var kind = ArtPlace.Kind.front
  /// Of the letters, in the comment.
  let start: Int
  let length: Int
  private(set) var skipped = 0

  init?(_ comment: Piece, length whole: Int) {
    let head = comment.part(0, 23)
    if head.count == 23 && head.isNamed("METADATA_BLOCK_PICTURE=") {
      (start, length) = (23, whole - 23)
      var space: [UInt8] = []
      Base64.append(comment.part(23, 1_368).buffer, to: &space)
      let picture = space.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.flatMap { FLACPicture(Piece(start: $0, count: buffer.count)) }
      }
      guard let picture else { return nil }
      (kind, skipped) = (picture.kind, picture.headLength)
    } else if comment.part(0, 9).isNamed("COVERART=") {
      (start, length) = (9, whole - 9)
    } else {
      return nil
    }
  }
}
