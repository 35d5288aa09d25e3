import TestSupport

@testable import Library

/// Makes names as they stand in tags: "сердце", "Зима - Вечная любовь (feat. DJ)", from one half of a language's words.
struct NameMaker {
  enum Half: Int { case tuned, heldOut }

  private let words: [String]
  private let plain: [String]
  /// Whether words stand apart.
  private let isSpaced: Bool
  private let encoder: Encoder

  init(_ lists: [String], plain: String = NameWords.english, isSpaced: Bool, half: Half, encoder: Encoder) {
    words = lists.flatMap { Self.half(half, of: $0) }
    self.plain = Self.half(half, of: plain)
    self.isSpaced = isSpaced
    self.encoder = encoder
  }

  private static func half(_ half: Half, of list: String) -> [String] {
    list.split { $0 == " " || $0 == "\n" }.enumerated().filter { $0.offset % 2 == half.rawValue }
      .map { String($0.element) }
  }

  /// At least one byte of it is above 7F.
  func name(_ dice: inout SeededGenerator, length: ClosedRange<Int> = 5...40) -> (text: String, bytes: [UInt8]) {
    while true {
      let text =
        Int.random(in: 0..<2, using: &dice) == 0 ? title(&dice) : title(&dice, words: 1...2) + " - " + title(&dice)
      guard let bytes = encoder.bytes(of: text), length.contains(bytes.count) else { continue }
      if bytes.contains(where: { $0 >= 0x80 }) { return (text, bytes) }
    }
  }

  private func title(_ dice: inout SeededGenerator, words range: ClosedRange<Int> = 1...3) -> String {
    var parts: [String] = []
    for _ in 0..<Int.random(in: range, using: &dice) {
      parts.append(words.randomElement(using: &dice) ?? "")
      if isSpaced, Int.random(in: 0..<6, using: &dice) == 0 { parts.append(plain.randomElement(using: &dice) ?? "") }
    }
    switch Int.random(in: 0..<8, using: &dice) {
    case 0: parts = parts.map { $0.uppercased() }
    case 1, 2: break
    case 3, 4: parts = parts.map { Self.capitalised($0) }
    default: parts[0] = Self.capitalised(parts[0])
    }
    let joint = isSpaced || Int.random(in: 0..<2, using: &dice) == 0 ? " " : ""
    var title = parts.joined(separator: joint)
    switch Int.random(in: 0..<10, using: &dice) {
    case 0: title += " (\((plain.randomElement(using: &dice) ?? "")) \(Int.random(in: 1...12, using: &dice)))"
    case 1: title = "\(Int.random(in: 1...20, using: &dice)). " + title
    case 2: title += " " + (plain.randomElement(using: &dice) ?? "")
    default: break
    }
    return title
  }

  private static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}

/// Writes texts in an encoding: what each of its bytes and pairs of bytes is decoded to, turned round.
struct Encoder {
  /// Made once: there are tens of thousands of pairs.
  static let all = Dictionary(
    uniqueKeysWithValues: [.cp1251, .koi8r, .shiftJIS, .gbk, .big5, .eucKR, .cp1252].map { ($0, Encoder($0)) })

  static func of(_ encoding: TextEncoding) -> Encoder { all[encoding] ?? Encoder(encoding) }

  private var known: [Unicode.Scalar: [UInt8]] = [:]

  private init(_ encoding: TextEncoding) {
    for first in UInt8(0)...0xFF {
      let alone = encoding.text([first])?.unicodeScalars.first
      if let alone {
        known[alone] = [first]
        continue
      }
      for second in UInt8(0x40)...0xFE {
        guard let scalar = encoding.text([first, second])?.unicodeScalars.first else { continue }
        if known[scalar] == nil { known[scalar] = [first, second] }
      }
    }
  }

  /// Nil when it has no word for a character.
  func bytes(of text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let one = known[scalar] else { return nil }
      bytes += one
    }
    return bytes
  }
}
