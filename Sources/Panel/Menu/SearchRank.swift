import Library

/// In which order what was found is shown: first what begins with what was written, then what has all its words in its
/// name, then what was found by its artist or album. Equal ones stay as the library has them.
struct SearchRank {
  private let words: [String]
  private let whole: String

  init(_ typed: String) {
    words = Self.words(of: typed)
    whole = words.joined(separator: " ")
  }

  private static func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  func sorted(_ rows: [Row]) -> [Row] {
    rows.enumerated().map { (rank: rank(of: $0.element.title), offset: $0.offset, row: $0.element) }
      .sorted { ($0.rank, $0.offset) < ($1.rank, $1.offset) }.map(\.row)
  }

  private func rank(of title: String) -> Int {
    let own = Self.words(of: title)
    if own.joined(separator: " ").hasPrefix(whole) { return 0 }
    return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } } ? 1 : 2
  }
}
