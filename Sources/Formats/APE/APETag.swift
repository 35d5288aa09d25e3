import Runtime

/// The tag of Monkey's Audio, WavPack and Musepack, and of many MP3 files: at the end, with its foot last. It is walked
/// through item by item; the library (`FileReading.readAPE`) and the MP3 decoder (`APETags`) take what they need.
struct APETag {
  /// Where it begins, its head included if it has one.
  let start: Int64
  private let stop: Int64
  private var at: Int64
  private var left: Int

  private static let footLength = 32
  private static let mostItems = 500
  /// In bytes.
  private static let longestKey = 256

  struct Item {
    enum Kind { case text, binary, other }

    let kind: Kind
    /// Good until the next bytes are asked for.
    let key: Piece
    let value: Range<Int64>
  }

  /// Nil when no tag ends at `end`.
  init?(before end: Int64, in bytes: any PlacedBytes) throws(Fault) {
    let foot = try bytes.piece(at: end - Int64(Self.footLength), count: Self.footLength)
    guard foot.count == Self.footLength, foot.begins("APETAGEX") else { return nil }
    // With the foot, without the head.
    let length = Int64(foot.little32(12))
    let hasHead = foot.little32(20) & 0x8000_0000 != 0
    guard length >= Int64(Self.footLength), length <= end else { return nil }
    (at, stop) = (end - length, end - Int64(Self.footLength))
    left = min(Int(foot.little32(16)), Self.mostItems)
    start = max(0, at - (hasHead ? Int64(Self.footLength) : 0))
  }

  /// Nil at the end, and where nothing makes sense any more.
  mutating func next(in bytes: any PlacedBytes) throws(Fault) -> Item? {
    guard left > 0, stop - at > 8 else { return nil }
    left -= 1
    let head = try bytes.piece(at: at, count: Int(min(stop - at, Int64(8 + Self.longestKey))))
    guard head.count > 8, let zero = head.first(0, from: 8) else { return nil }
    let value = at + Int64(zero) + 1
    let length = Int64(head.little32(0))
    guard length <= stop - value else { return nil }
    at = value + length
    let kind: Item.Kind =
      switch head.little32(4) >> 1 & 3 {
      case 0: .text
      case 1: .binary
      default: .other
      }
    return Item(kind: kind, key: head.part(8, zero - 8), value: value..<at)
  }
}

extension FileReading {
  /// Of a picture's file name.
  private static let longestPictureName = 256

  /// `end` moves in front of it.
  mutating func readAPE(before end: inout Int64) throws(Fault) {
    guard var tag = try APETag(before: end, in: bytes) else { return }
    while let item = try tag.next(in: bytes) {
      switch item.kind {
      case .text:
        if let field = TagField.named(item.key) {
          let count = min(item.value.count, 2 * TagTexts.longest)
          texts.addAll(field, try bytes.piece(at: item.value.lowerBound, count: count), .utf8)
        }
      case .binary:
        let key = item.key
        if key.begins("Cover Art") || key.begins("COVER ART") {
          let isFront = key.begins("Front", at: 10) || key.begins("(Front", at: 10) || key.begins("(FRONT", at: 10)
          try readPicture(item.value, isFront ? .front : .other)
        }
      case .other: break
      }
    }
    end = tag.start
  }

  /// The name it had as a file, a zero, and the picture.
  private mutating func readPicture(_ value: Range<Int64>, _ kind: ArtPlace.Kind) throws(Fault) {
    let head = try bytes.piece(at: value.lowerBound, count: min(value.count, Self.longestPictureName))
    guard let zero = head.first(0) else { return }
    add(ArtPlace(kind, at: value.lowerBound + Int64(zero) + 1, length: value.count - zero - 1))
  }
}
