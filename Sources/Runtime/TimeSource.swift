import Synchronization

/// Where a loop's time comes from: the boot clock, or a test that advances it.
package enum TimeSource: Sendable {
  case boot
  case virtual(VirtualTime)

  package var now: Moment {
    switch self {
    case .boot: .now
    case .virtual(let time): time.now
    }
  }
}

/// A clock that stands still until a test moves it. The loops that run on it are the product's own.
package final class VirtualTime: Sendable {
  private let moment = Mutex(Moment(nanoseconds: 0))

  package init() {}

  package var now: Moment { moment.withLock { $0 } }

  func set(_ new: Moment) { moment.withLock { $0 = max($0, new) } }
}

extension EventLoop {
  /// Goes on by `duration`, firing each timer at its own moment and letting everything it causes on this loop
  /// finish before the next. Called from outside the loop; returns when all of it is done.
  package func advance(by duration: Duration) async {
    await withCheckedContinuation { continuation in
      post { [self] in
        guard case .virtual(let time) = time else {
          log.error("the boot clock cannot be advanced")
          return continuation.resume()
        }
        journey = (time.now + duration, { continuation.resume() })
      }
    }
  }

  /// One step of a journey, taken when the loop has nothing else to do: to the next timer, or to the end.
  /// True when there was a step, and so perhaps new work.
  func travel() -> Bool {
    guard let (end, arrived) = journey, case .virtual(let time) = time else { return false }
    if let next = waits.nextDeadline(), next <= end {
      time.set(next)
    } else {
      time.set(end)
      journey = nil
      arrived()
    }
    return true
  }
}
