import Runtime
import Store
import TestSupport
import Testing

@testable import Library

@Suite("Sources")
struct SourcesTests {
  private func tagged(
    _ title: String, album: String? = nil, artists: [String] = [], albumArtists: [String] = []
  ) -> Metadata {
    var metadata = Metadata()
    (metadata.title, metadata.album, metadata.artists, metadata.albumArtists) = (title, album, artists, albumArtists)
    return metadata
  }

  private func found(_ folder: Int64, _ name: String, _ metadata: Metadata, key: UInt64? = nil) -> Found {
    let facts = FileFacts(folder: folder, name: Array(name.utf8), size: 10, modified: 20)
    return Found(facts, .music(metadata, key.map { ContentKey(upper: 0, lower: $0) }))
  }

  @Test("a source that goes and comes back changes what is present and nothing else")
  func absence() async throws {
    let shelf = try await Shelf()
    let catalogue = shelf.catalogue
    var music = MadeUpMusic(seed: 31)
    try await catalogue.store((0..<80).map { music.found(in: shelf.root, named: $0) }, today: 1)
    for _ in 0..<50 { try await catalogue.played(music.key(), at: Int64(music.number(0..<100))) }
    let lists: [List] = [.artists, .albums(.music), .tracks(.music), .genres, .recentlyPlayed, .folder(shelf.root)]
    func all() async throws -> [[Row]] {
      var rows: [[Row]] = []
      for list in lists { rows.append(try await shelf.all(list)) }
      return rows
    }
    let before = try await all()
    try await catalogue.setPresent(shelf.source, false)
    let away = try await all()
    #expect(away.joined().allSatisfy { !$0.isPresent })
    #expect(away.map { $0.map(\.id) } == before.map { $0.map(\.id) })
    let again = try await catalogue.source(
      .stick, key: Array("1234-ABCD".utf8), label: "Blue stick", root: FilePath("/media/other"), today: 9)
    #expect(again == shelf.source)
    #expect(try await all() == before)
    #expect(before.joined().allSatisfy { $0.isPresent })
  }

  @Test("a source is forgotten in slices, between which others are answered; what was played keeps its counts")
  func forgotten() async throws {
    let shelf = try await Shelf()
    let catalogue = shelf.catalogue
    let inner = try await catalogue.folder(Array("inner".utf8), in: shelf.root, of: shelf.source)
    for batch in 0..<3 {
      let files = (0..<200).map { number in
        let folder = number % 2 == 0 ? shelf.root : inner
        return found(folder, "\(batch) \(number)", tagged("Air \(number)"), key: UInt64(batch * 200 + number))
      }
      try await catalogue.store(files, today: 1)
    }
    let key = ContentKey(upper: 0, lower: 7)
    try await catalogue.played(key, at: 100)
    let source = shelf.source
    let gone = Task { () -> Catalogue.Forgotten? in
      try? await catalogue.forget(source: source)
    }
    var seen: Set<Int64> = []
    while let tracks = try? await catalogue.survey().tracks, tracks > 0 { seen.insert(tracks) }
    #expect(await gone.value == Catalogue.Forgotten(files: 600, folders: 2, playlists: 0))
    #expect(seen.contains { 0 < $0 && $0 < 600 }, "others had their turn")
    #expect(try await catalogue.sources().isEmpty)
    #expect(try await catalogue.count(of: key)?.plays == 1)
  }

