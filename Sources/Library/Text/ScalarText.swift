/// Tables are written as text that people can read; they are walked as scalars, without a String in between.
extension StaticString {
  var scalars: [Unicode.Scalar] {
    guard hasPointerRepresentation else { return [unicodeScalar] }
    let bytes = UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    return Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }
}

/// Collects what was decoded and leaves out what nobody can see: a line's end is a space, other control characters are
/// nothing.
struct VisibleText {
  private var bytes: [UInt8] = []

  init(reserving count: Int) { bytes.reserveCapacity(count) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ value: UInt32) {
    switch value {
    case 0x09, 0x0A, 0x0D: bytes.append(0x20)
    case 0x20..<0x7F: bytes.append(UInt8(truncatingIfNeeded: value))
    case 0..<0x20, 0x7F..<0xA0, 0xFEFF: break
    case 0..<0x800:
      bytes.append(0xC0 | UInt8(truncatingIfNeeded: value >> 6))
      bytes.append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    case 0..<0x1_0000:
      bytes.append(0xE0 | UInt8(truncatingIfNeeded: value >> 12))
      bytes.append(0x80 | UInt8(truncatingIfNeeded: (value >> 6) & 0x3F))
      bytes.append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    default:
      bytes.append(0xF0 | UInt8(truncatingIfNeeded: value >> 18))
      bytes.append(0x80 | UInt8(truncatingIfNeeded: (value >> 12) & 0x3F))
      bytes.append(0x80 | UInt8(truncatingIfNeeded: (value >> 6) & 0x3F))
      bytes.append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    }
  }
}
