import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("Search")
struct SearchTests {
  /// All parts joined.
  private func all(
    _ shelf: Shelf, _ text: String, _ wanted: Catalogue.Wanted = .tracks, by count: Int = 9
  ) async throws -> [Row] {
    let query = SearchQuery(text)
    var part = try await shelf.catalogue.search(query, for: wanted, count: count)
    var rows = part.rows
    while let next = part.next {
      part = try await shelf.catalogue.search(query, for: wanted, after: next, count: count)
      rows += part.rows
    }
    return rows
  }

  private static let queries = [
    "a", "b", "t", "l", "n", "1", "2", "x", "東", "н", "ω", "lo", "lov", "love", "the", "ab", "abcd", "a b", "b a",
    "the lo", "n t", "l a t", "love the a", "xx b", "!!!", "zoe", "ETE", "été", "strasse", "ноч", "ωμε", "東 京", "NOT",
    "NOT a", "\"quoted\"", "a*", "{title} : a", "a AND b", "(", "*", "-a", "^the", "NEAR(a b)", "\"", "or or", "京 x",
  ]

  @Test("a slow search over an array finds the same files, in the same order of stages and ranks", arguments: [21, 22])
  func reference(seed: UInt64) async throws {
    let shelf = try await Shelf()
    var music = MadeUpMusic(seed: seed)
    for batch in 0..<8 {
      let found = (0..<100).map { music.found(in: shelf.root, named: batch * 60 + $0) }
      try await shelf.catalogue.store(found, today: 1)
      for _ in 0..<60 { try await shelf.catalogue.played(music.key(), at: Int64(music.number(0..<1_000))) }
    }
    let files = try Audit(shelf).files()
    for text in Self.queries {
      let words = Folding.words(text)
      var expected: [(stage: Int, row: Int64, id: Int64)] = []
      for file in files {
        let any = file.words.reduce(Set<String>()) { $0.union($1) }
        func matches(_ all: Set<String>, _ isExact: Bool) -> Bool {
          words.allSatisfy { word in
            // A word that begins another one of the query says nothing of its own.
            let isPart = words.contains { $0 != word && $0.hasPrefix(word) }
            return isPart || all.contains { isExact ? $0 == word : $0.hasPrefix(word) }
          }
        }
        let stages = [
          matches(file.words[0], true), matches(file.words[0], false), matches(any, true), matches(any, false),
        ]
        if !words.isEmpty, let stage = stages.firstIndex(of: true) {
          expected.append((stage, Rank.row(file.rank, file.id), file.id))
        }
      }
      expected.sort { ($0.stage, $0.row) < ($1.stage, $1.row) }
      let found = try await all(shelf, text)
      #expect(found.map(\.id) == expected.map(\.id), "\"\(text)\", seed \(seed)")
      for most in [0, 7, 10_000] {
        let count = try await shelf.catalogue.count(SearchQuery(text), for: .tracks, most: most)
        #expect(count == min(expected.count, most), "\"\(text)\", seed \(seed)")
      }
    }
  }

  @Test("a wheel offers the letters that lead somewhere, all of them and no other", arguments: [31, 32])
  func wheel(seed: UInt64) async throws {
    let shelf = try await Shelf()
    var music = MadeUpMusic(seed: seed)
    let found = (0..<300).map { music.found(in: shelf.root, named: $0) }
    try await shelf.catalogue.store(found, today: 1)
    // What was forgotten leads nowhere any more.
    try await shelf.catalogue.keepOnly(Set(found.prefix(220).map(\.facts.name)), in: shelf.root)
    let letters = try Set(Audit(shelf).files().flatMap { $0.words.flatMap { $0.flatMap(\.unicodeScalars) } })
    var random = SeededGenerator(seed: seed)
    var typed = ["", "l", "lo", "the", "the ", "love ", "a b", "xx", "東", "ωμε ", "quoted\"", "nothing at all "]
    typed += Self.queries.filter { $0.first?.isLetter == true }.shuffled(using: &random).prefix(8)
    for text in typed {
      var expected: [String] = []
      let (before, beginning) = Catalogue.parts(of: text)
      // Some letters do not go on with a word: they begin another.
      for letter in letters.sorted()
      where Folding.words(text + String(letter)) == before + [beginning + String(letter)] {
        var isThere = false
        for wanted in Catalogue.Wanted.allCases where !isThere {
          isThere = try await !all(shelf, text + String(letter), wanted).isEmpty
        }
        if isThere { expected.append(String(letter)) }
      }
      var wheel: [String] = []
      var place: String?
      repeat {
        let part = try await shelf.catalogue.wheel(after: text, behind: place, count: 7)
        #expect(part.letters.count <= 7)
        wheel += part.letters
        place = part.next
      } while place != nil
      #expect(wheel == expected, "\"\(text)\", seed \(seed)")
    }
  }

