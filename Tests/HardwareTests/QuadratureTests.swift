import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Quadrature of a knob with four edges a detent")
struct QuadratureTests {
  @Test("so many detents turned are so many detents given", arguments: [1, 2, 7, -1, -3])
  func detents(count: Int) {
    var knob = TurnedKnob()
    knob.turn(4 * count)
    #expect(knob.steps().map(\.step) == Array(repeating: count.signum(), count: abs(count)))
  }

  @Test(
    "turned partly and back, whatever bounces on the way, gives nothing",
    arguments: [
      [1, -1], [2, -2], [3, -3], [-1, 1], [-3, 3], [1, -1, 1, -1, 2, -1, 1, -2], [3, -1, 1, -3], [1, -2, 1],
    ])
  func partly(turns: [Int]) {
    var knob = TurnedKnob()
    for turn in turns { knob.turn(turn) }
    #expect(knob.position == 0)
    #expect(knob.steps().isEmpty)
  }

  @Test("a contact that bounces at each edge gives the same detents", arguments: [4, -8])
  func bouncing(turn: Int) {
    var knob = TurnedKnob()
    for _ in 0..<abs(turn) { for way in [1, -1, 1, -1, 1] { knob.turn(way * turn.signum()) } }
    #expect(knob.steps().map(\.step).reduce(0, +) == turn / 4)
  }

  @Test("a level told twice, as when interrupts of bounces run together, changes nothing")
  func toldTwice() {
    var knob = TurnedKnob()
    knob.turn(8)
    var decoder = Quadrature()
    let steps = decoder.take(knob.edges.flatMap { Array(repeating: $0, count: 3) })
    #expect(steps.reduce(0, +) == 2)
  }

  @Test(
    "a level told again betrays a lost edge or pair: one step is dropped, and no second one")
  func betrayed() {
    var knob = TurnedKnob()
    knob.turn(16)
    for pair in [false, true] {
      for lost in 0..<8 {
        let seen = knob.edges.indices.filter { $0 != lost && (!pair || $0 != lost + 1) }.map { knob.edges[$0] }
        var decoder = Quadrature()
        #expect(decoder.take(seen).reduce(0, +) == 3, "lost \(lost), a pair: \(pair)")
      }
    }
  }

  @Test("in every walk of 12 edges, what was given is where the knob is, at each detent it comes to")
  func everyWalk() {
    for bits in 0..<UInt64(1 << 12) {
      var knob = TurnedKnob()
      for place in 0..<12 { knob.turn(bits >> UInt64(place) & 1 == 1 ? 1 : -1) }
      var sum = 0
      var steps = knob.steps()[...]
      for (index, edge) in knob.edges.enumerated() {
        if steps.first?.edge == index { sum += steps.removeFirst().step }
        #expect(edge.position % 4 != 0 || edge.position == 4 * sum, "walk \(bits), edge \(index)")
        #expect(abs(edge.position - 4 * sum) < 4, "walk \(bits), edge \(index)")
      }
    }
  }

  @Test("turned one way, up to ten edges, whichever of them are lost: never a step the other way")
  func everyLoss() {
    for way in [1, -1] {
      for length in 1...10 {
        var knob = TurnedKnob()
        knob.turn(way * length)
        for seen in 0..<UInt64(1) << UInt64(length) {
          let steps = knob.steps(seen: seen)
          #expect(steps.allSatisfy { $0.step == way }, "\(length) edges, seen \(seen)")
          #expect(steps.count <= length / 4)
        }
      }
    }
  }

  @Test("it takes the loss of seven edges of eleven to give a step the other way, and then there is one")
  func leastLoss() {
    var knob = TurnedKnob()
    knob.turn(14)
    var least = Int.max
    for seen in 0..<UInt64(1 << 14) where knob.steps(seen: seen).contains(where: { $0.step < 0 }) {
      least = min(least, 14 - seen.nonzeroBitCount)
    }
    #expect(least == 7)
  }

  @Test("a step after the loss of up to three edges was a turn of at least one edge that way, in every walk of ten")
  func everyWalkWithLoss() {
    for bits in 0..<UInt64(1 << 10) {
      var knob = TurnedKnob()
      for place in 0..<10 { knob.turn(bits >> UInt64(place) & 1 == 1 ? 1 : -1) }
      for lost in 0..<UInt64(1 << 10) where lost.nonzeroBitCount <= 3 {
        for (edge, step) in knob.steps(seen: ~lost) {
          var (lowest, furthest) = (0, 0)
          for position in knob.edges[...edge].map({ $0.position * step }) {
            lowest = min(lowest, position)
            furthest = max(furthest, position - lowest)
          }
          if furthest < 4 - lost.nonzeroBitCount { Issue.record("walk \(bits), lost \(lost), edge \(edge)") }
        }
      }
    }
  }

  @Test("long turns that lose up to five of any eleven edges drop steps, and never give one the other way")
  func longTurns() {
    for seed in UInt64(1)...200 {
      var generator = SeededGenerator(seed: seed)
      var decoder = Quadrature()
      var knob = TurnedKnob()
      let way = Bool.random(using: &generator) ? 1 : -1
      knob.turn(400 * way)
      var lost: [Int] = []
      var sum = 0
      for (index, edge) in knob.edges.enumerated() {
        lost.removeAll { index - $0 > 10 }
        if lost.count < 5, Int.random(in: 0..<10, using: &generator) < 5 {
          lost.append(index)
          continue
        }
        let step = decoder.take(edge, number: index)
        #expect(step == 0 || step == way, "seed \(seed), edge \(index)")
        sum += step
      }
      #expect(abs(sum) <= 100, "seed \(seed)")
    }
  }

  @Test("read between two detents it gives nothing until the next, and then counts")
  func readBetween() {
    for start in 1...3 {
      let levels = TurnedKnob.levels(start)
      var decoder = Quadrature(first: levels.first, second: levels.second)
      var knob = TurnedKnob()
      knob.turn(8)
      let steps = decoder.take(knob.edges[start...])
      #expect(steps.reduce(0, +) == 1)
      #expect(steps.last == 1)
    }
  }

  @Test("levels that agree change nothing; where they tell of one lost edge behind half a detent, that one counts")
  func seen() {
    var knob = TurnedKnob()
    knob.turn(8)
    var decoder = Quadrature()
    _ = decoder.take(knob.edges[..<2])
    #expect(decoder.agrees(first: true, second: true))
    // The third was lost, and the levels were read.
    decoder.see(first: false, second: true)
    #expect(decoder.take(knob.edges[3...]) == [1, 0, 0, 0, 1])
    // Of less nobody knows which way it was.
    decoder = Quadrature()
    _ = decoder.take(knob.edges[..<1])
    decoder.see(first: true, second: true)
    #expect(decoder.take(knob.edges[2...]) == [0, 0, 0, 0, 0, 1])
  }
}
