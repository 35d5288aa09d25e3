/// Those who wait for something to change on the actor that this belongs to. Any `await` gives others a turn, the one for
/// a continuation too, where the caller's task does not prefer the actor's loop: whoever waits says since when it has not
/// looked, and does not wait when something has changed since.
package struct Waiters {
  /// Of the changes, which count.
  package private(set) var changes: UInt64 = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  package mutating func add(_ continuation: CheckedContinuation<Void, Never>, since changes: UInt64) {
    if changes == self.changes { waiting.append(continuation) } else { continuation.resume() }
  }

  /// Something has changed: all of them look again.
  package mutating func wake() {
    changes &+= 1
    let all = waiting
    waiting = []
    for one in all { one.resume() }
  }
}
