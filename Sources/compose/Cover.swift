import Canvas
import Runtime

/// The demo album's cover: a road in the evening. Drawn here, so that the album has one wherever it is made.
enum Cover {
  private static let side = 640

  static func png() throws(Fault) -> [UInt8] {
    let canvas = Canvas(size: Size(width: side, height: side))
    let horizon = 372
    let whole = Double(side)
    canvas.fill(Rect(x: 0, y: 0, width: side, height: horizon), from: Pixel(0x1C2452), to: Pixel(0xF0945A))
    // The sun, half of it above the hills.
    let sun = 196
    let place = Rect(x: (side - sun) / 2 + 96, y: horizon - sun * 3 / 4, width: sun, height: sun)
    canvas.fillRounded(place, radius: sun / 2, Pixel(0xFFDC9C))
    canvas.fill(polygon: hills([0.30, 0.18, 0.27, 0.10, 0.22, 0.15], at: horizon, high: 0.42), Pixel(0x5B3560))
    canvas.fill(polygon: hills([0.08, 0.16, 0.05, 0.14, 0.07, 0.12], at: horizon, high: 0.40), Pixel(0x33254E))
    canvas.fill(Rect(x: 0, y: horizon, width: side, height: side - horizon), Pixel(0x211A3A))
    // The road, and its line in the middle, dash by dash nearer and longer.
    let far = Point(whole * 0.42, Double(horizon))
    canvas.fill(
      polygon: [far, Point(whole * 0.46, Double(horizon)), Point(whole * 0.98, whole), Point(0, whole)], Pixel(0x120F22)
    )
    for (from, to) in [(0.03, 0.08), (0.14, 0.23), (0.34, 0.50), (0.66, 0.92)] {
      canvas.fill(polygon: dash(from, to, horizon), Pixel(0xF7CF8B))
    }
    return try PNG.encode(canvas)
  }

  /// Heights from the left to the right, as parts of `high` of the picture.
  private static func hills(_ heights: [Double], at horizon: Int, high: Double) -> [Point] {
    let step = Double(side) / Double(heights.count - 1)
    let tops = heights.enumerated().map { index, height in
      Point(Double(index) * step, Double(horizon) - height * high * Double(side))
    }
    return [Point(0, Double(horizon) + 1)] + tops + [Point(Double(side), Double(horizon) + 1)]
  }

  /// Between two parts of the way from the horizon to the picture's foot.
  private static func dash(_ from: Double, _ to: Double, _ horizon: Int) -> [Point] {
    func edge(_ part: Double) -> (left: Point, right: Point) {
      let y = Double(horizon) + part * Double(side - horizon)
      let middle = Double(side) * (0.44 + 0.05 * part)
      let half = 1 + 11 * part
      return (Point(middle - half, y), Point(middle + half, y))
    }
    let (near, away) = (edge(to), edge(from))
    return [away.left, away.right, near.right, near.left]
  }
}
