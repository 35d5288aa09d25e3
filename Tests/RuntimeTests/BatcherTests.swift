import TestSupport
import Testing

@testable import Runtime

@Suite("What is dealt with in batches")
struct BatcherTests {
  @MainLoop
  private final class Dealt {
    var batches: [[Int]] = []
  }

  @Test("is each of what came, once and in order, however it comes, and never more than so many at once")
  func all() async {
    for seed in 1...20 as ClosedRange<UInt64> {
      let batches = await TestMainLoop.alone { () -> [[Int]] in
        await onMainLoop {
          var generator = SeededGenerator(seed: seed)
          let (errands, dealt) = (BackgroundTasks(), Dealt())
          let gathering = Batcher<Int>(most: 7, as: errands) { batch in
            for _ in 0...(batch[0] % 3) { await Task.yield() }
            dealt.batches.append(batch)
          }
          for number in 0..<200 {
            gathering.add(number)
            if Int.random(in: 0..<12, using: &generator) == 0 { await Task.yield() }
          }
          await errands.over()
          // And what comes after a rest is no less.
          gathering.add(200)
          await errands.over()
          return dealt.batches
        }
      }
      #expect(batches.flatMap { $0 } == Array(0...200))
      #expect(batches.allSatisfy { (1...7).contains($0.count) } && batches.count < 60, "\(batches)")
    }
  }
}
