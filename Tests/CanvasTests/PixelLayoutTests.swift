import Pictures
import Runtime
import TestSupport
import Testing

@testable import Canvas

/// A way to keep pixels that some driver has, and a reader that knows it.
struct KeptPixels: CustomTestStringConvertible, Sendable {
  let testDescription: String
  var bits: UInt32
  var look = FrameClaim.Look.colours
  var red = FrameClaim.Field(offset: 0, length: 0)
  var green = FrameClaim.Field(offset: 0, length: 0)
  var blue = FrameClaim.Field(offset: 0, length: 0)
  var opacity = FrameClaim.Field(offset: 0, length: 0)

  private static func colours(
    _ name: String, _ bits: UInt32, _ lengths: (UInt32, UInt32, UInt32), at offsets: (UInt32, UInt32, UInt32),
    opacity: UInt32 = 0
  ) -> KeptPixels {
    KeptPixels(
      testDescription: name, bits: bits, red: .init(offset: offsets.0, length: lengths.0),
      green: .init(offset: offsets.1, length: lengths.1), blue: .init(offset: offsets.2, length: lengths.2),
      opacity: .init(offset: bits - opacity, length: opacity))
  }

  static let ofColours = [
    colours("RGB565", 16, (5, 6, 5), at: (11, 5, 0)), colours("BGR565", 16, (5, 6, 5), at: (0, 5, 11)),
    colours("XRGB1555", 16, (5, 5, 5), at: (10, 5, 0)), colours("ABGR1555", 16, (5, 5, 5), at: (0, 5, 10), opacity: 1),
    colours("XRGB4444", 16, (4, 4, 4), at: (8, 4, 0)), colours("RGB888", 24, (8, 8, 8), at: (16, 8, 0)),
    colours("BGR888", 24, (8, 8, 8), at: (0, 8, 16)), colours("RGB666", 24, (6, 6, 6), at: (12, 6, 0)),
    colours("XRGB8888", 32, (8, 8, 8), at: (16, 8, 0)), colours("BGRA8888", 32, (8, 8, 8), at: (8, 16, 24)),
    colours("ARGB8888", 32, (8, 8, 8), at: (16, 8, 0), opacity: 8),
    colours("XRGB2101010", 32, (10, 10, 10), at: (20, 10, 0)),
  ]
  static let grey = KeptPixels(testDescription: "256 greys", bits: 8, look: .grey)
  static let ofBits = [true, false].flatMap { white in
    [false, true].map { isReversed in
      KeptPixels(
        testDescription: "1 bit, white is \(white ? 1 : 0), leftmost \(isReversed ? "highest" : "lowest")", bits: 1,
        look: .monochrome(whiteIs: white), red: .init(offset: 0, length: 1, isReversed: isReversed))
    }
  }
  static let all = ofColours + [grey] + ofBits

  /// `spare` bytes more a row than it needs.
  func claim(_ width: Int, _ height: Int, left: Int = 0, top: Int = 0, spare: Int = 0, address: Int = 0) -> FrameClaim {
    let stride = ((left + width) * Int(bits) + 7) / 8 + spare
    var claim = FrameClaim(
      width: UInt32(width), height: UInt32(height), left: UInt32(left), top: UInt32(top), bitsPerPixel: bits, red: red,
      green: green, blue: blue, opacity: opacity, look: look, stride: UInt32(stride),
      memory: UInt32(stride * (top + height)))
    claim.address = UInt64(address)
    return claim
  }

  /// The bits of the pixel that begins at `bit` of a row.
  func value(_ row: ArraySlice<UInt8>, at bit: Int) -> UInt32 {
    if bits == 1 {
      let byte = row[row.startIndex + bit / 8]
      return UInt32(byte >> (red.isReversed ? 7 - bit % 8 : bit % 8) & 1)
    }
    return (0..<Int(bits) / 8).reduce(0) { $0 | UInt32(row[row.startIndex + bit / 8 + $1]) << (8 * UInt32($1)) }
  }

  private func level(_ value: UInt32, _ field: FrameClaim.Field) -> Int {
    Int(value >> field.offset & ((1 << field.length) - 1))
  }

  /// Whether that may stand for the canvas's pixel: the nearest level of each colour, or one of the two around it.
  func mayBe(_ value: UInt32, for pixel: UInt32) -> Bool {
    let isMixed = pixel >> 24 != 0
    switch look {
    case .monochrome(let whiteIs):
      if pixel & Canvas.origin == Canvas.ofPicture { return true }
      return (value == 1) == ((Light.brightness(pixel) >= Light.fromStep[0x60]) == whiteIs)
    case .grey: return value == UInt32(Light.grey(pixel))
    default:
      let pairs = [(red, pixel >> 16 & 0xFF), (green, pixel >> 8 & 0xFF), (blue, pixel & 0xFF)]
      let colours = pairs.allSatisfy { field, step in
        let exact = Double(step) * Double((1 << field.length) - 1) / 255
        let level = Double(level(value, field))
        return isMixed ? abs(level - exact) < 1 : level == exact.rounded()
      }
      let opaque = opacity.length == 0 || level(value, opacity) == (1 << opacity.length) - 1
      return colours && opaque
    }
  }
}

@Suite("Pixel layouts")
struct PixelLayoutTests {
  /// Where a point of what is seen lies on the panel, said apart from `Turn`.
  private func place(_ x: Int, _ y: Int, _ turn: Turn, _ seen: Size) -> (x: Int, y: Int) {
    switch turn {
    case .none: (x, y)
    case .quarter: (seen.height - 1 - y, x)
    case .half: (seen.width - 1 - x, seen.height - 1 - y)
    case .threeQuarters: (y, seen.width - 1 - x)
    }
  }

