import Canvas
import Glibc

extension Sign {
  /// In a square that is 1 wide and high.
  var outlines: [[Point]] {
    switch self {
    case .playing: [[Point(0.14, 0.04), Point(0.96, 0.5), Point(0.14, 0.96)]]
    case .paused: [SignShapes.box(0.14, 0.08, 0.42, 0.92), SignShapes.box(0.58, 0.08, 0.86, 0.92)]
    case .stopped: [SignShapes.box(0.12, 0.12, 0.88, 0.88)]
    case .waiting: [0.16, 0.5, 0.84].map { .disc(middle: Point($0, 0.5), radius: 0.12) }
    case .starting: [.ring(middle: Point(0.5, 0.5), radius: 0.38, thickness: 0.14, from: -.pi / 2, to: .pi)]
    case .silent: SignShapes.speaker(waves: 0)
    case .quiet: SignShapes.speaker(waves: 1)
    case .middling: SignShapes.speaker(waves: 2)
    case .loud: SignShapes.speaker(waves: 3)
    case .repeats: SignShapes.repeats
    case .shuffle: SignShapes.shuffle
    case .moon: [SignShapes.moon]
    case .warning: [[Point(0.5, 0.06), Point(0.98, 0.92), Point(0.02, 0.92)]]
    case .exclamation:
      [
        [Point(0.44, 0.36), Point(0.56, 0.36), Point(0.53, 0.66), Point(0.47, 0.66)],
        .disc(middle: Point(0.5, 0.77), radius: 0.06),
      ]
    case .chevron: [SignShapes.chevron]
    case .back: [SignShapes.chevron.map { Point(1 - $0.x, $0.y) }]
    case .dot: [.disc(middle: Point(0.5, 0.5), radius: 0.38)]
    case .stored:
      [
        .ring(middle: Point(0.5, 0.5), radius: 0.42, thickness: 0.12, from: 0, to: 2 * .pi),
        [
          Point(0.26, 0.52), Point(0.35, 0.43), Point(0.45, 0.53), Point(0.66, 0.31), Point(0.75, 0.4),
          Point(0.45, 0.71),
        ],
      ]
    // A glass that is half full.
    case .partly:
      [
        .ring(middle: Point(0.5, 0.5), radius: 0.42, thickness: 0.12, from: 0, to: 2 * .pi),
        .ring(middle: Point(0.5, 0.5), radius: 0.13, thickness: 0.26, from: 0, to: .pi),
      ]
    // The ring of `stored`, in pieces, and no tick.
    case .cached:
      (0..<4).map { part -> [Point] in
        let from = Double(part) * .pi / 2 + 0.25
        return .ring(middle: Point(0.5, 0.5), radius: 0.42, thickness: 0.12, from: from, to: from + 1.07)
      } + [.disc(middle: Point(0.5, 0.5), radius: 0.14)]
    case .streamed:
      [(0.1, 0.62), (0.41, 0.38), (0.72, 0.12)].map { SignShapes.box($0, $1, $0 + 0.18, 0.9) }
    case .away:
      [
        [
          Point(0.1, 0.22), Point(0.22, 0.1), Point(0.5, 0.38), Point(0.78, 0.1), Point(0.9, 0.22), Point(0.62, 0.5),
          Point(0.9, 0.78), Point(0.78, 0.9), Point(0.5, 0.62), Point(0.22, 0.9), Point(0.1, 0.78), Point(0.38, 0.5),
        ]
      ]
    case .coming:
      [
        .ring(middle: Point(0.5, 0.5), radius: 0.42, thickness: 0.12, from: 0, to: 2 * .pi),
        SignShapes.box(0.43, 0.2, 0.57, 0.5), [Point(0.26, 0.46), Point(0.74, 0.46), Point(0.5, 0.76)],
      ]
    case .later:
      [
        .ring(middle: Point(0.5, 0.5), radius: 0.4, thickness: 0.12, from: 0, to: 2 * .pi),
        SignShapes.box(0.45, 0.22, 0.57, 0.56), SignShapes.box(0.45, 0.46, 0.74, 0.57),
      ]
    case .dots: [0.14, 0.5, 0.86].map { .disc(middle: Point($0, 0.5), radius: 0.11) }
    case .up: [[Point(0.1, 0.8), Point(0.5, 0.2), Point(0.9, 0.8)]]
    case .down: [[Point(0.1, 0.2), Point(0.5, 0.8), Point(0.9, 0.2)]]
    case .note: SignShapes.note
    case .lines: [0.12, 0.43, 0.74].map { SignShapes.box(0.04, $0, 0.96, $0 + 0.14) }
    case .less: [SignShapes.box(0.1, 0.42, 0.9, 0.58)]
    case .more: [SignShapes.box(0.1, 0.42, 0.9, 0.58), SignShapes.box(0.42, 0.1, 0.58, 0.9)]
    case .next: SignShapes.skip
    case .previous: SignShapes.skip.map { $0.map { Point(1 - $0.x, $0.y) } }
    case .battery: [SignShapes.box(0, 0.24, 0.9, 0.76), SignShapes.box(0.9, 0.4, 1, 0.6)]
    case .hollow: [SignShapes.box(0.08, 0.32, 0.82, 0.68)]
    case .bolt:
      [[(0.52, 0.08), (0.24, 0.56), (0.42, 0.56), (0.36, 0.92), (0.66, 0.42), (0.48, 0.42)].map { Point($0.0, $0.1) }]
    // Bars as of `streamed`, and a cross where the highest would be looked for.
    case .offline:
      SignShapes.cross + [(0, 0.76), (0.39, 0.54), (0.78, 0.06)].map { SignShapes.box($0, $1, $0 + 0.22, 0.98) }
    case .importing:
      [
        SignShapes.box(0.4, 0, 0.6, 0.36), [Point(0.14, 0.32), Point(0.86, 0.32), Point(0.5, 0.7)],
        SignShapes.box(0.04, 0.82, 0.96, 0.98),
      ]
    case .padlock:
      [
        .ring(middle: Point(0.5, 0.34), radius: 0.25, thickness: 0.14, from: .pi, to: 2 * .pi),
        SignShapes.box(0.18, 0.34, 0.32, 0.5), SignShapes.box(0.68, 0.34, 0.82, 0.5),
        SignShapes.box(0.1, 0.44, 0.9, 0.98),
      ]
    }
  }
}

