import Canvas
import Glibc
import Pictures

/// The colour that a cover gives to the room: one hue, and how much of it there is. Found in OKLab, where equal steps
/// look equally large, from 32 x 32 places of the cover. A cover without colour has none. Pure.
package struct CoverPalette: Equatable, Sendable {
  /// In radians, in OKLab.
  let hue: Double
  /// Of the cover's colourful part.
  let chroma: Double

  private static let side = 32
  private static let bins = 36
  /// What has less is grey to an eye.
  private static let leastChroma = 0.04
  /// What is darker, or brighter, has no colour to speak of.
  private static let lightness = 0.15...0.96
  /// So much of a cover has to be of the colour.
  private static let leastShare = 0.04

  /// Nil for a cover of greys.
  package init?(_ picture: Picture) {
    var weights = [Double](repeating: 0, count: Self.bins)
    var sums = [(a: Double, b: Double)](repeating: (0, 0), count: Self.bins)
    for row in 0..<Self.side {
      let y = (2 * row + 1) * picture.size.height / (2 * Self.side)
      for column in 0..<Self.side {
        let x = (2 * column + 1) * picture.size.width / (2 * Self.side)
        let lab = OKLab(Pixel(picture.pixels[y * picture.size.width + x]))
        let chroma = hypot(lab.a, lab.b)
        guard chroma >= Self.leastChroma, Self.lightness.contains(lab.l) else { continue }
        let turn = (atan2(lab.b, lab.a) / (2 * .pi) + 1).truncatingRemainder(dividingBy: 1)
        let bin = min(Int(turn * Double(Self.bins)), Self.bins - 1)
        weights[bin] += chroma
        sums[bin] = (sums[bin].a + lab.a, sums[bin].b + lab.b)
      }
    }
    // A hue at the edge of two bins counts as one: each is looked at with its neighbours.
    func around(_ bin: Int) -> [Int] { [bin + Self.bins - 1, bin, bin + 1].map { $0 % Self.bins } }
    let best = (0..<Self.bins).max { one, other in
      around(one).reduce(0) { $0 + weights[$1] } < around(other).reduce(0) { $0 + weights[$1] }
    }
    guard let best else { return nil }
    let sum = around(best).reduce(into: (a: 0.0, b: 0.0)) { $0 = ($0.a + sums[$1].a, $0.b + sums[$1].b) }
    let whole = around(best).reduce(0) { $0 + weights[$1] }
    let places = Double(Self.side * Self.side)
    guard whole >= Self.leastShare * places * Self.leastChroma * 2 else { return nil }
    hue = atan2(sum.b, sum.a)
    chroma = min(whole / places * 4, 0.3)
  }

  init(hue: Double, chroma: Double) { (self.hue, self.chroma) = (hue, chroma) }
}

extension Theme {
  /// The ground and the accent in the cover's hue. Letters keep their contrast, because lightness stays what it was, and
  /// warnings keep their colours. One bit has no hue.
  func tinted(by palette: CoverPalette?) -> Theme {
    guard let palette, !isInk else { return self }
    func colour(_ lightness: Double, _ chroma: Double) -> Pixel {
      OKLab.pixel(lightness: lightness, chroma: chroma, hue: palette.hue)
    }
    let strong = min(max(palette.chroma, 0.08), 0.14)
    let weak = min(palette.chroma / 3, 0.045)
    var tinted = self
    if isDark {
      tinted.ground = colour(0.2, weak)
      (tinted.groove, tinted.lit) = (colour(0.32, weak), colour(0.4, weak))
      (tinted.accent, tinted.accentText) = (colour(0.8, strong), colour(0.82, strong))
    } else {
      tinted.ground = colour(0.965, weak / 3)
      (tinted.groove, tinted.lit) = (colour(0.86, weak), colour(0.78, weak))
      (tinted.accent, tinted.accentText) = (colour(0.72, strong), colour(0.42, strong))
    }
    return tinted
  }
}

/// The theme in the colours of the last cover, so that they are reckoned once a cover and not once a frame.
struct Tint {
  private var palette: CoverPalette?
  private var plain: Theme?
  private var tinted: Theme?

  /// Nil for the theme as it is.
  mutating func theme(_ palette: CoverPalette?, of theme: Theme) -> Theme? {
    guard palette != self.palette || theme != plain else { return tinted }
    (self.palette, plain) = (palette, theme)
    tinted = palette == nil || theme.isInk ? nil : theme.tinted(by: palette)
    return tinted
  }
}

/// A colour in OKLab (Björn Ottosson, 2020): lightness, and two axes of colour.
struct OKLab {
  var l: Double
  var a: Double
  var b: Double

  init(_ pixel: Pixel) {
    let (red, green, blue) = (Self.light(pixel.red), Self.light(pixel.green), Self.light(pixel.blue))
    let long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let middle = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    l = 0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short
  }

  /// With less chroma where a screen cannot show that much of it at this lightness.
  static func pixel(lightness: Double, chroma: Double, hue: Double) -> Pixel {
    var chroma = chroma
    while chroma > 0.002 {
      if let pixel = shown(lightness, chroma * cos(hue), chroma * sin(hue)) { return pixel }
      chroma *= 0.92
    }
    return shown(lightness, 0, 0) ?? .black
  }

  /// Nil outside of what sRGB has.
  private static func shown(_ l: Double, _ a: Double, _ b: Double) -> Pixel? {
    let long = pow(l + 0.3963377774 * a + 0.2158037573 * b, 3)
    let middle = pow(l - 0.1055613458 * a - 0.0638541728 * b, 3)
    let short = pow(l - 0.0894841775 * a - 1.2914855480 * b, 3)
    let red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
    let green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
    let blue = -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short
    let all = [red, green, blue]
    guard all.allSatisfy({ $0 > -0.0005 && $0 < 1.0005 }) else { return nil }
    let steps = all.map { UInt32((curve(min(max($0, 0), 1)) * 255).rounded()) }
    return Pixel(steps[0] << 16 | steps[1] << 8 | steps[2])
  }

  private static func light(_ step: UInt8) -> Double {
    let part = Double(step) / 255
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
  }

  private static func curve(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }
}
