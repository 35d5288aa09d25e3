import Runtime
import Synchronization

/// Feeds the service manager's watchdog, and only when every loop and thread that does the work has answered since
/// the last time. A free-running timer would feed it while the music hangs.
@Deck
package final class Watchdog: Part {
  /// Asks somebody for a sign of life; the answer may come from any thread.
  package typealias Question = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

  nonisolated package let name = "watchdog"
  private let interval: Duration
  private let feed: @Sendable () -> Void
  private var asked: [(name: String, question: Question)] = []
  private let log = Log("watchdog")

  private final class Answers: Sendable {
    let missing: Mutex<Set<String>>

    init(of names: Set<String>) { missing = Mutex(names) }
  }

  package init(feedingEvery interval: Duration, feed: @escaping @Sendable () -> Void) {
    self.interval = interval
    self.feed = feed
  }

  package func expect(_ name: String, question: @escaping Question) { asked.append((name, question)) }

  package func run() async throws(Fault) {
    while true {
      let answers = Answers(of: Set(asked.map(\.name)))
      for (name, question) in asked {
        question { _ = answers.missing.withLock { $0.remove(name) } }
      }
      guard await Deck.loop.sleep(for: interval) else { return }
      let missing = answers.missing.withLock { $0 }
      if missing.isEmpty {
        feed()
      } else {
        log.error("no answer, not feeding the watchdog", ["from": missing.sorted().joined(separator: ",")])
      }
    }
  }
}
