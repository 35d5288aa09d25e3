/// A typeface at a size: it measures and breaks text. What is known of a text is kept in the typeface.
package struct Face {
  static let longestText = VisibleText.longest

  let typeface: Typeface
  package let size: Int

  package var ascent: Int { typeface.height(size: size).ascent }
  package var descent: Int { typeface.height(size: size).descent }
  package var lineHeight: Int {
    let (ascent, descent) = typeface.height(size: size)
    return ascent + descent
  }

  /// In whole pixels, rounded up.
  package func width(of text: String) -> Int { line(of: text).width }

  /// In 64ths of a pixel.
  package func preciseWidth(of text: String) -> Int { line(of: text).preciseWidth }

  /// All of it, however wide it is.
  package func line(of text: String) -> TextLine {
    let paragraph = typeface.texts.paragraph(text, in: typeface)
    return TextLine(face: self, paragraph: paragraph, span: paragraph.whole)
  }

  /// No word is broken in two lines; scripts that are written without blanks may be.
  package func keepsWords(of text: String, width: Int) -> Bool {
    text.split(separator: " ").allSatisfy { word in
      word.unicodeScalars.contains { $0.value >= 0x2E80 } || self.width(of: String(word)) <= width
    }
  }

  /// Breaks `text` between words into at most `count` lines of `width` pixels. A word too long for a line is broken
  /// inside. The last line holds all that is left and may be too wide; where none is, and that is wanted, they become as
  /// equal as they can be.
  package func lines(of text: String, width: Int, atMost count: Int, balanced: Bool = false) -> TextLines {
    let paragraph = typeface.texts.paragraph(text, in: typeface)
    let spans = typeface.texts.spans(of: paragraph, size: size, width: width, atMost: count, balanced: balanced)
    return TextLines(face: self, paragraph: paragraph, spans: spans)
  }

  func placement(of line: TextLine, fitting room: Int? = nil) -> Placement {
    typeface.texts.placement(of: line, size: size, room: room, in: typeface)
  }

  func lay(_ text: String) -> [Placement.Placed] { placement(of: line(of: text)).placed }

  func lay(_ text: String, fitting width: Int) -> [Placement.Placed] {
    placement(of: line(of: text), fitting: width).placed
  }

  static func needsShaping(_ text: String) -> Bool {
    VisibleText.scalars(of: text).contains { ScriptRange.needsShaping($0) }
  }

  func key(_ placed: Placement.Placed, phase: Int) -> Typeface.Key {
    Typeface.Key(file: placed.file, phase: UInt8(phase), size: UInt16(size), glyph: placed.glyph)
  }
}
