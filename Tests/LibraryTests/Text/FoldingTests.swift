import TestSupport
import Testing

@testable import Library

@Suite("Folding")
struct FoldingTests {
  @Test(
    "texts fold to what a person would type",
    arguments: [
      ("Björk", "bjork"), ("AC/DC", "ac dc"), ("  The   Wall ", "the wall"), ("Motörhead!", "motorhead"),
      ("Straße", "strasse"),
      ("STRASSE ẞ", "strasse ss"), ("Łódź", "lodz"), ("Sigur Rós", "sigur ros"), ("Ænima", "aenima"),
      ("Đorđe", "dorde"),
      ("Guð Þór", "gud thor"), ("İstanbul ılık", "istanbul ilik"), ("Ễ Việt Nam ơ", "e viet nam o"),
      ("ﬁlm Ǆ", "film dz"),
      ("Ёлка ЙОД", "елка иод"), ("Їжак Ґанок", "іжак ганок"), ("ΟΔΥΣΣΕΎΣ ὀδυσσεύς", "οδυσσευσ οδυσσευσ"),
      ("ᾠδή ΩΙΔΗ", "ωιδη ωιδη"), ("カラオケ からおけ", "からおけ からおけ"), ("ｶﾞﾝﾀﾞﾑ", "がんだむ"), ("か が", "か が"), ("ヴ ヷ", "ゔ わ"),
      ("パーティー", "ぱーてぃー"), ("ＡＢＣ　１２３", "abc 123"), ("日本語の歌", "日 本 語 の 歌"), ("爱Love情", "爱 love 情"), ("人々", "人 々"),
      ("사랑", "사랑"), ("\u{1109}\u{1161}\u{1105}\u{1161}\u{11BC}", "사랑"), ("٣ ²", "3 2"), ("don’t", "don t"),
      ("!!!", "!!!"),
      ("+", "+"), ("≠", "="), ("𝓛𝓸𝓿𝓮 𝟚", "love 2"), ("ϒ", "υ"), ("", ""), ("   ", ""), ("×", "×"), ("אֵילַת", "אילת"),
      ("مُحَمَّد", "محمد"), ("क़", "क\u{93C}"),
      ("so\u{AD}ft", "soft"), ("a\u{200B}b", "ab"), ("e\u{301}te\u{301}", "ete"), ("\u{F900}", "豈"),
    ])
  func table(_ text: String, _ folded: String) {
    #expect(Array(Folding.folded(text).unicodeScalars) == Array(folded.unicodeScalars))
    #expect(Folding.words(text) == folded.split(separator: " ").map(String.init))
  }

  /// All that are assigned, but of ideographs and syllables only some.
  static let scalars = (UInt32(1)...0x2_FA20).filter {
    switch $0 {
    case 0x3400..<0xA000, 0xAC00..<0xD800, 0x1_3000..<0x1_D000, 0x1_FC00..<0x2_F800: $0 % 101 == 0
    default: true
    }
  }.compactMap(Unicode.Scalar.init).filter { $0.properties.generalCategory != .unassigned }

  @Test("folding twice is folding once, for every scalar and for any text")
  func twice() {
    for scalar in Self.scalars {
      let once = Folding.folded("a\(scalar)b \(scalar)")
      if Folding.folded(once) != once { Issue.record("\(scalar.value) \(once) \(Folding.folded(once))") }
    }
    var dice = SeededGenerator(seed: 3)
    for _ in 0..<5_000 {
      let text = Self.anyText(&dice)
      let once = Folding.folded(text)
      let twice = Folding.folded(once)
      #expect(twice.unicodeScalars.elementsEqual(once.unicodeScalars), "\(text.unicodeScalars.map(\.value))")
    }
  }

  @Test("great and small letters fold alike")
  func letterCase() {
    for scalar in Self.scalars {
      let folded = Folding.folded(String(scalar))
      let great = Folding.folded(scalar.properties.uppercaseMapping)
      let small = Folding.folded(scalar.properties.lowercaseMapping)
      if great != folded || small != folded { Issue.record("\(scalar) \(scalar.value): \(folded) \(great) \(small)") }
    }
  }

  /// The standard library compares texts as canonically equivalent: a dictionary finds what is another's equal.
  @Test("what is canonically equivalent folds alike")
  func equivalence() {
    var spelled: [String: String] = [:]
    let bases = Self.scalars.filter {
      switch $0.value {
      case 0x41..<0x5B, 0x61..<0x7B, 0xC0..<0x250, 0x370..<0x530, 0x1E00..<0x2000, 0x3041..<0x3100: true
      case 0x5D0..<0x6D5, 0x900..<0xF00, 0x1100..<0x1113, 0xAC00..<0xAC20: true
      default: false
      }
    }
    let marks = Self.scalars.filter {
      switch $0.value {
      case 0x300..<0x346, 0x3099, 0x309A, 0x5B4..<0x5C3, 0x653..<0x656, 0x93C, 0x9BC, 0x9BE, 0x9D7, 0x1161..<0x1176:
        true
      case 0x11A8..<0x11C3, 0xBBE, 0xBD7: true
      default: false
      }
    }
    for base in bases { for mark in marks { spelled[String(base) + String(mark)] = "\(base)\(mark)" } }
    var found = 0
    for scalar in Self.scalars + (0xAC00..<0xAE00).compactMap(Unicode.Scalar.init) {
      guard let spelling = spelled[String(scalar)] else { continue }
      found += 1
      if Folding.folded(spelling) != Folding.folded(String(scalar)) {
        Issue.record("\(scalar.value) \(spelling) \(Folding.folded(spelling)) \(Folding.folded(String(scalar)))")
      }
    }
    #expect(found > 900, "\(found)")
    // Marks in any order, and ideographs that a standard has twice.
    #expect(Folding.folded("e\u{323}\u{302}") == Folding.folded("e\u{302}\u{323}"))
    #expect(Folding.folded("\u{3B1}\u{345}\u{301}") == Folding.folded("\u{1FB4}"))
    #expect(
      Folding.folded("\u{E01}\u{E48}\u{E38}").unicodeScalars.elementsEqual(
        Folding.folded("\u{E01}\u{E38}\u{E48}").unicodeScalars))
    for value in UInt32(0xF900)...0xFAD9 {
      guard let twin = Unicode.Scalar(value), let plain = Folding.folded(String(twin)).unicodeScalars.first else {
        continue
      }
      #expect(String(twin) == String(plain))
    }
  }

  @Test("a folded text has single spaces, no great letters and nothing unseen")
  func clean() {
    var dice = SeededGenerator(seed: 4)
    for _ in 0..<5_000 {
      let folded = Folding.folded(Self.anyText(&dice))
      let scalars = Array(folded.unicodeScalars)
      #expect(scalars.first != " " && scalars.last != " " && !folded.contains("  "))
      let isClean = scalars.allSatisfy {
        !FoldingTable.isDropped($0.value) && $0.properties.lowercaseMapping == String($0)
      }
      #expect(isClean, "\(folded)")
    }
  }

  static func anyText(_ dice: inout SeededGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0xA0...0x24F, 0x300...0x36F, 0x370...0x52F, 0x590...0x6FF, 0x900...0xDFF, 0x1100...0x11FF,
      0x1E00...0x20FF, 0x3000...0x30FF, 0x3130...0x3163, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFFEF,
      0x1_D100...0x1_F6FF,
      0x2_0000...0x2_FA1D,
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &dice) {
      let range = ranges[Int.random(in: 0..<ranges.count, using: &dice)]
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &dice)) { text.append(scalar) }
    }
    return String(text)
  }
}
