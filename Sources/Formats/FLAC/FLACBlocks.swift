import Runtime

/// The blocks in front of a FLAC file's sound.
extension FileReading {
  private static let mostBlocks = 1_000

  mutating func readFLAC(at offset: Int64) throws(Fault) {
    found.codec = "FLAC"
    var at = offset + 4
    for _ in 0..<Self.mostBlocks {
      let head = try bytes.piece(at: at, count: 4)
      guard head.count == 4 else { break }
      let length = Int64(head.big24(1))
      let (kind, isLast) = (head[0] & 0x7F, head[0] & 0x80 != 0)
      try readBlock(kind, at: at + 4, length: length)
      at += 4 + length
      if isLast { break }
    }
    found.audio = span(at, bytes.size)
  }

  mutating func readBlock(_ kind: UInt8, at offset: Int64, length: Int64) throws(Fault) {
    switch kind {
    case 0: readStreamInfo(try bytes.piece(at: offset, count: 34))
    case 4: try readComments(at: offset, end: min(offset + length, bytes.size))
    case 6:
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
