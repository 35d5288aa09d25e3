/// A typeface at a size: it measures and breaks text. Text from files is foreign: what is not to be seen is left out,
/// and after `longestText` scalars it ends.
package struct Face {
  static let longestText = 1_000

  let typeface: Typeface
  package let size: Int

  package var ascent: Int { typeface.files[0].height(size: size).ascent }
  package var descent: Int { typeface.files[0].height(size: size).descent }
  package var lineHeight: Int { ascent + descent }

  /// In whole pixels, rounded up.
  package func width(of text: String) -> Int { (preciseWidth(of: text) + 63) / 64 }

  /// In 64ths of a pixel.
  package func preciseWidth(of text: String) -> Int { lay(text).last?.end ?? 0 }

  /// One glyph on its place in a line; lengths in 64ths of a pixel from the line's start.
  struct Placed: Equatable {
    let file: Int
    let glyph: UInt32
    let x: Int
    let end: Int
    /// It belongs to the glyph before it (an accent) and is not cut off from it.
    let clings: Bool
    let isSpace: Bool
    /// Above the line.
    var y = 0
  }

  func lay(_ text: String, from start: Int = 0) -> [Placed] {
    if Self.needsShaping(text), let line = shape(Self.visible(text), from: start) { return line }
    return set(text, from: start)
  }

  /// One letter after the other, each for itself.
  private func set(_ text: String, from start: Int) -> [Placed] {
    var line: [Placed] = []
    var pen = start
    for scalar in text.unicodeScalars.prefix(Self.longestText) {
      guard let visible = Self.visible(scalar) else { continue }
      let (file, glyph) = typeface.find(visible)
      if let before = line.last, before.file == file, glyph != 0 {
        pen += typeface.files[file].kerning(before.glyph, glyph, size: size)
      }
      let advance = typeface.glyph(key(file: file, glyph: glyph, phase: 0)).advance
      let clings = visible.properties.generalCategory == .nonspacingMark
      line.append(
        Placed(file: file, glyph: glyph, x: pen, end: pen + advance, clings: clings, isSpace: visible == " "))
      pen += advance
    }
    return line
  }

  /// The line, or as much of its start as fits `width` pixels together with an ellipsis.
  func lay(_ text: String, fitting width: Int) -> [Placed] {
    var line = lay(text)
    guard let last = line.last, last.end > width * 64 else { return line }
    let ellipsis = typeface.files.contains { $0.glyph(of: "…") != nil } ? "…" : "..."
    if Self.needsShaping(text) { return lay(beginningOf: text, ellipsis, fitting: width) }
    let room = width * 64 - preciseWidth(of: ellipsis)
    while let last = line.last, last.end > room || last.clings || last.isSpace {
      // An accent that fits stays on its letter.
      if last.clings && last.end <= room { break }
      line.removeLast()
    }
    return line + lay(ellipsis, from: line.last?.end ?? 0)
  }

  /// Letters that join are cut off where they are read last, wherever that is drawn.
  private func lay(beginningOf text: String, _ ellipsis: String, fitting width: Int) -> [Placed] {
    let letters = Array(String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longestText))))
    var (fits, tooMany) = (0, letters.count)
    while tooMany - fits > 1 {
      let middle = (fits + tooMany) / 2
      let isFitting = preciseWidth(of: String(letters[..<middle]) + ellipsis) <= width * 64
      if isFitting { fits = middle } else { tooMany = middle }
    }
    let kept = letters[..<fits].reversed().drop { $0.isWhitespace }.reversed()
    return lay(String(kept) + ellipsis)
  }

  static func needsShaping(_ text: String) -> Bool {
    text.utf8.count != text.utf16.count
      && text.unicodeScalars.prefix(longestText).contains { ScriptRange.needsShaping($0) }
  }

  private static func visible(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.prefix(longestText).compactMap { joiners.contains($0.value) ? $0 : visible($0) }
  }

  func key(file: Int, glyph: UInt32, phase: Int) -> Typeface.Key {
    Typeface.Key(file: UInt8(file), phase: UInt8(phase), size: UInt16(size), glyph: glyph)
  }

  /// Line ends and tabs become spaces; controls and marks that only steer a layout are not seen.
  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x20..<0x7F: return scalar
    case 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029, 0xA0: return " "
    case 0xFE00...0xFE0F: return nil
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate: return nil
    default: return scalar
    }
  }
}
