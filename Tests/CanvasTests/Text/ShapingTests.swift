import Runtime
import TestSupport
import Testing

@testable import Canvas

@Suite("Letters that depend on each other")
struct ShapingTests {
  let face: Face

  init() throws {
    let fallbacks = [
      "/usr/share/fonts-droid-fallback/truetype/DroidSansFallback.ttf", "/usr/share/fonts/truetype/tlwg/Garuda.ttf",
    ]
    face = try TypeLibrary().typeface(DejaVu.regular, fallbacks: fallbacks.map { FilePath($0) }).at(24)
  }

  private func picture(_ text: String, width: Int = 400) -> [Pixel] {
    let canvas = Canvas(size: Size(width: width, height: 40))
    canvas.draw(text, in: canvas.bounds, font: face, colour: Pixel(0xFFFFFF))
    return (0..<width * 40).map { canvas[$0 % width, $0 / width] }
  }

  @Test(
    "text is only given to others where its letters need it",
    arguments: [
      ("Hello", false), ("Größe", false), ("Ωμέγα", false), ("Привет", false), ("音楽", false), ("한국어", false),
      ("سلام", true), ("שלום", true), ("สวัสดี", true), ("नमस्ते", true), ("e\u{301}", true), ("", false),
    ])
  func needs(text: String, isNeeded: Bool) { #expect(Face.needsShaping(text) == isNeeded) }

  @Test("Arabic letters join, and run to the left")
  func arabic() {
    let word = face.lay("سلم")
    let alone = "سلم".unicodeScalars.reversed().map { face.lay(String($0))[0].glyph }
    #expect(zip(word.map(\.glyph), alone).allSatisfy { $0 != $1 }, "in a word each is another")
    // Lam and alef are one.
    #expect(word.count == 3 && face.lay("سلام").count == 3)
    #expect(zip(word, word.dropFirst()).allSatisfy { $0.x <= $1.x })
    #expect(face.width(of: "سلام") < "سلام".unicodeScalars.map { face.width(of: String($0)) }.reduce(0, +))
  }

  @Test("Hebrew runs to the left, numbers in it to the right, and Latin around it where it stands")
  func hebrew() {
    func glyphs(_ text: String) -> [UInt32] { face.lay(text).map(\.glyph) }
    let (alef, bet) = (glyphs("א")[0], glyphs("ב")[0])
    let digits = glyphs("12")
    let (a, b, space) = (glyphs("a")[0], glyphs("b")[0], glyphs(" ")[0])
    #expect(glyphs("אב") == [bet, alef])
    #expect(glyphs("אב 12") == digits + [space, bet, alef])
    #expect(glyphs("a אב b") == [a, space, bet, alef, space, b])
  }

  @Test("an accent that comes by itself stands as if it had come with its letter")
  func composed() {
    #expect(picture("e\u{301}te\u{301}") == picture("été"))
    #expect(face.lay("e\u{301}").count == 1)
  }

  @Test("Thai vowels and tones stand above their letters, from the font that has them")
  func thai() {
    let word = face.lay("ที่")
    #expect(word.count == 3 && Set(word.map(\.file)) == [2])
    #expect(face.width(of: "ที่") == face.width(of: "ท"))
  }

  @Test(
    "what is too long ends where it is read last, in an ellipsis, and fits",
    arguments: [
      "سلام عليكم ورحمة الله وبركاته", "שלום לכולם ולכל העולם כולו", "สวัสดีชาวโลกทั้งหลายในวันนี้", "e\u{301}".repeated(40),
    ])
  func cut(text: String) {
    for width in [30, 60, 100, 150] {
      let line = face.lay(text, fitting: width)
      #expect((line.map(\.end).max() ?? 0) <= width * 64)
      let dots = face.lay("…")[0].glyph
      #expect(line.first?.glyph == dots || line.last?.glyph == dots)
      #expect(line.count > 1 || width < 60)
    }
    #expect(face.lay(text, fitting: 100_000).map(\.glyph) == face.lay(text).map(\.glyph))
  }

  @Test("any letters in any order are drawn inside their place, and none of them ends the program")
  func any() {
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x5D0...0x5EA, 0x600...0x6FF, 0x900...0x97F, 0xE00...0xE7F, 0x300...0x36F, 0x1780...0x17FF,
      0x200B...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFE70...0xFEFC, 0x4E00...0x4E80, 0x1F600...0x1F64F,
    ]
    for seed in 1...120 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        guard let range = ranges.randomElement(using: &random) else { continue }
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
      }
      let canvas = Canvas(size: Size(width: 200, height: 60))
      let place = Rect(x: 50, y: 10, width: 100, height: 40)
      canvas.draw(String(text), in: place, font: face, colour: Pixel(0xFFFFFF))
      let isInside = (0..<200 * 60).allSatisfy {
        place.contains(x: $0 % 200, y: $0 / 200) || canvas[$0 % 200, $0 / 200] == .black
      }
      #expect(isInside, "seed \(seed)")
      #expect(face.width(of: String(text)) >= 0)
      _ = face.lines(of: String(text), width: 90, atMost: 3)
    }
  }

  @Test("ten thousand letters that join take a bounded time and end")
  func long() {
    let line = face.lay("سلام ".repeated(2_000))
    #expect(line.count <= Face.longestText)
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
