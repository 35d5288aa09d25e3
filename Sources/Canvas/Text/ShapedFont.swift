internal import CShaping
import Runtime

/// A font file as HarfBuzz has it open; closed exactly once. Used on the thread of its `FontFile`.
final class ShapedFont {
  private let font: UnsafeMutableRawPointer

  /// Nil where there is no HarfBuzz, or it cannot use the file.
  init?(_ path: FilePath) {
    guard Self.isThere, let font = path.withCString({ layby_font_open($0, Int32(Em.parts)) }) else { return nil }
    self.font = font
  }

  deinit { layby_font_close(font) }

  /// The libraries are there. Without them letters stand side by side, each for itself.
  static let isThere: Bool = {
    if layby_shaping_load() == 1 { return true }
    Log("canvas").warning("letters that join do not: libharfbuzz.so.0 or libfribidi.so.0 is not there")
    return false
  }()

  /// Lengths in parts of an em.
  struct Placed {
    let glyph: UInt32
    let character: Int
    let advance: Int32
    let x: Int32
    let y: Int32
  }

  /// Of the characters in `range`, from left to right.
  func shape(_ text: [UInt32], _ range: Range<Int>, toTheLeft: Bool, _ take: ([Placed]) -> Void) {
    let most = range.count * 4 + 16
    let placed = withUnsafeTemporaryAllocation(of: layby_placed.self, capacity: most) { room -> [Placed] in
      guard let start = room.baseAddress else { return [] }
      let count = layby_shape(
        font, text, Int32(text.count), Int32(range.lowerBound), Int32(range.count), toTheLeft ? 1 : 0, start,
        Int32(most))
      return (0..<max(0, Int(count))).map { index in
        let one = start[index]
        return Placed(
          glyph: one.glyph, character: Int(one.character), advance: one.advance, x: one.x, y: one.y)
      }
    }
    take(placed)
  }

  /// The level of each: even ones run to the right; and whether the text itself runs to the left.
  static func levels(of text: [UInt32]) -> (levels: [UInt8], runsLeft: Bool) {
    var levels = [UInt8](repeating: 0, count: text.count)
    var base: UInt8 = 0
    if text.isEmpty || layby_bidi_levels(text, Int32(text.count), &levels, &base) != 1 {
      return ([UInt8](repeating: 0, count: text.count), false)
    }
    return (levels, base & 1 == 1)
  }
}
