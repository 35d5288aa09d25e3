import Runtime
import TestSupport
import Testing

@testable import Canvas

@Suite("What differs between two pictures of a screen")
struct ScreenDifferenceTests {
  private static func picture(_ change: (Canvas) -> Void = { _ in }) throws -> PNGPicture {
    let canvas = Canvas(size: Size(width: 40, height: 30))
    canvas.fill(canvas.bounds, Pixel(0x204060))
    change(canvas)
    return try read(canvas)
  }

  private static func read(_ canvas: Canvas) throws -> PNGPicture { try PNGPicture(try PNG.encode(canvas)) }

  @Test("of two that are the same nothing is marked")
  func same() throws {
    let found = ScreenDifference(before: try Self.picture(), after: try Self.picture())
    #expect(found.count == 0 && found.place == .nothing)
    #expect(try !Self.read(found.picture()).pixels.contains(ScreenDifference.mark.value))
  }

  @Test("each pixel that differs is marked, and they are framed together")
  func marked() throws {
    let after = try Self.picture {
      $0[10, 12] = .white
      $0[14, 20] = .black
    }
    let found = ScreenDifference(before: try Self.picture(), after: after)
    #expect(found.count == 2 && found.place == Rect(x: 10, y: 12, width: 5, height: 9))
    #expect(found.text == "2 of 1200 pixels, in 5x9 at 10,12")
    let drawn = found.picture()
    #expect(drawn.size == Size(width: 132, height: 30))
    let (second, third) = (40 + ScreenDifference.gap, 80 + ScreenDifference.gap * 2)
    #expect(drawn[10, 12] == Pixel(0x204060) && drawn[second + 10, 12] == .white)
    #expect(drawn[second + 14, 20] == .black)
    for (x, y) in [(10, 12), (14, 20), (6, 8), (18, 24)] { #expect(drawn[third + x, y] == ScreenDifference.mark) }
    #expect(drawn[third + 12, 15] == Pixel(0x204060).mixed(with: .black, coverage: 200))
  }
}
