import Canvas
import Glibc
import Pictures
import TestSupport
import Testing

@testable import Panel

@Suite("Colours of a cover")
struct CoverPaletteTests {
  private func cover(_ side: Int = 64, _ colour: (Int, Int) -> UInt32) throws -> Picture {
    let pixels = (0..<side * side).map { colour($0 % side, $0 / side) }
    return try #require(Picture(size: Size(width: side, height: side), pixels: pixels))
  }

  @Test("white, black and grey covers have none", arguments: [0xFFFFFF, 0x000000, 0x808080, 0x81807E] as [UInt32])
  func greys(colour: UInt32) throws {
    #expect(CoverPalette(try cover { _, _ in colour }) == nil)
  }

  @Test(
    "one colour gives its own hue, also where it is a part among greys",
    arguments: [0xC02020, 0x20A040, 0x2E546E, 0xE0A020, 0x8020A0] as [UInt32])
  func hue(colour: UInt32) throws {
    let lab = OKLab(Pixel(colour))
    for share in [64, 16] {
      let found = try #require(CoverPalette(try cover { x, _ in x < share ? colour : 0x606060 }))
      let away = abs(found.hue - atan2(lab.b, lab.a))
      #expect(min(away, 2 * .pi - away) < 0.05)
    }
  }

  @Test("of two colours the one that there is more of counts, wherever it lies")
  func most() throws {
    let red = OKLab(Pixel(0xB03030))
    let found = try #require(CoverPalette(try cover { x, y in (x / 8 + y / 8) % 4 == 0 ? 0x3050C0 : 0xB03030 }))
    #expect(abs(found.hue - atan2(red.b, red.a)) < 0.05)
  }

  @Test("a picture of any size has places enough", arguments: [1, 2, 31, 33, 500])
  func sizes(side: Int) throws {
    #expect(CoverPalette(try cover(side) { _, _ in 0xC02020 }) != nil)
  }

  @Test("in every hue letters stand out from the ground as in the plain theme", arguments: [Theme.night, .day])
  func contrast(theme: Theme) {
    for step in 0..<360 {
      for chroma in [0.01, 0.08, 0.3] {
        let tinted = theme.tinted(by: CoverPalette(hue: Double(step) * .pi / 180, chroma: chroma))
        for letters in [tinted.title, tinted.text, tinted.quiet, tinted.accentText] {
          #expect(LegibilityTests.contrast(letters, tinted.ground) >= CarRule.contrast, "\(step) \(chroma)")
        }
        for letters in [tinted.title, tinted.text] {
          #expect(LegibilityTests.contrast(letters, tinted.groove) >= 4.5, "\(step) \(chroma)")
        }
        #expect(LegibilityTests.contrast(tinted.accent, tinted.groove) >= 1.5, "\(step) \(chroma)")
        // Warnings are the house's.
        #expect(tinted.standingGround == theme.standingGround && tinted.noticeGround == theme.noticeGround)
        if theme == .night {
          let ground = OKLab(tinted.ground)
          #expect(ground.l <= 0.25 && hypot(ground.a, ground.b) <= 0.05)
        }
      }
    }
  }

  @Test("one bit has no hue, and a theme is reckoned once a cover")
  func once() {
    let palette = CoverPalette(hue: 1, chroma: 0.2)
    var tint = Tint()
    #expect(tint.theme(palette, of: .ink) == nil && tint.theme(nil, of: .night) == nil)
    let first = tint.theme(palette, of: .night)
    #expect(first != nil && first != .night && tint.theme(palette, of: .night) == first)
    #expect(tint.theme(palette, of: .day) != first)
  }

  @Test("OKLab and back is the same colour", arguments: 1...3 as ClosedRange<UInt64>)
  func back(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let pixel = Pixel(UInt32.random(in: 0...0xFFFFFF, using: &random))
      let lab = OKLab(pixel)
      let shown = OKLab.pixel(lightness: lab.l, chroma: hypot(lab.a, lab.b), hue: atan2(lab.b, lab.a))
      let apart = [(pixel.red, shown.red), (pixel.green, shown.green), (pixel.blue, shown.blue)].map {
        abs(Int($0) - Int($1))
      }
      #expect(apart.allSatisfy { $0 <= 2 }, "\(pixel) \(shown)")
    }
  }
}
