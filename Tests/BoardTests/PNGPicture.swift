import Runtime
import TestSupport
import VirtualBoard

extension Screen {
  /// A picture as `layby screen` makes it.
  init(png bytes: [UInt8]) throws {
    let picture = try PNGPicture(bytes)
    self.init(width: picture.width, height: picture.height, pixels: picture.pixels)
  }
}
