import Glibc
import Pictures
import Runtime

// Whoever imports Canvas can use these two types without importing Pictures.
@_exported import struct Pictures.Rect
@_exported import struct Pictures.Size

/// The frame that is being drawn, and the one that was shown last. A screen draws everything each time; `changes`
/// compares the two frames and gives the rectangles that differ, so no screen needs to keep track of what must be drawn
/// again.
///
/// Lives on the main loop. It owns its two frames as plain memory, because every loop here runs over all pixels.
package final class Canvas {
  package let size: Size
  /// Row after row without padding: 0x00RRGGBB, with a mark of the colour's origin in the highest byte. The mark is
  /// removed before a pixel leaves the canvas.
  let pixels: UnsafeMutablePointer<UInt32>
  let shown: UnsafeMutablePointer<UInt32>
  /// False until a frame was shown, and after `forgetShown`; then the whole frame must be shown.
  var knowsShown = false
  var finder: ChangeFinder

  /// Marks in the highest byte of a pixel: it is part of a picture, or of a gradient. A panel with few colours dithers
  /// these; text and plain areas are not dithered.
  static let ofPicture: UInt32 = 0x0100_0000
  static let ofGradient: UInt32 = 0x0200_0000
  static let origin: UInt32 = 0xFF00_0000

  /// Mirrors the layout of what is drawn from now on, for languages that run from right to left. Text and pictures
  /// themselves are not mirrored.
  package var isMirrored = false

  /// For tests: called with each text before it is drawn, while its background is still visible.
  package var heard: ((DrawnText) -> Void)?

  /// A cache of rendered icons.
  var stencils = TwoGenerationCache<Stencil.Key, Stencil>(limit: Stencil.bytes)

  /// A black canvas. Each side is limited to 1 to 8,192 pixels.
  package init(size asked: Size) {
    size = Size(width: min(max(asked.width, 1), 8_192), height: min(max(asked.height, 1), 8_192))
    let count = size.width * size.height
    pixels = .allocate(capacity: count)
    pixels.initialize(repeating: 0, count: count)
    shown = .allocate(capacity: count)
    shown.initialize(repeating: 0, count: count)
    finder = ChangeFinder(size: size, pixels: pixels, shown: shown)
  }

  deinit {
    pixels.deallocate()
    shown.deallocate()
  }

  package var bounds: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }

  /// A pixel outside the canvas is black, and cannot be set.
  package subscript(x: Int, y: Int) -> Pixel {
    get { bounds.contains(x: x, y: y) ? Pixel(pixels[y * size.width + x]) : .black }
    set { if bounds.contains(x: x, y: y) { pixels[y * size.width + x] = newValue.value } }
  }

  /// Where a rectangle is on the canvas, mirrored if `isMirrored`.
  func placed(_ rect: Rect) -> Rect {
    isMirrored ? Rect(x: size.width - rect.right, y: rect.y, width: rect.width, height: rect.height) : rect
  }

  func row(_ y: Int) -> UnsafeMutablePointer<UInt32> { pixels + y * size.width }

  package func fill(_ rect: Rect, _ colour: Pixel) { fill(rect, colour.value) }

  private func fill(_ rect: Rect, _ value: UInt32) {
    let visible = placed(rect).intersection(bounds)
    for y in visible.rows { (row(y) + visible.x).update(repeating: value, count: visible.width) }
  }

  /// A vertical gradient.
  package func fill(_ rect: Rect, from top: Pixel, to bottom: Pixel) {
    guard rect.height > 1 else { return fill(rect, top) }
    for y in rect.intersection(bounds).rows {
      let part = UInt8((y - rect.y) * 255 / (rect.height - 1))
      let mixed = top.mixed(with: bottom, coverage: part).value
      fill(Rect(x: rect.x, y: y, width: rect.width, height: 1), mixed | Self.ofGradient)
    }
  }

  /// Draws a colour through a mask: `coverage` has one byte for each pixel of `place`. Nothing is drawn outside `clip`.
  func blend(_ coverage: [UInt8], at place: Rect, _ ink: Light.Ink, clip: Rect) {
    let visible = place.intersection(clip)
    if visible.isEmpty { return }
    coverage.withUnsafeBufferPointer { coverage in
      guard let start = coverage.baseAddress else { return }
      for y in visible.rows {
        let line = start + (y - place.y) * place.width - place.x
        let row = row(y)
        for x in visible.columns { ink.blend(line[x], over: &row[x]) }
      }
    }
  }
}

extension Canvas {
  /// Small rectangles that contain every pixel that differs from the frame shown last; none when nothing differs.
  package func changes() -> [Rect] {
    guard knowsShown else { return [bounds] }
    finder.find()
    return finder.found
  }

  /// Notes that `rects` have been shown.
  package func markShown(_ rects: [Rect]) {
    for rect in rects {
      let visible = rect.intersection(bounds)
      for y in visible.rows {
        let start = y * size.width + visible.x
        (shown + start).update(from: pixels + start, count: visible.width)
      }
      if visible == bounds { knowsShown = true }
    }
  }

  /// The screen lost its contents (it was off, or something else wrote to it).
  package func forgetShown() { knowsShown = false }

  /// Shows what has changed. If the sink fails nothing counts as shown, so the next call tries again.
  package func present<Target: Sink & ~Copyable>(to sink: inout Target) throws(Fault) {
    let changed = changes()
    if changed.isEmpty { return }
    try sink.show(self, changed: changed)
    markShown(changed)
  }
}

/// Antialiased shapes: an edge pixel gets as much of the colour as the shape covers of it.
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
        // The distance of the pixel's centre from the arc: full coverage half a pixel inside, none half a pixel
        // outside.
        let inside = Double(radius) - (rise * rise + run * run).squareRoot() + 0.5
        let coverage = UInt8(max(0, min(1, inside)) * 255)
        cover(x: rect.x + column, y: y, coverage, colour)
        cover(x: rect.right - 1 - column, y: y, coverage, colour)
      }
    }
  }

  /// Fills a polygon by the even-odd rule.
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

extension Picture {
  package subscript(x: Int, y: Int) -> Pixel { Pixel(pixels[y * size.width + x]) }
}

extension Canvas {
  /// Draws a picture with its upper left corner at (x, y), clipped to the canvas.
  package func draw(_ picture: Picture, x: Int, y: Int) {
    let place = placed(Rect(x: x, y: y, width: picture.size.width, height: picture.size.height))
    let x = place.x
    let visible = place.intersection(bounds)
    if visible.isEmpty { return }
    picture.pixels.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      for line in visible.rows {
        let from = start + (line - y) * picture.size.width + (visible.x - x)
        let to = row(line) + visible.x
        for column in 0..<visible.width { to[column] = from[column] & 0xFF_FFFF | Self.ofPicture }
      }
    }
  }

  /// Lays a colour over the outermost pixels of `rect`. They stay what they are: part of a picture, or of a surface.
  package func tintEdge(of rect: Rect, _ colour: Pixel, coverage: UInt8) {
    let place = placed(rect)
    let (visible, ink) = (place.intersection(bounds), Light.Ink(colour))
    func tint(_ x: Int, _ y: Int) {
      guard visible.contains(x: x, y: y) else { return }
      let kind = row(y)[x] & 0xFF00_0000
      ink.blend(coverage, over: &row(y)[x])
      row(y)[x] |= kind
    }
    for y in visible.rows {
      if y == place.y || y == place.bottom - 1 {
        for x in visible.columns { tint(x, y) }
      } else {
        tint(place.x, y)
        if place.width > 1 { tint(place.right - 1, y) }
      }
    }
  }
}
