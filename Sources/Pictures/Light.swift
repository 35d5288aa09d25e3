import Glibc

/// Colours are stored as the eye sees steps (sRGB), but light adds up in proportion to photons. Edges and small
/// pictures are mixed as light: otherwise thin bright strokes on a dark ground look dirty.
package enum Light {
  package static let full = 4095

  /// sRGB 0...255 to light 0...4095. Plain memory for ever, since it is read for every pixel of an
  /// edge; unsafe by its type only: nobody writes to it once it is made.
  package nonisolated(unsafe) static let fromStep: UnsafePointer<Int32> = {
    let table = UnsafeMutablePointer<Int32>.allocate(capacity: 256)
    for step in 0..<256 { table[step] = Int32((light(Double(step) / 255) * Double(full)).rounded()) }
    return UnsafePointer(table)
  }()

  /// The other way; as above.
  package nonisolated(unsafe) static let toStep: UnsafePointer<UInt8> = {
    let table = UnsafeMutablePointer<UInt8>.allocate(capacity: full + 1)
    for value in 0...full { table[value] = UInt8((step(Double(value) / Double(full)) * 255).rounded()) }
    return UnsafePointer(table)
  }()

  private static func light(_ step: Double) -> Double {
    step <= 0.04045 ? step / 12.92 : pow((step + 0.055) / 1.055, 2.4)
  }

  private static func step(_ light: Double) -> Double {
    light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }
}
