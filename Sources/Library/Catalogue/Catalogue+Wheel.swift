import Runtime
import Store

/// What a letter wheel offers: how a search that is being typed can go on.
package struct WheelPart: Equatable, Sendable {
  /// Each leads to something, in the order of the alphabet.
  package var letters: [String]
  /// Nil when there are no more; else the letter to go on behind, which may be one that leads nowhere.
  package var next: String?
}

extension Catalogue {
  /// The letters with which the last word of `typed` can go on, or those that a new one can begin with, so that
  /// something is found; from behind `letter` on. The index is looked at once a letter, however large it is, and what
  /// stands before the last word is looked up with each. Only so many are tried in one go, so that neither a script of
  /// thousands of letters nor a long search holds anybody up.
  package func wheel(after typed: String, behind letter: String? = nil, count: Int) throws(Fault) -> WheelPart {
    let (before, beginning) = Self.parts(of: typed)
    let count = min(max(count, 1), Self.largestPage)
    let mostTried = before.isEmpty ? Self.mostTried : Self.mostLookedUp
    let first = letter?.unicodeScalars.first.flatMap(Self.following)
    var heads: [Unicode.Scalar?] = []
    for table in Self.terms { heads.append(try next(in: table, beginning: beginning, from: first)) }
    var found: [String] = []
    var (tried, last) = (0, letter)
    while let least = heads.compactMap(\.self).min() {
      if found.count == count || tried == mostTried { return WheelPart(letters: found, next: last) }
      if try leads(before, beginning + String(least)) { found.append(String(least)) }
      tried += 1
      last = String(least)
      for (place, table) in Self.terms.enumerated() where heads[place] == least {
        guard let following = Self.following(least) else {
          heads[place] = nil
          continue
        }
        heads[place] = try next(in: table, beginning: beginning, from: following)
      }
    }
    return WheelPart(letters: found, next: nil)
  }

  private static let mostTried = 64
  /// With words before it each letter is a search in all three indexes.
  private static let mostLookedUp = 3

  private static let terms = ["track_terms", "album_terms", "artist_terms"]

  /// Whole words, and the beginning of the one that a letter would go on with: none behind a space, a sign, or a
  /// script in which each letter is a word.
  static func parts(of typed: String) -> (before: [String], beginning: String) {
    var words = Folding.words(String(typed.prefix(256)) + "x")
    let last = words.popLast() ?? "x"
    return (words, String(last.unicodeScalars.dropLast()))
  }

  /// The next letter behind `beginning` in any word of the index.
  private func next(
    in table: String, beginning: String, from first: Unicode.Scalar?
  ) throws(Fault) -> Unicode.Scalar? {
    try connectTerms()
    // No word has either end in it, and what is a whole word already is not gone through.
    let low = beginning + (first.map { String($0) } ?? "\u{1}")
    let word = try opened().first(
      "SELECT term FROM temp.\(table) WHERE term >= ? AND term < ? LIMIT 1",
      [.text(low), .text(beginning + "\u{10FFFF}")]
    ) { $0.text(0) }
    return (word ?? nil)?.unicodeScalars.dropFirst(beginning.unicodeScalars.count).first
  }

  private static func following(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    // What lies between is no letter.
    Unicode.Scalar(scalar.value + 1) ?? Unicode.Scalar(0xE000)
  }

  private func leads(_ before: [String], _ beginning: String) throws(Fault) -> Bool {
    let text = (before + [beginning]).joined(separator: " ")
    // A name of nothing but signs is a word; signs between words are none.
    guard Folding.words(text) == before + [beginning] else { return false }
    if before.isEmpty { return true }
    let query = SearchQuery(text)
    for wanted in Wanted.allCases {
      let prefixes = query.anywhere
      let row = try opened().first(
        "SELECT rowid FROM \(wanted.table) WHERE \(wanted.table) MATCH ? LIMIT 1", [.text(prefixes)]
      ) { $0.integer(0) }
      if row != nil { return true }
    }
    return false
  }

  /// The words of the index as tables, of this connection only: each word is found without counting where it stands.
  private func connectTerms() throws(Fault) {
    guard !hasTerms else { return }
    for (table, words) in zip(Self.terms, ["track_words", "album_words", "artist_words"]) {
      try opened().run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.\(table) USING fts5vocab(main, \(words), instance)")
    }
    hasTerms = true
  }
}
