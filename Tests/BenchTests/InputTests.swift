import Runtime
import Testing

@testable import bench

@Suite("How long a hand waits")
struct InputTests {
  @Test(
    "ninety-nine of a hundred is the longest but those",
    arguments: [(1, 1), (2, 2), (100, 99), (300, 297), (1_000, 990)])
  func most(count: Int, most: Int) {
    let values = (1...count).map { Double($0) }
    #expect(InputBench.most(values) == Double(most) && InputBench.most(values.reversed()) == Double(most))
  }

  @Test("nothing has no longest")
  func none() { #expect(InputBench.most([]) == nil) }

  private func hear(_ ear: RigEar, _ samples: [Int32]) { samples.withUnsafeBufferPointer { ear.hear($0) } }

  @Test("the ear notes the first sample that is another than the last one, once it listens")
  func ear() throws {
    let ear = try RigEar()
    let sample: Int32 = 0x2000_0000
    hear(ear, [0, 0, sample, sample])
    ear.listen()
    hear(ear, [sample, sample, sample + 100])
    #expect(throws: Fault.self) { try ear.moment(within: .zero) }
    let before = Moment.now
    hear(ear, [sample, sample / 2])
    hear(ear, [0, 0])
    let moment = try ear.moment(within: .seconds(10))
    #expect(moment >= before && moment <= .now)
    // Silent again, it listens for what comes out of the silence.
    ear.listen()
    hear(ear, [0, 0])
    #expect(throws: Fault.self) { try ear.moment(within: .zero) }
    hear(ear, [0, sample])
    _ = try ear.moment(within: .seconds(10))
  }
}
