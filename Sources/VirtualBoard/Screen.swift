import Runtime

/// A picture of the board's screen.
package struct Screen: Equatable, Sendable {
  package let width: Int
  package let height: Int
  /// Row by row from the top, each pixel 0x00RRGGBB.
  package let pixels: [UInt32]

  package init(width: Int, height: Int, pixels: [UInt32]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Outside of the screen it is black.
  package subscript(x: Int, y: Int) -> UInt32 {
    (0..<width).contains(x) && (0..<height).contains(y) ? pixels[y * width + x] : 0
  }

  package var isBlack: Bool { pixels.allSatisfy { $0 == 0 } }

  /// How many pixels differ; all of them when the sizes do.
  package func differences(from other: Screen) -> Int {
    guard other.width == width, other.height == height else { return max(pixels.count, other.pixels.count) }
    return zip(pixels, other.pixels).count { $0 != $1 }
  }

  /// Reads a binary PPM file of 8 bits a colour, as QEMU writes it.
  package init(ppm bytes: [UInt8]) throws(Fault) {
    var place = 0
    func word() -> String {
      while place < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place += 1 }
      let start = place
      while place < bytes.count, place - start < 12, ![0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place += 1 }
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }
    let isPPM = word() == "P6"
    guard isPPM, let width = Int(word()), let height = Int(word()), word() == "255",
      (1...8_192).contains(width), (1...8_192).contains(height), bytes.count == place + 1 + width * height * 3
    else { throw Fault(.malformed, "V-160", "the picture of the screen is no whole PPM of 8 bits") }
    let start = place + 1
    let pixels = (0..<width * height).map { index in
      let at = start + index * 3
      return UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2])
    }
    self.init(width: width, height: height, pixels: pixels)
  }
}
