import TestSupport
import Testing

@testable import Audio

@Suite("Text that is read aloud")
struct SpokenTextTests {
  @Test(
    "is plain: no line, no command and no phonemes of the reader's come through",
    arguments: [
      ("Kind of Blue", "Kind of Blue"), ("  two\n\n lines\t", "two lines"), ("-v de --stdin", "-v de --stdin"),
      ("[[h@l'oU]]", "((h@l'oU))"), ("a\u{1}30p b", "a30p b"), ("a\u{0}b\u{7F}c\u{9B}", "abc"),
      ("a\u{202E}b\u{2066}c", "abc"), ("x\u{E000}y", "xy"), ("<speak>hm</speak>", "<speak>hm</speak>"),
      ("سلام", "سلام"), ("夜に駆ける", "夜に駆ける"), ("cafe\u{301}", "cafe\u{301}"), ("", ""), ("\r\n", ""),
    ])
  func plain(foreign: String, spoken: String) {
    #expect(SpokenText(foreign).text.unicodeScalars.map(\.value) == spoken.unicodeScalars.map(\.value))
  }

  @Test("is bounded, whatever it is made of")
  func bounded() {
    let long = String(repeating: "ab ", count: 5_000)
    #expect(SpokenText(long).text.count <= SpokenText.longest)
    let marks = "e" + String(repeating: "\u{301}", count: 100_000)
    #expect(SpokenText(marks).text.unicodeScalars.count == SpokenText.mostScalars)
    #expect(SpokenText(String(repeating: " ", count: 1_000_000) + "a").text.isEmpty)
    #expect(SpokenText(String(repeating: "\u{1}", count: 1_000_000) + "a").text.isEmpty)
  }

  @Test(
    "there is something to say or not",
    arguments: [("a", false), ("7", false), ("", true), ("– …", true), ("日", false)])
  func empty(text: String, isEmpty: Bool) { #expect(SpokenText(text).isEmpty == isEmpty) }

  @Test("of anything made up it is plain, bounded and stays as it is", arguments: 1...40 as ClosedRange<UInt64>)
  func walk(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var foreign = ""
    for _ in 0..<Int.random(in: 0...600, using: &generator) {
      let ranges: [ClosedRange<UInt32>] = [0...0x7F, 0x80...0x2FF, 0x300...0x36F, 0x2000...0x206F, 0x600...0x6FF]
      let value = UInt32.random(in: ranges.randomElement(using: &generator) ?? 0...0x7F, using: &generator)
      if let scalar = Unicode.Scalar(value) { foreign.unicodeScalars.append(scalar) }
    }
    let text = SpokenText(foreign).text
    #expect(text.count <= SpokenText.longest && text.unicodeScalars.count <= SpokenText.mostScalars + 200)
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "[" || $0 == "]" })
    let staysAsItIs = SpokenText(text).text == text
    #expect(staysAsItIs, "seed \(seed)")
  }
}
