import Pictures

// Sizes and rectangles are what a canvas is measured in, too: whoever draws on one sees them with it.
@_exported import struct Pictures.Rect
@_exported import struct Pictures.Size

extension Picture {
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
