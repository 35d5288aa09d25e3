import Glibc

/// What a person reads off a screen and types elsewhere: `BCDF-GHJK`. Without vowels it is never a word, and without Y
/// nobody takes it for V. There are 25 thousand millions.
struct UserCode: Equatable {
  static let letters = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
  static let count = 8

  /// Eight letters.
  let text: String

  static func random() -> UserCode {
    let bytes = (0..<count).map { _ in letters[Int(arc4random_uniform(UInt32(letters.count)))] }
    return UserCode(String(decoding: bytes, as: UTF8.self))
  }

  private init(_ text: String) { self.text = text }

  /// However it was typed: small letters, spaces and dashes do not matter.
  init?(typed: String) {
    guard typed.utf8.count <= 40 else { return nil }
    let letters = typed.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "-"): nil
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
      default: byte
      }
    }
    guard letters.count == Self.count, letters.allSatisfy(Self.letters.contains) else { return nil }
    text = String(decoding: letters, as: UTF8.self)
  }

  var shown: String { "\(text.prefix(4))-\(text.suffix(4))" }
}
