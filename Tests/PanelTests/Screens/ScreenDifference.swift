import Runtime
import TestSupport

@testable import Canvas

/// A screen as it was and as it is, of the same size.
struct ScreenDifference {
  private let before: PNGPicture
  private let after: PNGPicture
  /// How many pixels have another colour.
  private(set) var count = 0
  /// The rectangle around them.
  private(set) var place = Rect.nothing

  static let mark = Pixel(0xFF00FF)
  static let gap = 6

  init(before: PNGPicture, after: PNGPicture) {
    (self.before, self.after) = (before, after)
    var (left, right, top, bottom) = (after.width, -1, after.height, -1)
    for (at, (one, other)) in zip(before.pixels, after.pixels).enumerated() where one != other {
      let (x, y) = (at % after.width, at / after.width)
      (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
      count += 1
    }
    if count > 0 { place = Rect(x: left, y: top, width: right - left + 1, height: bottom - top + 1) }
  }

  /// Three screens side by side: as it was, as it is, and that once more in the dark, with a bright dot for each pixel
  /// that differs and a frame around them all.
  func picture() -> Canvas {
    let (width, height) = (after.width, after.height)
    let canvas = Canvas(size: Size(width: width * 3 + Self.gap * 2, height: height))
    canvas.fill(canvas.bounds, Pixel(0x808080))
    let second = width + Self.gap
    for (at, (one, other)) in zip(before.pixels, after.pixels).enumerated() {
      let (x, y) = (at % width, at / width)
      canvas[x, y] = Pixel(one)
      canvas[second + x, y] = Pixel(other)
      canvas[second * 2 + x, y] = one == other ? Pixel(other).mixed(with: .black, coverage: 200) : Self.mark
    }
    if count > 0 { frame(canvas, Rect(x: second * 2, y: 0, width: width, height: height)) }
    return canvas
  }

  private func frame(_ canvas: Canvas, _ third: Rect) {
    let wide = Rect(x: third.x + place.x - 4, y: place.y - 4, width: place.width + 8, height: place.height + 8)
    let around = wide.intersection(third)
    for x in around.columns { for y in [around.y, around.bottom - 1] { canvas[x, y] = Self.mark } }
    for y in around.rows { for x in [around.x, around.right - 1] { canvas[x, y] = Self.mark } }
  }

  /// "214 of 76800 pixels, in 20x12 at 30,40".
  var text: String {
    if count == 0 { return "no colour, only which pixels belong to a picture or a gradient" }
    return "\(count) of \(after.pixels.count) pixels, in \(place.width)x\(place.height) at \(place.x),\(place.y)"
  }
}