  @Test("a copy shares its counts with what it was copied from, and a moved file keeps them")
  func copies() async throws {
    let shelf = try await Shelf()
    let catalogue = shelf.catalogue
    let key = ContentKey(upper: 0, lower: 5)
    try await catalogue.played(key, at: 100)
    try await catalogue.store([found(shelf.root, "a", tagged("Air"), key: 5)], today: 1)
    try await catalogue.store([found(shelf.root, "b", tagged("Air"), key: 5)], today: 1)
    #expect(try await shelf.all(.recentlyPlayed).count == 1)
    #expect(try await shelf.all(.tracks(.music)).count == 2)
    try await catalogue.keepOnly([], in: shelf.root)
    #expect(try await shelf.all(.recentlyPlayed).isEmpty)
    try await catalogue.store([found(shelf.root, "c", tagged("Air"), key: 5)], today: 1)
    try await catalogue.played(key, at: 90)
    #expect(try await catalogue.count(of: key) == Catalogue.Count(key: key, plays: 2, lastPlayed: 100))
    #expect(try await shelf.all(.oftenPlayed).map(\.title) == ["Air"])
    // Totals from elsewhere that are higher take the place of ours, however often they come; lower ones do not.
    for _ in 0..<2 { try await catalogue.restore([.init(key: key, plays: 7, lastPlayed: 300)]) }
    #expect(try await catalogue.count(of: key) == Catalogue.Count(key: key, plays: 7, lastPlayed: 300))
    try await catalogue.restore([.init(key: key, plays: 1, lastPlayed: 400)])
    #expect(try await catalogue.count(of: key) == Catalogue.Count(key: key, plays: 7, lastPlayed: 400))
    try await catalogue.restore([.init(key: key, plays: 0, lastPlayed: 500)])
    #expect(try await catalogue.count(of: key)?.lastPlayed == 400)
  }

