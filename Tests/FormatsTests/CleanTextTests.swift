import Formats
import Testing

@Suite("Foreign texts made safe to show")
struct CleanTextTests {
  @Test("no text has more than 500 scalars, however its blanks and marks stand")
  func longest() {
    for part in ["a\u{327}", "b \u{327}", "a \u{327}\u{301}", "  c", "é"] {
      for lead in ["", "x", "xy"] {
        let text = Tags.clean(lead + String(repeating: part, count: 400))
        #expect(text.unicodeScalars.count <= Tags.longest && text.unicodeScalars.count > 390, "\(part)")
        #expect(!text.hasSuffix(" "))
      }
    }
    #expect(Tags.clean(" a \u{0} b ") == "a b")
  }
}
