import Glibc

/// How likely each candidate of `EncodingGuess` is before the bytes of a text are looked at: parts of 1, in the order
/// of the candidates.
package struct EncodingShares: Equatable, Sendable {
  private(set) var parts: [Float]

  /// Where nothing is known of the neighbours.
  package static let usual = EncodingShares(
    EncodingGuess.Candidate.allCases.map { exp2(-$0.rarity) })

  /// `weights` are brought to a sum of 1.
  private init(_ weights: [Float]) {
    let sum = weights.reduce(0, +)
    parts = weights.map { $0 / sum }
  }

  /// What they are once it is known that some bytes cost so many bits in each.
  func weighed(by costs: [Float]) -> EncodingShares {
    let bits = zip(parts, costs).map { part, cost in cost - log2(max(part, .leastNormalMagnitude)) }
    let least = bits.min() ?? 0
    return EncodingShares(bits.map { exp2(least - $0) })
  }

  /// No neighbour says more against an encoding than this leaves of it, so that no text is read against what is clear
  /// in itself: a share of 1 in 50 for all that the neighbours do not use costs 8.5 bits at most, and a text that leads
  /// by more keeps its own encoding.
  var tempered: EncodingShares {
    EncodingShares(zip(parts, Self.usual.parts).map { (1 - Self.surprise) * $0 + Self.surprise * $1 })
  }

  private static let surprise: Float = 0.02

  var best: EncodingGuess.Candidate {
    let place = parts.indices.max { parts[$0] < parts[$1] } ?? 0
    return EncodingGuess.Candidate(rawValue: place) ?? .western
  }

  /// Of each of several files, what the others make of it: a folder mostly has one encoding, or a few, and each file's
  /// own `costs` say how sure it is of which. Nobody votes on itself.
  static func ofFolder(_ costs: [[Float]]) -> [EncodingShares] {
    var files = costs.map { usual.weighed(by: $0) }
    var priors = files.map { _ in usual }
    // Doubtful files are told by the clear ones, then by each other; it settles in a few rounds.
    for _ in 0..<rounds {
      var sums = [Float](repeating: 0, count: usual.parts.count)
      for file in files { for place in sums.indices { sums[place] += file.parts[place] } }
      for index in files.indices {
        let others = zip(sums, files[index].parts).map { max($0 - $1, 0) }
        priors[index] = EncodingShares(zip(others, usual.parts).map { $0 + stranger * $1 }).tempered
      }
      for index in files.indices { files[index] = priors[index].weighed(by: costs[index]) }
    }
    return priors
  }

  private static let rounds = 6
  /// What counts for encodings that no neighbour has, in files.
  private static let stranger: Float = 0.3
}
