internal import CShaping
import Runtime

/// A font file as HarfBuzz has it open; closed exactly once. Used on the thread of its `FontFile`.
final class ShapedFont {
  private let font: UnsafeMutableRawPointer

  /// Nil where there is no HarfBuzz, or it cannot use the file.
  init?(_ path: FilePath) {
    guard Self.isThere, let font = path.withCString({ layby_font_open($0) }) else { return nil }
    self.font = font
  }

  deinit { layby_font_close(font) }

  /// The libraries are there. Without them letters stand side by side, each for itself.
  static let isThere: Bool = {
    if layby_shaping_load() == 1 { return true }
    Log("canvas").warning("letters that join do not: libharfbuzz.so.0 or libfribidi.so.0 is not there")
    return false
  }()

  struct Placed {
    let glyph: UInt32
    let character: Int
    /// 64ths of a pixel.
    let advance: Int
    let x: Int
    let y: Int
  }

  /// Of the characters in `range`, from left to right.
  func shape(_ text: [UInt32], _ range: Range<Int>, size: Int, toTheLeft: Bool) -> [Placed] {
    let most = range.count * 4 + 16
    return withUnsafeTemporaryAllocation(of: layby_placed.self, capacity: most) { room in
      guard let start = room.baseAddress else { return [] }
      let count = layby_shape(
        font, Int32(size), text, Int32(text.count), Int32(range.lowerBound), Int32(range.count), toTheLeft ? 1 : 0,
        start, Int32(most))
      return (0..<max(0, Int(count))).map { index in
        let one = start[index]
        return Placed(
          glyph: one.glyph, character: Int(one.character), advance: Int(one.advance), x: Int(one.x), y: Int(one.y))
      }
    }
  }

  /// The level of each: even ones run to the right.
  static func levels(of text: [UInt32]) -> [UInt8] {
    var levels = [UInt8](repeating: 0, count: text.count)
    if text.isEmpty || layby_bidi_levels(text, Int32(text.count), &levels) != 1 {
      return [UInt8](repeating: 0, count: text.count)
    }
    return levels
  }
}
