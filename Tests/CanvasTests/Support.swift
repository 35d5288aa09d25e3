import Runtime
import TestSupport

@testable import Canvas

extension SeededGenerator {
  mutating func colour() -> Pixel { Pixel(UInt32(truncatingIfNeeded: next())) }

  mutating func rect(in size: Size) -> Rect {
    Rect(
      x: .random(in: -10..<size.width, using: &self), y: .random(in: -10..<size.height, using: &self),
      width: .random(in: 0...size.width, using: &self), height: .random(in: 0...size.height / 2, using: &self))
  }
}

extension Canvas {
  var allPixels: [UInt32] {
    UnsafeBufferPointer(start: pixels, count: size.width * size.height).map { Pixel($0).value }
  }

  /// Some shape somewhere.
  func scribble(_ random: inout SeededGenerator) {
    let rect = random.rect(in: size)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: fill(rect, random.colour())
    case 1: fillRounded(rect, radius: .random(in: 0..<20, using: &random), random.colour())
    case 2: fill(rect, from: random.colour(), to: random.colour())
    case 3: self[rect.x, rect.y] = random.colour()
    default:
      fill(
        polygon: (0..<4).map { _ in
          Point(.random(in: -20..<200, using: &random), .random(in: -20..<200, using: &random))
        }, random.colour())
    }
  }
}

/// Keeps a copy of the frame and copies only what it is told has changed.
struct CopyingScreen: Sink {
  var frame: [UInt32]
  var calls = 0

  init(_ size: Size) { frame = Array(repeating: 0xDEAD_BEEF, count: size.width * size.height) }

  mutating func show(_ canvas: Canvas, changed: [Rect]) throws(Fault) {
    calls += 1
    for rect in changed {
      for y in rect.rows {
        for x in rect.columns { frame[y * canvas.size.width + x] = canvas[x, y].value }
      }
    }
  }
}

/// Fails as often as it is told to.
struct FailingScreen: Sink {
  var failures: Int

  mutating func show(_ canvas: Canvas, changed: [Rect]) throws(Fault) {
    if failures > 0 {
      failures -= 1
      throw Fault(.passing, "K-999", "this screen fails")
    }
  }
}
