/// Which letters cannot be set one after the other as they are, and which belong together. By ranges of Unicode: whole
/// scripts have their own.
enum ScriptRange {
  /// Letters that join, stand in each other's place, run to the left, or carry others.
  private static let shaped: [ClosedRange<UInt32>] = [
    0x0300...0x036F, 0x0590...0x109F, 0x1700...0x18AF, 0x1900...0x1CFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF,
    0xA800...0xABFF, 0xFB1D...0xFDFF, 0xFE20...0xFE2F, 0xFE70...0xFEFE, 0x10800...0x11FFF, 0x1E800...0x1EFFF,
  ]

  static func needsShaping(_ scalar: Unicode.Scalar) -> Bool {
    // Nearly all text ends here.
    if scalar.value < 0x300 { return false }
    // What runs to the left is put in order there.
    if scalar.value == 0x200F { return true }
    return shaped.contains { $0.contains(scalar.value) }
  }

  /// The same for letters of one script; nil for what any may use: spaces, digits, signs, accents.
  static func script(of scalar: Unicode.Scalar) -> UInt32? {
    switch scalar.value {
    case 0x0300...0x036F: return nil
    // Arabic and its forms, which are spread out.
    case 0x0600...0x06FF, 0x0750...0x077F, 0x0870...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFE: return 0x0600
    case 0x0590...0x05FF, 0xFB1D...0xFB4F: return 0x0590
    case 0x0E00...0x0E7F: return 0x0E00
    default: break
    }
    guard scalar.properties.isAlphabetic else { return nil }
    // Each Indian script has a block of its own, of this size.
    return (0x0700...0x1CFF).contains(scalar.value) ? scalar.value & ~0x7F : 1
  }
}
