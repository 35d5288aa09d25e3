import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Edges that wait for the main loop")
struct EdgeBasketTests {
  private static func at(_ microseconds: Int) -> Moment { Moment(nanoseconds: Int64(microseconds) * 1_000) }

  private func edges(_ count: Int, at moment: Moment) -> [LineEdge] {
    (0..<count).map { _ in LineEdge(offset: 0, rises: true, at: moment) }
  }

  @Test("however two lines are read and taken, edges leave in the order of their time, all of them")
  func order() {
    for seed in UInt64(1)...200 {
      var generator = SeededGenerator(seed: seed)
      var basket = EdgeBasket()
      var inKernel: [[LineEdge]] = [[], []]
      var taken: [LineEdge] = []
      var clock = 0
      var made = 0
      func happens() {
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          clock += 1
          made += 1
          let line = Int.random(in: 0...1, using: &generator)
          inKernel[line].append(LineEdge(offset: line, rises: true, at: Self.at(clock)))
        }
      }
      for round in 0...60 {
        if round < 60 { happens() }
        let begin = Self.at(clock)
        var found: [LineEdge] = []
        for line in 0...1 {
          found += inKernel[line]
          inKernel[line] = []
          if round < 59 { happens() }
        }
        basket.add(found, isWhole: true, readFrom: begin, to: Self.at(clock))
        if round >= 59 || Bool.random(using: &generator) { taken += basket.take(upTo: begin).edges }
      }
      #expect(taken.map(\.at) == taken.map(\.at).sorted(), "seed \(seed)")
      #expect(taken.count == made && basket.isEmpty, "seed \(seed)")
    }
  }

  @Test("what does not fit is dropped and told once")
  func bound() {
    var basket = EdgeBasket()
    basket.add(edges(EdgeBasket.most, at: Self.at(1)), isWhole: true, readFrom: Self.at(1), to: Self.at(1))
    #expect(basket.isNoisy)
    basket.add(edges(1, at: Self.at(2)), isWhole: true, readFrom: Self.at(2), to: Self.at(2))
    let found = basket.take(upTo: Self.at(3))
    #expect(found.edges.count == EdgeBasket.most)
    #expect(!found.isWhole)
    #expect(basket.take(upTo: Self.at(3)).isWhole)
  }

  @Test("a quick hand is not noise; a kilohertz is, until it has been quiet for a while", arguments: [false, true])
  func noise(isNoise: Bool) {
    var basket = EdgeBasket()
    var noisy = 0
    for millisecond in 0..<1_000 {
      let now = Self.at(millisecond * 1_000)
      basket.add(edges(isNoise ? 10 : 1, at: now), isWhole: true, readFrom: now, to: now)
      _ = basket.take(upTo: now)
      if basket.isNoisy { noisy += 1 }
    }
    #expect(isNoise ? noisy > 900 : noisy == 0, "\(noisy)")
    for millisecond in stride(from: 1_000, through: 1_300, by: 10) {
      basket.add([], isWhole: true, readFrom: Self.at(millisecond * 1_000), to: Self.at(millisecond * 1_000))
    }
    #expect(!basket.isNoisy)
  }
}
