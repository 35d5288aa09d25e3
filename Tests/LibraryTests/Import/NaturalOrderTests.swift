import Runtime
import Store
import TestSupport
import Testing

@testable import Library

/// Folders of files without track numbers, by every way in which they are asked for.
@Suite("Natural order")
struct NaturalOrderTests {
  /// A file with an album, and neither number nor title.
  private static func file(_ album: String, sound: UInt64, albumArtist: String? = nil) -> [UInt8] {
    var frames = Bytes.text(3, "TALB", 0, Array(album.utf8))
    if let albumArtist { frames += Bytes.text(3, "TPE2", 0, Array(albumArtist.utf8)) }
    var music = Bytes.mpeg(4)
    music[100] = UInt8(sound)
    return Bytes.id3(3, frames) + music
  }

  private func imported(_ names: [String], file: (String, UInt64) -> [UInt8]) async throws -> MusicTree {
    let tree = try MusicTree()
    for (number, name) in names.enumerated() { try tree.write(name, file(name, UInt64(number + 1))) }
    try await tree.open()
    try await tree.run()
    return tree
  }

  private func paths(_ list: List, _ tree: MusicTree, by count: Int = 500) async throws -> [String] {
    var (found, place): ([String], PageKey?) = ([], nil)
    repeat {
      let page = try await tree.catalogue.page(of: list, after: place, count: count)
      for row in page.rows {
        let path = try #require(try await tree.catalogue.path(of: row.id))
        found.append(String("\(path)".dropFirst("\(tree.music.path)/".count)))
      }
      place = page.next
    } while place != nil
    return found
  }

  private func album(_ tree: MusicTree) async throws -> List {
    let albums = try await tree.catalogue.page(of: .albums(.music), count: 10).rows
    try #require(albums.count == 1)
    return .tracksOf(album: albums[0].id)
  }

  private static let long = String(repeating: "A very long title of a book, ", count: 6)

  @Test(
    "an album without track numbers is played as its files are called: 1, 2, 10",
    arguments: [
      ["1.mp3", "2.mp3", "10.mp3", "11.mp3", "100.mp3"],
      ["Track 8.mp3", "track 9.mp3", "Track 10.mp3"],
      [long + "2.mp3", long + "10.mp3"],
      ["é 2.mp3", "E 10.mp3"],
    ])
  func album(names: [String]) async throws {
    let tree = try await imported(names.map { "x/\($0)" }) { _, sound in Self.file("Air", sound: sound) }
    let wanted = names.map { "x/\($0)" }
    let album = try await album(tree)
    #expect(try await paths(album, tree) == wanted)
    #expect(try await paths(album, tree, by: 1) == wanted)
    let folder = try #require(try await tree.catalogue.folder(at: tree.path("x")))
    #expect(try await paths(.folder(folder), tree) == wanted)
    #expect(try MusicFiles.at(tree.path("x"), most: 100) == wanted.map { tree.path($0) })
    var played: [FilePath?] = []
    for row in await tree.found(album) { played.append(try await tree.catalogue.path(of: row.id)) }
    #expect(played == wanted.map { tree.path($0) })
  }

  @Test("folders of discs are played disc by disc, though no file says its disc, with track numbers and without")
  func discs() async throws {
    let names = ["CD1/1.mp3", "CD1/2.mp3", "CD2/1.mp3", "CD2/2.mp3", "CD10/1.mp3"]
    let without = try await imported(names.map { "x/\($0)" }) { _, sound in Self.file("Air", sound: sound) }
    #expect(try await paths(try await album(without), without) == names.map { "x/\($0)" })
    let with = try await imported(names) { name, sound in
      let number = name.contains("/1") ? 1 : 2
      return TinyMP3(title: name, album: "Air", track: number, sound: sound).bytes
    }
    let rows = try await with.catalogue.page(of: try await album(with), count: 10).rows
    #expect(rows.map(\.title) == names)
    #expect(rows.map(\.disc) == [1, 1, 2, 2, 10] && rows.map(\.number) == [1, 2, 1, 2, 1])
  }

  @Test("an album that lies in several folders is played folder by folder; what has numbers keeps their order")
  func folders() async throws {
    let names = ["Part 2/1.mp3", "Part 2/2.mp3", "Part 10/1.mp3", "Part 10/2.mp3"]
    let tree = try await imported(names) { _, sound in Self.file("Air", sound: sound, albumArtist: "Bach") }
    #expect(try await paths(try await album(tree), tree) == names)
    let numbered = try await imported(["c.mp3", "b.mp3", "a.mp3"]) { name, sound in
      TinyMP3(title: name, album: "Air", track: Int(sound), sound: sound).bytes
    }
    #expect(try await paths(try await album(numbered), numbered) == ["c.mp3", "b.mp3", "a.mp3"])
  }

  @Test("a library of the version before reads again what its order does not follow from, and nothing else")
  func older() async throws {
    let tree = try MusicTree()
    let before = Migrations(
      applicationID: LibrarySchema.migrations.applicationID, Array(LibrarySchema.migrations.steps.prefix(3)))
    do {
      let connection = try Database.open(
        in: tree.state.path, name: "library.db", migrations: before, durability: .normal, afterUncleanStop: false,
        today: "2026-11-21"
      ).connection
      try connection.execute(
        """
        INSERT INTO folder (id, source, parent, name, sort, album_folder)
        VALUES (1, 1, 0, x'', x'', 1), (2, 1, 1, x'434431', x'63', 1);
        INSERT INTO file (id, folder, name, name_sort, size, modified_ns, added_at, title, sort, artists, place, genres,
          codec, sample_rate, bits, channels)
        VALUES (1, 1, x'31', x'31', 5, 6, 1, 'no number', x'61', '', 0, '', '', 0, 0, 0),
          (2, 1, x'32', x'32', 5, 6, 1, 'a number', x'61', '', 7, '', '', 0, 0, 0),
          (3, 2, x'33', x'33', 5, 6, 1, 'a number, and no disc', x'61', '', 7, '', '', 0, 0, 0),
          (4, 2, x'34', x'34', 5, 6, 1, 'both', x'61', '', \(1 << 20 | 7), '', '', 0, 0, 0),
          (5, 1, x'35', zeroblob(64), 5, 6, 1, 'a long name', x'61', '', 7, '', '', 0, 0, 0);
        """)
    }
    try await tree.open()
    let connection = try Connection(open: tree.state.path / "library.db", as: .reader)
    let sizes = try connection.rows("SELECT size FROM file ORDER BY id") { $0.integer(0) ?? 0 }
    #expect(sizes == [-1, 5, -1, 5, -1])
  }
}
