/// Words that somebody types, as the index is asked for them. Each is the beginning of a word, in any order.
package struct SearchQuery: Equatable, Sendable {
  /// How well a row matches, best first. A row belongs to the first one that it meets.
  enum Stage: Int, CaseIterable {
    /// All words as they are, in the title.
    case titleExact
    case titlePrefix
    /// In title, artist and album together.
    case exact
    case prefix
  }

  static let mostWords = 8
  private static let longestWord = 48
  private static let longestText = 256

  /// The first `count` scalars of a text. Characters are no bound: one can have a megabyte of marks.
  private static func beginning(_ text: String, _ count: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
  }

  /// Folded; none is the beginning of another, which would say nothing more.
  let words: [String]

  package init(_ text: String) {
    var words: [String] = []
    // What is pasted is no longer than what is typed.
    for word in Folding.words(Self.beginning(text, Self.longestText)) {
      let word = Self.beginning(word, Self.longestWord)
      guard !words.contains(where: { $0.hasPrefix(word) }) else { continue }
      words.removeAll { word.hasPrefix($0) }
      words.append(word)
    }
    self.words = Array(words.suffix(Self.mostWords))
  }

  package var isEmpty: Bool { words.isEmpty }

  /// What FTS5 is asked in a stage: what the stage wants, without what an earlier one gave. Every word stands in
  /// quotes, where nothing means anything but itself.
  func match(_ stage: Stage, title: String) -> String {
    let exact = words.map { Self.quoted($0) }.joined(separator: " AND ")
    let prefix = words.map { Self.quoted($0) + "*" }.joined(separator: " AND ")
    return switch stage {
    case .titleExact: "{\(title)} : (\(exact))"
    case .titlePrefix: "({\(title)} : (\(prefix))) NOT ({\(title)} : (\(exact)))"
    case .exact: "(\(exact)) NOT ({\(title)} : (\(prefix)))"
    case .prefix: "(\(prefix)) NOT (({\(title)} : (\(prefix))) OR (\(exact)))"
    }
  }

  /// All words as beginnings, wherever they stand.
  var anywhere: String { words.map { Self.quoted($0) + "*" }.joined(separator: " AND ") }

  private static func quoted(_ word: String) -> String {
    "\"" + word.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
