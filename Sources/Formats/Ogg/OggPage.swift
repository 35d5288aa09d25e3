/// What stands in front of a page's bytes in an Ogg file.
package struct OggPage {
  package let isContinued: Bool
  /// It begins a stream. Streams that lie side by side all begin before any goes on.
  package let isFirst: Bool
  let granule: Int64
  package let serial: UInt32
  package let sequence: UInt32
  /// The lengths of the pieces of packets on it.
  package let segments: [UInt8]
  /// All of the lengths were there to be read.
  package let isWhole: Bool

  static let fixedLength = 27
  static let longestHead = fixedLength + 255

  /// Nil when `piece` begins no page.
  init?(_ piece: Piece) {
    guard piece.count >= Self.fixedLength, piece.begins("OggS") else { return nil }
    let flags = piece[5]
    (isContinued, isFirst) = (flags & 1 != 0, flags & 2 != 0)
    granule = Int64(bitPattern: piece.little64(6))
    (serial, sequence) = (piece.little32(14), piece.little32(18))
    segments = Array(piece.part(Self.fixedLength, Int(piece[26])).buffer)
    isWhole = segments.count == Int(piece[26])
  }

  /// A page that libogg has found and checked.
  package init?(head: UnsafeRawBufferPointer) {
    guard let start = head.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    self.init(Piece(start: start, count: head.count))
    if !isWhole { return nil }
  }

  var headLength: Int { Self.fixedLength + segments.count }
  /// With its head.
  var length: Int { headLength + segments.reduce(0) { $0 + Int($1) } }

  /// Where, from `at` on, a page lies that begins a stream. Few bytes that are none of Ogg's look like one.
  static func first(in piece: Piece, from at: Int = 0) -> Int? {
    var at = at
    while let found = piece.first(0x4F, from: at) {
      at = found + 1
      // The version, and the page's kind.
      if piece.begins("OggS", at: found), piece[found + 4] == 0, piece[found + 5] == 2 { return found }
    }
    return nil
  }
}
