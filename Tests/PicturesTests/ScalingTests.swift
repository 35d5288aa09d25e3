import Canvas
import TestSupport
import Testing

@testable import Pictures

@Suite("Making pictures smaller")
struct ScalingTests {
  private func scaled(_ made: MadePicture, to size: Size) -> [UInt32] {
    let scaler = PictureScaler(Rect(x: 0, y: 0, width: made.size.width, height: made.size.height), to: size)
    made.bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      for y in 0..<made.size.height { scaler.add(start + y * made.size.width * 4, y: y) }
    }
    return scaler.finished()
  }

  private func noise(_ width: Int, _ height: Int, _ random: inout SeededGenerator) -> MadePicture {
    var values: [UInt32] = []
    for _ in 0..<width * height { values.append(UInt32(truncatingIfNeeded: random.next()) & 0xFF_FFFF) }
    return MadePicture(width, height, { x, y in values[y * width + x] })
  }

  @Test("the weights of a new pixel are 1 together, and lie within the picture")
  func weights() {
    for from in Array(1...20) + [1_000, 4_099] {
      for to in Array(1...20) + [320] {
        let axis = AxisWeights(from: from, to: to)
        for new in 0..<to {
          let (first, weights) = axis.of(new)
          #expect(abs(weights.reduce(0, +) - 1) < 0.000_1)
          #expect(weights.allSatisfy { $0 > 0 } && first >= 0 && first + weights.count <= from)
        }
      }
    }
  }

  @Test("made smaller, every old pixel counts the same: light is neither lost nor made")
  func area() {
    for from in Array(1...20) + [999, 4_099] {
      for to in [1, 2, 3, 7, 31, 240, 900] where to <= from {
        for parts in AxisWeights(from: from, to: to).byOld {
          let all = parts.map(\.weight).reduce(0, +)
          #expect(abs(all - Float(to) / Float(from)) < 0.000_1)
          #expect((1...2).contains(parts.count))
        }
      }
    }
  }

  @Test("at the same size nothing changes", arguments: 1...3)
  func identity(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let made = noise(37, 23, &random)
    let same = scaled(made, to: made.size)
    for y in 0..<23 { for x in 0..<37 { #expect(Pixel(same[y * 37 + x]) == made.pixel(x, y), "seed \(seed)") } }
  }

  @Test("what is flat stays flat, smaller and larger", arguments: 1...3)
  func flat(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<30 {
      let colour = random.colour()
      func side() -> Int { .random(in: 1...60, using: &random) }
      let made = MadePicture(side(), side(), { _, _ in colour.value })
      let size = Size(width: side(), height: side())
      #expect(scaled(made, to: size).allSatisfy { $0 == colour.value }, "\(made.size) to \(size), seed \(seed)")
    }
  }

  @Test("the sum of light is kept", arguments: 1...5)
  func light(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let made = noise(.random(in: 20...90, using: &random), .random(in: 20...90, using: &random), &random)
    let size = Size(width: .random(in: 1...20, using: &random), height: .random(in: 1...20, using: &random))
    func mean(_ pixels: [UInt32]) -> Double {
      Double(pixels.reduce(0) { $0 + Int(Light.fromStep[Int($1 >> 8 & 255)]) }) / Double(pixels.count)
    }
    let before = mean((0..<made.size.height).flatMap { y in (0..<made.size.width).map { made.pixel($0, y).value } })
    // A step of the eye's is up to 19 of 4,095 parts at the bright end.
    #expect(abs(mean(scaled(made, to: size)) - before) < 10, "seed \(seed)")
  }

  @Test("a fine pattern of black and white becomes the grey of half the light, not of half the steps")
  func pattern() {
    let made = MadePicture(64, 64, { x, y in (x + y) % 2 == 0 ? 0xFFFFFF : 0 })
    let grey = scaled(made, to: Size(width: 16, height: 16))
    #expect(grey.allSatisfy { distance(Pixel($0), Pixel(0xBCBCBC)) <= 1 })
  }

  @Test("made larger, values lie between their neighbours and never turn back")
  func larger() {
    let made = MadePicture(4, 1, { x, _ in UInt32([0, 80, 160, 255][x]) * 0x010101 })
    let row = scaled(made, to: Size(width: 41, height: 3))[..<41].map { Pixel($0).green }
    #expect(row.first == 0 && row.last == 255)
    for (left, right) in zip(row, row.dropFirst()) { #expect(left <= right) }
  }
}
