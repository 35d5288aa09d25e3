import Hardware
import Runtime

/// What comes from knobs and buttons, made into gestures at the right time and given on with who has the knob then. It
/// sleeps unless a button is held.
@Deck
package final class Hands {
  private var gestures: Gestures
  private let bindings: @Deck () -> Bindings
  private let deliver: @Deck (Gesture) -> Void
  private var timer: Task<Void, Never>?
  private var bound: Bindings?

  package init(
    _ times: Gestures.Times = Gestures.Times(), bindings: @escaping @Deck () -> Bindings,
    deliver: @escaping @Deck (Gesture) -> Void
  ) {
    gestures = Gestures(times)
    self.bindings = bindings
    self.deliver = deliver
  }

  package func take(_ input: Input) {
    let now = bindings()
    if let bound, bound != now { gestures.spend() }
    bound = now
    give(gestures.take(input, at: Deck.loop.now, now))
    wait()
  }

  private func give(_ all: [Gesture]) {
    for gesture in all { deliver(gesture) }
  }

  private func wait() {
    timer?.cancel()
    timer = nil
    guard let due = gestures.due(bindings()) else { return }
    timer = Deck.start { [weak self] in
      guard await Deck.loop.sleep(until: due), let self, !Task.isCancelled else { return }
      self.give(self.gestures.settle(by: Deck.loop.now, self.bindings()))
      self.wait()
    }
  }
}
