import Runtime

/// Decides how bright the panel is. A value: it is told of touches, of the time, and of the board's state.
///
/// The panel is dimmed while the board rests (ignition off, say), while a kiosk is closed and, if the owner has set that,
/// when nobody has touched anything for a while. A touch makes it bright again; at rest only for `readingTime`. When the
/// board is switched off, the panel goes dark first.
package struct Brightness: Equatable, Sendable {
  package enum Level: String, Sendable {
    case full, dimmed, dark
  }

  /// How long a touch keeps it bright while the board rests.
  package static let readingTime: Duration = .seconds(10)

  /// Nil: never.
  private let dimsAfter: Duration?
  private var touched: Moment
  private var boardRests = false
  private var isClosed = false
  private var isLeaving = false

  package init(dimsAfter: Duration?, at now: Moment) {
    self.dimsAfter = dimsAfter
    touched = now
  }

  package mutating func touch(at now: Moment) { touched = max(touched, now) }

  package mutating func hear(_ state: Ignition.State, at now: Moment) {
    isLeaving = state == .leaving
    rest(at: now) { $0.boardRests = state == .resting || state == .benched }
  }

  /// A kiosk, outside its opening hours.
  package mutating func close(_ isClosed: Bool, at now: Moment) { rest(at: now) { $0.isClosed = isClosed } }

  private var isResting: Bool { boardRests || isClosed }

  private mutating func rest(at now: Moment, _ body: (inout Brightness) -> Void) {
    let before = isResting
    body(&self)
    // It dims at once, whoever touched it just before.
    if isResting && !before { touched = now - Self.readingTime }
    if !isResting && before { touched = now }
  }

  package func level(at now: Moment) -> Level {
    if isLeaving { return .dark }
    guard let limit else { return .full }
    return now < touched + limit ? .full : .dimmed
  }

  /// When that changes by time alone.
  package func due(at now: Moment) -> Moment? {
    guard !isLeaving, let limit else { return nil }
    let end = touched + limit
    return end > now ? end : nil
  }

  private var limit: Duration? {
    guard isResting else { return dimsAfter }
    return dimsAfter.map { min($0, Self.readingTime) } ?? Self.readingTime
  }
}
