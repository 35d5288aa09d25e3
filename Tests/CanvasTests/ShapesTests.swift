import Pictures
import Testing

@testable import Canvas

@Suite("Shapes")
struct ShapesTests {
  private func total(_ canvas: Canvas) -> Double {
    // White on black: what light comes out, in whole pixels.
    canvas.allPixels.reduce(0) { $0 + Double(Light.fromStep[Int($1 & 0xFF)]) / Double(Light.full) }
  }

  @Test("every colour comes back from light, and covers itself with itself")
  func identity() {
    for step in 0..<256 {
      #expect(Light.toStep[Int(Light.fromStep[step])] == UInt8(step))
      let grey = Pixel(red: UInt8(step), green: UInt8(255 - step), blue: 7)
      for coverage: UInt8 in [0, 1, 127, 128, 254, 255] { #expect(grey.mixed(with: grey, coverage: coverage) == grey) }
    }
  }

  @Test("no coverage changes nothing, all of it replaces, more is never darker")
  func blending() {
    #expect(Pixel(0x102030).mixed(with: .white, coverage: 0) == Pixel(0x102030))
    #expect(Pixel(0x102030).mixed(with: Pixel(0xA0B0C0), coverage: 255) == Pixel(0xA0B0C0))
    var before: UInt8 = 0
    for coverage in UInt8.min...UInt8.max {
      let red = Pixel.black.mixed(with: .white, coverage: coverage).red
      #expect(red >= before)
      before = red
    }
  }

  @Test("a filled rectangle is its pixels and no other, also where it leaves the canvas")
  func rectangle() {
    for rect in [
      Rect(x: 3, y: 4, width: 5, height: 6), Rect(x: -5, y: -5, width: 8, height: 50),
      Rect(x: 15, y: 10, width: 99, height: 1), Rect(x: 2, y: 2, width: 0, height: 4),
      Rect(x: 2, y: 2, width: -3, height: 4),
    ] {
      let canvas = Canvas(size: Size(width: 20, height: 16))
      canvas.fill(rect, .white)
      for y in 0..<16 {
        for x in 0..<20 { #expect((canvas[x, y] == .white) == rect.contains(x: x, y: y)) }
      }
    }
  }

  @Test("a polygon on whole pixels is a rectangle, one on half pixels has half its light at the edge")
  func polygon() {
    func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Canvas {
      let canvas = Canvas(size: Size(width: 12, height: 12))
      canvas.fill(
        polygon: [Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)], .white)
      return canvas
    }
    let whole = Canvas(size: Size(width: 12, height: 12))
    whole.fill(Rect(x: 2, y: 3, width: 6, height: 4), .white)
    #expect(box(2, 3, 8, 7).allPixels == whole.allPixels)
    let half = box(2.5, 3, 8, 7)
    #expect(half[2, 4] == Pixel.black.mixed(with: .white, coverage: 128))
    #expect(half[3, 4] == .white)
    #expect(box(2, 3.5, 8, 7)[4, 3] == Pixel.black.mixed(with: .white, coverage: 128))
  }

  @Test("a triangle's and a circle's light are their area, within a hundredth")
  func areas() {
    let triangle = Canvas(size: Size(width: 64, height: 64))
    triangle.fill(polygon: [Point(5.3, 7.1), Point(55.2, 30.7), Point(9.9, 60.4)], .white)
    let area = abs((55.2 - 5.3) * (60.4 - 7.1) - (9.9 - 5.3) * (30.7 - 7.1)) / 2
    #expect(abs(total(triangle) - area) < area / 100)

    let circle = Canvas(size: Size(width: 64, height: 64))
    circle.fill(polygon: .disc(middle: Point(31.7, 30.2), radius: 20), .white)
    #expect(abs(total(circle) - .pi * 400) < 12)
    #expect(circle[31, 30] == .white)

    let rounded = Canvas(size: Size(width: 64, height: 64))
    rounded.fillRounded(Rect(x: 4, y: 4, width: 40, height: 40), radius: 20, .white)
    #expect(abs(total(rounded) - .pi * 400) < 12)
  }

  @Test("a rounded rectangle is the same seen from each side")
  func symmetry() {
    let canvas = Canvas(size: Size(width: 30, height: 20))
    canvas.fillRounded(canvas.bounds, radius: 7, .white)
    for y in 0..<20 {
      for x in 0..<30 {
        #expect(canvas[x, y] == canvas[29 - x, y])
        #expect(canvas[x, y] == canvas[x, 19 - y])
      }
    }
    #expect(canvas[0, 0] == .black)
    #expect(canvas[15, 0] == .white)
  }

  @Test("shapes that are nothing, endless or no numbers draw nothing and end", .timeLimit(.minutes(1)))
  func strange() {
    let canvas = Canvas(size: Size(width: 30, height: 20))
    canvas.fill(polygon: [], .white)
    canvas.fill(polygon: [Point(1, 1), Point(9, 9)], .white)
    canvas.fill(polygon: [Point(.nan, 1), Point(9, .nan), Point(.infinity, 4)], .white)
    canvas.fillRounded(Rect(x: 5, y: 5, width: -4, height: 10), radius: 3, .white)
    canvas.fill(polygon: .disc(middle: Point(10, 10), radius: 0), .white)
    #expect(canvas.allPixels.allSatisfy { $0 == 0 })
    canvas.fill(polygon: [Point(-1e12, -1e12), Point(1e12, -1e12), Point(1e12, 1e12), Point(-1e12, 1e12)], .white)
    #expect(canvas[29, 19] == .white)
  }

  @Test("an edge is tinted where it is on the canvas, mirrored too, and no pixel inside it", arguments: [false, true])
  func edge(isMirrored: Bool) {
    let canvas = Canvas(size: Size(width: 5, height: 5))
    canvas.fill(canvas.bounds, .black)
    canvas.isMirrored = isMirrored
    canvas.tintEdge(of: Rect(x: -1, y: 1, width: 4, height: 4), .white, coverage: 255)
    for y in 0..<5 {
      for x in 0..<5 {
        let column = isMirrored ? 4 - x : x
        let isEdge = column <= 2 && (y == 1 || y == 4) || column == 2 && y >= 1
        #expect((canvas[x, y] == .white) == isEdge, "\(x), \(y)")
      }
    }
    canvas.tintEdge(of: Rect(x: 0, y: 0, width: 1, height: 1), .white, coverage: 255)
    #expect(canvas[isMirrored ? 4 : 0, 0] == .white)
  }
}
