/// Finds the word that was probably meant.
package enum Spelling {
  /// The nearest of `words`, when it is near enough that the writer would say "of course".
  package static func nearest(to word: String, among words: [String]) -> String? {
    let limit = max(1, min(3, word.utf8.count / 3))
    // What is far longer than any word is none, and is not folded once for each of them.
    let beginning = String(String.UnicodeScalarView(word.unicodeScalars.prefix(64)))
    let typed = Array(beginning.lowercased().utf8.prefix(64))
    var best: (word: String, distance: Int)?
    for candidate in words {
      let distance = distance(from: typed, to: Array(candidate.utf8.prefix(64)))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    if let best { return best.word }
    // The beginning of one word alone: "vol" for "volume".
    let begun = words.filter { $0.hasPrefix(word.lowercased()) }
    return word.utf8.count > 1 && begun.count == 1 ? begun[0] : nil
  }

  /// Letters added, dropped, changed, or swapped with their neighbour.
  package static func distance(from word: [UInt8], to other: [UInt8]) -> Int {
    var before: [Int] = []
    var row = Array(0...other.count)
    for (i, letter) in word.enumerated() {
      var next = [i + 1]
      for (j, target) in other.enumerated() {
        var cost = min(row[j + 1] + 1, next[j] + 1, row[j] + (letter == target ? 0 : 1))
        if i > 0, j > 0, letter == other[j - 1], word[i - 1] == target { cost = min(cost, before[j - 1] + 1) }
        next.append(cost)
      }
      (before, row) = (row, next)
    }
    return row[other.count]
  }
}
