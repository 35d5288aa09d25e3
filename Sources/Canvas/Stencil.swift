import Pictures

/// Which part of each pixel of a rectangle some shapes cover: they are found out once for each size, as letters are.
struct Stencil {
  struct Key: Hashable {
    let number: Int
    let side: Int
    /// Half a pixel off, for a side that does not fit the middle.
    let isOffAcross: Bool
    let isOffDown: Bool
    let isMirrored: Bool
  }

  /// From the square's upper left pixel.
  let left: Int
  let top: Int
  let width: Int
  let height: Int
  let coverage: [UInt8]

  /// What is drawn lies in a square 1 wide and high, or a little outside of it.
  init(_ outlines: [[Point]], _ key: Key) {
    let (side, across, down) = (Double(key.side), key.isOffAcross ? 0.5 : 0, key.isOffDown ? 0.5 : 0)
    let shapes = outlines.map { outline in
      outline.map { Point(across + (key.isMirrored ? 1 - $0.x : $0.x) * side, down + $0.y * side) }
    }
    let room = Rect(x: -key.side, y: -key.side, width: 3 * key.side + 1, height: 3 * key.side + 1)
    let box = Polygon.box(of: shapes.flatMap(\.self)).intersection(room)
    var coverage = [UInt8](repeating: 0, count: box.area)
    for shape in shapes {
      Polygon.scan(shape, in: box) { y, bytes in
        for column in 0..<box.width {
          let at = (y - box.y) * box.width + column
          // What several of them cover is covered once.
          let rest = 255 - Int(coverage[at])
          coverage[at] = UInt8(255 - rest * (255 - Int(bytes[column])) / 255)
        }
      }
    }
    (left, top, width, height, self.coverage) = (box.x, box.y, box.width, box.height, coverage)
  }

  /// How much one generation of the cache holds: the signs of a screen in a few sizes.
  static let bytes = 64 * 1_024
}

extension Canvas {
  /// Shapes in the square in the middle of `rect`, whose sides are 1 long for them. `number` tells them from all others:
  /// how they look in this size is kept under it. With `turnsRound` they point the other way where one reads from the
  /// right; without, only their place is there.
  package func fill(
    _ number: Int, in rect: Rect, turnsRound: Bool = false, _ colour: Pixel, outlines: () -> [[Point]]
  ) {
    let place = placed(rect)
    let side = min(place.width, place.height)
    guard side > 0 else { return }
    let (across, down) = (place.width - side, place.height - side)
    let key = Stencil.Key(
      number: number, side: side, isOffAcross: across & 1 == 1, isOffDown: down & 1 == 1,
      isMirrored: turnsRound && isMirrored)
    let (x, y) = (place.x + across >> 1, place.y + down >> 1)
    let stencil: Stencil
    if let known = stencils[key] {
      stencil = known
    } else {
      stencil = Stencil(outlines(), key)
      stencils.add(stencil, for: key, bytes: 96 + stencil.coverage.count)
    }
    let mask = Rect(x: x + stencil.left, y: y + stencil.top, width: stencil.width, height: stencil.height)
    blend(stencil.coverage, at: mask, Light.Ink(colour), clip: bounds)
  }
}
