import Glibc

/// Colours are stored as the eye sees steps (sRGB), but light adds up in proportion to photons. Edges and small
/// pictures are mixed as light: otherwise thin bright strokes on a dark ground look dirty.
enum Light {
  static let full = 4095

  /// sRGB 0...255 to light 0...4095. Plain memory for ever, since it is read for every pixel of an
  /// edge; unsafe by its type only: nobody writes to it once it is made.
  nonisolated(unsafe) static let fromStep: UnsafePointer<Int32> = {
    let table = UnsafeMutablePointer<Int32>.allocate(capacity: 256)
    for step in 0..<256 { table[step] = Int32((light(Double(step) / 255) * Double(full)).rounded()) }
    return UnsafePointer(table)
  }()

  /// The other way; as above.
  nonisolated(unsafe) static let toStep: UnsafePointer<UInt8> = {
    let table = UnsafeMutablePointer<UInt8>.allocate(capacity: full + 1)
    for value in 0...full { table[value] = UInt8((step(Double(value) / Double(full)) * 255).rounded()) }
    return UnsafePointer(table)
  }()

  private static func light(_ step: Double) -> Double {
    step <= 0.04045 ? step / 12.92 : pow((step + 0.055) / 1.055, 2.4)
  }

  private static func step(_ light: Double) -> Double {
    light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

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
