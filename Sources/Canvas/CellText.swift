/// Text in a terminal's cells. Foreign text must not steer the terminal: controls are left out.
enum CellText {
  static func clipped(_ text: String, columns: Int) -> [UInt8] {
    var scalars = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars.prefix(VisibleText.longest) {
      guard let width = width(of: scalar) else { continue }
      if used + width > columns { break }
      scalars.append(scalar)
      used += width
    }
    return Array(String(scalars).utf8)
  }

  static func width(of text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + (width(of: $1) ?? 0) } }

  /// Cells it takes; nil for what is not to be written at all.
  private static func width(of scalar: Unicode.Scalar) -> Int? {
    if (0x20..<0x7F).contains(scalar.value) { return 1 }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: return nil
    case .nonspacingMark, .enclosingMark: return 0
    default: return isWide(scalar.value) ? 2 : 1
    }
  }

  /// East Asian scripts and emoji, in whole blocks: a terminal that thinks otherwise shows less of the line, no more.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
