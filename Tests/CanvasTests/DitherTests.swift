import Pictures
import Runtime
import TestSupport
import Testing

@testable import Canvas

@Suite("Pictures on panels with few colours")
struct DitherTests {
  private static let side = 64
  private static let few = KeptPixels.ofColours.filter { $0.bits == 16 }

  private func picture(of colour: UInt32, side: Int = side) throws -> Canvas {
    let canvas = Canvas(size: Size(width: side, height: side))
    let pixels = [UInt32](repeating: colour, count: side * side)
    canvas.draw(try #require(Picture(size: canvas.size, pixels: pixels)), x: 0, y: 0)
    return canvas
  }

  private func values(_ canvas: Canvas, _ kept: KeptPixels) throws -> [UInt32] {
    let bytes = try drawnBytes(canvas, [canvas.bounds], on: kept.claim(canvas.size.width, canvas.size.height))
    let stride = (canvas.size.width * Int(kept.bits) + 7) / 8
    return (0..<canvas.size.height).flatMap { y in
      (0..<canvas.size.width).map { kept.value(bytes[(y * stride)...], at: $0 * Int(kept.bits)) }
    }
  }

  @Test("an area of one colour has that colour in the mean", arguments: few)
  func mean(kept: KeptPixels) throws {
    for step in stride(from: 0, through: 255, by: 11) {
      let colour = UInt32(step) << 16 | UInt32(255 - step) << 8 | UInt32(step * 7 % 256)
      let found = try values(try picture(of: colour), kept)
      for (field, step) in [(kept.red, colour >> 16), (kept.green, colour >> 8 & 0xFF), (kept.blue, colour & 0xFF)] {
        let most = UInt32(1) << field.length - 1
        let mean = Double(found.reduce(0) { $0 + Int($1 >> field.offset & most) }) / Double(found.count)
        let exact = Double(step) * Double(most) / 255
        // Half a step of the canvas is what a level stands for, and never mixed.
        let allowed = 0.5 * Double(most) / 255 + 0.01
        #expect(abs(mean - exact) < allowed, "\(step) of 255 became \(mean), and \(exact) is right")
      }
    }
  }

  @Test("a colour that the panel has is that colour everywhere", arguments: few)
  func representable(kept: KeptPixels) throws {
    let most = (1 << Int(kept.red.length)) - 1
    for level in 0...most {
      let step = UInt32((Double(level) * 255 / Double(most)).rounded())
      let found = try values(try picture(of: step << 16, side: 16), kept)
      #expect(found.allSatisfy { $0 >> kept.red.offset & UInt32(most) == UInt32(level) }, "level \(level)")
    }
  }

  @Test("plain ground has no speckles, whatever its colour", arguments: few)
  func ground(kept: KeptPixels) throws {
    for colour in [0x161B22, 0x2C353F, 0x4A3410, 0x0C0F13, 0x7B7D81] as [UInt32] {
      let canvas = Canvas(size: Size(width: 32, height: 32))
      canvas.fill(canvas.bounds, Pixel(colour))
      #expect(Set(try values(canvas, kept)).count == 1)
    }
  }

  @Test("drawn in parts, in any order and twice, it is as if drawn at once", arguments: few + [KeptPixels.ofBits[0]])
  func parts(kept: KeptPixels) throws {
    var random = SeededGenerator(seed: 7)
    let canvas = try picture(of: 0x6A8F33)
    canvas.fill(Rect(x: 5, y: 9, width: 40, height: 30), from: Pixel(0x123456), to: Pixel(0xFEDCBA))
    for turn in Turn.allCases {
      let claim = kept.claim(Self.side, Self.side)
      let whole = try drawnBytes(canvas, [canvas.bounds], on: claim, turn: turn)
      var parts = (0..<20).map { _ in random.rect(in: canvas.size) }
      parts += (0..<Self.side).map { Rect(x: 0, y: $0, width: Self.side, height: 1) }.shuffled(using: &random)
      #expect(try drawnBytes(canvas, parts, on: claim, turn: turn) == whole, "\(turn)")
    }
  }

  @Test("a picture on a panel of one bit is as bright as it is")
  func light() throws {
    for step in stride(from: 0, through: 255, by: 15) {
      let colour = UInt32(step) * 0x01_0101
      let found = try values(try picture(of: colour), KeptPixels.ofBits[0])
      let share = Double(found.count { $0 == 1 }) / Double(found.count)
      let exact = Double(Light.fromStep[step]) / Double(Light.full)
      #expect(abs(share - exact) < 0.01, "\(step): \(share), and \(exact) is right")
    }
  }

  @Test("thresholds are spread so evenly that each 8 x 8 pixels have one in every eighth of the range")
  func even() {
    for (left, top) in [(0, 0), (3, 5), (100, 1_000), (8_184, 8_184)] {
      var counts = [Int](repeating: 0, count: 8)
      for y in top..<top + 8 {
        for x in left..<left + 8 { counts[Int(Dither.threshold(x: x, y: y)) / 32] += 1 }
      }
      #expect(counts.allSatisfy { (5...11).contains($0) }, "\(counts)")
    }
  }
}
