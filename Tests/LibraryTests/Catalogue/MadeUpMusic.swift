import Library
import Runtime
import TestSupport

/// Files that nobody recorded: names skewed as in life, in several scripts, some copied, some broken.
struct MadeUpMusic {
  private var random: SeededGenerator
  private static let words = [
    "the", "love", "Air", "a", "I", "Été", "10", "2", "Blue", "blues", "Ωμέγα", "ночь", "Ночью", "東", "京", "night",
    "!!!", "Straße", "lover", "b", "bat", "Zoë", "(live)", "*", "NOT", "\"quoted\"", "ábc", "abcd", "xx", "OR",
  ]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Small numbers far more often than large ones.
  mutating func skewed(_ limit: Int) -> Int {
    Int.random(in: 0..<Int.random(in: 1...limit, using: &random), using: &random)
  }

  mutating func text(_ most: Int) -> String {
    (0...skewed(most)).map { _ in Self.words[skewed(Self.words.count)] }.joined(separator: " ")
  }

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func metadata() -> Metadata {
    var metadata = Metadata()
    metadata.title = chance(12) ? nil : text(4)
    metadata.album = chance(8) ? nil : text(2) + (chance(9) ? " (Disc 2)" : "")
    metadata.artists = chance(10) ? [] : (0...skewed(3)).map { _ in text(1) }
    if chance(2) { metadata.albumArtists = [text(1)] }
    if chance(9) { metadata.titleSort = text(2) }
    if chance(4) { metadata.composers = [text(1)] }
    metadata.genres = (0..<skewed(3)).map { _ in text(1) }
    metadata.kind = chance(9) ? .book : .music
    metadata.track = chance(7) ? nil : number(1..<20)
    metadata.disc = chance(4) ? number(1..<4) : nil
    metadata.year = chance(3) ? nil : number(1950..<2026)
    metadata.codec = "FLAC"
    (metadata.rate, metadata.frames) = (44_100, Int64(number(1..<20_000_000)))
    return metadata
  }

  mutating func found(in folder: Int64, named number: Int) -> Found {
    let facts = FileFacts(
      folder: folder, name: Array("\(number).flac".utf8), size: Int64(self.number(1..<1_000_000)), modified: 5)
    if chance(20) { return Found(facts, .unreadable("nonsense where a header should be")) }
    return Found(facts, .music(metadata(), chance(15) ? nil : key()))
  }

  mutating func key() -> ContentKey { ContentKey(upper: 7, lower: UInt64(skewed(300))) }
}

/// A catalogue of its own, with one source.
struct Shelf {
  let folder = TempFolder()
  let catalogue: Catalogue
  let source: Int64
  let root: Int64

  init() async throws {
    let loop = try EventLoop("library", mayBlock: true)
    try loop.start()
    catalogue = Catalogue(in: folder.path, on: loop)
    _ = try await catalogue.open(afterUncleanStop: false, today: "2026-11-21")
    source = try await catalogue.source(
      .stick, key: Array("1234-ABCD".utf8), label: "Blue stick", root: FilePath("/media/blue"), today: 1)
    root = try await catalogue.folder([], in: nil, of: source)
  }

  /// All of a list, page by page.
  func all(_ list: List, by count: Int = 7) async throws -> [Row] {
    var page = try await catalogue.page(of: list, count: count)
    var rows = page.rows
    while let next = page.next {
      page = try await catalogue.page(of: list, after: next, count: count)
      rows += page.rows
    }
    return rows
  }
}

/// Whether a call of an actor ended in a fault.
func isFault(_ body: () async throws -> Void) async throws -> Bool {
  do { try await body() } catch is Fault { return true }
  return false
}
