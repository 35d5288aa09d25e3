/// Words in front of names that nobody looks for.
enum Articles {
  private static let known: Set<String> = [
    "the", "a", "an", "der", "die", "das", "le", "la", "les", "el", "los", "las", "il",
  ]

  /// `folded`, less an article in front that something follows. It is one only when it stands before a space, or is
  /// "l'": A-ha, A. R. Rahman, L7 and LA are none.
  static func without(_ text: String, folded: String) -> Substring {
    var bytes = text.utf8[...].drop { !isLetter($0) && $0 < 0x80 && $0 &- 0x30 > 9 }
    let word = bytes.prefix { isLetter($0) }
    guard (1...3).contains(word.count), !word.elementsEqual("LA".utf8) else { return folded[...] }
    bytes = bytes.dropFirst(word.count)
    let name = String(decoding: word.map { $0 | 0x20 }, as: UTF8.self)
    let isElided = name == "l" && (bytes.first == 0x27 || bytes.starts(with: "’".utf8))
    guard isElided || (bytes.first == 0x20 && known.contains(name)) else { return folded[...] }
    guard folded.utf8.starts(with: name.utf8) else { return folded[...] }
    let rest = folded.utf8.dropFirst(name.utf8.count)
    guard rest.first == 0x20, rest.count > 1 else { return folded[...] }
    return Substring(rest.dropFirst())
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
