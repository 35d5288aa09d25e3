/// What the models of `EncodingGuess` say alike of bytes below 80. They say it because the second byte of a character
/// may be one.
enum PlainByte {
  static func bits(_ byte: UInt8) -> Float {
    switch byte {
    case 0x61...0x7A: 4.2
    case 0x41...0x5A: 5.5
    case 0x30...0x39: 5
    case 0x20: 2.5
    case 0x21, 0x26...0x29, 0x2C...0x2F, 0x3A, 0x3F: 6
    case 0x22...0x7E: 10
    default: 16
    }
  }

  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
  static func isSmall(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }

  /// Who writes in another script writes less English.
  static func foreignBits(_ bytes: UnsafeBufferPointer<UInt8>) -> Float {
    min(5, 0.3 * Float(bytes.count { isLetter($0) }))
  }

  /// What is no character of an encoding, or only a control character.
  static let nonsense: Float = 40
  /// A character cut off at the end.
  static let cut: Float = 9
}
