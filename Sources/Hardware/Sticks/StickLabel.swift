import Runtime

/// A stick's label, cleaned for display. Its bytes can be anything, in the encoding of whatever system wrote them.
package enum StickLabel {
  private static let longest = 40

  /// The upper half of the characters that Windows writes labels of FAT with.
  private static let codePage437 = Array(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"
      .unicodeScalars)

  /// One line, at most 40 characters, nothing that steers a terminal or turns the direction of a line; empty when
  /// nothing can be seen of it.
  package static func shown(_ bytes: [UInt8]) -> String {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    for scalar in scalars(of: bytes.prefix(1_024)) {
      if scalar.properties.isWhitespace || !isPlain(scalar) {
        if !word.isEmpty { words.append(String(word)) }
        word = String.UnicodeScalarView()
      } else {
        word.append(scalar)
      }
    }
    if !word.isEmpty { words.append(String(word)) }
    let all = words.joined(separator: " ")
    // By scalars: one character can have thousands of marks on it.
    guard all.unicodeScalars.count > longest else { return all }
    return String(String.UnicodeScalarView(all.unicodeScalars.prefix(longest - 1))) + "…"
  }

  private static func scalars(of bytes: ArraySlice<UInt8>) -> [Unicode.Scalar] {
    if let text = String(validating: bytes, as: UTF8.self) { return Array(text.unicodeScalars) }
    return bytes.map { byte in
      let place = Int(byte) - 0x80
      return codePage437.indices.contains(place) ? codePage437[place] : Unicode.Scalar(byte)
    }
  }
}
