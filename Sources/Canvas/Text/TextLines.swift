/// A text's lines, one below the other.
package struct TextLines: RandomAccessCollection {
  package let face: Face
  let paragraph: Paragraph
  let spans: [Paragraph.Span]

  package var startIndex: Int { 0 }
  package var endIndex: Int { spans.count }
  package subscript(index: Int) -> TextLine { TextLine(face: face, paragraph: paragraph, span: spans[index]) }

  /// None is wider than so many pixels.
  package func fit(_ width: Int) -> Bool { paragraph.fit(spans, size: face.size, width: width) }
}

/// Part of a text that stands on one line, in its letters.
package struct TextLine {
  package let face: Face
  let paragraph: Paragraph
  let span: Paragraph.Span

  package var text: String { paragraph.text(of: span) }

  /// In whole pixels, rounded up.
  package var width: Int { (preciseWidth + 63) / 64 }
  var preciseWidth: Int { Em.scaled(span.width, to: face.size) }

  /// Its text is read from the right.
  package var runsLeft: Bool { paragraph.runsLeft }
}
