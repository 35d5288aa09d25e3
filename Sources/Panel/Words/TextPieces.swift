/// Cuts a text into its sentences, each of which is a row. One that is longer than the panel shows whole is cut behind a
/// comma, a colon or a semicolon, and else between words.
enum TextPieces {
  /// `longest` is in columns; a sign of a wide script takes two.
  static func of(_ text: String, longest: Int) -> [String] {
    sentences(of: text).flatMap { parts(of: $0, longest: longest) }
  }

  private static func sentences(of text: String) -> [String] {
    let signs = Array(text)
    var (sentences, begin) = ([String](), 0)
    for index in signs.indices {
      let isLast = index + 1 == signs.count
      let isEnd =
        signs[index].isNewline || "。！？".contains(signs[index])
        || ".!?؟".contains(signs[index]) && (isLast || signs[index + 1] == " ")
      guard isEnd || isLast else { continue }
      sentences.append(trimmed(signs[begin...index]))
      begin = index + 1
    }
    return sentences.filter { !$0.isEmpty }
  }

  private static func parts(of sentence: String, longest: Int) -> [String] {
    var (rest, parts) = (Array(sentence)[...], [String]())
    while columns(rest) > longest {
      let end = cut(rest, longest: longest)
      parts.append(trimmed(rest[..<end]))
      rest = rest[end...]
    }
    return (parts + [trimmed(rest)]).filter { !$0.isEmpty }
  }

  /// Behind the last sign of the first piece.
  private static func cut(_ signs: ArraySlice<Character>, longest: Int) -> Int {
    var (width, comma, space, end) = (0, Int?.none, Int?.none, signs.startIndex)
    for index in signs.indices {
      width += columns(signs[index...index])
      guard width <= longest else { break }
      end = index + 1
      if signs[index] == " " { space = end }
      if ",:;،؛、".contains(signs[index]), width > longest / 2 { comma = end }
    }
    return comma ?? space ?? max(end, signs.startIndex + 1)
  }

  static func columns(_ signs: some Sequence<Character>) -> Int {
    signs.reduce(0) { sum, sign in
      let scalar = sign.unicodeScalars.first?.value ?? 0
      let isWide =
        0x1100...0x115F ~= scalar || 0x2E80...0xD7A3 ~= scalar || 0xF900...0xFAFF ~= scalar
        || 0xFE30...0xFE4F ~= scalar || 0xFF00...0xFF60 ~= scalar || scalar >= 0x1F300
      return sum + (isWide ? 2 : 1)
    }
  }

  private static func trimmed(_ signs: ArraySlice<Character>) -> String {
    let behind = signs.drop(while: \.isWhitespace)
    return String(behind[..<((behind.lastIndex { !$0.isWhitespace } ?? behind.startIndex - 1) + 1)])
  }
}
