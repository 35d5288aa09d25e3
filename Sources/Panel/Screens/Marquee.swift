import Runtime

/// A line that is too long for its place goes by once: after a pause its end comes into sight, stays to be read, and
/// the line is back at its beginning. Then it stands still until it says something else, so that a panel that is left
/// alone wakes nobody. It moves in few steps, since each one is written to the panel.
struct Marquee: Equatable, Sendable {
  /// A line, and by how much it is wider than its place.
  struct Overrun: Equatable, Sendable {
    let text: String
    let pixels: Int
    /// Of a step.
    let step: Int

    init(_ text: String, pixels: Int, letters: Int) {
      (self.text, self.pixels, step) = (text, max(pixels, 0), max(letters / Marquee.stepsAnEm, 1))
    }
  }

  /// Before it begins to move, and at its end.
  static let pause: Duration = .seconds(2)
  static let tick: Duration = .milliseconds(125)
  /// So it goes by as fast as it is read: two letters as wide as they are high, or four others, a second.
  static let stepsAnEm = 4
  /// A name that was made long on purpose is not shown to its end: it goes by for twenty seconds at most.
  static let mostSteps = 160

  private(set) var overrun: Overrun?
  private var began = Moment(nanoseconds: 0)

  /// Begins anew when the line is another one.
  mutating func follow(_ overrun: Overrun?, at now: Moment) {
    guard overrun != self.overrun else { return }
    (self.overrun, began) = (overrun, now)
  }

  /// How many pixels of its beginning have gone by; 0 while it stands as it does for ever.
  func gone(at now: Moment) -> Int {
    guard let overrun else { return 0 }
    let moved = now - began - Self.pause
    guard moved >= .zero, moved < Self.tick * steps + Self.pause else { return 0 }
    return min(overrun.pixels, (min(Self.ticks(moved), steps - 1) + 1) * overrun.step)
  }

  /// When that is another number; nil when it never is.
  func nextChange(after now: Moment) -> Moment? {
    guard steps > 0 else { return nil }
    let moved = now - began - Self.pause
    if moved < .zero { return began + Self.pause }
    let whole = Self.ticks(moved)
    if whole < steps - 1 { return began + Self.pause + Self.tick * (whole + 1) }
    let end = began + Self.pause + Self.tick * steps + Self.pause
    return now < end ? end : nil
  }

  private static func ticks(_ time: Duration) -> Int { Int(time.nanoseconds / tick.nanoseconds) }

  private var steps: Int {
    guard let overrun, overrun.pixels > 0 else { return 0 }
    return min((overrun.pixels + overrun.step - 1) / overrun.step, Self.mostSteps)
  }
}

/// One for the music's title and one for the row that is looked at: whoever comes back from the menu has read the title.
struct Marquees {
  private enum Which { case title, row }

  private var title = Marquee()
  private var row = Marquee()
  private var which: Which?
  /// What the picture shows of it.
  var drawn = 0

  mutating func gone(ofTitle overrun: Marquee.Overrun?, at now: Moment) -> Int {
    title.follow(overrun, at: now)
    which = .title
    return title.gone(at: now)
  }

  mutating func gone(ofRow overrun: Marquee.Overrun?, at now: Moment) -> Int {
    row.follow(overrun, at: now)
    which = .row
    return row.gone(at: now)
  }

  mutating func stand() -> Int {
    which = nil
    return 0
  }

  /// Of what is shown.
  func nextChange(after now: Moment) -> Moment? {
    switch which {
    case .title: title.nextChange(after: now)
    case .row: row.nextChange(after: now)
    case nil: nil
    }
  }
}
