/// Texts as the catalogue compares, orders and finds them, with bounds: a tag may be as long as its file.
enum Words {
  private static let longestText = 512
  private static let longestSort = 64
  private static let mostWords = 48

  /// What is kept and shown.
  static func bounded(_ text: String) -> String {
    guard text.utf8.count > longestText else { return text }
    var length = 0
    return String(
      text.prefix { character in
        length += character.utf8.count
        return length <= longestText
      })
  }

  static func sort(_ text: String) -> [UInt8] { Array(Folding.sortKey(text).prefix(longestSort)) }

  /// Who is written alike is the same. What folds to nothing is only itself.
  static func identity(_ text: String) -> String {
    let folded = Folding.folded(text)
    return folded.isEmpty ? text : folded
  }

  /// For the index; the same again for what is taken out of it.
  static func indexed(_ texts: [String]) -> String {
    var seen: Set<String> = []
    var words: [String] = []
    for text in texts {
      for word in Folding.words(text) where words.count < mostWords && seen.insert(word).inserted { words.append(word) }
    }
    return words.joined(separator: " ")
  }

  /// "3 17 5"
  static func list(_ ids: [Int64]) -> String { ids.map { "\($0)" }.joined(separator: " ") }
  static func ids(_ list: String?) -> [Int64] {
    guard let list else { return [] }
    // Most lists have one.
    if let one = Int64(list) { return [one] }
    return list.split(separator: " ").compactMap { Int64($0) }
  }
}
