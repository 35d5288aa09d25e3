import Hardware
import Runtime

/// Contacts that close and open in, gestures out: a value without a clock. Whoever has one asks `due` when to look again.
package struct Gestures: Equatable, Sendable {
  package struct Times: Equatable, Sendable {
    /// Held for so long it is a long press, and is told while it is still held.
    package var long: Duration = .milliseconds(600)
    /// A second press within this makes two one.
    package var double: Duration = .milliseconds(300)
    package var repeatsAfter: Duration = .milliseconds(450)
    package var repeatsEvery: Duration = .milliseconds(120)

    package init() {}
  }

  /// Who leans on a button does not mean it a hundred times; and a contact that sticks must come to an end.
  static let mostRepeats = 100
  /// Behind a long press; late enough to let go of it in time.
  static let longAgainAfter: Duration = .milliseconds(900)

  private struct Held: Equatable {
    let since: Moment
    /// It was a gesture already; going up means nothing more.
    var isSpent = false
    var isTurning = false
    var repeats = 0
    var nextRepeat: Moment?
    /// When it was pressed, holding on meant something; in a menu that opens under the finger it does not.
    var isLongAgain = false
    var nextLong: Moment?
  }

  package var times = Times()
  private var held: [Button: Held] = [:]
  /// Went up, and may become a double.
  private var tapped: Tapped?

  private struct Tapped: Equatable {
    let button: Button
    let until: Moment
    /// Its press was told when it went up.
    let isTold: Bool
  }

  package init(_ times: Times = Times()) { self.times = times }

  /// When something will have happened although no contact moves.
  package func due(_ bound: Bindings) -> Moment? {
    var moments = held.values.compactMap(\.nextRepeat) + held.values.compactMap(\.nextLong)
    moments += held.filter { !$0.value.isSpent && bound.long.contains($0.key) }.map { $0.value.since + times.long }
    if let tapped, !tapped.isTold { moments.append(tapped.until) }
    return moments.min()
  }

  /// Somebody else has the knob now: what is held was meant for who had it before, and going up means nothing.
  package mutating func spend() {
    tapped = nil
    for button in held.keys {
      held[button]?.isSpent = true
      held[button]?.isTurning = false
      held[button]?.nextRepeat = nil
      held[button]?.nextLong = nil
    }
  }

  package mutating func take(_ input: Input, at now: Moment, _ bound: Bindings) -> [Gesture] {
    var gestures = settle(by: now, bound)
    switch input {
    case .turn(let steps, let far): gestures += turn(steps, far, bound)
    case .press(let button): gestures += down(button, now, bound)
    case .release(let button): gestures += up(button, now, bound)
    case .longPress(let button): gestures += takeTap() + [.long(button)]
    case .otherSound, .ignition, .headlights, .touch, .quit: gestures.append(.other(input))
    }
    return gestures
  }

  /// What time alone has made of it.
  package mutating func settle(by now: Moment, _ bound: Bindings) -> [Gesture] {
    var gestures: [Gesture] = []
    if let tapped, tapped.until <= now { gestures += takeTap() }
    for (button, state) in held.sorted(by: { $0.key.name < $1.key.name }) {
      var state = state
      if !state.isSpent, bound.long.contains(button), state.since + times.long <= now {
        state.isSpent = true
        state.nextLong = state.isLongAgain ? now + Self.longAgainAfter : nil
        gestures.append(.long(button))
      } else if !bound.longAgain.contains(button) {
        // Where it has led to, it would mean something else.
        state.nextLong = nil
      } else if let next = state.nextLong, next <= now {
        state.nextLong = nil
        gestures.append(.longAgain(button))
      }
      if let next = state.nextRepeat, next <= now {
        state.repeats += 1
        // Whoever looks late does not catch up: a volume that runs away is worse than one that is slow.
        state.nextRepeat = state.repeats < Self.mostRepeats ? now + times.repeatsEvery : nil
        gestures.append(.press(button))
      }
      held[button] = state
    }
    return gestures
  }

  /// A tap that waited for its second half was one alone.
  private mutating func takeTap() -> [Gesture] {
    defer { tapped = nil }
    return tapped.map { $0.isTold ? [] : [.press($0.button)] } ?? []
  }

  private mutating func turn(_ steps: Int, _ far: Int?, _ bound: Bindings) -> [Gesture] {
    let before = takeTap()
    // What was a long press already is not turned: the finger is only not up yet.
    let holding = held.filter { bound.turned.contains($0.key) && (!$0.value.isSpent || $0.value.isTurning) }
    // The first that went down is the one that the hand holds on to.
    guard let button = holding.min(by: { ($0.value.since, $0.key.name) < ($1.value.since, $1.key.name) })?.key else {
      return before + [.turn(steps, far: far)]
    }
    held[button]?.isSpent = true
    held[button]?.isTurning = true
    return before + [.turnPressed(button, by: steps)]
  }

  private mutating func down(_ button: Button, _ now: Moment, _ bound: Bindings) -> [Gesture] {
    // Going up was missed.
    var gestures = held[button] == nil ? [] : up(button, now, bound)
    if let other = held.keys.sorted(by: { $0.name < $1.name }).first(where: { bound.has($0, button) }),
      held[other]?.isSpent == false
    {
      gestures += takeTap()
      held[other]?.isSpent = true
      held[button] = Held(since: now, isSpent: true)
      let (first, second) = other.name < button.name ? (other, button) : (button, other)
      return gestures + [.chord(first, second)]
    }
    if let tapped, tapped.button == button,
      bound.double.contains(button) || tapped.isTold && bound.doubleAfterPress.contains(button)
    {
      self.tapped = nil
      held[button] = Held(since: now, isSpent: true)
      return gestures + [tapped.isTold ? .pressAgain(button) : .double(button)]
    }
    gestures += takeTap()
    var state = Held(since: now, isLongAgain: bound.longAgain.contains(button))
    if !bound.waits(for: button) {
      state.isSpent = true
      if bound.repeating.contains(button) { state.nextRepeat = now + times.repeatsAfter }
      gestures.append(.press(button))
    }
    held[button] = state
    return gestures
  }

  private mutating func up(_ button: Button, _ now: Moment, _ bound: Bindings) -> [Gesture] {
    guard let state = held.removeValue(forKey: button), !state.isSpent else { return [] }
    let waits = bound.double.contains(button)
    let gestures = takeTap() + (waits ? [] : [.press(button)])
    if waits || bound.doubleAfterPress.contains(button) {
      tapped = Tapped(button: button, until: now + times.double, isTold: !waits)
    }
    return gestures
  }
}
