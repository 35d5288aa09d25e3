import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Debounce of a button")
struct DebounceTests {
  private static let period: Duration = .milliseconds(5)

  private static func at(_ microseconds: Int) -> Moment { Moment(nanoseconds: Int64(microseconds) * 1_000) }

  /// What counts, and when it is known, for edges at microseconds; then nothing more comes.
  private func changes(_ edges: [(at: Int, level: Bool)], period: Duration = Self.period) -> [Bool] {
    var button = Debounce(level: false, period: period)
    var changes: [Bool] = []
    for edge in edges {
      if let level = button.settle(by: Self.at(edge.at)) { changes.append(level) }
      button.edge(to: edge.level, at: Self.at(edge.at))
    }
    if let due = button.due, let level = button.settle(by: due) { changes.append(level) }
    #expect(button.due == nil)
    #expect(button.latest == button.level)
    return changes
  }

  @Test("a clean press and release are one change each")
  func clean() { #expect(changes([(0, true), (80_000, false)]) == [true, false]) }

  @Test("a press that bounces is one press")
  func bouncing() {
    #expect(
      changes([(0, true), (300, false), (900, true), (1_500, false), (4_000, true), (90_000, false)]) == [true, false])
  }

  @Test("what is shorter than the period is nothing; what is as long is something")
  func glitch() {
    #expect(changes([(0, true), (4_999, false)]) == [])
    #expect(changes([(0, true), (5_000, false)]) == [true, false])
  }

  @Test("an edge that repeats its level went missing in between, so the level starts anew")
  func repeated() {
    #expect(changes([(0, true), (3_000, true), (6_000, false)]) == [])
    #expect(changes([(0, true), (3_000, true), (8_000, false)]) == [true, false])
    #expect(changes([(0, false)]) == [])
  }

  @Test("a period of nothing lets every edge count")
  func noPeriod() {
    #expect(changes([(0, true), (1, false), (2, true)], period: .zero) == [true, false, true])
  }

  @Test("a change is due a period after its edge, not when somebody looks")
  func due() {
    var button = Debounce(level: false, period: Self.period)
    #expect(button.due == nil)
    button.edge(to: true, at: Self.at(100))
    #expect(button.due == Self.at(5_100))
    #expect(button.settle(by: Self.at(5_099)) == nil)
    #expect(!button.level && button.latest)
    #expect(button.settle(by: Self.at(5_100)) == true)
    #expect(button.settle(by: Self.at(9_000)) == nil)
  }

  @Test("whatever bounces: changes alternate, each lasted, each level that lasted counts, and the last one is right")
  func walks() {
    for seed in UInt64(1)...300 {
      var generator = SeededGenerator(seed: seed)
      var (time, level, edges) = (0, false, [(at: Int, level: Bool)]())
      for _ in 0..<40 {
        time += Bool.random(using: &generator) ? Int.random(in: 1...4_999, using: &generator) : 20_000
        level.toggle()
        edges.append((time, level))
      }
      var expected: [Bool] = []
      for (index, edge) in edges.enumerated() {
        let lasted = index + 1 == edges.count || edges[index + 1].at - edge.at >= 5_000
        if lasted, edge.level != (expected.last ?? false) { expected.append(edge.level) }
      }
      #expect(changes(edges) == expected, "seed \(seed)")
    }
  }
}
