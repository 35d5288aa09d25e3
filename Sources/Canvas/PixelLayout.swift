import Pictures

/// What a panel's pixels are made of, and how a run of the canvas's becomes a run of them. A device's memory is written
/// once, and read only where several pixels share a byte.
struct PixelLayout: Sendable {
  /// Part of a panel's row: the canvas's pixel that is first there, how far on the next is, and where on the panel it
  /// is.
  struct Run {
    var first: UnsafePointer<UInt32>
    var step: Int
    var count: Int
    var x: Int
    var y: Int
  }

  enum Kind: Sendable {
    /// As the canvas has it.
    case plain
    case colours(Colours)
    case grey
    case bits(whiteIs: Bool, leftmostIs: Leftmost)
  }

  /// Red, green and blue, and what is set in every pixel.
  struct Colours: Sendable {
    var red: ColourLevels
    var green: ColourLevels
    var blue: ColourLevels
    var opaque: UInt32
  }

  /// Of the pixels that share a byte.
  enum Leftmost: Sendable { case lowest, highest }

  let bitsPerPixel: Int
  let kind: Kind

  static let depths: [UInt32] = [1, 8, 16, 24, 32]

  /// Nil when these are no pixels that we know.
  init?(_ claim: FrameClaim) {
    guard Self.depths.contains(claim.bitsPerPixel) else { return nil }
    bitsPerPixel = Int(claim.bitsPerPixel)
    switch claim.look {
    case .grey where claim.bitsPerPixel == 8: kind = .grey
    case .monochrome(let whiteIs) where claim.bitsPerPixel == 1:
      // The kernel packs them in the processor's order, leftmost lowest; a driver that does not says so of its one bit.
      kind = .bits(whiteIs: whiteIs, leftmostIs: claim.red.isReversed ? .highest : .lowest)
    case .colours where claim.bitsPerPixel >= 16:
      guard let colours = Self.kind(claim) else { return nil }
      kind = colours
    default: return nil
    }
  }

  /// Nil when a colour has no bits or more than ten, leaves the pixel, or shares bits with another.
  private static func kind(_ claim: FrameClaim) -> Kind? {
    var taken: UInt32 = 0
    for field in [claim.red, claim.green, claim.blue] {
      guard (1...10).contains(field.length), field.offset <= claim.bitsPerPixel - field.length, !field.isReversed
      else { return nil }
      let bits = (UInt32(1) << field.length - 1) << field.offset
      guard taken & bits == 0 else { return nil }
      taken |= bits
    }
    // Some panels take the rest for opacity, and the others do not look: beside the colours at most, whatever is said.
    let rest = (claim.bitsPerPixel == 32 ? UInt32.max : (1 << claim.bitsPerPixel) - 1) & ~taken
    let opaque = (1...8).contains(claim.opacity.length) ? rest : 0
    let offsets = [claim.red, claim.green, claim.blue].map(\.offset)
    let lengths = [claim.red, claim.green, claim.blue].map(\.length)
    if claim.bitsPerPixel == 32, opaque == 0, offsets == [16, 8, 0], lengths == [8, 8, 8] { return .plain }
    return .colours(
      Colours(
        red: ColourLevels(claim.red), green: ColourLevels(claim.green), blue: ColourLevels(claim.blue), opaque: opaque))
  }

  /// `bit` is where the first one's memory begins, counted from `row`: whole bytes, but for pixels of one bit. Nothing
  /// here asks that a pixel begins at an even place: rows may have any length.
  func write(_ run: Run, to row: UnsafeMutableRawPointer, bit: Int) {
    switch kind {
    case .plain:
      for index in 0..<run.count {
        row.storeBytes(of: run.first[index * run.step] & 0xFF_FFFF, toByteOffset: bit / 8 + index * 4, as: UInt32.self)
      }
    case .colours(let colours):
      switch bitsPerPixel {
      case 16:
        colours.forEach(of: run) { index, value in
          row.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: bit / 8 + index * 2, as: UInt16.self)
        }
      case 24:
        colours.forEach(of: run) { index, value in
          let at = bit / 8 + index * 3
          row.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: at, as: UInt16.self)
          row.storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: at + 2, as: UInt8.self)
        }
      default:
        colours.forEach(of: run) { index, value in
          row.storeBytes(of: value, toByteOffset: bit / 8 + index * 4, as: UInt32.self)
        }
      }
    case .grey:
      for index in 0..<run.count {
        row.storeBytes(
          of: Light.grey(run.first[index * run.step]), toByteOffset: bit / 8 + index, as: UInt8.self)
      }
    case .bits(let whiteIs, let leftmost): writeBits(run, to: row, bit: bit, whiteIs: whiteIs, leftmost)
    }
  }
}

