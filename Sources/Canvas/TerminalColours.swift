/// The colours a terminal can show, and how to ask for them.
package enum TerminalColours: Sendable {
  /// 24 bits.
  case full
  /// The 256 of xterm: 16 that users choose themselves (never used), a cube of 6 x 6 x 6, and 24 greys.
  case palette

  /// From the environment's COLORTERM and TERM.
  package init(colorTerm: String?, term: String?) {
    // As in xterm-direct, xterm-direct256.
    let isDirect = term?.split(separator: "-").contains { $0.hasPrefix("direct") } == true
    let isFull = isDirect || ["truecolor", "24bit"].contains(colorTerm?.lowercased() ?? "")
    self = isFull ? .full : .palette
  }

  /// The number that stands for a colour in a cell: 0xRRGGBB, or the place in the palette.
  func ink(for pixel: Pixel) -> UInt32 {
    switch self {
    case .full: return pixel.value
    case .palette: break
    }
    let cube = Self.nearestInCube(pixel)
    let grey = Self.nearestGrey(pixel)
    return Self.distance(pixel, cube.pixel) <= Self.distance(pixel, grey.pixel) ? cube.ink : grey.ink
  }

  /// The parameters of CSI m: `layer` is 38 for the upper half's colour, 48 for the ground's.
  func select(_ ink: UInt32, layer: Int) -> String {
    switch self {
    case .full: "\(layer);2;\(ink >> 16 & 0xFF);\(ink >> 8 & 0xFF);\(ink & 0xFF)"
    case .palette: "\(layer);5;\(ink)"
    }
  }

  private static let cubeSteps = [0, 95, 135, 175, 215, 255]

  private static func nearestInCube(_ pixel: Pixel) -> (ink: UInt32, pixel: Pixel) {
    func nearest(_ value: UInt8) -> Int {
      value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
    }
    let (red, green, blue) = (nearest(pixel.red), nearest(pixel.green), nearest(pixel.blue))
    let colour = Pixel(
      UInt32(cubeSteps[red] << 16 | cubeSteps[green] << 8 | cubeSteps[blue]))
    return (UInt32(16 + 36 * red + 6 * green + blue), colour)
  }

  private static func nearestGrey(_ pixel: Pixel) -> (ink: UInt32, pixel: Pixel) {
    let mean = (Int(pixel.red) + Int(pixel.green) + Int(pixel.blue)) / 3
    let step = min(23, max(0, (mean - 3) / 10))
    let value = UInt8(8 + 10 * step)
    return (UInt32(232 + step), Pixel(red: value, green: value, blue: value))
  }

  private static func distance(_ left: Pixel, _ right: Pixel) -> Int {
    func square(_ one: UInt8, _ other: UInt8) -> Int { (Int(one) - Int(other)) * (Int(one) - Int(other)) }
    return square(left.red, right.red) + square(left.green, right.green) + square(left.blue, right.blue)
  }
}
