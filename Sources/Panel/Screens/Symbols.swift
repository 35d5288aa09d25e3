import Canvas
import Glibc

/// The signs of the panel, drawn as shapes so that no font has to have them. Each fills a square.
enum Symbols {
  private struct Square {
    let x: Double
    let y: Double
    let side: Double

    init(_ rect: Rect) {
      side = Double(min(rect.width, rect.height))
      x = Double(rect.x) + (Double(rect.width) - side) / 2
      y = Double(rect.y) + (Double(rect.height) - side) / 2
    }

    /// From the square's own measure, 0 to 1, to the canvas.
    func at(_ across: Double, _ down: Double) -> Point { Point(x + across * side, y + down * side) }
  }

  static func draw(_ state: NowPlaying.State, in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    switch state {
    case .playing:
      canvas.fill(polygon: [square.at(0.14, 0.04), square.at(0.96, 0.5), square.at(0.14, 0.96)], colour)
    case .paused:
      for left in [0.14, 0.58] {
        canvas.fill(
          polygon: [
            square.at(left, 0.08), square.at(left + 0.28, 0.08), square.at(left + 0.28, 0.92), square.at(left, 0.92),
          ], colour)
      }
    case .stopped:
      canvas.fill(
        polygon: [square.at(0.12, 0.12), square.at(0.88, 0.12), square.at(0.88, 0.88), square.at(0.12, 0.88)], colour)
    case .waiting:
      for across in [0.16, 0.5, 0.84] {
        canvas.fillCircle(middle: square.at(across, 0.5), radius: square.side * 0.12, colour)
      }
    case .starting:
      canvas.fillRing(
        middle: square.at(0.5, 0.5), radius: square.side * 0.38, thickness: square.side * 0.14, from: -.pi / 2,
        to: .pi, colour)
    }
  }

  /// The louder, the more waves; crossed out at 0.
  static func drawSpeaker(volume: Int, in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    canvas.fill(
      polygon: [
        square.at(0.02, 0.34), square.at(0.2, 0.34), square.at(0.44, 0.12), square.at(0.44, 0.88),
        square.at(0.2, 0.66), square.at(0.02, 0.66),
      ], colour)
    let stroke = square.side * 0.09
    guard volume > 0 else {
      for (from, to) in [(0.32, 0.68), (0.68, 0.32)] {
        canvas.fill(
          polygon: [
            square.at(0.58, from), square.at(0.64, from), square.at(0.96, to), square.at(0.90, to),
          ], colour)
      }
      return
    }
    for (radius, least) in [(0.2, 1), (0.38, 34), (0.56, 67)] where volume >= least {
      canvas.fillRing(
        middle: square.at(0.42, 0.5), radius: radius * square.side, thickness: stroke, from: -0.8, to: 0.8, colour)
    }
  }

  /// Two arrows that chase each other.
  static func drawRepeat(in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    for turn in [0.0, Double.pi] {
      canvas.fillRing(
        middle: square.at(0.5, 0.5), radius: square.side * 0.36, thickness: square.side * 0.11,
        from: turn + 0.35, to: turn + 2.75, colour)
    }
    canvas.fill(polygon: [square.at(-0.04, 0.5), square.at(0.32, 0.5), square.at(0.14, 0.26)], colour)
    canvas.fill(polygon: [square.at(0.68, 0.5), square.at(1.04, 0.5), square.at(0.86, 0.74)], colour)
  }

  /// Two ways that cross.
  static func drawShuffle(in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    let half = 0.055
    for (from, to) in [(0.26, 0.74), (0.74, 0.26)] {
      // A little wider across, for the middle part is steep.
      let (slope, wide) = (to > from ? half : -half, half * 1.4)
      canvas.fill(
        polygon: [
          square.at(0, from - half), square.at(0.22, from - half), square.at(0.22 + wide, from - half + slope),
          square.at(0.64 + wide / 2, to - half), square.at(0.74, to - half), square.at(0.74, to + half),
          square.at(0.6, to + half), square.at(0.6 - wide, to + half - slope), square.at(0.18, from + half),
          square.at(0, from + half),
        ], colour)
      canvas.fill(polygon: [square.at(0.72, to - 0.2), square.at(1.02, to), square.at(0.72, to + 0.2)], colour)
    }
  }

  /// A crescent: what one circle leaves of another.
  static func drawMoon(in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    // The circles meet at `horn` on the outer one, as an angle to both sides of the way to the inner one.
    let (radius, inner, away) = (0.44, 0.37, 0.24)
    let cosine = (radius * radius + away * away - inner * inner) / (2 * radius * away)
    let horn = acos(min(max(cosine, -1), 1))
    let innerHorn = atan2(radius * sin(horn), radius * cos(horn) - away)
    let turn = -Double.pi / 4
    func arc(_ radius: Double, _ away: Double, from: Double, to: Double) -> [Point] {
      (0...24).map { step in
        let angle = turn + from + (to - from) * Double(step) / 24
        return square.at(
          0.48 + away * cos(turn) + radius * cos(angle), 0.52 + away * sin(turn) + radius * sin(angle))
      }
    }
    canvas.fill(
      polygon: arc(radius, 0, from: horn, to: 2 * .pi - horn)
        + arc(inner, away, from: 2 * .pi - innerHorn, to: innerHorn), colour)
  }

