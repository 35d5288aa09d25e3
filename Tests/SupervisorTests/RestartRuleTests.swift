import Runtime
import Supervisor
import TestSupport
import Testing

@Suite("Restart rule")
struct RestartRuleTests {
  private func at(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000) }

  @Test("the first failure starts again at once, then pauses double, then the budget is used up")
  func backOff() {
    var rule = RestartRule.standard
    let verdicts = (0..<6).map { rule.failed(at: at(Int64($0))) }
    #expect(
      verdicts == [
        .startAgain(after: .zero), .startAgain(after: .milliseconds(100)), .startAgain(after: .milliseconds(200)),
        .startAgain(after: .milliseconds(400)), .startAgain(after: .milliseconds(800)), .giveUp,
      ])
  }

  @Test("a part that held out for a window starts over with a clean sheet")
  func forgiven() {
    var rule = RestartRule.standard
    for number in 0..<5 { _ = rule.failed(at: at(Int64(number))) }
    #expect(rule.failed(at: at(60_100)) == .startAgain(after: .zero))
  }

  @Test("whenever it fails, it never waits longer than the longest pause nor beyond its budget")
  func walk() {
    for seed in UInt64(1)...200 {
      var generator = SeededGenerator(seed: seed)
      var rule = RestartRule.standard
      var now: Int64 = 0
      var recent: [Int64] = []
      for _ in 0..<50 {
        now += Int64.random(in: 0...30_000, using: &generator)
        recent = recent.filter { now - $0 <= 60_000 } + [now]
        switch rule.failed(at: at(now)) {
        case .giveUp: #expect(recent.count > rule.budget, "seed \(seed)")
        case .startAgain(let pause):
          #expect(recent.count <= rule.budget && pause <= rule.longestPause, "seed \(seed)")
        }
      }
    }
  }
}
