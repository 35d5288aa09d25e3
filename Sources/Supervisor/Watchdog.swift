import Runtime
import Synchronization

/// Whoever does work that must not hang, and can be asked for a sign of life. Asked and answered from any thread.
package protocol Pulse: Sendable {
  func ask()
  /// Whether the last question was answered.
  var hasAnswered: Bool { get }
}

/// A loop answers when it comes to run what was posted.
package final class LoopPulse: Pulse {
  private let loop: EventLoop
  private let asked = Atomic<UInt64>(0)
  private let answered = Atomic<UInt64>(0)

  package init(of loop: EventLoop) { self.loop = loop }

  package func ask() {
    let question = asked.add(1, ordering: .relaxed).newValue
    loop.post { self.answered.store(question, ordering: .releasing) }
  }

  package var hasAnswered: Bool { answered.load(ordering: .acquiring) == asked.load(ordering: .relaxed) }
}

/// A loop whose jobs may wait for disks and servers. It hangs when one and the same job has run for minutes without
/// saying that it gets on; one that has nothing to do, or no thread yet, answers.
package final class SlowLoopPulse: Pulse {
  private struct Seen {
    var job: UInt64?
    var asks = 0
  }

  private let loop: EventLoop
  private let most: Int
  private let seen = Mutex(Seen())

  /// `most`: so often in a row the same job may be met. It is counted and not timed: a board that sleeps does not ask.
  package init(of loop: EventLoop, most: Int) { (self.loop, self.most) = (loop, most) }

  package func ask() {
    let job = loop.busyWith
    seen.withLock { seen in
      seen.asks = job != nil && job == seen.job ? seen.asks + 1 : 0
      seen.job = job
    }
  }

  package var hasAnswered: Bool { seen.withLock { $0.asks <= most } }
}

/// Feeds the service manager's watchdog and the board's, and only when every loop and thread that does the work has
/// answered since the last time. A free-running timer would feed them while the music hangs.
@MainLoop
package final class Watchdog: Part {
  /// One who waits to be fed, and for how long.
  package struct WatchdogFeed: Sendable {
    let timeout: Duration
    let feed: @MainLoop @Sendable () -> Void

    package init(within timeout: Duration, feed: @escaping @MainLoop @Sendable () -> Void) {
      self.timeout = timeout
      self.feed = feed
    }
  }

  nonisolated package let name = "watchdog"
  package let interval: Duration
  private let feed: @MainLoop () -> Void
  private var pulses: [(name: String, pulse: any Pulse)] = []
  private let log = Log("watchdog")

  package init(feedingEvery interval: Duration, feed: @escaping @MainLoop @Sendable () -> Void) {
    self.interval = interval
    self.feed = feed
  }

  /// So often that the most impatient gets three chances before its time is over; nil when nobody waits to be fed.
  package convenience init?(feeding mouths: [WatchdogFeed]) {
    guard let shortest = mouths.map(\.timeout).min() else { return nil }
    self.init(feedingEvery: max(shortest / 4, .milliseconds(10))) { for mouth in mouths { mouth.feed() } }
  }

  package func expect(_ name: String, _ pulse: any Pulse) { pulses.append((name, pulse)) }

  /// How long one job may run without saying that it gets on. Long enough for any disk that will still answer.
  private static let patience: Duration = .seconds(600)

  package func expect(slow name: String, _ loop: EventLoop) {
    expect(name, SlowLoopPulse(of: loop, most: Int(Self.patience / interval)))
  }

  package func run() async throws(Fault) {
    while true {
      for (_, pulse) in pulses { pulse.ask() }
      guard await MainLoop.loop.sleep(for: interval) else { return }
      let silent = pulses.filter { !$0.pulse.hasAnswered }.map(\.name)
      if silent.isEmpty {
        feed()
      } else {
        log.error("no answer, not feeding the watchdog", ["from": silent.joined(separator: ",")])
      }
    }
  }
}
