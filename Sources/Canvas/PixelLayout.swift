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