  /// A warning: a triangle, and a mark of exclamation left out of it.
  static func drawWarning(in rect: Rect, on canvas: Canvas, _ colour: Pixel, mark: Pixel) {
    let square = Square(rect)
    canvas.fill(polygon: [square.at(0.5, 0.06), square.at(0.98, 0.92), square.at(0.02, 0.92)], colour)
    canvas.fill(
      polygon: [square.at(0.44, 0.36), square.at(0.56, 0.36), square.at(0.53, 0.66), square.at(0.47, 0.66)], mark)
    canvas.fillCircle(middle: square.at(0.5, 0.77), radius: square.side * 0.06, mark)
  }

  /// It leads on.
  static func drawChevron(in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    canvas.fill(
      polygon: [
        square.at(0.25, 0.05), square.at(0.42, 0.05), square.at(0.82, 0.5), square.at(0.42, 0.95),
        square.at(0.25, 0.95), square.at(0.62, 0.5),
      ], colour)
  }

  /// The one that counts now.
  static func drawDot(in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    canvas.fillCircle(middle: square.at(0.5, 0.5), radius: square.side * 0.38, colour)
  }

  /// There is more that way.
  static func drawArrow(up: Bool, in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    let (tip, foot) = up ? (0.2, 0.8) : (0.8, 0.2)
    canvas.fill(polygon: [square.at(0.1, foot), square.at(0.5, tip), square.at(0.9, foot)], colour)
  }

  /// Two quavers under one beam.
  static func drawNote(in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    for (across, down) in [(0.24, 0.84), (0.76, 0.74)] {
      canvas.fillCircle(middle: square.at(across, down), radius: square.side * 0.14, colour)
    }
    canvas.fill(
      polygon: [
        square.at(0.3, 0.16), square.at(0.9, 0.04), square.at(0.9, 0.74), square.at(0.82, 0.74),
        square.at(0.82, 0.24), square.at(0.38, 0.33), square.at(0.38, 0.84), square.at(0.3, 0.84),
      ], colour)
  }

  /// A list.
  static func drawLines(in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    for top in [0.12, 0.43, 0.74] {
      canvas.fill(
        polygon: [
          square.at(0.04, top), square.at(0.96, top), square.at(0.96, top + 0.14), square.at(0.04, top + 0.14),
        ],
        colour)
    }
  }

  /// More of it, or less.
  static func drawSigned(isMore: Bool, in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    func bar(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
      canvas.fill(
        polygon: [square.at(left, top), square.at(right, top), square.at(right, bottom), square.at(left, bottom)],
        colour)
    }
    bar(0.1, 0.42, 0.9, 0.58)
    if isMore { bar(0.42, 0.1, 0.58, 0.9) }
  }

  /// To the track behind, or before.
  static func drawSkip(forward: Bool, in rect: Rect, on canvas: Canvas, _ colour: Pixel) {
    let square = Square(rect)
    func at(_ across: Double, _ down: Double) -> Point { square.at(forward ? across : 1 - across, down) }
    canvas.fill(polygon: [at(0.08, 0.08), at(0.76, 0.5), at(0.08, 0.92)], colour)
    canvas.fill(polygon: [at(0.78, 0.1), at(0.94, 0.1), at(0.94, 0.9), at(0.78, 0.9)], colour)
  }

  /// How full it is; a bolt while it is being filled.
  static func drawBattery(level: Int, isPlugged: Bool, in rect: Rect, on canvas: Canvas, _ colour: Pixel, ground: Pixel)
  {
    let square = Square(rect)
    func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double, _ colour: Pixel) {
      canvas.fill(
        polygon: [square.at(left, top), square.at(right, top), square.at(right, bottom), square.at(left, bottom)],
        colour)
    }
    box(0, 0.24, 0.9, 0.76, colour)
    box(0.9, 0.4, 1, 0.6, colour)
    box(0.08, 0.32, 0.82, 0.68, ground)
    box(0.08, 0.32, 0.08 + 0.74 * Double(min(max(level, 0), 100)) / 100, 0.68, colour)
    guard isPlugged else { return }
    let bolt = [(0.52, 0.08), (0.24, 0.56), (0.42, 0.56), (0.36, 0.92), (0.66, 0.42), (0.48, 0.42)]
    canvas.fill(polygon: bolt.map { square.at($0.0, $0.1) }, colour)
  }
}
