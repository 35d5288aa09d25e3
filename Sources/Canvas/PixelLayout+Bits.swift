import Pictures

/// Panels of one bit a pixel, and what grey is.
extension PixelLayout {
  /// A colour of at least this brightness is lit, all others are dark: the screens' quiet text and half of a white
  /// edge are, grooves and grounds are not. Letters keep their strokes that way.
  private static let lit = Light.fromStep[0x60]

  func writeBits(
    _ run: Run, to row: UnsafeMutableRawPointer, bit: Int, whiteIs: Bool, _ leftmost: Leftmost
  ) {
    var index = 0
    while index < run.count {
      let place = (bit + index) / 8
      var mask: UInt8 = 0
      var values: UInt8 = 0
      while index < run.count, (bit + index) / 8 == place {
        let one = leftmost == .lowest ? UInt8(1) << ((bit + index) % 8) : 0x80 >> ((bit + index) % 8)
        mask |= one
        if isLit(run.first[index * run.step], x: run.x + index, y: run.y) == whiteIs { values |= one }
        index += 1
      }
      // Its other bits are those of neighbours that did not change, or nobody's.
      let before = mask == 0xFF ? 0 : row.load(fromByteOffset: place, as: UInt8.self)
      row.storeBytes(of: before & ~mask | values, toByteOffset: place, as: UInt8.self)
    }
  }

  /// Pictures are as bright as they are, by as many lit pixels as that takes.
  private func isLit(_ pixel: UInt32, x: Int, y: Int) -> Bool {
    let light = Light.brightness(pixel)
    guard pixel & Canvas.origin == Canvas.ofPicture else { return light >= Self.lit }
    return Int32(Dither.threshold(x: x, y: y)) * Int32(Light.full) < light * 256 - Int32(Light.full) / 2
  }
}

extension Light {
  /// 0...`full`, with the eye's shares of red, green and blue, which add up to 4,096.
  @inline(__always)
  static func brightness(_ pixel: UInt32) -> Int32 {
    let red = fromStep[Int(pixel >> 16 & 0xFF)]
    let green = fromStep[Int(pixel >> 8 & 0xFF)]
    let blue = fromStep[Int(pixel & 0xFF)]
    return (red * 871 + green * 2_929 + blue * 296 + 2_048) >> 12
  }

  @inline(__always)
  static func grey(_ pixel: UInt32) -> UInt8 { toStep[Int(brightness(pixel))] }
}