  @Test(
    "whatever order, depth, turn, row length and window: what changed can be read back, and nothing else was touched",
    arguments: KeptPixels.all)
  func walk(kept: KeptPixels) throws {
    for seed in UInt64(1)...40 {
      var random = SeededGenerator(seed: seed)
      let turn = Turn.allCases.randomElement(using: &random) ?? .none
      let (width, height) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...30, using: &random))
      let claim = kept.claim(
        width, height, left: .random(in: 0...9, using: &random), top: .random(in: 0...3, using: &random),
        spare: .random(in: 0...7, using: &random), address: .random(in: 0...70, using: &random))
      let seen = turn.turned(Size(width: width, height: height))
      let canvas = Canvas(
        size: Size(
          width: max(1, seen.width + .random(in: -3...3, using: &random)),
          height: max(1, seen.height + .random(in: -3...3, using: &random))))
      for _ in 0..<6 { canvas.scribble(&random) }
      if let picture = Picture(size: Size(width: 9, height: 7), pixels: (0..<63).map { $0 &* 0x03_0507 }) {
        canvas.draw(picture, x: 2, y: 1)
      }
      let rects = (0..<3).map { _ in random.rect(in: seen) }
      var expected = (0..<FrameLayoutModel.length(claim)).map { FrameLayoutModel.pattern($0) }
      let memory = try drawnBytes(canvas, rects, on: claim, turn: turn)
      #expect(memory.count == expected.count)
      let inPage = Int(claim.address % 4_096)
      for y in 0..<seen.height {
        for x in 0..<seen.width where canvas.bounds.contains(x: x, y: y) {
          guard rects.contains(where: { $0.contains(x: x, y: y) }) else { continue }
          let (column, row) = place(x, y, turn, seen)
          let start = inPage + (Int(claim.top) + row) * Int(claim.stride)
          let bit = (Int(claim.left) + column) * Int(kept.bits)
          let value = kept.value(memory[start...], at: bit)
          guard kept.mayBe(value, for: canvas.row(y)[x]) else {
            Issue.record("seed \(seed), \(turn): (\(x), \(y)) of \(canvas[x, y]) became \(value)")
            return
          }
          FrameLayoutModel.copy(from: memory, to: &expected, at: start * 8 + bit, kept)
        }
      }
      #expect(memory == expected, "seed \(seed), \(turn): something else was touched")
    }
  }

  /// What memory looks like that nobody wrote to, and how single pixels of it are taken over.
  private enum FrameLayoutModel {
    static func pattern(_ at: Int) -> UInt8 { UInt8(truncatingIfNeeded: untouched >> (8 * UInt32((at + 64) % 4))) }

    static func length(_ claim: FrameClaim) -> Int {
      let rowEnd = (Int(claim.left + claim.width) * Int(claim.bitsPerPixel) + 7) / 8
      return Int(claim.address % 4_096) + Int(claim.top + claim.height - 1) * Int(claim.stride) + rowEnd
    }

    static func copy(from memory: [UInt8], to other: inout [UInt8], at bit: Int, _ kept: KeptPixels) {
      guard kept.bits == 1 else {
        for byte in bit / 8..<bit / 8 + Int(kept.bits) / 8 { other[byte] = memory[byte] }
        return
      }
      let mask = UInt8(1) << UInt8(kept.red.isReversed ? 7 - bit % 8 : bit % 8)
      other[bit / 8] = other[bit / 8] & ~mask | memory[bit / 8] & mask
    }
  }

  @Test("turned by a quarter, what is seen at the upper left stands at the panel's upper right; the others follow")
  func corners() throws {
    let canvas = Canvas(size: Size(width: 3, height: 2))
    canvas[0, 0] = .white
    let white: [(Turn, UInt32, UInt32, Int)] = [
      (.none, 3, 2, 0), (.quarter, 2, 3, 1), (.half, 3, 2, 5), (.threeQuarters, 2, 3, 4),
    ]
    for (turn, width, height, index) in white {
      let bytes = try drawnBytes(canvas, [canvas.bounds], on: .plain(width, height), turn: turn)
      let places = (0..<6).filter { bytes[$0 * 4] == 0xFF }
      #expect(places == [index], "\(turn)")
      #expect(try FrameLayout(.plain(width, height), of: FilePath("/dev/fb9"), turn: turn).size == canvas.size)
    }
  }

  @Test("letters and signs are lit on a panel of one bit; grounds, grooves and gradients of dark ground are dark")
  func oneBit() throws {
    let claims: [(UInt32, Bool)] = [
      (0xFFFFFF, true), (0x98A5B3, true), (0x8C96A1, true), (0xFFB648, true), (0x2C353F, false), (0x161B22, false),
      (0x000000, false), (0x4A3410, false),
    ]
    for (colour, isLit) in claims {
      let canvas = Canvas(size: Size(width: 16, height: 4))
      canvas.fill(canvas.bounds, Pixel(colour))
      let bytes = try drawnBytes(canvas, [canvas.bounds], on: KeptPixels.ofBits[0].claim(16, 4))
      #expect(bytes.allSatisfy { $0 == (isLit ? 0xFF : 0) }, "\(Pixel(colour))")
    }
    let canvas = Canvas(size: Size(width: 16, height: 16))
    canvas.fill(canvas.bounds, from: Pixel(0x161B22), to: Pixel(0x090B0E))
    #expect(try drawnBytes(canvas, [canvas.bounds], on: KeptPixels.ofBits[0].claim(16, 16)).allSatisfy { $0 == 0 })
  }
}
