import Glibc
import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("Playlists of a source")
struct PlaylistImportTests {
  @Test("a folder that does not answer while they are looked up costs no entry; the next import looks again")
  func silent() async throws {
    let disk = MischievousDisk()
    let tree = try MusicTree(disk)
    try tree.fill()
    try await tree.open()
    try await tree.run()
    let before = try tree.entries()
    #expect(before.count == 15 && before.count { $0.hasSuffix("-|-") } == 1)
    // A new song: all lists are looked up again.
    try tree.write("album 2/9.mp3", TinyMP3(sound: 9_999).bytes)
    let silent = tree.path("album 1")
    let done = try await tree.run { if $0.phase == .playlists { disk.change { $0.silent = [silent] } } }
    #expect(done.playlists == 2)
    #expect(try tree.entries() == before)
    #expect(try tree.problems().map { $0.prefix(7) } == ["all.m3u", "own.m3u"])
    disk.change { $0.silent = [] }
    #expect(try await tree.run().playlists == 2)
    #expect(try tree.entries() == before && tree.problems().isEmpty)
    #expect(try await tree.run().playlists == 0)
  }

  @Test("a source that goes away while they are looked up takes nothing of them with it")
  func pulled() async throws {
    let disk = MischievousDisk()
    let tree = try MusicTree(disk)
    try tree.fill()
    try await tree.open()
    try await tree.run()
    let (before, music) = (try tree.entries(), try tree.tracks())
    try tree.write("album 0/2.mp3", TinyMP3(title: "Other", sound: 9_999).bytes + [1])
    let (root, aside) = (tree.music.path, FilePath("\(tree.music.path).aside"))
    let fault = await tree.fault { progress in
      guard progress.phase == .playlists else { return }
      // The first list was read, and now it is looked up.
      disk.change {
        $0.whenListed = {
          _ = root.withCString { old in aside.withCString { rename(old, $0) } }
          // What a stick leaves where it was mounted.
          _ = root.withCString { mkdir($0, 0o700) }
        }
      }
    }
    #expect(fault?.code == "L-408")
    #expect(try tree.entries() == before)
    _ = root.withCString { rmdir($0) }
    #expect(aside.withCString { old in root.withCString { rename(old, $0) } } == 0)
    #expect(try await tree.run().playlists == 2)
    #expect(try tree.entries() == before && tree.tracks() != music)
  }

  @Test("one that leads through more folders than are looked at says so, and its other entries are found")
  func endless() async throws {
    let tree = try MusicTree()
    try tree.fill(albums: 1)
    // Each name of the way in two kinds, and so as many ways as are followed.
    var path = tree.music.path
    for _ in 0..<30 {
      try Folder.make(path / "A")
      path = path / "a"
      try Folder.make(path)
    }
    let way = "/" + String(repeating: "a/", count: 60) + "x.mp3\n"
    try tree.write("deep.m3u", Array((way + "album 0/1.mp3\n" + way).utf8))
    try await tree.open()
    try await tree.run()
    let deep = try tree.entries().filter { $0.hasPrefix("deep") }
    #expect(deep == ["deep.m3u|0|-|-", "deep.m3u|1|album 0|1.mp3", "deep.m3u|2|-|-"])
    #expect(try tree.problems().map { $0.hasPrefix("deep.m3u|2 of its entries") } == [true])
    #expect(try await tree.run().playlists == 0, "looking again would end the same")
  }

  @Test("those that include themselves and each other lead nowhere, and what gathers them comes to an end")
  func circles() async throws {
    let tree = try MusicTree()
    try tree.fill(albums: 1)
    try tree.write("me.m3u", Array("me.m3u\n./me.m3u\nalbum 0/1.mp3\nyou.pls\nalbum 0\n.\n".utf8))
    try tree.write("you.pls", Array("[playlist]\nFile1=me.m3u\nFile2=you.pls\n".utf8))
    try tree.write("round.cue", Array("FILE \"round.cue\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n".utf8))
    try await tree.open()
    try await tree.run()
    let found = try tree.entries().filter { !$0.hasPrefix("a") && !$0.hasPrefix("own") }
    #expect(found.count == 9 && found.filter { !$0.hasSuffix("-|-") } == ["me.m3u|2|album 0|1.mp3"])
    let lists = try await tree.catalogue.page(of: .playlists, count: 10).rows
    #expect(lists.count == 5)
    for list in lists {
      let tracks = await tree.gathered(list.id)
      #expect(tracks.count == ["all": 4, "own": 1, "me": 1, "you": 0, "round": 0][list.title], "\(list.title)")
    }
  }

  @Test("of all lists together, and of one, only so much is kept, and that is told")
  func limits() async throws {
    var limits = ImportLimits()
    (limits.entries, limits.playlistBytes) = (20, 400)
    let tree = try MusicTree(SourceDisk(), limits)
    try tree.fill(albums: 1)
    let track = "  TRACK 01 AUDIO\n  INDEX 01 00:00:00\n"
    try tree.write(
      "long.cue", Array("FILE \"\(String(repeating: "x", count: 120))\" WAVE\n\(track)\(track)\(track)\(track)".utf8))
    try tree.write("too long.m3u", Array(String(repeating: "album 0/1.mp3\n", count: 40).utf8))
    try tree.write("z.m3u", Array(String(repeating: "1.mp3\n", count: 30).utf8))
    try await tree.open()
    try await tree.run()
    let counts = try await tree.catalogue.page(of: .playlists, count: 10).rows.map { "\($0.title): \($0.count)" }
    // In the order of the walk: those of the root, then those within.
    #expect(counts == ["all: 4", "long: 3", "own: 0", "too long: 0", "z: 13"])
    let problems = try tree.problems()
    #expect(problems.count == 4 && problems[0] == "long.cue|only 3 of its 4 entries are taken")
    #expect(
      problems[1] == "own.m3u8|only 0 of its 3 entries are taken" && problems[2].contains("longer than 400 bytes"))
  }
}
