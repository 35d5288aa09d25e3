import Runtime

/// One tag's bytes: as they stand in the file, or all in memory where zeros had to be taken out of the whole. Decoders need
/// only its length (`ID3v2`).
struct ID3v2Tag {
  /// 2, 3 or 4.
  let version: UInt8
  let flags: UInt8
  /// Behind the head.
  let start: Int64
  /// Of frames and padding, once `plain` is there of these.
  private(set) var length: Int64
  /// With its head and, at its end, perhaps a foot.
  let whole: Int64
  private var plain: UnsafeMutableBufferPointer<UInt8>?

  static let headLength = 10

  /// Nil when `piece` begins no tag.
  init?(_ piece: Piece, at offset: Int64) {
    guard piece.count >= Self.headLength, piece.begins("ID3"), piece[3] < 0xFF, piece[4] < 0xFF,
      (6..<10).allSatisfy({ piece[$0] < 0x80 })
    else { return nil }
    version = piece[3]
    flags = piece[5]
    start = offset + Int64(Self.headLength)
    length = Int64(piece.syncSafe(6))
    whole = length + 10 + (flags & 0x10 == 0 ? 0 : 10)
  }

  /// Before 2.4 the whole tag has its zeros, and frames are counted without them.
  var isUnsynchronised: Bool { flags & 0x80 != 0 && version < 4 }
  var framesAreUnsynchronised: Bool { flags & 0x80 != 0 && version == 4 }

  /// False when it is too long for that.
  mutating func unsynchronise(in bytes: FileBytes) throws(Fault) -> Bool {
    guard isUnsynchronised else { return true }
    guard let all = try bytes.whole(at: start, count: Int(length)) else { return false }
    let count = Unsynchronised.undo(all)
    plain = UnsafeMutableBufferPointer(rebasing: all[..<count])
    length = Int64(count)
    return true
  }

  /// `count` bytes behind the head, fewer at the tag's end.
  func piece(at offset: Int64, count: Int, in bytes: FileBytes) throws(Fault) -> Piece {
    let count = Int(max(0, min(Int64(count), length - offset)))
    guard let plain else { return try bytes.piece(at: start + offset, count: count) }
    guard let base = plain.baseAddress, offset >= 0, count > 0 else { return try bytes.piece(at: start, count: 0) }
    return Piece(start: base + Int(offset), count: count)
  }

  /// Where bytes of the tag lie in the file.
  func place(of range: Range<Int64>, in bytes: FileBytes) throws(Fault) -> Range<Int64> {
    guard plain != nil else { return start + range.lowerBound..<start + range.upperBound }
    // They were moved in memory: they are counted again from the file.
    var plainAt: Int64 = 0
    var at = start
    var lower: Int64?
    var last: UInt8 = 0
    while at < bytes.size {
      let piece = try bytes.piece(at: at, count: FileBytes.most)
      if piece.isEmpty { break }
      for index in 0..<piece.count {
        if last == 0xFF && piece[index] == 0 {
          last = 0
          continue
        }
        last = piece[index]
        if plainAt == range.lowerBound { lower = at + Int64(index) }
        if plainAt == range.upperBound, let lower { return lower..<at + Int64(index) }
        plainAt += 1
      }
      at += Int64(piece.count)
    }
    return (lower ?? at)..<at
  }
}

/// ID3's own escape: nothing in a tag is to look like the head of a frame of sound, so a zero stands behind each byte
/// 255.
enum Unsynchronised {
  /// How many bytes are left.
  static func undo(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var to = 0
    var last: UInt8 = 0
    for byte in bytes {
      let isFilling = last == 0xFF && byte == 0
      last = byte
      if isFilling { continue }
      bytes[to] = byte
      to += 1
    }
    return to
  }

  /// How many bytes in front become `count` of them.
  static func length(of count: Int, in piece: Piece) -> Int {
    var plain = 0
    var last: UInt8 = 0
    for index in 0..<piece.count {
      let isFilling = last == 0xFF && piece[index] == 0
      last = piece[index]
      if isFilling { continue }
      if plain == count { return index }
      plain += 1
    }
    return piece.count
  }
}
