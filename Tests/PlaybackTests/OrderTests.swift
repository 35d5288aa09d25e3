import TestSupport
import Testing

@testable import Playback

private func id(_ number: Int) -> EntryID { EntryID(number: UInt64(number)) }

@Suite("Order")
struct OrderTests {
  @Test("through any walk it is what an array would be", arguments: UInt64(1)...20)
  func walk(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var order = Order()
    var model: [EntryID] = []
    var next = 1
    // Some walks grow, some shrink, so that blocks are split and mended.
    for step in 0..<3_000 {
      let grows = step / 500 % 2 == 0 ? 8 : 2
      if Int.random(in: 0..<10, using: &random) < grows || model.isEmpty {
        let place = Int.random(in: 0...model.count, using: &random)
        order.insert(id(next), at: place)
        model.insert(id(next), at: place)
        next += 1
      } else {
        let place = Int.random(in: 0..<model.count, using: &random)
        #expect(order.remove(model[place]) == place, "seed \(seed), step \(step)")
        model.remove(at: place)
      }
      guard step % 50 == 0 else { continue }
      #expect(order.all == model && order.count == model.count, "seed \(seed), step \(step)")
      #expect(order == Order(model), "seed \(seed), step \(step)")
      for place in model.indices where place % 17 == 0 {
        #expect(order[place] == model[place] && order.place(of: model[place]) == place, "seed \(seed), step \(step)")
      }
      let start = Int.random(in: 0...model.count, using: &random)
      #expect(order.page(from: start, count: 300) == Array(model.dropFirst(start).prefix(300)))
    }
  }

  @Test("of ids that come twice the first counts, and who is not there has no place")
  func twice() {
    var order = Order([id(1), id(2), id(1)])
    #expect(order.all == [id(1), id(2)])
    #expect(order.place(of: id(3)) == nil && order.remove(id(3)) == nil)
    #expect(order.page(from: 5, count: 1).isEmpty && order.page(from: 0, count: 0).isEmpty)
  }

  @Test("a change of ten thousand entries touches a few hundred of them at most, whatever was done before")
  func cost() {
    var random = SeededGenerator(seed: 3)
    var order = Order((1...10_000).map { id($0) })
    var next = 10_001
    var worst = 0
    // First anywhere, then always at one place, then at one place while others go: what makes the blocks uneven.
    for step in 0..<9_000 {
      let before = order.touched
      order.remove(order[step < 6_000 ? Int.random(in: 0..<order.count, using: &random) : order.count - 1])
      order.insert(id(next), at: step < 3_000 ? Int.random(in: 0...order.count, using: &random) : 5_000)
      next += 1
      worst = max(worst, order.touched - before)
    }
    #expect(worst < 1_000, "\(worst)")
  }
}
