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

  package subscript(x: Int, y: Int) -> Pixel { Pixel(pixels[y * size.width + x]) }
}

extension Canvas {
  /// Its upper left corner at (x, y); what does not lie on the canvas is left out.
  package func draw(_ picture: Picture, x: Int, y: Int) {
    let place = placed(Rect(x: x, y: y, width: picture.size.width, height: picture.size.height))
    let x = place.x
    let visible = place.intersection(bounds)
    if visible.isEmpty { return }
    picture.pixels.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      for line in visible.rows {
        let from = start + (line - y) * picture.size.width + (visible.x - x)
        let to = row(line) + visible.x
        for column in 0..<visible.width { to[column] = from[column] & 0xFF_FFFF | Self.ofPicture }
      }
    }
  }

  /// `coverage` of 255 parts of a colour over all of a rectangle, mixed as light.
  package func shade(_ rect: Rect, _ colour: Pixel, coverage: UInt8) {
    let visible = placed(rect).intersection(bounds)
    for y in visible.rows {
      let row = row(y)
      for x in visible.columns {
        let origin = row[x] & Self.origin
        Light.blend(colour.value, coverage: coverage, over: &row[x])
        row[x] |= origin
      }
    }
  }
}
