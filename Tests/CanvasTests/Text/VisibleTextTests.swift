import Testing

@testable import Canvas

@Suite("What is seen of a text")
struct VisibleTextTests {
  private func seen(_ text: String) -> String {
    var seen = String.UnicodeScalarView()
    seen.append(contentsOf: VisibleText.scalars(of: text))
    return String(seen)
  }

  @Test(
    "marks that steer and pictures of several parts",
    arguments: [
      ("plain text", "plain text"), ("a\u{202E}b\u{202C}c", "abc"), ("\u{2066}a\u{2069}\u{200F}", "a"),
      ("a\tb\r\nc\u{2028}d\u{A0}e", "a b  c d e"), ("\u{1B}[2J\u{0}", "[2J"), ("e\u{301}", "e\u{301}"),
      // A family is its first member, of no colour; a heart is one without being told so; a flag is its letters.
      ("👩‍👩‍👧‍👦!", "👩!"), ("👍🏽", "👍"), ("👩🏽‍⚕️ and", "👩 and"), ("❤️", "❤"), ("🇩🇪 🇫🇷", "DE FR"), ("1️⃣", "1"),
      ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴"), ("葛\u{E0100}", "葛"), ("🎵🎶", "🎵🎶"), ("🏽", "🏽"),
      // The same joiner holds letters together elsewhere.
      ("\u{915}\u{94D}\u{200D}", "\u{915}\u{94D}\u{200D}"), ("🎵\u{200D}x", "🎵x"),
    ])
  func table(text: String, expected: String) {
    #expect(Array(seen(text).unicodeScalars) == Array(expected.unicodeScalars), "\(text)")
  }

  @Test("a letter keeps as many accents as any language has, and the next letter has its own")
  func heaps() {
    let heap = "a" + String(repeating: "\u{301}", count: 400) + "b\u{302}"
    #expect(VisibleText.scalars(of: heap).count == 1 + VisibleText.mostMarks + 2)
  }

  @Test("a text ends, seen or not")
  func endless() {
    #expect(VisibleText.scalars(of: String(repeating: "x", count: 10_000)).count == VisibleText.longest)
    #expect(VisibleText.scalars(of: String(repeating: "\u{202E}", count: 10_000) + "x").isEmpty)
    let hidden = String(repeating: "\u{202E}", count: VisibleText.longestRead - 1)
    #expect(seen(hidden + "xy") == "x")
  }
}
