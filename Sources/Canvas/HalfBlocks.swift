import Pictures

/// Turns a canvas into character cells of two square dots each. Every dot is the mean, as light, of all the pixels it
/// stands for, so thin strokes get fainter but never vanish.
struct HalfBlocks {
  /// Two dots, as `TerminalColours` numbers them.
  struct Cell: Equatable {
    var top: UInt32
    var bottom: UInt32

    /// What no picture has put there.
    static let unknown = Cell(top: .max, bottom: .max)
  }

  let canvas: Size
  /// Cells of the picture.
  let columns: Int
  let rows: Int

  /// As large as fits, with square pixels, and never enlarged.
  init(canvas: Size, fitting room: Size) {
    self.canvas = canvas
    let width = max(room.width, 1)
    let height = max(room.height, 1) * 2
    // Compares width / canvas.width with height / canvas.height without fractions.
    let isWide = width * canvas.height <= height * canvas.width
    let (part, whole) = isWide ? (width, canvas.width) : (height, canvas.height)
    let scale = part >= whole ? (1, 1) : (part, whole)
    columns = max(1, canvas.width * scale.0 / scale.1)
    rows = max(1, (canvas.height * scale.0 / scale.1 + 1) / 2)
  }

  /// The cells that show any pixel of `rect`.
  func cells(showing rect: Rect) -> Rect {
    let left = rect.x * columns / canvas.width
    let top = rect.y * rows / canvas.height
    let right = (rect.right * columns + canvas.width - 1) / canvas.width
    let bottom = (rect.bottom * rows + canvas.height - 1) / canvas.height
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  func cell(_ column: Int, _ row: Int, of canvas: Canvas, _ colours: TerminalColours) -> Cell {
    Cell(
      top: colours.ink(for: dot(column, row * 2, of: canvas)),
      bottom: colours.ink(for: dot(column, row * 2 + 1, of: canvas)))
  }

  /// Lengths are counted in parts so small that pixels and dots are whole numbers of them.
  private func dot(_ column: Int, _ line: Int, of source: Canvas) -> Pixel {
    let lines = rows * 2
    let (left, right) = (column * canvas.width, (column + 1) * canvas.width)
    let (top, bottom) = (line * canvas.height, (line + 1) * canvas.height)
    var red = 0
    var green = 0
    var blue = 0
    for y in (top / lines)...((bottom - 1) / lines) {
      let high = min(bottom, (y + 1) * lines) - max(top, y * lines)
      let row = source.row(y)
      for x in (left / columns)...((right - 1) / columns) {
        let weight = high * (min(right, (x + 1) * columns) - max(left, x * columns))
        let pixel = row[x]
        red += weight * Int(Light.fromStep[Int(pixel >> 16 & 0xFF)])
        green += weight * Int(Light.fromStep[Int(pixel >> 8 & 0xFF)])
        blue += weight * Int(Light.fromStep[Int(pixel & 0xFF)])
      }
    }
    let all = canvas.width * canvas.height
    func step(_ sum: Int) -> UInt8 { Light.toStep[(sum + all / 2) / all] }
    return Pixel(red: step(red), green: step(green), blue: step(blue))
  }
}
