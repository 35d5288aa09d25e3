import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("What indexes say of files")
struct IndexFactsTests {
  private static var said: IndexFacts {
    var facts = IndexFacts(name: "1")
    (facts.title, facts.artist, facts.album) = ("Said", "A, B", "Album")
    (facts.albumArtist, facts.disc, facts.track) = ("C", 2, 3)
    return facts
  }

  @Test("the index goes before the tags, the tags before the name, and what both say alike stays as the tags have it")
  func order() {
    var tagged = Metadata()
    (tagged.title, tagged.artists, tagged.artistSort) = ("Tagged", ["A", "B"], "B, A")
    (tagged.titleSort, tagged.album, tagged.albumSort, tagged.track) = ("Tagged, The", "Album", "Album, An", 9)
    var taken = tagged
    taken.take(Self.said)
    #expect(taken.title == "Said" && taken.titleSort == nil)
    #expect(taken.artists == ["A", "B"] && taken.artistSort == "B, A")
    #expect(taken.album == "Album" && taken.albumSort == "Album, An")
    #expect(taken.albumArtists == ["C"] && taken.disc == 2 && taken.track == 3)
    var named = tagged
    named.take(IndexFacts(name: "1"))
    #expect(named == tagged)
    var empty = Metadata()
    empty.take(IndexFacts(name: "1"))
    #expect(empty.title == "1" && empty.artists.isEmpty)
  }

  @Test("a stored file is called by its index, or by nothing; the same digits elsewhere are a name like any other")
  func named() {
    let sum = String(repeating: "ab", count: 16)
    #expect(Track(named: FilePath("/kept/ab/\(sum).flac")).title.isEmpty)
    for path in ["/music/cd/\(sum).flac", "/kept/ab/\(sum.dropLast()).flac", "/kept/ab/\(sum.uppercased()).flac"] {
      #expect(Track(named: FilePath(path)).title == FilePath(path).name.description.dropLast(5), "\(path)")
    }
  }
}
