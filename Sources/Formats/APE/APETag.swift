import Runtime

/// The tag of Monkey's Audio, WavPack and Musepack, and of many MP3 files: at the end, with its foot last.
extension FileReading {
  private static let footLength = 32
  private static let mostItems = 500
  /// Of a key and of a picture's file name.
  private static let longestKey = 256

  /// `end` moves in front of it.
  mutating func readAPE(before end: inout Int64) throws(Fault) {
    let foot = try bytes.piece(at: end - Int64(Self.footLength), count: Self.footLength)
    guard foot.count == Self.footLength, foot.begins("APETAGEX") else { return }
    // With the foot, without the head.
    let length = Int64(foot.little32(12))
    let items = Int(foot.little32(16))
    let hasHead = foot.little32(20) & 0x8000_0000 != 0
    let stop = end - Int64(Self.footLength)
    let start = end - length
    guard length >= Int64(Self.footLength), start >= 0 else { return }
    try readItems(in: start..<stop, count: items)
    end = max(0, start - (hasHead ? Int64(Self.footLength) : 0))
  }

  private mutating func readItems(in range: Range<Int64>, count: Int) throws(Fault) {
    var at = range.lowerBound
    for _ in 0..<min(max(count, 0), Self.mostItems) {
      let left = range.upperBound - at
      let head = try bytes.piece(at: at, count: Int(min(left, Int64(8 + Self.longestKey))))
      guard left > 8, let zero = head.first(0, from: 8) else { return }
      let length = Int64(head.little32(0))
      let flags = head.little32(4)
      let value = at + Int64(zero) + 1
      guard length <= range.upperBound - value else { return }
      switch flags >> 1 & 3 {
      case 0:
        if let field = TagField.named(head.part(8, zero - 8)) {
          let text = try bytes.piece(at: value, count: Int(min(length, Int64(2 * TagTexts.longest))))
          texts.addAll(field, text, .utf8)
        }
      case 1:
        if head.begins("Cover Art", at: 8) || head.begins("COVER ART", at: 8) {
          let isFront = head.begins("Front", at: 18) || head.begins("(Front", at: 18) || head.begins("(FRONT", at: 18)
          try readPicture(at: value, length: length, isFront ? .front : .other)
        }
      default: break
      }
      at = value + length
    }
  }

  /// The name it had as a file, a zero, and the picture.
  private mutating func readPicture(at offset: Int64, length: Int64, _ kind: ArtPlace.Kind) throws(Fault) {
    let head = try bytes.piece(at: offset, count: Int(min(length, Int64(Self.longestKey))))
    guard let zero = head.first(0) else { return }
    add(ArtPlace(kind, at: offset + Int64(zero) + 1, length: Int(length) - zero - 1))
  }
}
