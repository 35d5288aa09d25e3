import Testing

/// The judge of the rewinds, judged.
@Suite("Numbered frames")
struct NumberedFramesTests {
  private let frames = NumberedFrames(said: "type HW\nrun 65536 10\nrun 70000 5\nrun x 3\n")

  private func bytes(_ numbers: [UInt32], width: Int = 2) -> [UInt8] {
    numbers.flatMap { number -> [UInt8] in
      [number & 0xFFFF, number >> 16].flatMap { half -> [UInt8] in
        [UInt8](repeating: 0, count: width - 2) + [UInt8(half & 0xFF), UInt8(half >> 8)]
      }
    }
  }

  private var all: [UInt32] { Array(65_536..<65_546) + Array(70_000..<70_005) }

  @Test("what was written and kept, with silence around it, is exact", arguments: [2, 4])
  func exact(width: Int) {
    let verdict = frames.judge(bytes([0, 0] + all + [0], width: width), width: width)
    #expect(frames.count == 15 && verdict.isExact && verdict.heard == 15)
  }

  @Test("a frame that was taken back, one twice, one missing and silence in between are each counted")
  func wrong() {
    var numbers = all
    numbers.insert(65_546, at: 10)
    #expect(frames.judge(bytes(numbers)) == .init(heard: 15, wrong: 1))
    numbers = all
    numbers.insert(65_537, at: 4)
    #expect(frames.judge(bytes(numbers)) == .init(heard: 15, repeated: 1))
    numbers = all
    numbers.remove(at: 12)
    #expect(frames.judge(bytes(numbers)) == .init(heard: 14, missing: 1))
    numbers = all
    numbers.insert(contentsOf: [0, 0], at: 7)
    #expect(frames.judge(bytes(numbers)) == .init(heard: 15, silent: 2))
    #expect(frames.judge(bytes(Array(all.dropLast(3)))) == .init(heard: 12, missing: 3))
    #expect(frames.judge([]) == .init(missing: 15))
  }
}