extension PixelLayout.Colours {
  /// What each pixel of the run is on the panel. Green takes the higher level where red does not: so the three together
  /// are as bright as they should be on fewer pixels.
  @inline(__always)
  func forEach(of run: PixelLayout.Run, _ body: (Int, UInt32) -> Void) {
    red.steps.withUnsafeBufferPointer { red in
      green.steps.withUnsafeBufferPointer { green in
        blue.steps.withUnsafeBufferPointer { blue in
          for index in 0..<run.count {
            let pixel = run.first[index * run.step]
            let (r, g, b) = (red[Int(pixel >> 16 & 0xFF)], green[Int(pixel >> 8 & 0xFF)], blue[Int(pixel & 0xFF)])
            guard pixel & Canvas.origin != 0 else {
              body(index, r.nearest | g.nearest | b.nearest | opaque)
              continue
            }
            let threshold = Dither.threshold(x: run.x + index, y: run.y)
            let red = threshold < r.share ? r.high : r.low
            let green = 255 - threshold < g.share ? g.high : g.low
            let blue = (threshold + 128) & 0xFF < b.share ? b.high : b.low
            body(index, red | green | blue | opaque)
          }
        }
      }
    }
  }
}

/// Panels of one bit a pixel, and what grey is.
extension PixelLayout {
  /// A colour of at least this brightness is lit, all others are dark: the screens' quiet text and half of a white
  /// edge are, grooves and grounds are not. Letters keep their strokes that way.
  private static let lit = Light.fromStep[0x60]

  func writeBits(
    _ run: Run, to row: UnsafeMutableRawPointer, bit: Int, whiteIs: Bool, _ leftmost: Leftmost
  ) {
    var index = 0
    // Neighbours are mostly of one colour, and of a colour that is no picture's all are lit or none.
    var (latest, isLatestLit) = (Canvas.ofPicture, false)
    while index < run.count {
      let place = (bit + index) / 8
      var mask: UInt8 = 0
      var values: UInt8 = 0
      while index < run.count, (bit + index) / 8 == place {
        let one = leftmost == .lowest ? UInt8(1) << ((bit + index) % 8) : 0x80 >> ((bit + index) % 8)
        mask |= one
        let pixel = run.first[index * run.step]
        if pixel != latest || pixel & Canvas.origin == Canvas.ofPicture {
          (latest, isLatestLit) = (pixel, isLit(pixel, x: run.x + index, y: run.y))
        }
        if isLatestLit == whiteIs { values |= one }
        index += 1
      }
      // Its other bits are those of neighbours that did not change, or nobody's.
      let before = mask == 0xFF ? 0 : row.load(fromByteOffset: place, as: UInt8.self)
      row.storeBytes(of: before & ~mask | values, toByteOffset: place, as: UInt8.self)
    }
  }

  /// Pictures are as bright as they are, by as many lit pixels as that takes.
  private func isLit(_ pixel: UInt32, x: Int, y: Int) -> Bool {
    let light = Light.brightness(pixel)
    guard pixel & Canvas.origin == Canvas.ofPicture else { return light >= Self.lit }
    return Int32(Dither.threshold(x: x, y: y)) * Int32(Light.full) < light * 256 - Int32(Light.full) / 2
  }
}

extension Light {
  /// 0...`full`, with the eye's shares of red, green and blue, which add up to 4,096.
  @inline(__always)
  static func brightness(_ pixel: UInt32) -> Int32 {
    let red = fromStep[Int(pixel >> 16 & 0xFF)]
    let green = fromStep[Int(pixel >> 8 & 0xFF)]
    let blue = fromStep[Int(pixel & 0xFF)]
    return (red * 871 + green * 2_929 + blue * 296 + 2_048) >> 12
  }

  @inline(__always)
  static func grey(_ pixel: UInt32) -> UInt8 { toStep[Int(brightness(pixel))] }
}
