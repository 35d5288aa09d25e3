/// Which of the two nearest levels a pixel of a picture gets on a panel that has few. It follows from the place on the
/// panel alone: what did not change does not crawl, and rectangles that are drawn apart fit together.
enum Dither {
  /// Evenly spread over 0...255, and as far as can be from that of each neighbour. These are the steps of the plane's
  /// most even sequence (the golden ratio's sister for two dimensions), in parts of 65,536: they make no lines that an
  /// eye finds, and need no table.
  @inline(__always)
  static func threshold(x: Int, y: Int) -> UInt32 {
    let place = UInt32(truncatingIfNeeded: x) &* 49_472 &+ UInt32(truncatingIfNeeded: y) &* 37_345
    return place >> 8 & 0xFF
  }
}
