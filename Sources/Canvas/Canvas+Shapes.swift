import Pictures

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

  /// What lies inside an odd number of times is filled.
  package func fill(polygon corners: [Point], _ colour: Pixel) {
    let corners = isMirrored ? corners.map { Point(Double(size.width) - $0.x, $0.y) } : corners
    let box = Polygon.box(of: corners).intersection(bounds)
    let ink = Light.Ink(colour)
    Polygon.scan(corners, in: box) { y, coverage in
      let row = row(y) + box.x
      for column in 0..<box.width { ink.blend(coverage[column], over: &row[column]) }
    }
  }

  private func cover(x: Int, y: Int, _ coverage: UInt8, _ colour: Pixel) {
    let x = isMirrored ? size.width - 1 - x : x
    guard bounds.contains(x: x, y: y) else { return }
    Light.blend(colour.value, coverage: coverage, over: &row(y)[x])
  }
}
