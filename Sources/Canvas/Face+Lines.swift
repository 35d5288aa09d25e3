extension Face {
  /// Breaks `text` between words into at most `count` lines of `width` pixels. A word too long for a line is broken
  /// inside. The last line holds all that is left and may be too wide.
  package func lines(of text: String, width: Int, atMost count: Int) -> [String] {
    var rest = Substring(String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longestText))))
    var lines: [String] = []
    rest = rest.drop { $0.isWhitespace }
    while !rest.isEmpty, lines.count + 1 < count, self.width(of: String(rest)) > width {
      let end = lineEnd(of: rest, width: width)
      lines.append(String(rest[..<end]).trimmed)
      rest = rest[end...].drop { $0.isWhitespace }
    }
    if !rest.isEmpty { lines.append(String(rest).trimmed) }
    return lines
  }

  /// Where the first line of `text` ends: before the last word that does not fit, or inside the first word.
  private func lineEnd(of text: Substring, width: Int) -> Substring.Index {
    var fits = text.startIndex
    var end = text.startIndex
    while end < text.endIndex {
      let wordEnd = text[end...].drop { $0.isWhitespace }.firstIndex { $0.isWhitespace } ?? text.endIndex
      if self.width(of: String(text[..<wordEnd])) > width { break }
      fits = wordEnd
      end = wordEnd
    }
    if fits > text.startIndex { return fits }
    // At least one character, or the line would never end.
    fits = text.index(after: text.startIndex)
    while fits < text.endIndex {
      let next = text.index(after: fits)
      if self.width(of: String(text[..<next])) > width { break }
      fits = next
    }
    return fits
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
