import TestSupport
import Testing

@testable import Library

@Suite("Order of lists")
struct OrderTests {
  private static func precedes(_ one: String, _ other: String) -> Bool {
    Folding.sortKey(one).lexicographicallyPrecedes(Folding.sortKey(other))
  }

  @Test("a list stands as a person would put it")
  func list() {
    let list = [
      "!!!", "♥", "2 Unlimited", "10cc", "50 Cent", "1000 Mods", "A-ha", "A. R. Rahman", "ABBA", "Les Ânes",
      "Die Ärzte", "The Beatles",
      "Björk", "L’Impératrice", "L7", "LA", "La Femmes Ladies", "Mix 2", "Mix 10", "Mix 10 Live", "Motörhead",
      "The The", "Theory",
      "Zaz", "Αλεξίου", "Ωδή", "Алиса", "Ёлка", "Єва", "Земфира", "Инь", "Їжак", "Кино", "Яна", "אילת", "あい", "アニメ",
      "うた", "ヴァン", "えき",
      "か", "が", "さくら", "ン", "愛", "月", "가을", "사랑",
    ]
    // Articles are not what they stand by.
    let expected = list.filter { $0 != "La Femmes Ladies" && $0 != "L’Impératrice" }
    for (one, other) in zip(expected, expected.dropFirst()) {
      #expect(Self.precedes(one, other), "\(one) \(other)")
    }
    #expect(Self.precedes("L’Impératrice", "Jazz") && Self.precedes("La Femmes Ladies", "Gas"))
  }

  @Test(
    "an article counts only where nothing else is there",
    arguments: [
      ("The Wall", "wall"), ("the", "the"), ("The The", "the"), ("A", "a"), ("Los Lobos", "lobos"),
      ("\"The Wall\"", "wall"),
      ("L'amour", "amour"), ("Theory", "theory"), ("Der Mond", "mond"), ("A/B", "A-B"), ("The 1975", "1975"),
      ("THE END", "end"),
    ])
  func articles(_ text: String, _ same: String) {
    #expect(Folding.sortKey(text) == Folding.sortKey(same))
    #expect(Folding.letter(text) == Folding.letter(same))
  }

  @Test("numbers are ordered by value, however long and with zeros before them")
  func numbers() {
    let numbers = [
      "0", "1", "2", "9", "10", "99", "100", "12345678", "123456789", "1234567890", "99999999999999999999",
    ]
    for (one, other) in zip(numbers, numbers.dropFirst()) { #expect(Self.precedes("Nr \(one)", "Nr \(other)")) }
    #expect(Folding.sortKey("007") == Folding.sortKey("7") && Folding.sortKey("000") == Folding.sortKey("0"))
    #expect(Self.precedes(String(repeating: "9", count: 300), "a"))
    #expect(Self.precedes("Mix", "Mix 1") && Self.precedes("Mix 1", "Mix 1a") && Self.precedes("Mix 1 a", "Mix 1a"))
  }

  @Test(
    "a knob jumps to a letter of each script",
    arguments: [
      ("ABBA", "A"), ("Émile", "E"), ("zaz", "Z"), ("2Pac", "#"), ("!!!", "#"), ("♥", "#"), ("", "#"),
      ("The Beatles", "B"), ("Алиса", "А"),
      ("ёлка", "Е"), ("Йод", "И"), ("Їжак", "І"), ("Ωδή", "Ω"), ("さくら", "さ"), ("ガンダム", "か"), ("ﾎﾞｰﾄ", "は"), ("ん", "わ"),
      ("ヴ", "あ"), ("愛", "漢"),
      ("사랑", "ㅅ"), ("꽃", "ㄱ"), ("ㅋㅋ", "ㅋ"), ("ㅠㅠ", "ㅇ"), ("אילת", "א"), ("１", "#"), ("Ｚ", "Z"), ("々", "漢"), ("𠮷", "漢"),
      ("Հայ", "Հ"),
    ])
  func letter(_ text: String, _ letter: String) { #expect(Folding.letter(text) == letter) }

  @Test("what has one letter stands together in a list, whatever is in it")
  func together() {
    var dice = SeededGenerator(seed: 6)
    var texts = (0..<8_000).map { _ in FoldingTests.anyText(&dice) }
    texts += (0..<2_000).map { _ in
      (0..<4).map { _ in "abzä2 ß'LlTheé".randomElement(using: &dice).map(String.init) ?? "" }.joined()
    }
    let sorted = texts.map { (key: Folding.sortKey($0), letter: Folding.letter($0), text: $0) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    var seen: Set<String> = []
    var last = ""
    for entry in sorted where entry.letter != last {
      let isNew = seen.insert(entry.letter).inserted
      #expect(isNew, "\(entry.letter) again at \(entry.text.unicodeScalars.map(\.value)) after \(last)")
      last = entry.letter
    }
  }

  @Test("equal texts have equal keys, and a key's beginning is its text's")
  func keys() {
    var dice = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let text = FoldingTests.anyText(&dice)
      #expect(Folding.sortKey(text) == Folding.sortKey(text.uppercased()), "\(text)")
      #expect(!Self.precedes(text + " x", text), "\(text.unicodeScalars.map(\.value))")
    }
  }
}
