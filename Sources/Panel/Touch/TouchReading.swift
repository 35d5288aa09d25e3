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
    /// The line of the time, which a finger that was put down on it takes along.
    var line: Rect?
    /// The edge of a list, along which a finger goes from letter to letter.
    var letters: Rect?
  }

  private var rest = 0.0
  /// Where a finger was put down on the line of the time, and how far it has gone since.
  private var slide: (from: TouchPoint, across: Double)?
  /// Where a finger was put down at a list's edge, and how far it has gone since.
  private var climb: (from: TouchPoint, down: Double)?
  /// A finger that went up or down from there: that is no way along the line.
  private var crossing: TouchPoint?

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
      if !ground.isMenu, ground.isOnLine(point) { return [.menu(.goTo)] }
      let (x, y) = ground.place(of: point)
      let meant = ground.held.meanings(x: x, y: y)
      if !meant.isEmpty { return meant }
      return [.menu(ground.isMenu ? .back : .open)]
    case .drag(let from, let across, let down):
      if let letters = ground.letters, let part = letter(from, down, along: letters, on: ground) {
        return [.menu(.slide(part))]
      }
      if let slid = slid(from, across, down, on: ground) { return slid }
      guard let row = ground.row, row > 0, abs(down) <= 1 else { return [] }
      rest -= down * Double(ground.size.height) / Double(row)
      let steps = Int(rest.rounded(.towardZero))
      rest -= Double(steps)
      return steps == 0 ? [] : [.menu(.turn(steps))]
    case .swipe(let way, let from):
      rest = 0
      // It was taken along already.
      if slide?.from == from { return [] }
      return ground.meanings(of: way)
    }
  }
}

extension TouchReading {
  /// How far down the edge the finger is, from 0 to 1; nil when it was not put down there.
  private mutating func letter(
    _ from: TouchPoint, _ down: Double, along edge: Rect, on ground: Ground
  ) -> Double? {
    let (x, y) = ground.place(of: from)
    guard edge.contains(x: x, y: y), down.isFinite else { return nil }
    if climb?.from != from { climb = (from, 0) }
    let moved = (climb?.down ?? 0) + down
    climb = (from, moved)
    let height = Double(ground.size.height)
    return min(max(((from.y + moved) * height - Double(edge.y)) / Double(max(edge.height, 1)), 0), 1)
  }

  /// Nil when the finger was not put down on the line. From the music's line it leads to the page on which the time is
  /// large, and goes on there; back undoes it.
  private mutating func slid(_ from: TouchPoint, _ across: Double, _ down: Double, on ground: Ground) -> [Controls
    .Meaning]?
  {
    if slide?.from != from {
      guard crossing != from else { return nil }
      slide = nil
      guard abs(across) * Double(ground.size.width) > abs(down) * Double(ground.size.height) else {
        crossing = from
        return nil
      }
      slide = ground.isOnLine(from) ? (from, 0) : nil
    }
    guard let before = slide else { return nil }
    let moved = before.across + (across.isFinite ? across : 0)
    slide = (from, moved)
    guard let line = ground.line else { return [] }
    let x = (from.x + moved) * Double(ground.size.width)
    let part = min(max((x - Double(line.x)) / Double(max(line.width, 1)), 0), 1)
    return (ground.isMenu ? [] : [.menu(.goTo)]) + [.menu(.slide(part))]
  }
}

extension TouchReading.Ground {
  /// Time runs to the right everywhere, so the line is never turned round.
  fileprivate func isOnLine(_ point: TouchPoint) -> Bool {
    line?.contains(x: Self.pixel(point.x, of: size.width), y: Self.pixel(point.y, of: size.height)) ?? false
  }

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
