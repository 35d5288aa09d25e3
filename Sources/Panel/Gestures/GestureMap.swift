import Hardware
import Runtime

/// What the board's file binds beside presses: gestures that are as good as a button. What the house means by a gesture
/// itself, such as the long press of the knob, stays so.
package struct GestureMap: Equatable, Sendable {
  /// Two buttons, whichever was first.
  private struct Chord: Hashable {
    let buttons: [Button]
    var name: String { buttons.map(\.name).joined(separator: " with ") }

    init(_ one: Button, _ other: Button) { buttons = one.name < other.name ? [one, other] : [other, one] }
  }

  private var long: [Button: Button] = [:]
  private var double: [Button: Button] = [:]
  private var chords: [Chord: Button] = [:]

  package init() {}

  /// One that is given to two buttons is the first one's.
  package init(_ settings: Settings) {
    for (gesture, button) in Self.bound(settings).reversed() {
      switch Gesture(gesture) {
      case .long(let held): long[held] = button
      case .double(let pressed): double[pressed] = button
      case .chord(let one, let other): chords[Chord(one, other)] = button
      default: break
      }
    }
  }

  /// Gestures that a file gives to two.
  package static func doubled(in settings: Settings) -> [HandGesture] {
    var seen: Set<HandGesture> = []
    return bound(settings).map(\.gesture).filter { !seen.insert($0).inserted }
  }

  private static func bound(_ settings: Settings) -> [(gesture: HandGesture, button: Button)] {
    Button.allCases.flatMap { button in settings[.gestures(button.name)].map { ($0, button) } }
  }

  /// Nil when it is bound to nothing.
  package func button(for gesture: Gesture) -> Button? {
    switch gesture {
    case .long(let held): long[held]
    case .double(let pressed), .pressAgain(let pressed): double[pressed]
    case .chord(let one, let other): chords[Chord(one, other)]
    default: nil
    }
  }

  /// The knob's own are left out where it has other things to do: its press must not wait there.
  func add(to bindings: inout Bindings, withKnob: Bool) {
    func isFit(_ button: Button) -> Bool { withKnob || button != .knob }
    bindings.long.formUnion(long.keys.filter(isFit))
    bindings.double.formUnion(double.keys.filter(isFit))
    for chord in chords.keys.sorted(by: { $0.name < $1.name }) where chord.buttons.allSatisfy(isFit) {
      bindings.chords.append((chord.buttons[0], chord.buttons[1]))
    }
  }
}

extension Gesture {
  /// As board.conf names it; nil when no button is called so.
  init?(_ gesture: HandGesture) {
    switch gesture {
    case .long(let name):
      guard let button = Button(named: name) else { return nil }
      self = .long(button)
    case .double(let name):
      guard let button = Button(named: name) else { return nil }
      self = .double(button)
    case .chord(let one, let other):
      guard let one = Button(named: one), let other = Button(named: other) else { return nil }
      self = .chord(one, other)
    }
  }
}

extension Gestures.Times {
  /// As the board's file has them.
  package init(_ settings: Settings) {
    self.init()
    (long, double) = (settings[.longPress], settings[.doublePress])
    (repeatsAfter, repeatsEvery) = (settings[.repeatsAfter], settings[.repeatsEvery])
  }
}
