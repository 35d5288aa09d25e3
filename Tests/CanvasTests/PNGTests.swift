import Glibc
import Kit
import Runtime
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

  @Test("the file sink writes the frame, and again only when something changed")
  func file() throws {
    let folder = TempFolder()
    let path = folder.path / "panel.png"
    let canvas = Canvas(size: Size(width: 32, height: 20))
    var file = PNGFile(path)
    try canvas.present(to: &file)
    #expect(try PNGPicture(try AtomicFile.read(path, limit: 100_000)).pixels == canvas.allPixels)
    _ = path.withCString { unlink($0) }
    try canvas.present(to: &file)
    #expect(throws: Fault.self) { try AtomicFile.read(path, limit: 100_000) }
  }
}