  @Test("artists and albums are found by the beginnings of their words, much of something first")
  func names() async throws {
    let shelf = try await Shelf()
    var batch: [Found] = []
    for (place, (artist, album)) in [
      ("Blue Note", "A"), ("The Blue", "B"), ("The Blue", "C"), ("The Blue", "Kind of Blue"), ("Red", "Blue"),
    ].enumerated() {
      var metadata = Metadata()
      (metadata.title, metadata.album, metadata.albumArtists) = ("t\(place)", album, [artist])
      let facts = FileFacts(folder: shelf.root, name: [UInt8(65 + place)], size: 1, modified: 1)
      batch.append(Found(facts, .music(metadata, nil)))
    }
    try await shelf.catalogue.store(batch, today: 1)
    #expect(try await all(shelf, "bl", .artists).map(\.title) == ["The Blue", "Blue Note"])
    #expect(try await all(shelf, "blue", .albums).map(\.title) == ["Kind of Blue", "Blue", "A", "B", "C"])
    #expect(try await all(shelf, "ki re", .albums).isEmpty)
    #expect(try await all(shelf, "blue the", .artists).map(\.title) == ["The Blue"])
    #expect(try await all(shelf, "b red").map(\.title) == ["t4"])
    #expect(try await all(shelf, "   ").isEmpty)
  }

  @Test("what is played comes before what is not")
  func played() async throws {
    let shelf = try await Shelf()
    let keys = (0..<3).map { ContentKey(upper: 1, lower: UInt64($0)) }
    try await shelf.catalogue.store(
      keys.enumerated().map { place, key in
        var metadata = Metadata()
        metadata.title = "Air \(place)"
        let facts = FileFacts(folder: shelf.root, name: [UInt8(65 + place)], size: 1, modified: 1)
        return Found(facts, .music(metadata, key))
      }, today: 1)
    #expect(try await all(shelf, "air").map(\.title) == ["Air 0", "Air 1", "Air 2"])
    for _ in 0..<4 { try await shelf.catalogue.played(keys[2], at: 50) }
    try await shelf.catalogue.played(keys[1], at: 60)
    #expect(try await all(shelf, "air").map(\.title) == ["Air 2", "Air 1", "Air 0"])
    #expect(try await shelf.all(.oftenPlayed).map(\.title) == ["Air 2", "Air 1"])
    #expect(try await shelf.all(.recentlyPlayed).map(\.title) == ["Air 1", "Air 2"])
  }

  @Test(
    "a query's words are folded, bounded, and none is the beginning of another",
    arguments: [
      ("the theme", ["theme"]), ("theme the", ["theme"]), ("Été", ["ete"]), ("a a a", ["a"]), ("", []), (" - ", ["-"]),
      ("b a", ["b", "a"]),
    ])
  func words(text: String, words: [String]) { #expect(SearchQuery(text).words == words) }

  @Test("a query has no more words and letters than can be typed")
  func bounds() {
    let long = SearchQuery(String(repeating: "x", count: 5_000))
    #expect(long.words.map(\.count) == [48])
    let many = SearchQuery((0..<500).map { "\($0 + 100)" }.joined(separator: " "))
    #expect(many.words.count == SearchQuery.mostWords)
    // One character to Swift, however many letters it binds together.
    let bound = SearchQuery(String(repeating: "\u{915}\u{94D}", count: 10_000))
    #expect(bound.words.allSatisfy { $0.unicodeScalars.count <= 48 })
    // A mark behind what is no letter stands alone, and binds nothing.
    #expect(SearchQuery("road\u{FFFD}\u{94D}").words == ["road", "\u{94D}"])
  }
}
