import Glibc
import Runtime
import TestSupport
import Testing

@testable import Canvas

@Suite("PNG")
struct PNGTests {
  @Test("every picture comes back as it was", arguments: [(1, 1), (3, 2), (150, 101), (320, 240)])
  func roundTrip(width: Int, height: Int) throws {
    var random = SeededGenerator(seed: UInt64(width))
    let canvas = Canvas(size: Size(width: width, height: height))
    for _ in 0..<6 { canvas.scribble(&random) }
    let read = try PNGPicture(try PNG.encode(canvas))
    #expect(Size(width: read.width, height: read.height) == canvas.size)
    #expect(read.pixels == canvas.allPixels)
  }
}
