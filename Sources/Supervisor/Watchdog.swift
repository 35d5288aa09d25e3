import Runtime
import Synchronization

/// Something that must not hang and can be asked whether it still works. Any thread may ask.
package protocol Pulse: Sendable {
  func ask()
  /// Whether the last question was answered.
  var hasAnswered: Bool { get }
}

/// Asks an event loop: it answers when it runs the action that was posted.
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

/// Asks a loop whose jobs may wait for disks and servers. It hangs when one job has run for minutes without calling
/// `getsOn`. A loop that is idle, or has no thread yet, counts as working.
package final class SlowLoopPulse: Pulse {
  private struct Seen {
    var job: UInt64?
    var asks = 0
  }

  private let loop: EventLoop
  private let most: Int
  private let seen = Mutex(Seen())

  /// `most`: how often in a row the same job may be found running. It counts questions and not time, because while the
  /// board sleeps nobody asks.
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

/// Feeds the watchdogs of systemd and of the board, but only when every loop and thread has answered since the last
/// time. A timer alone would feed them while the music hangs. It lives on the main loop.
@MainLoop
package final class Watchdog: Part {
  /// A watchdog: its timeout, and how it is fed.
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

  /// Feeds often enough that the watchdog with the shortest timeout is fed three times within it. Nil without
  /// watchdogs.
  package convenience init?(feeding mouths: [WatchdogFeed]) {
    guard let shortest = mouths.map(\.timeout).min() else { return nil }
    self.init(feedingEvery: max(shortest / 4, .milliseconds(10))) { for mouth in mouths { mouth.feed() } }
  }

  package func expect(_ name: String, _ pulse: any Pulse) { pulses.append((name, pulse)) }

  /// How long one job may run without calling `getsOn`: longer than any disk takes that still answers.
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
