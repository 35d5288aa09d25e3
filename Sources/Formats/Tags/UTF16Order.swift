/// Which byte of UTF-16 comes first. A mark says so; many programs forget it, and write the smaller byte first although
/// the larger one should come first then.
enum UTF16Order {
  /// Letters that are looked at.
  private static let most = 64

  static func isLittle(_ piece: Piece) -> Bool {
    if piece[0] == 0xFF, piece[1] == 0xFE { return true }
    if piece[0] == 0xFE, piece[1] == 0xFF { return false }
    var (little, big) = (0, 0)
    var (firsts, seconds): (Set<UInt8>, Set<UInt8>) = ([], [])
    var at = 0
    while at + 1 < piece.count, at < 2 * most {
      if isCommon(UInt32(piece.little16(at))) { little += 1 }
      if isCommon(UInt32(piece.big16(at))) { big += 1 }
      firsts.insert(piece[at])
      seconds.insert(piece[at + 1])
      at += 2
    }
    if little != big { return little > big }
    // Letters of one alphabet have the same larger byte, and many smaller ones.
    return 2 * seconds.count < firsts.count
  }

  /// Letters and signs of the scripts that most names are written in. Read in the wrong order, few of them are in it.
  private static func isCommon(_ unit: UInt32) -> Bool {
    switch unit {
    case 0x20..<0x7F, 0xA0..<0x250, 0x370..<0x530, 0x590..<0x700, 0x900..<0xE80, 0x1E00..<0x1F00, 0x2010..<0x2070,
      0x3000..<0x3100, 0x4E00..<0xA000, 0xAC00..<0xD7A4, 0xFF00..<0xFFF0:
      true
    default: false
    }
  }
}