  @Test("which files are one album")
  func albums() async throws {
    let shelf = try await Shelf()
    let catalogue = shelf.catalogue
    func folder(_ name: String, in parent: Int64) async throws -> Int64 {
      try await catalogue.folder(Array(name.utf8), in: parent, of: shelf.source)
    }
    let box = try await folder("Box", in: shelf.root)
    let (one, two) = (try await folder("CD 1", in: box), try await folder("Disc02", in: box))
    let other = try await folder("Other", in: shelf.root)
    let batch = [
      // Discs in folders of their own, nobody said as the album's artist.
      found(one, "1", tagged("a", album: "Songs", artists: ["Ann"])),
      found(two, "1", tagged("b", album: "Songs (Disc 2)", artists: ["Ann"])),
      // The same title elsewhere is another album.
      found(other, "1", tagged("c", album: "Songs", artists: ["Bob"])),
      // Several people and no album artist: a collection.
      found(other, "2", tagged("d", album: "Hits", artists: ["Ann"])),
      found(other, "3", tagged("e", album: "Hits", artists: ["Bob"])),
      // An album artist joins whatever lies where it likes.
      found(other, "4", tagged("f", album: "Été", artists: ["Ann", "Bob"], albumArtists: ["Cleo"])),
      found(one, "4", tagged("g", album: "ETE", artists: ["Bob"], albumArtists: ["CLEO"])),
      found(one, "5", tagged("h")),
    ]
    try await catalogue.store(batch, today: 1)
    let albums = try await shelf.all(.albums(.music))
    #expect(
      albums.map { "\($0.title)/\($0.detail)/\($0.count)" } == ["Été/Cleo/2", "Hits//2", "Songs/Ann/2", "Songs/Bob/1"])
    let songs = try await shelf.all(.tracksOf(album: try #require(albums.dropFirst(2).first).id))
    #expect(songs.map { "\($0.disc) \($0.title)" } == ["1 a", "2 b"])
    let artists = try await shelf.all(.artists)
    #expect(artists.map { "\($0.title) \($0.count)" } == ["Ann 3", "Bob 3", "Cleo 1"])
    // The collection becomes one person's when the other's file goes.
    try await catalogue.keepOnly(Set(["1", "2", "4"].map { Array($0.utf8) }), in: other)
    #expect(try await shelf.all(.albums(.music)).map(\.detail) == ["Cleo", "Ann", "Ann", "Bob"])
    try Audit(shelf).check("albums")
  }

  @Test("what is known of a folder tells the changed from the unchanged")
  func known() async throws {
    let shelf = try await Shelf()
    let file = found(shelf.root, "a", tagged("Air"))
    let bad = Found(FileFacts(folder: shelf.root, name: [0xFF], size: 3, modified: 4), .unreadable("no header"))
    let ids = try await shelf.catalogue.store([file, bad], today: 1)
    let known = try await shelf.catalogue.known(in: shelf.root)
    #expect(known.count == 2 && known[file.facts.name]?.isStill(file.facts) == true && known[[0xFF]]?.id == ids[1])
    var changed = file
    changed.facts.modified += 1
    #expect(known[file.facts.name]?.isStill(changed.facts) == false)
    #expect(try await shelf.catalogue.store([changed], today: 2) == [ids[0]])
    #expect(try await shelf.catalogue.path(of: ids[1])?.bytes == Array("/media/blue/".utf8) + [0xFF])
    #expect(try await shelf.catalogue.file(at: FilePath("/media/blue/a")) == ids[0])
    #expect(try await shelf.catalogue.file(at: FilePath("/media/blues/a")) == nil)
    #expect(try await shelf.catalogue.problems(count: 10).map(\.detail) == ["no header"])
    let survey = try await shelf.catalogue.survey()
    #expect(survey.tracks == 1 && survey.unreadable == 1 && survey.folders == 1)
  }

  @Test("an encoding that somebody chose holds below its folder, and what was guessed there is read again")
  func encodings() async throws {
    let shelf = try await Shelf()
    let catalogue = shelf.catalogue
    let inner = try await catalogue.folder(Array("inner".utf8), in: shelf.root, of: shelf.source)
    var guessed = tagged("Ночь")
    guessed.encoding = .koi8r
    try await catalogue.store([found(inner, "a", guessed), found(inner, "b", tagged("Air"))], today: 1)
    #expect(try await catalogue.encoding(of: inner) == nil)
    try await catalogue.setEncoding(.gbk, ofSource: shelf.source)
    #expect(try await catalogue.encoding(of: inner) == .gbk)
    try await catalogue.store([found(inner, "a", guessed)], today: 1)
    try await catalogue.setEncoding(.cp1251, of: shelf.root)
    #expect(try await catalogue.encoding(of: inner) == .cp1251)
    let known = try await catalogue.known(in: inner)
    #expect(known[[97]]?.size == -1 && known[[98]]?.size == 10)
    try await catalogue.setEncoding(nil, of: shelf.root)
    #expect(try await catalogue.encoding(of: inner) == .gbk)
  }

  @Test("a playlist's entries outlive their files as what was written")
  func playlists() async throws {
    let shelf = try await Shelf()
    let catalogue = shelf.catalogue
    let ids = try await catalogue.store([found(shelf.root, "a", tagged("Air"))], today: 1)
    let facts = FileFacts(folder: shelf.root, name: Array("x.m3u".utf8), size: 1, modified: 1)
    let entries: [FoundPlaylist.Entry] = [
      .init(file: ids[0], written: Array("a".utf8), begins: .milliseconds(1_500)),
      .init(file: nil, written: Array("C:\\gone.mp3".utf8), title: "Gone"),
    ]
    let list = try await catalogue.store(FoundPlaylist(facts, title: "Mine", entries: entries))
    #expect(try await shelf.all(.playlists).map { "\($0.title) \($0.count)" } == ["Mine 2"])
    #expect(try await shelf.all(.playlist(list)).map(\.title) == ["Air", "Gone"])
    #expect(try await catalogue.entries(of: list) == entries)
    #expect(try await catalogue.known(in: shelf.root)[facts.name]?.kind == .playlist)
    try await catalogue.keepOnly([facts.name], in: shelf.root)
    #expect(try await shelf.all(.playlist(list)).map(\.kind) == [.missing, .missing])
    try await catalogue.keepOnly([], in: shelf.root)
    #expect(try await shelf.all(.playlists).isEmpty)
  }

  @Test("long and strange texts are bounded, and a batch has its limit")
  func bounds() async throws {
    let shelf = try await Shelf()
    let long = String(repeating: "é long name ", count: 100_000)
    var metadata = tagged(long, album: long, artists: Array(repeating: long, count: 50))
    (metadata.genres, metadata.track, metadata.disc, metadata.year) = ([long], .max, .min, 7)
    try await shelf.catalogue.store([found(shelf.root, "a", metadata, key: 1)], today: 1)
    let row = try #require(try await shelf.all(.tracks(.music)).first)
    #expect(row.title.utf8.count <= 512 && row.number == 0 && row.disc == 0)
    try Audit(shelf).check("long")
    let many = (0...Catalogue.largestBatch).map { found(shelf.root, "\($0)", tagged("x")) }
    #expect(try await isFault { try await shelf.catalogue.store(many, today: 1) })
  }
}
