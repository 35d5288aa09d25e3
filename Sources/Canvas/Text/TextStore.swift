import Glibc

/// What is known of the texts that were shown lately, so that a screen that is drawn again lays out nothing. A name that
/// was made up to cost time costs it once.
struct TextStore {
  /// For each generation of the cache: a list of twenty rows whose names are all as long as can be.
  static let paragraphBytes = 768 * 1_024
  static let lineBytes = 64 * 1_024
  static let placementBytes = 256 * 1_024

  private struct LinesKey: Hashable {
    let paragraph: Int
    let size: Int
    let width: Int
    let count: Int
    let isBalanced: Bool
  }

  private struct PlacementKey: Hashable {
    let paragraph: Int
    let size: Int
    let start: Int
    let end: Int
    let room: Int
  }

  private var paragraphs = TwoGenerationCache<UInt64, Paragraph>(limit: paragraphBytes)
  private var lines = TwoGenerationCache<LinesKey, [Paragraph.Span]>(limit: lineBytes)
  private var placements = TwoGenerationCache<PlacementKey, Placement>(limit: placementBytes)
  /// How many paragraphs were made.
  private(set) var made = 0

  var bytes: Int { paragraphs.bytes + lines.bytes + placements.bytes }

  mutating func paragraph(_ text: String, in typeface: Typeface) -> Paragraph {
    text.withBytes { bytes in
      let read = UnsafeBufferPointer(rebasing: bytes.prefix(4 * VisibleText.longestRead))
      let sum = Self.sum(of: read)
      if let known = paragraphs[sum], known.isOf(read) { return known }
      made += 1
      let new = Paragraph(text, source: Array(read), number: made, in: typeface)
      paragraphs.add(new, for: sum, bytes: new.bytes)
      return new
    }
  }

  mutating func spans(
    of paragraph: Paragraph, size: Int, width: Int, atMost count: Int, balanced: Bool
  ) -> [Paragraph.Span] {
    let key = LinesKey(paragraph: paragraph.number, size: size, width: width, count: count, isBalanced: balanced)
    if let known = lines[key] { return known }
    let new =
      balanced
      ? paragraph.balanced(size: size, width: width, atMost: count)
      : paragraph.spans(size: size, width: width, atMost: count)
    lines.add(new, for: key, bytes: 112 + new.count * MemoryLayout<Paragraph.Span>.stride)
    return new
  }

  mutating func placement(of line: TextLine, size: Int, room: Int?, in typeface: Typeface) -> Placement {
    let key = PlacementKey(
      paragraph: line.paragraph.number, size: size, start: line.span.start, end: line.span.end, room: room ?? -1)
    if let known = placements[key] { return known }
    let hasOne = typeface.find("…").glyph != 0
    let dots = paragraph(hasOne ? "…" : "...", in: typeface)
    let new = Placement(line.span, of: line.paragraph, size: size, room: room.map { max($0, 0) }, ellipsis: dots)
    placements.add(new, for: key, bytes: new.bytes)
    return new
  }

  /// Tells texts apart quickly; that two are the same is looked at byte by byte.
  private static func sum(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var sum = UInt64(bytes.count)
    func add(_ word: UInt64) {
      sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
      sum ^= sum >> 29
    }
    let whole = bytes.count / 8 * 8
    let raw = UnsafeRawBufferPointer(bytes)
    for at in stride(from: 0, to: whole, by: 8) { add(raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)) }
    var rest: UInt64 = 0
    for at in whole..<bytes.count { rest = rest << 8 | UInt64(bytes[at]) }
    add(rest)
    return sum
  }
}

extension Paragraph {
  fileprivate func isOf(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard source.count == bytes.count, let start = bytes.baseAddress else { return source.count == bytes.count }
    return memcmp(source, start, bytes.count) == 0
  }
}

extension String {
  /// As they lie there; nothing is copied but for the shortest.
  fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(utf8).withUnsafeBufferPointer(body)
  }
}
