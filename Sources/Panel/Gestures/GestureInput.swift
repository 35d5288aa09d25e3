import Hardware
import Runtime

/// What comes from knobs and buttons, made into gestures at the right time and given on with who has the knob then. It
/// sleeps unless a button is held.
@MainLoop
package final class GestureInput {
  private var gestures: Gestures
  private let bindings: @MainLoop () -> Bindings
  private let deliver: @MainLoop (Gesture) -> Void
  private var timer: Task<Void, Never>?
  private var bound: Bindings?

  package init(
    _ times: Gestures.Times = Gestures.Times(), bindings: @escaping @MainLoop () -> Bindings,
    deliver: @escaping @MainLoop (Gesture) -> Void
  ) {
    gestures = Gestures(times)
    self.bindings = bindings
    self.deliver = deliver
  }

  /// No main loop is away from its inputs for longer.
  nonisolated package static let longestDelay: Duration = .seconds(2)

  /// `moment` is when the contact moved; one that cannot be is taken for now.
  package func take(_ input: Input, at moment: Moment) {
    let now = MainLoop.loop.now
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
    timer = MainLoop.start { [weak self] in
      guard await MainLoop.loop.sleep(until: due) else { return }
      // A main loop that was away may have a release from before that unread: whatever waits has its turn first.
      await MainLoop.loop.nextRound()
      guard let self, !Task.isCancelled else { return }
      self.give(self.gestures.settle(by: MainLoop.loop.now, self.bindings()))
      self.wait()
    }
  }
}
