/// Names in French, German, Spanish, Portuguese and the languages of the North: letters with accents stand alone among
/// plain ones, and small ones follow small ones.
enum WesternModel {
  /// Bits of a letter with an accent from C0 on, on top of `accent`: a hexadecimal digit each.
  private static let letters = Array("56786677747887894786895C6979599543543454324664568453563C46563799".utf8)
  /// Bits for there being an accent.
  private static let accent: Float = 4

  static func bits(_ bytes: UnsafeBufferPointer<UInt8>) -> Float {
    var sum: Float = 0
    var last: UInt8 = 0x20
    for byte in bytes {
      sum += byte < 0x80 ? PlainByte.bits(byte) : byte < 0xC0 ? sign(byte) : letter(byte, after: last)
      last = byte
    }
    return sum
  }

  private static func letter(_ byte: UInt8, after last: UInt8) -> Float {
    let digit = letters[Int(byte - 0xC0)]
    var bits = accent + Float(digit < 0x41 ? digit - 0x30 : digit - 0x37)
    let isGreat = byte < 0xDF
    if isGreat, PlainByte.isSmall(last) || last >= 0xDF { bits += 8 }
    if !isGreat, PlainByte.isLetter(last), !PlainByte.isSmall(last) { bits += 0.5 }
    // One accent beside another: "größe", "coração", "LIÇÃO".
    let isUsualPair =
      (byte == 0xDF && [0xE4, 0xF6, 0xFC].contains(last)) || (last == 0xE7 && [0xE3, 0xF5].contains(byte))
      || (last == 0xC7 && [0xC3, 0xD5].contains(byte))
    if last >= 0xC0, !isUsualPair { bits += 6 }
    return bits
  }

  private static func sign(_ byte: UInt8) -> Float {
    switch byte {
    case 0x92: 7
    case 0x8C, 0x9C: 8
    case 0x93, 0x94, 0x96, 0x97, 0xAB, 0xBB, 0xA1, 0xBF, 0xB4: 9
    case 0x85, 0x91, 0x8A, 0x9A, 0x8E, 0x9E, 0xA0, 0xAA, 0xB0, 0xBA: 10
    case 0xAE, 0xA9, 0xB7, 0x80, 0x99: 12
    case 0x81, 0x8D, 0x8F, 0x90, 0x9D: PlainByte.nonsense
    default: 15
    }
  }
}
