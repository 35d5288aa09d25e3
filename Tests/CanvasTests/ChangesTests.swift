import TestSupport
import Testing

@testable import Canvas

@Suite("Changes")
struct ChangesTests {
  let size = Size(width: 150, height: 101)

  @Test("a screen that copies only the changed rectangles has every frame, whatever was drawn", arguments: 1...8)
  func copying(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let canvas = Canvas(size: size)
    var screen = CopyingScreen(size)
    for round in 0..<60 {
      for _ in 0..<Int.random(in: 0..<4, using: &random) { canvas.scribble(&random) }
      try canvas.present(to: &screen)
      #expect(screen.frame == canvas.allPixels, "seed \(seed), round \(round)")
      #expect(canvas.changes().isEmpty)
    }
  }

  @Test("the first frame is all of it, and so is the first after the screen lost its contents")
  func first() throws {
    let canvas = Canvas(size: size)
    var screen = CopyingScreen(size)
    #expect(canvas.changes() == [canvas.bounds])
    try canvas.present(to: &screen)
    #expect(canvas.changes() == [])
    canvas.forgetShown()
    #expect(canvas.changes() == [canvas.bounds])
  }

  @Test("a pixel is one rectangle of one pixel, wherever it is")
  func onePixel() throws {
    for (x, y) in [(0, 0), (149, 100), (15, 8), (16, 7), (77, 50)] {
      let canvas = Canvas(size: size)
      canvas.markShown(canvas.changes())
      canvas[x, y] = .white
      #expect(canvas.changes() == [Rect(x: x, y: y, width: 1, height: 1)])
    }
  }

  @Test("drawing the same again is no change, and what was drawn over in between is not either")
  func same() {
    let canvas = Canvas(size: size)
    canvas.fill(Rect(x: 10, y: 10, width: 50, height: 50), .white)
    canvas.markShown(canvas.changes())
    canvas.fill(canvas.bounds, Pixel(0x123456))
    canvas.fill(canvas.bounds, .black)
    canvas.fill(Rect(x: 10, y: 10, width: 50, height: 50), .white)
    #expect(canvas.changes() == [])
  }

  @Test("a rectangle over many tiles stays one, two far corners stay two")
  func few() {
    let canvas = Canvas(size: size)
    canvas.markShown(canvas.changes())
    let large = Rect(x: 9, y: 9, width: 101, height: 77)
    canvas.fill(large, .white)
    #expect(canvas.changes() == [large])
    canvas.markShown(canvas.changes())
    canvas[0, 0] = .white
    canvas[149, 100] = .white
    #expect(canvas.changes().count == 2)
  }

  @Test("noise everywhere gives few rectangles")
  func noise() {
    var random = SeededGenerator(seed: 5)
    let canvas = Canvas(size: size)
    canvas.markShown(canvas.changes())
    for _ in 0..<400 {
      canvas[.random(in: 0..<150, using: &random), .random(in: 0..<101, using: &random)] = random.colour()
    }
    #expect((1...32).contains(canvas.changes().count))
  }

  @Test("what a sink failed to show is shown by the next call")
  func failing() throws {
    let canvas = Canvas(size: size)
    var screen = FailingScreen(failures: 1)
    #expect(throws: (any Error).self) { try canvas.present(to: &screen) }
    #expect(canvas.changes() == [canvas.bounds])
    try canvas.present(to: &screen)
    #expect(canvas.changes() == [])
  }
}

@Suite("Geometry")
struct GeometryTests {
  @Test("intersection and union keep their laws", arguments: 1...4)
  func laws(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let size = Size(width: 40, height: 40)
    for _ in 0..<500 {
      let (one, other) = (random.rect(in: size), random.rect(in: size))
      let common = one.intersection(other)
      let all = one.union(other)
      #expect(common == other.intersection(one))
      #expect(all == other.union(one))
      #expect(one.contains(common) && other.contains(common))
      #expect(all.contains(one) && all.contains(other))
      for _ in 0..<10 {
        let x = Int.random(in: -10..<80, using: &random)
        let y = Int.random(in: -10..<60, using: &random)
        #expect(common.contains(x: x, y: y) == (one.contains(x: x, y: y) && other.contains(x: x, y: y)))
      }
    }
  }
}
