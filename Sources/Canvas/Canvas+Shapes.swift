import Glibc

/// Shapes with smooth edges. An edge pixel gets as much of the colour as the shape covers of it.
extension Canvas {
  package func fillRounded(_ rect: Rect, radius: Int, _ colour: Pixel) {
    let radius = max(0, min(radius, min(rect.width, rect.height) / 2))
    let visible = rect.intersection(bounds)
    guard radius > 0, !visible.isEmpty else { return fill(rect, colour) }
    for y in visible.rows {
      let fromEdge = min(y - rect.y, rect.bottom - 1 - y)
      guard fromEdge < radius else {
        fill(Rect(x: rect.x, y: y, width: rect.width, height: 1), colour)
        continue
      }
      fill(Rect(x: rect.x + radius, y: y, width: rect.width - 2 * radius, height: 1), colour)
      let rise = Double(radius - fromEdge) - 0.5
      for column in 0..<radius {
        let run = Double(radius - column) - 0.5
        // Distance of the pixel's middle from the arc: half a pixel inside is all, half a pixel outside is nothing.
        let inside = Double(radius) - (rise * rise + run * run).squareRoot() + 0.5
        let coverage = UInt8(max(0, min(1, inside)) * 255)
        cover(x: rect.x + column, y: y, coverage, colour)
        cover(x: rect.right - 1 - column, y: y, coverage, colour)
      }
    }
  }

  package func fillCircle(middle: Point, radius: Double, _ colour: Pixel) {
    fillRing(middle: middle, radius: radius / 2, thickness: radius, from: 0, to: 2 * .pi, colour)
  }

  /// Part of a ring, from one angle to a later one; angles grow clockwise from the right, in radians. `radius` is the
  /// middle of the stroke.
  package func fillRing(
    middle: Point, radius: Double, thickness: Double, from start: Double, to end: Double, _ colour: Pixel
  ) {
    // So many corners that none can be seen: the flat side stays within a twentieth of a pixel of the arc.
    let steps = max(8, Int((radius + thickness) * (end - start) * 1.6))
    func arc(_ radius: Double, _ order: some Sequence<Int>) -> [Point] {
      order.map { step in
        let angle = start + (end - start) * Double(step) / Double(steps)
        return Point(middle.x + cos(angle) * radius, middle.y + sin(angle) * radius)
      }
    }
    let outer = arc(radius + thickness / 2, 0...steps)
    let inner = radius > thickness / 2 ? arc(radius - thickness / 2, (0...steps).reversed()) : []
    let isWhole = end - start >= 2 * .pi - 0.000_1
    fill(polygon: isWhole && inner.isEmpty ? outer : outer + (inner.isEmpty ? [middle] : inner), colour)
  }

  /// What lies inside an odd number of times is filled.
  package func fill(polygon corners: [Point], _ colour: Pixel) {
    guard corners.count >= 3 else { return }
    let corners = isMirrored ? corners.map { Point(Double(size.width) - $0.x, $0.y) } : corners
    let box = Self.box(of: corners).intersection(bounds)
    if box.isEmpty { return }
    let linesPerRow = 16
    var coverage = [Double](repeating: 0, count: box.width)
    var bytes = [UInt8](repeating: 0, count: box.width)
    for y in box.rows {
      for column in 0..<box.width { coverage[column] = 0 }
      for line in 0..<linesPerRow {
        let height = Double(y) + (Double(line) + 0.5) / Double(linesPerRow)
        let crossings = Self.crossings(of: corners, at: height)
        for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
          Self.add(
            from: crossings[pair] - Double(box.x), to: crossings[pair + 1] - Double(box.x),
            weight: 255 / Double(linesPerRow), &coverage)
        }
      }
      for column in 0..<box.width { bytes[column] = UInt8(max(0, min(255, coverage[column].rounded()))) }
      blend(colour, coverage: bytes, count: box.width, x: box.x, y: y, clip: box)
    }
  }

  private func cover(x: Int, y: Int, _ coverage: UInt8, _ colour: Pixel) {
    let x = isMirrored ? size.width - 1 - x : x
    guard bounds.contains(x: x, y: y) else { return }
    Light.blend(colour.value, coverage: coverage, over: &row(y)[x])
  }

  /// Corners beyond a million pixels, and those that are no numbers, are cut off.
  private static func box(of corners: [Point]) -> Rect {
    func whole(_ value: Double) -> Int { Int(max(-1_000_000, min(1_000_000, value.isNaN ? 0 : value))) }
    let left = whole((corners.map(\.x).min() ?? 0).rounded(.down))
    let top = whole((corners.map(\.y).min() ?? 0).rounded(.down))
    let right = whole((corners.map(\.x).max() ?? 0).rounded(.up))
    let bottom = whole((corners.map(\.y).max() ?? 0).rounded(.up))
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private static func crossings(of corners: [Point], at height: Double) -> [Double] {
    var found: [Double] = []
    var before = corners[corners.count - 1]
    for corner in corners {
      if (before.y <= height) != (corner.y <= height) {
        found.append(before.x + (height - before.y) / (corner.y - before.y) * (corner.x - before.x))
      }
      before = corner
    }
    return found.sorted()
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
