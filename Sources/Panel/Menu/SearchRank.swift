import Application
import Library
import Runtime

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

  /// So many are shown.
  static let mostFound = 150
  /// What the few that are shown while somebody writes are chosen from.
  static let mostRanked = 40

  /// First the best artist, album and two tracks: what is meant is among them. Then what else there is, in the same
  /// order, so that the few that are shown while somebody writes are the first of all. Of each first what is called so,
  /// then what only lies where something is. `search` looks for so many of a kind.
  @MainLoop
  func hits(
    tracks most: Int, _ search: @MainLoop (Browsing.Wanted, _ count: Int) async throws(Fault) -> [Row]
  ) async throws(Fault) -> [Row] {
    var (first, rest) = ([Row](), [Row]())
    for (wanted, best, count) in [(Browsing.Wanted.artists, 1, 3), (.albums, 1, 3), (.tracks, 2, most)] {
      let rows = sorted(try await search(wanted, max(count, Self.mostRanked))).prefix(count)
      first += rows.prefix(best)
      rest += rows.dropFirst(best)
    }
    return Array((first + rest).prefix(Self.mostFound))
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
