/// Where red, green and blue stand in a panel's pixels of 32 bits. Canvas's own order is copied as it is; any other is
/// put together pixel by pixel.
struct PixelLayout: Equatable, Sendable {
  private let red: UInt32
  private let green: UInt32
  private let blue: UInt32
  /// Bits for opacity are all set: some panels take them for it, and the others do not look.
  private let opaque: UInt32
  private let isCanvasOrder: Bool

  /// Nil when a colour has not 8 bits in the usual direction, leaves the pixel, or shares bits with another.
  init?(red: FrameClaim.Field, green: FrameClaim.Field, blue: FrameClaim.Field, opacity: FrameClaim.Field) {
    var taken: UInt32 = 0
    for colour in [red, green, blue] {
      guard colour.length == 8, colour.offset <= 24, !colour.isReversed else { return nil }
      let bits = UInt32(0xFF) << colour.offset
      guard taken & bits == 0 else { return nil }
      taken |= bits
    }
    self.red = red.offset
    self.green = green.offset
    self.blue = blue.offset
    // Beside the colours at most, whatever is said of it.
    opaque = opacity.length > 0 && opacity.length <= 8 ? ~taken : 0
    isCanvasOrder = red.offset == 16 && green.offset == 8 && blue.offset == 0 && opaque == 0
  }

  func value(of pixel: UInt32) -> UInt32 {
    (pixel >> 16 & 0xFF) << red | (pixel >> 8 & 0xFF) << green | (pixel & 0xFF) << blue | opaque
  }

  /// `count` pixels of the canvas, as the panel wants them. The memory is a device's: it is written once, never read.
  func write(_ pixels: UnsafePointer<UInt32>, count: Int, to memory: UnsafeMutablePointer<UInt32>) {
    if isCanvasOrder {
      memory.update(from: pixels, count: count)
    } else {
      for column in 0..<count { memory[column] = value(of: pixels[column]) }
    }
  }
}