enum SignShapes {
  static func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> [Point] {
    [Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)]
  }

  static let chevron = [
    Point(0.25, 0.05), Point(0.42, 0.05), Point(0.82, 0.5), Point(0.42, 0.95), Point(0.25, 0.95), Point(0.62, 0.5),
  ]

  static func speaker(waves: Int) -> [[Point]] {
    let body = [
      Point(0.02, 0.34), Point(0.2, 0.34), Point(0.44, 0.12), Point(0.44, 0.88), Point(0.2, 0.66), Point(0.02, 0.66),
    ]
    if waves == 0 {
      return [body]
        + [(0.32, 0.68), (0.68, 0.32)].map { from, to in
          [Point(0.58, from), Point(0.64, from), Point(0.96, to), Point(0.90, to)]
        }
    }
    return [body]
      + [0.2, 0.38, 0.56].prefix(waves).map { radius in
        .ring(middle: Point(0.42, 0.5), radius: radius, thickness: 0.09, from: -0.8, to: 0.8)
      }
  }

  static var repeats: [[Point]] {
    [0, Double.pi].map { turn in
      .ring(middle: Point(0.5, 0.5), radius: 0.36, thickness: 0.11, from: turn + 0.35, to: turn + 2.75)
    } + [
      [Point(-0.04, 0.5), Point(0.32, 0.5), Point(0.14, 0.26)],
      [Point(0.68, 0.5), Point(1.04, 0.5), Point(0.86, 0.74)],
    ]
  }

  static var shuffle: [[Point]] {
    let half = 0.055
    return [(0.26, 0.74), (0.74, 0.26)].flatMap { from, to in
      // A little wider across, for the middle part is steep.
      let (slope, wide) = (to > from ? half : -half, half * 1.4)
      let way = [
        Point(0, from - half), Point(0.22, from - half), Point(0.22 + wide, from - half + slope),
        Point(0.64 + wide / 2, to - half), Point(0.74, to - half), Point(0.74, to + half), Point(0.6, to + half),
        Point(0.6 - wide, to + half - slope), Point(0.18, from + half), Point(0, from + half),
      ]
      return [way, [Point(0.72, to - 0.2), Point(1.02, to), Point(0.72, to + 0.2)]]
    }
  }

  static var moon: [Point] {
    // The circles meet at `horn` on the outer one, as an angle to both sides of the way to the inner one.
    let (radius, inner, away) = (0.44, 0.37, 0.24)
    let cosine = (radius * radius + away * away - inner * inner) / (2 * radius * away)
    let horn = acos(min(max(cosine, -1), 1))
    let innerHorn = atan2(radius * sin(horn), radius * cos(horn) - away)
    let turn = -Double.pi / 4
    func arc(_ radius: Double, _ away: Double, from: Double, to: Double) -> [Point] {
      (0...24).map { step in
        let angle = turn + from + (to - from) * Double(step) / 24
        return Point(
          0.48 + away * cos(turn) + radius * cos(angle), 0.52 + away * sin(turn) + radius * sin(angle))
      }
    }
    return arc(radius, 0, from: horn, to: 2 * .pi - horn) + arc(inner, away, from: 2 * .pi - innerHorn, to: innerHorn)
  }

  static var note: [[Point]] {
    [(0.24, 0.84), (0.76, 0.74)].map { .disc(middle: Point($0.0, $0.1), radius: 0.14) } + [
      [
        Point(0.3, 0.16), Point(0.9, 0.04), Point(0.9, 0.74), Point(0.82, 0.74), Point(0.82, 0.24), Point(0.38, 0.33),
        Point(0.38, 0.84), Point(0.3, 0.84),
      ]
    ]
  }

  static let cross = [
    [Point(0, 0.1), Point(0.1, 0), Point(0.5, 0.4), Point(0.4, 0.5)],
    [Point(0.4, 0), Point(0.5, 0.1), Point(0.1, 0.5), Point(0, 0.4)],
  ]

  static let skip = [[Point(0.08, 0.08), Point(0.76, 0.5), Point(0.08, 0.92)], box(0.78, 0.1, 0.94, 0.9)]
}
