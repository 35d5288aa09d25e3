/// What may be given to a program that reads aloud: names of tracks come from anywhere, and it would take some of them
/// for orders. Pure.
///
/// eSpeak NG reads `[[...]]` as phonemes and what stands behind a Control-A as commands, markup only when it is asked
/// to; none of that is left here. It gets the text by its standard input, where nothing is an option.
package struct SpokenText: Equatable, Sendable {
  /// Nobody listens to more of one line.
  package static let longest = 200
  /// A letter may carry any number of marks.
  static let mostScalars = 400

  package let text: String

  package init(_ foreign: String) {
    var (plain, scalars) = ("", 0)
    var isAfterSpace = true
    // What is left out counts too, or there would be no end to it.
    for scalar in foreign.unicodeScalars.prefix(10 * Self.longest) {
      if scalar.properties.isWhitespace {
        if !isAfterSpace { plain.append(" ") }
        isAfterSpace = true
        continue
      }
      // A mark without a letter below it would be one more to the space.
      guard let spoken = Self.spoken(scalar), !(isAfterSpace && Self.isMark(spoken)) else { continue }
      if scalars >= Self.mostScalars || plain.count >= Self.longest && !Self.isMark(spoken) { break }
      plain.unicodeScalars.append(spoken)
      scalars += 1
      isAfterSpace = false
    }
    if isAfterSpace, !plain.isEmpty { plain.removeLast() }
    text = plain
  }

  /// Nil for what is no text.
  private static func spoken(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "[": return "("
    case "]": return ")"
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return nil
    default: return scalar
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// There is something in it that can be said.
  package var isEmpty: Bool {
    !text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }
}
