import Canvas
import Hardware

/// What a finger meant on what was shown where it came down. Drags are summed up until they are a row, so that a list
/// goes as far as the finger does.
struct TouchReading {
  /// What can be touched now, and how far a drag has to go to be one step.
  struct Ground {
    var targets: [TouchTarget]
    var size: Size
    /// Pixels a step of a drag up or down, and the meaning of so many; nil where nothing moves.
    var row: Int?
    var isMenu: Bool
    /// What means something when it is held.
    var held: [TouchTarget] = []
    /// Nothing but its targets counts.
    var isQuestion = false
    /// Drawn from the other side.
    var isMirrored = false
  }

  private var rest = 0.0

  mutating func meanings(of touch: Touch, on ground: Ground) -> [Controls.Meaning] {
    switch touch {
    case .tap(let point):
      rest = 0
      let (x, y) = ground.place(of: point)
      return ground.targets.meanings(x: x, y: y)
    // What else can be done with a row; elsewhere as a knob that is held: one level up, or to the menu.
    case .hold(let point):
      rest = 0
      if ground.isQuestion { return [] }
      let (x, y) = ground.place(of: point)
      let meant = ground.held.meanings(x: x, y: y)
      if !meant.isEmpty { return meant }
      return [.menu(ground.isMenu ? .back : .open)]
    case .drag(_, _, let down):
      guard let row = ground.row, row > 0, abs(down) <= 1 else { return [] }
      rest -= down * Double(ground.size.height) / Double(row)
      let steps = Int(rest.rounded(.towardZero))
      rest -= Double(steps)
      return steps == 0 ? [] : [.menu(.turn(steps))]
    case .swipe(let way, _):
      rest = 0
      return ground.meanings(of: way)
    }
  }
}

extension TouchReading.Ground {
  fileprivate func place(of point: TouchPoint) -> (x: Int, y: Int) {
    let (x, y) = (Self.pixel(point.x, of: size.width), Self.pixel(point.y, of: size.height))
    return (isMirrored ? size.width - 1 - x : x, y)
  }

  /// Whatever a device says lies on the panel.
  private static func pixel(_ part: Double, of all: Int) -> Int {
    part.isFinite ? Int(min(max(part, 0), 1) * Double(all - 1)) : 0
  }

  /// Away is back; beside the music it is the next one or the one before. Up and down are drags already.
  fileprivate func meanings(of way: Swipe) -> [Controls.Meaning] {
    if isQuestion { return [] }
    return switch (way, isMenu) {
    case (.right, true): isMirrored ? [] : [.menu(.back)]
    case (.left, true): isMirrored ? [.menu(.back)] : []
    case (.left, false): [.command(.next)]
    case (.right, false): [.command(.previous)]
    case (.up, false): [.menu(.open)]
    case (.up, true), (.down, _): []
    }
  }
}
