import Glibc

/// A corner of a polygon. Pixel (0, 0) is the square from (0, 0) to (1, 1).
package struct Point: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// How much of each pixel lies inside a polygon. What lies inside an odd number of times is inside.
enum Polygon {
  private static let linesPerRow = 16

  /// Row by row, the coverage of each column of `box`.
  static func scan(_ corners: [Point], in box: Rect, _ row: (Int, UnsafePointer<UInt8>) -> Void) {
    if corners.count < 3 || box.isEmpty { return }
    var coverage = [Double](repeating: 0, count: box.width)
    var bytes = [UInt8](repeating: 0, count: box.width)
    var crossings: [Double] = []
    for y in box.rows {
      for column in 0..<box.width { coverage[column] = 0 }
      for line in 0..<linesPerRow {
        let height = Double(y) + (Double(line) + 0.5) / Double(linesPerRow)
        find(&crossings, of: corners, at: height)
        for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
          add(
            from: crossings[pair] - Double(box.x), to: crossings[pair + 1] - Double(box.x),
            weight: 255 / Double(linesPerRow), &coverage)
        }
      }
      for column in 0..<box.width { bytes[column] = UInt8(max(0, min(255, coverage[column].rounded()))) }
      row(y, bytes)
    }
  }

  /// Corners beyond a million pixels, and those that are no numbers, are cut off.
  static func box(of corners: [Point]) -> Rect {
    func whole(_ value: Double) -> Int { Int(max(-1_000_000, min(1_000_000, value.isNaN ? 0 : value))) }
    let left = whole((corners.map(\.x).min() ?? 0).rounded(.down))
    let top = whole((corners.map(\.y).min() ?? 0).rounded(.down))
    let right = whole((corners.map(\.x).max() ?? 0).rounded(.up))
    let bottom = whole((corners.map(\.y).max() ?? 0).rounded(.up))
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private static func find(_ crossings: inout [Double], of corners: [Point], at height: Double) {
    crossings.removeAll(keepingCapacity: true)
    var before = corners[corners.count - 1]
    for corner in corners {
      if (before.y <= height) != (corner.y <= height) {
        crossings.append(before.x + (height - before.y) / (corner.y - before.y) * (corner.x - before.x))
      }
      before = corner
    }
    crossings.sort()
  }

  private static func add(from start: Double, to end: Double, weight: Double, _ coverage: inout [Double]) {
    let start = max(0, start)
    let end = min(Double(coverage.count), end)
    guard end > start else { return }
    let first = Int(start)
    let last = min(Int(end), coverage.count - 1)
    if first == last {
      coverage[first] += (end - start) * weight
      return
    }
    coverage[first] += (Double(first + 1) - start) * weight
    for column in (first + 1)..<max(last, first + 1) { coverage[column] += weight }
    coverage[last] += (end - Double(last)) * weight
  }
}

extension [Point] {
  /// Part of a ring, from one angle to a later one; angles grow clockwise from the right, in radians. `radius` is the
  /// middle of the stroke; one as thick as twice that is a disc.
  package static func ring(
    middle: Point, radius: Double, thickness: Double, from start: Double = 0, to end: Double = 2 * .pi
  ) -> [Point] {
    // So many corners that none can be seen: on a radius of 100 pixels the flat sides stay within a tenth of one.
    let steps = Swift.max(8, Int((end - start) * 12))
    func arc(_ radius: Double) -> [Point] {
      (0...steps).map { step in
        let angle = start + (end - start) * Double(step) / Double(steps)
        return Point(middle.x + cos(angle) * radius, middle.y + sin(angle) * radius)
      }
    }
    let isDisc = radius <= thickness / 2
    let isWhole = end - start >= 2 * .pi - 0.000_1
    let inner = isDisc ? (isWhole ? [] : [middle]) : arc(radius - thickness / 2).reversed()
    return arc(radius + thickness / 2) + inner
  }

  package static func disc(middle: Point, radius: Double) -> [Point] {
    ring(middle: middle, radius: radius / 2, thickness: radius)
  }
}
