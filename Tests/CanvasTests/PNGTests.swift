import CZ
import Glibc
import Kit
import Runtime
import Testing

@testable import Canvas

/// Reads back what the format's own text says, with none of the encoder's code but zlib.
struct PNGReader {
  var size = Size(width: 0, height: 0)
  var pixels: [UInt32] = []

  enum Mistake: Error { case signature, checksum, order, data, filter }

  init(_ bytes: [UInt8]) throws {
    guard bytes.starts(with: [137, 80, 78, 71, 13, 10, 26, 10]) else { throw Mistake.signature }
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    var at = 8
    var packed: [UInt8] = []
    var names: [String] = []
    while at < bytes.count {
      let length = number(at)
      let body = Array(bytes[at + 4..<at + 8 + length])
      guard Int(crc32(0, body, uInt(body.count))) == number(at + 8 + length) else { throw Mistake.checksum }
      names.append(String(decoding: body[..<4], as: UTF8.self))
      if names.last == "IHDR" {
        size = Size(width: number(at + 8), height: number(at + 12))
        guard Array(body[12...]) == [8, 2, 0, 0, 0] else { throw Mistake.data }
      }
      if names.last == "IDAT" { packed += body[4...] }
      at += length + 12
    }
    guard names == ["IHDR", "IDAT", "IEND"] else { throw Mistake.order }
    let stride = size.width * 3
    var raw = [UInt8](repeating: 0, count: (stride + 1) * size.height)
    var length = uLong(raw.count)
    guard uncompress(&raw, &length, packed, uLong(packed.count)) == Z_OK, Int(length) == raw.count else {
      throw Mistake.data
    }
    var above = [UInt8](repeating: 0, count: stride)
    for y in 0..<size.height {
      let start = y * (stride + 1)
      var row = Array(raw[start + 1..<start + 1 + stride])
      for x in 0..<stride {
        switch raw[start] {
        case 0: break
        case 1: row[x] &+= x >= 3 ? row[x - 3] : 0
        case 2: row[x] &+= above[x]
        default: throw Mistake.filter
        }
      }
      for x in 0..<size.width {
        pixels.append(UInt32(row[x * 3]) << 16 | UInt32(row[x * 3 + 1]) << 8 | UInt32(row[x * 3 + 2]))
      }
      above = row
    }
  }
}

@Suite("PNG")
struct PNGTests {
  @Test("every picture comes back as it was", arguments: [(1, 1), (3, 2), (150, 101), (320, 240)])
  func roundTrip(width: Int, height: Int) throws {
    var random = SeededGenerator(seed: UInt64(width))
    let canvas = Canvas(size: Size(width: width, height: height))
    for _ in 0..<6 { canvas.scribble(&random) }
    let read = try PNGReader(try PNG.encode(canvas))
    #expect(read.size == canvas.size)
    #expect(read.pixels == canvas.allPixels)
  }

  @Test("the file sink writes the frame, and again only when something changed")
  func file() throws {
    let folder = TempFolder()
    let path = folder.path / "panel.png"
    let canvas = Canvas(size: Size(width: 32, height: 20))
    var file = PNGFile(path)
    try canvas.present(to: &file)
    #expect(try PNGReader(try AtomicFile.read(path, limit: 100_000)).pixels == canvas.allPixels)
    _ = path.withCString { unlink($0) }
    try canvas.present(to: &file)
    #expect(throws: Fault.self) { try AtomicFile.read(path, limit: 100_000) }
  }
}
