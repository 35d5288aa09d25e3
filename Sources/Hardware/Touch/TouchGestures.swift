import Runtime

/// Makes touches from fingers. A value without a clock: `due` says when it must be told the time.
///
/// One finger counts, the first one that is put down. Others are ignored until they are lifted, even after the first is
/// gone. A finger makes exactly one of three things: a tap, a hold or, once it has moved more than a small distance (the
/// slop), drags and perhaps a swipe at the end. The drags add up to the way from the end of the slop to where the finger
/// was lifted.
package struct TouchGestures: Equatable, Sendable {
  package struct Rules: Equatable, Sendable {
    /// So long in one place it is a hold.
    package var hold: Duration = .milliseconds(600)
    /// A finger that stays in one place rolls by so much of the surface, in a car that moves too.
    package var slop = 0.03
    /// Drags are told so seldom: as often as a picture is drawn.
    package var pace: Duration = .milliseconds(16)
    /// A swipe takes no longer, is no shorter, and goes by so much further along its axis than across.
    package var swipeWithin: Duration = .milliseconds(500)
    package var swipeLength = 0.15
    package var swipeSlant = 2.0

    package init() {}
  }

  private enum Stage: Equatable {
    case resting
    case dragging
    /// It was a gesture already, so lifting it means nothing more.
    case spent
  }

  private struct First: Equatable {
    let screen: Int32
    let finger: Int32
    let start: TouchPoint
    let since: Moment
    var stage = Stage.resting
    var place: TouchPoint
    /// The place up to which drags were told.
    var told: TouchPoint
  }

  package let rules: Rules
  private var first: First?
  private var nextDrag: Moment?

  package init(_ rules: Rules = Rules()) { self.rules = rules }

  /// When something will have happened although no finger moves.
  package var due: Moment? {
    switch first?.stage {
    case .resting: first.map { $0.since + rules.hold }
    case .dragging where isBehind: nextDrag
    default: nil
    }
  }

  /// What came in one go, however much: no more than one drag comes of each finger.
  package mutating func take(_ events: some Sequence<FingerEvent>, at now: Moment) -> [Touch] {
    var touches: [Touch] = []
    for event in events { take(event, now, &touches) }
    if nextDrag.map({ $0 <= now }) ?? true { touches += drag(at: now) }
    return touches
  }

  /// What time alone has made of it; `known` is up to when all of its events were taken.
  package mutating func settle(by known: Moment) -> [Touch] {
    guard let first else { return [] }
    switch first.stage {
    case .resting where first.since + rules.hold <= known:
      self.first?.stage = .spent
      return [.hold(first.start)]
    case .dragging where nextDrag.map { $0 <= known } ?? true: return drag(at: known)
    default: return []
    }
  }

  /// The screen is gone: its finger ends in nothing.
  package mutating func lose(screen: Int32) { if first?.screen == screen { first = nil } }

  private mutating func take(_ event: FingerEvent, _ now: Moment, _ touches: inout [Touch]) {
    if let first, first.screen != event.screen || first.finger != event.finger { return }
    // The kernel's clock decides what it was, not when it is read.
    if first?.stage == .resting { touches += settle(by: event.at) }
    switch event.change {
    case .down(let place):
      // If it is down already, the event of its lifting was lost: nobody knows what gesture it was.
      first = First(
        screen: event.screen, finger: event.finger, start: place, since: event.at, place: place, told: place)
    case .move(let place): move(to: place)
    case .up: touches += up(event.at, now)
    case .cancel: first = nil
    }
  }

  private mutating func move(to place: TouchPoint) {
    guard let now = first else { return }
    first?.place = place
    guard now.stage == .resting, max(abs(place.x - now.start.x), abs(place.y - now.start.y)) > rules.slop else {
      return
    }
    first?.stage = .dragging
    // What it moved within its slop is no drag: the list would jump.
    first?.told = place
  }

  private mutating func up(_ moment: Moment, _ now: Moment) -> [Touch] {
    guard let last = first else { return [] }
    defer { first = nil }
    switch last.stage {
    case .resting: return [.tap(last.start)]
    case .spent: return []
    case .dragging: return drag(at: now) + (swipe(last, moment).map { [.swipe($0, from: last.start)] } ?? [])
    }
  }

  private func swipe(_ last: First, _ moment: Moment) -> Swipe? {
    let (across, down) = (last.place.x - last.start.x, last.place.y - last.start.y)
    let (length, width) = (max(abs(across), abs(down)), min(abs(across), abs(down)))
    guard moment - last.since <= rules.swipeWithin, length >= rules.swipeLength, length >= width * rules.swipeSlant
    else { return nil }
    return abs(across) > abs(down) ? (across < 0 ? .left : .right) : (down < 0 ? .up : .down)
  }

  private var isBehind: Bool { first.map { $0.stage == .dragging && $0.place != $0.told } ?? false }

  private mutating func drag(at now: Moment) -> [Touch] {
    guard isBehind, let state = first else { return [] }
    first?.told = state.place
    nextDrag = now + rules.pace
    return [
      .drag(state.start, across: state.place.x - state.told.x, down: state.place.y - state.told.y)
    ]
  }
}
