/// The texts of one file that do not say how they are written. Each is decided by itself where it is clear: one file may
/// have a title in Cyrillic and an artist in UTF-8 or in Latin letters with accents. Where a text alone is doubtful, the
/// others of its file help, and those of its folder.
///
/// It is a value, and keeps no text: what each one tells by itself.
package struct UndeclaredTexts: Sendable {
  private var guesses: [EncodingGuess] = []

  package init() {}

  package var isEmpty: Bool { guesses.isEmpty }

  package mutating func add(_ bytes: some Collection<UInt8>) {
    var guess = EncodingGuess()
    guess.add(bytes)
    guesses.append(guess)
  }

  /// What each is written in, in the order in which they were added.
  /// - Parameter folder: what the file's neighbours make likely.
  package func encodings(in folder: EncodingShares = .usual) -> [TextEncoding] {
    let all = costs
    return guesses.map { guess in
      if guess.isCertain {
        guard let clear = Self.clear(all), guess.isChance(beside: clear) else { return guess.best }
        return clear.encoding
      }
      let own = guess.costs
      let others = all.map { zip($0, Self.bounded(own)).map { max($0 - $1, 0) } }
      let likely = others.map { folder.weighed(by: $0) } ?? folder
      return guess.encoding(of: likely.tempered.weighed(by: own).best)
    }
  }

  /// What the whole file costs in each candidate, in bits; nil where all of it is proven to be UTF-8 or UTF-16.
  var costs: [Float]? {
    var sums: [Float]?
    for guess in guesses where guess.proven == nil {
      let own = Self.bounded(guess.costs)
      sums = sums.map { zip($0, own).map { $0 + $1 } } ?? own
    }
    return sums
  }

  /// The one that is ahead of the others by as much as makes a text certain.
  private static func clear(_ costs: [Float]?) -> EncodingGuess.Candidate? {
    guard let costs else { return nil }
    let sorted = EncodingGuess.Candidate.allCases.sorted { costs[$0.rawValue] < costs[$1.rawValue] }
    return costs[sorted[1].rawValue] - costs[sorted[0].rawValue] >= EncodingGuess.clearLead ? sorted[0] : nil
  }

  /// One long text is not to outvote several others.
  private static func bounded(_ costs: [Float]) -> [Float] { costs.map { min($0, most) } }
  private static let most: Float = 40
}
