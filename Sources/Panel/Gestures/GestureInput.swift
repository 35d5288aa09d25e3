import Hardware
import Runtime

/// What comes from knobs and buttons, made into gestures at the right time and given on with who has the knob then. It
/// sleeps unless a button is held.
@Deck
package final class GestureInput {
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

  /// No deck is away from its inputs for longer.
  nonisolated package static let longestDelay: Duration = .seconds(2)

  /// `moment` is when the contact moved; one that cannot be is taken for now.
  package func take(_ input: Input, at moment: Moment) {
    let now = Deck.loop.now
    let bindings = bindings()
    if let bound, bound != bindings { gestures.spend() }
    bound = bindings
    let isLikely = moment <= now && now - moment <= Self.longestDelay
    give(gestures.take(input, at: isLikely ? moment : now, bindings))
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
      guard await Deck.loop.sleep(until: due) else { return }
      // A deck that was away may have a release from before that unread: whatever waits has its turn first.
      await Deck.loop.nextRound()
      guard let self, !Task.isCancelled else { return }
      self.give(self.gestures.settle(by: Deck.loop.now, self.bindings()))
      self.wait()
    }
  }
}
