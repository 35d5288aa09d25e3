import Glibc
import Pictures

/// What a screen shall show, and what it showed last. A screen draws all it has into it, as often as it likes;
/// `changes` compares with the frame shown last and tells what really differs, so nobody keeps account of what must
/// be drawn again.
///
/// Lives on the main loop. It owns its two frames as plain memory, because every loop here runs over all pixels.
package final class Canvas {
  package let size: Size
  /// Row after row, no padding: 0x00RRGGBB, and in the highest byte where the colour came from. Whoever hands a pixel
  /// on leaves that out.
  let pixels: UnsafeMutablePointer<UInt32>
  let shown: UnsafeMutablePointer<UInt32>
  /// False until a frame was shown, and after `forgetShown`: then all of it has to be shown.
  var knowsShown = false
  var finder: ChangeFinder

  /// In the highest byte of a pixel: part of a picture, or of a slow change from one colour to another. A panel with
  /// few colours mixes these of those it has. Letters and plain ground stay clean there.
  static let ofPicture: UInt32 = 0x0100_0000
  static let ofGradient: UInt32 = 0x0200_0000
  static let origin: UInt32 = 0xFF00_0000

  /// What is drawn from now on is drawn from the other side: for those who read from the right. Letters and pictures stay
  /// as they are, at the other place.
  package var isMirrored = false

  /// Told of each text before it is drawn, while its ground can still be seen: for tests of what a picture says.
  package var heard: ((DrawnText) -> Void)?

  /// Signs as they look in the sizes in which they were drawn lately.
  var stencils = Halves<Stencil.Key, Stencil>(limit: Stencil.bytes)

  /// Black. A side is at least 1 and at most 8,192 pixels.
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

  /// Black outside.
  package subscript(x: Int, y: Int) -> Pixel {
    get { bounds.contains(x: x, y: y) ? Pixel(pixels[y * size.width + x]) : .black }
    set { if bounds.contains(x: x, y: y) { pixels[y * size.width + x] = newValue.value } }
  }

  /// Where that lies, mirrored or not.
  func placed(_ rect: Rect) -> Rect {
    isMirrored ? Rect(x: size.width - rect.right, y: rect.y, width: rect.width, height: rect.height) : rect
  }

  func row(_ y: Int) -> UnsafeMutablePointer<UInt32> { pixels + y * size.width }

  package func fill(_ rect: Rect, _ colour: Pixel) { fill(rect, colour.value) }

  private func fill(_ rect: Rect, _ value: UInt32) {
    let visible = placed(rect).intersection(bounds)
    for y in visible.rows { (row(y) + visible.x).update(repeating: value, count: visible.width) }
  }

  /// From `top` down to `bottom` in even steps.
  package func fill(_ rect: Rect, from top: Pixel, to bottom: Pixel) {
    guard rect.height > 1 else { return fill(rect, top) }
    for y in rect.intersection(bounds).rows {
      let part = UInt8((y - rect.y) * 255 / (rect.height - 1))
      let mixed = top.mixed(with: bottom, coverage: part).value
      fill(Rect(x: rect.x, y: y, width: rect.width, height: 1), mixed | Self.ofGradient)
    }
  }

  /// `coverage` of a colour, one byte a pixel of `place`, kept inside `clip`.
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
