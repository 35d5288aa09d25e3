/// A picture ready to be drawn: as large as it is shown, opaque, row after row, 0x00RRGGBB as a canvas has it.
package struct Picture: Equatable, Sendable {
  package let size: Size
  package let pixels: [UInt32]

  /// Nil unless there are as many pixels as the size says.
  package init?(size: Size, pixels: [UInt32]) {
    guard size.width > 0, size.height > 0, pixels.count == size.width * size.height else { return nil }
    self.size = size
    self.pixels = pixels
  }

  init(filling size: Size, _ pixels: [UInt32]) {
    self.size = size
    self.pixels = pixels
  }

  /// What it takes in memory.
  package var byteCount: Int { pixels.count * 4 + 64 }
}
