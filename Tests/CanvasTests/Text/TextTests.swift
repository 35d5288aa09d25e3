import Glibc
import Runtime
import TestSupport
import Testing

@testable import Canvas

@Suite("Text")
struct TextTests {
  let typeface: Typeface

  init() throws {
    typeface = try TypeLibrary().typeface(DejaVu.bold, fallbacks: [DejaVu.regular])
  }

  @Test("a text's width is the sum of its parts' widths and the kerning between them", arguments: [11, 17, 32])
  func additive(size: Int) {
    let face = typeface.at(size)
    for (left, right) in [("Sonn", "enaufgang"), ("A", "V"), ("W", "a"), ("Bach: ", "Air"), ("é", "é")] {
      let whole = face.preciseWidth(of: left + right)
      let sum = face.preciseWidth(of: left) + face.preciseWidth(of: right)
      #expect(abs(whole - sum) < size * 64 / 4, "\(left)|\(right)")
    }
    #expect(face.preciseWidth(of: "AV") < face.preciseWidth(of: "A") + face.preciseWidth(of: "V"))
    #expect(face.width(of: "") == 0)
  }

  @Test("no pixel outside the rectangle is touched, whatever the text, place and size", arguments: 1...4)
  func inside(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let texts = [
      "jÅgÇ|@", "Wolfgang Amadeus Mozart: Eine kleine Nachtmusik", "ﬀ Ů̈ŷ", "日本語 שלום مرحبا", "e\u{301}\u{302}\u{303}",
    ]
    for _ in 0..<60 {
      let canvas = Canvas(size: Size(width: 120, height: 60))
      let rect = random.rect(in: canvas.size)
      canvas.draw(
        texts.randomElement(using: &random) ?? "", in: rect,
        font: typeface.at(.random(in: 4..<60, using: &random)), colour: .white,
        align: [.leading, .centre, .trailing].randomElement(using: &random) ?? .leading,
        tooWide: Bool.random(using: &random) ? .fade : .ellipsis)
      for y in 0..<60 {
        for x in 0..<120 where !rect.contains(x: x, y: y) { #expect(canvas[x, y] == .black, "seed \(seed)") }
      }
    }
  }

  @Test("text that fits is drawn whole, text that does not ends in an ellipsis that fits")
  func ellipsis() {
    let face = typeface.at(20)
    let text = "The Great Gig in the Sky"
    let whole = face.width(of: text)
    #expect(face.lay(text, fitting: whole).map(\.glyph) == face.lay(text).map(\.glyph))
    let dots = face.lay("…").map(\.glyph)
    for width in stride(from: whole - 1, to: face.width(of: "…"), by: -7) {
      let line = face.lay(text, fitting: width)
      #expect(line.suffix(1).map(\.glyph) == dots)
      #expect((line.last?.end ?? 0) <= width * 64)
      #expect(line.dropLast().last?.isSpace != true)
    }
  }

  @Test("an accent is not cut from its letter")
  func accents() {
    let face = typeface.at(20)
    // One that is a letter of its own with it, and one that is not.
    for (letter, glyphs) in [("e\u{301}", 1), ("x\u{301}", 2)] {
      #expect(face.lay(letter).count == glyphs)
      for width in 40..<200 {
        let kept = face.lay(String(repeating: letter, count: 30), fitting: width).dropLast()
        let whole = face.lay(String(repeating: letter, count: kept.count / glyphs))
        #expect(kept.map(\.glyph) == whole.map(\.glyph), "\(letter), \(width)")
      }
    }
  }

  @Test("where text stands")
  func alignment() {
    let face = typeface.at(20)
    let rect = Rect(x: 10, y: 5, width: 200, height: 30)
    func extent(_ align: Canvas.Alignment) -> Rect {
      let canvas = Canvas(size: Size(width: 220, height: 40))
      canvas.markShown([canvas.bounds])
      canvas.draw("HHH", in: rect, font: face, colour: .white, align: align)
      return canvas.changes().reduce(.nothing) { $0.union($1) }
    }
    #expect(extent(.leading).x - rect.x <= 3)
    #expect(rect.right - extent(.trailing).right <= 3)
    let middle = extent(.centre)
    #expect(abs((middle.x - rect.x) - (rect.right - middle.right)) <= 3)
  }

  @Test("controls are not drawn, line ends are spaces, a long text ends")
  func foreign() {
    let face = typeface.at(16)
    #expect(face.preciseWidth(of: "\u{1B}\u{7}\u{202E}\u{200D}\u{FE0F}") == 0)
    #expect(face.preciseWidth(of: "a\nb\tc") == face.preciseWidth(of: "a b c"))
    #expect(face.lay(String(repeating: "a", count: 100_000)).count == Face.longestText)
  }

  @Test("a glyph that no font has is the box, and one that only a fall-back has is its own")
  func fallback() throws {
    let missing = typeface.find("\u{E000}")
    #expect(missing.file == 0 && missing.glyph == 0)
    // DejaVu Sans Bold lacks the sans-serif letters of mathematics; the regular one has them.
    let mathematical = typeface.find("𝖠")
    #expect(mathematical.file == 1 && mathematical.glyph != 0)
    #expect(typeface.find("a").file == 0)
  }

  @Test("a fall-back is opened for the first letter that those before it lack, and only then")
  func opening() {
    _ = typeface.find("a")
    #expect(typeface.files.count == 1)
    _ = typeface.find("𝖠")
    #expect(typeface.files.count == 2)
  }

  @Test("lines fit, lose no word, and the last holds the rest")
  func lines() {
    let face = typeface.at(24)
    let text = "Sinfonie Nr. 9 d-Moll, op. 125: Freude, schöner Götterfunken"
    for width in [40, 150, 260, 400] {
      let lines = face.lines(of: text, width: width, atMost: 50).map(\.text)
      for line in lines { #expect(face.width(of: line) <= width || line.count == 1, "\(line)") }
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
    let two = face.lines(of: text, width: 200, atMost: 2).map(\.text)
    #expect(two.count == 2)
    #expect(two.joined(separator: " ") == text)
    #expect(face.lines(of: "", width: 100, atMost: 2).isEmpty)
    #expect(face.lines(of: "  \n ", width: 100, atMost: 2).isEmpty)
    #expect(face.lines(of: String(repeating: "日", count: 9), width: 100, atMost: 2).count == 2)
  }

  @Test("the store of glyphs stays within its budget, whatever is drawn", arguments: 1...2)
  func bounded(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let canvas = Canvas(size: Size(width: 800, height: 400))
    for _ in 0..<120 {
      let face = typeface.at(.random(in: 4...400, using: &random))
      let letters = (0..<12).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0x21...0x17F, using: &random)) }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: letters)
      canvas.draw(String(text), in: canvas.bounds, font: face, colour: .white)
      #expect(typeface.storedGlyphBytes <= 2 * Typeface.glyphBytes)
    }
    #expect(typeface.storedGlyphBytes > Typeface.glyphBytes / 2)
  }
}
