/// Whole numbers to Float and back. Float holds 24 bits exactly, so what has no more bits comes back as it went in.
enum Samples {
  @_noLocks
  static func toFloats(
    _ source: UnsafePointer<Int32>, count: Int, into target: UnsafeMutablePointer<SIMD2<Float>>
  ) {
    let floats = UnsafeMutableRawPointer(target).assumingMemoryBound(to: Float.self)
    for sample in 0..<2 &* count { floats[sample] = Float(source[sample]) * 0x1p-31 }
  }

  @_noLocks
  static func toIntegers(
    _ source: UnsafePointer<SIMD2<Float>>, count: Int, into target: UnsafeMutablePointer<Int32>
  ) {
    let floats = UnsafeRawPointer(source).assumingMemoryBound(to: Float.self)
    for sample in 0..<2 &* count { target[sample] = integer(Double(floats[sample]) * 0x1p31) }
  }

  /// The nearest whole number, held within what an Int32 can be. The language's own conversion traps and cannot be done
  /// for several samples at once. A number this large (1.5 x 2^52) leaves Double no place behind the point and pushes
  /// what is added into the low bits, two's complement and all.
  @inline(__always) @_noLocks
  static func integer(_ value: Double) -> Int32 {
    let above = value > -0x1p31 ? value : -0x1p31
    let held = above < 0x1p31 - 1 ? above : 0x1p31 - 1
    return Int32(truncatingIfNeeded: (held + 0x1.8p52).bitPattern)
  }
}
