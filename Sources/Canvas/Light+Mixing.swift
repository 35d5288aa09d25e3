import Pictures

/// Colours laid over others, mixed as light.
extension Light {
  /// 0 leaves the pixel alone, 255 replaces it, and a colour over itself stays itself.
  @inline(__always)
  static func blend(_ colour: UInt32, coverage: UInt8, over pixel: inout UInt32) {
    Ink(colour).blend(coverage, over: &pixel)
  }

  /// A colour as light, for all the pixels that it covers.
  struct Ink {
    private let colour: UInt32
    private let red: Int32
    private let green: Int32
    private let blue: Int32
    /// Looked up once, not for each pixel.
    private let fromStep: UnsafePointer<Int32>
    private let toStep: UnsafePointer<UInt8>

    @inline(__always)
    init(_ colour: UInt32) {
      (fromStep, toStep) = (Light.fromStep, Light.toStep)
      self.colour = colour
      red = fromStep[Int(colour >> 16 & 0xFF)]
      green = fromStep[Int(colour >> 8 & 0xFF)]
      blue = fromStep[Int(colour & 0xFF)]
    }

    init(_ colour: Pixel) { self.init(colour.value) }

    @inline(__always)
    func blend(_ coverage: UInt8, over pixel: inout UInt32) {
      if coverage == 0 { return }
      if coverage == 255 {
        pixel = colour
        return
      }
      let (above, below) = (Int32(coverage), 255 - Int32(coverage))
      let red = (fromStep[Int(pixel >> 16 & 0xFF)] * below + red * above + 127) / 255
      let green = (fromStep[Int(pixel >> 8 & 0xFF)] * below + green * above + 127) / 255
      let blue = (fromStep[Int(pixel & 0xFF)] * below + blue * above + 127) / 255
      pixel = UInt32(toStep[Int(red)]) << 16 | UInt32(toStep[Int(green)]) << 8 | UInt32(toStep[Int(blue)])
    }
  }
}
