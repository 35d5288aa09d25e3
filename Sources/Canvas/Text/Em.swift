/// Lengths along a text before it has a size: parts of its letters' em, so fine that nothing is rounded on the way.
enum Em {
  static let parts = 65_536

  /// In 64ths of a pixel, for letters of so many pixels.
  @inline(__always)
  static func scaled(_ length: Int, to size: Int) -> Int { (length * size) >> 10 }

  /// Of a font that counts its own units. Fonts may say anything: no letter is wider than sixteen others.
  static func parts(of units: Int, perEm: Int) -> Int32 {
    guard perEm > 0 else { return 0 }
    return Int32(min(max(units * parts / perEm, -16 * parts), 16 * parts))
  }

  static func bounded(_ length: Int32) -> Int32 { min(max(length, Int32(-16 * parts)), Int32(16 * parts)) }
}
