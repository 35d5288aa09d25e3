import Runtime

/// When a part that failed is started again: at once the first time, then after pauses that double, and no more once
/// it has failed `budget` times within `window`. A part that held out for a whole window starts over with a clean
/// sheet.
package struct RestartRule: Equatable, Sendable {
  package enum Verdict: Equatable, Sendable {
    case startAgain(after: Duration)
    case giveUp
  }

  package static let standard = RestartRule()

  package var firstPause: Duration = .milliseconds(100)
  package var longestPause: Duration = .seconds(10)
  package var budget = 5
  package var window: Duration = .seconds(60)

  private var failures: [Moment] = []

  package init() {}

  package mutating func failed(at now: Moment) -> Verdict {
    failures.removeAll { now - $0 > window }
    failures.append(now)
    if failures.count > budget { return .giveUp }
    if failures.count == 1 { return .startAgain(after: .zero) }
    let doubled = firstPause * (1 << min(failures.count - 2, 20))
    return .startAgain(after: min(doubled, longestPause))
  }
}
