import TestSupport
import Testing

@testable import Library

@Suite("EncodingGuess")
struct EncodingGuessTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    let encoding: TextEncoding
    let lists: [String]
    var plain = NameWords.english
    var isSpaced = true
    var testDescription: String { name }
  }

  static let kinds = [
    Kind(name: "Russian, cp1251", encoding: .cp1251, lists: [NameWords.russian]),
    Kind(name: "Ukrainian and Bulgarian, cp1251", encoding: .cp1251, lists: [NameWords.ukrainianAndBulgarian]),
    Kind(name: "Russian, KOI8-R", encoding: .koi8r, lists: [NameWords.russian]),
    Kind(name: "Ukrainian and Bulgarian, KOI8", encoding: .koi8r, lists: [NameWords.ukrainianAndBulgarian]),
    Kind(name: "Japanese, Shift-JIS", encoding: .shiftJIS, lists: [NameWords.japanese], isSpaced: false),
    Kind(name: "Chinese, GBK", encoding: .gbk, lists: [NameWords.simplifiedChinese], isSpaced: false),
    Kind(name: "Chinese, Big5", encoding: .big5, lists: [NameWords.traditionalChinese], isSpaced: false),
    Kind(name: "Korean, EUC-KR", encoding: .eucKR, lists: [NameWords.korean]),
    Kind(
      name: "Western, cp1252", encoding: .cp1252, lists: [NameWords.western],
      plain: NameWords.westernPlain + NameWords.english),
  ]

  struct Score {
    let right, certain, falselyCertain: Int
    let line: String
  }

  private static func score(_ kind: Kind, half: NameMaker.Half, texts: Int, length: ClosedRange<Int> = 5...40) -> Score
  {
    let maker = NameMaker(
      kind.lists, plain: kind.plain, isSpaced: kind.isSpaced, half: half, encoder: .of(kind.encoding))
    var dice = SeededGenerator(seed: 20_261_121)
    var (right, certain, falselyCertain) = (0, 0, 0)
    var wrong: [TextEncoding: Int] = [:]
    for _ in 0..<2_000 {
      var guess = EncodingGuess()
      var isRight = true
      let names = (0..<texts).map { _ in maker.name(&dice, length: length) }
      for name in names { guess.add(name.bytes) }
      let best = guess.best
      for name in names where best.text(name.bytes) != name.text {
        isRight = false
        if shows, texts == 1 { print("  \(name.text) taken for \(best): \(best.text(name.bytes) ?? "nothing")") }
      }
      if isRight { right += 1 } else { wrong[best, default: 0] += 1 }
      if guess.isCertain {
        certain += 1
        if !isRight { falselyCertain += 1 }
      }
    }
    let others = wrong.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    let name = kind.name + String(repeating: " ", count: 34 - kind.name.count)
    let line =
      "\(name)\(texts) of \(length) bytes  \(percent(right))  certain \(percent(certain)), "
      + "wrongly \(falselyCertain)   \(others)"
    return Score(right: right, certain: certain, falselyCertain: falselyCertain, line: line)
  }

  /// Set to see what is taken for something else.
  private static let shows = false

  private static func percent(_ count: Int) -> String { "\(Double(count) / 20) %" }

  @Test("19 of 20 single names of words it was not tuned with are told, 2,000 in each encoding", arguments: kinds)
  func single(_ kind: Kind) {
    let score = Self.score(kind, half: .heldOut, texts: 1)
    print(score.line)
    #expect(score.right >= 1_900)
    #expect(score.certain >= 1_600 && score.falselyCertain <= 2)
  }

  @Test("of names of two or three letters 9 of 10 are told, and what is wrong is not called certain", arguments: kinds)
  func short(_ kind: Kind) {
    let score = Self.score(kind, half: .heldOut, texts: 1, length: 2...6)
    print(score.line)
    #expect(score.right >= 1_800 && score.falselyCertain <= 10)
  }

  @Test("of a file's title, artist and album 99 of 100 are told", arguments: kinds)
  func three(_ kind: Kind) {
    let score = Self.score(kind, half: .heldOut, texts: 3)
    print(score.line)
    #expect(score.right >= 1_980)
  }

  @Test("names in UTF-8 are UTF-8, in every language, cut off at any byte too")
  func wide() {
    var dice = SeededGenerator(seed: 5)
    for kind in Self.kinds {
      let maker = NameMaker(kind.lists, isSpaced: kind.isSpaced, half: .heldOut, encoder: .of(kind.encoding))
      for _ in 0..<2_000 {
        let text = maker.name(&dice).text
        var guess = EncodingGuess()
        guess.add(Array(text.utf8))
        #expect(guess.best == .utf8 && guess.isCertain)
        let first = text.utf8.prefix { $0 < 0x80 }.count + 4
        guard first < text.utf8.count else { continue }
        let cut = Array(text.utf8.prefix(Int.random(in: first..<text.utf8.count, using: &dice)))
        guess = EncodingGuess()
        guess.add(cut)
        #expect(guess.best == .utf8, "\(text)")
        #expect(TextEncoding.utf8.text(cut, cut: true).map(text.hasPrefix) == true)
      }
    }
  }

  @Test("what is plain ASCII is UTF-8 and certain; so is nothing at all")
  func plain() {
    var guess = EncodingGuess()
    #expect(guess.best == .utf8 && guess.isCertain)
    guess.add("Bach - Air (1731)".utf8)
    #expect(guess.best == .utf8 && guess.isCertain)
  }

  @Test(
    "a few accents in plain words are Latin",
    arguments: [
      "Café del Mar", "Beyoncé - Halo", "Motörhead", "Sigur Rós", "Mötley Crüe - Girls", "Für Elise", "Señorita",
      "À la claire fontaine", "Björk", "Ça plane pour moi", "Águas de Março", "Øl", "Déjà vu", "naïve", "Ænima", "été",
      "Blå", "¿Qué será?", "Straße", "Die Ärzte", "Hüsker Dü", "L'été indien", "Les Misérables", "Año nuevo",
      "LIÇÃO", "CANÇÃO", "Emoções",
    ])
  func accents(_ text: String) {
    var guess = EncodingGuess()
    guess.add(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    #expect(guess.best == .latin1)
  }

  @Test("an apostrophe of Windows makes it Windows' own")
  func windows() {
    var guess = EncodingGuess()
    guess.add(Array("Don".utf8) + [0x92] + Array("t Look Back".utf8))
    #expect(guess.best == .cp1252)
  }

  @Test("one foreign word among many English ones is enough, and neighbours help where it is not")
  func mixed() throws {
    let cyrillic = Encoder.of(.cp1251)
    var guess = EncodingGuess()
    guess.add(try #require(cyrillic.bytes(of: "DJ Грув - Happy New Year 2000 (feat. Somebody Else)")))
    #expect(guess.best == .cp1251)
    var neighbours = EncodingGuess()
    for name in ["Кино - Группа крови", "Звезда по имени Солнце"] {
      neighbours.add(try #require(cyrillic.bytes(of: name)))
    }
    var alone = EncodingGuess()
    alone.add(try #require(cyrillic.bytes(of: "Ю")))
    alone.add(neighbours)
    #expect(alone.best == .cp1251 && alone.isCertain)
  }

  @Test("a mark says UTF-16")
  func marked() {
    var guess = EncodingGuess()
    guess.add([0xFF, 0xFE, 0x41, 0x00])
    #expect(guess.best == .utf16 && guess.isCertain)
  }

  @Test("whatever the bytes are, there is a guess, and it does not depend on how they are held")
  func anything() {
    var dice = SeededGenerator(seed: 9)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...60, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
      var guess = EncodingGuess()
      var same = EncodingGuess()
      guess.add(bytes)
      same.add(bytes.lazy.map { $0 })
      #expect(guess.best == same.best && guess.isCertain == same.isCertain)
    }
  }
}
