import Glibc
import Runtime
import Store
import Synchronization
import TestSupport
import Testing

@testable import Library

@Suite("Import")
struct ImportTests {
  private func albums(_ tree: MusicTree, _ count: Int = 3, files: Int = 4) throws {
    for album in 0..<count {
      for number in 1...files {
        let tiny = TinyMP3(
          title: "Air \(number)", album: "Suite \(album)", track: number, sound: UInt64(album * 100 + number))
        try tree.write("album \(album)/\(number).mp3", tiny.bytes)
      }
    }
  }

  @Test(
    "finds all music below a folder; what is unchanged is not read again, what changed is, what is gone is forgotten")
  func again() async throws {
    let tree = try MusicTree()
    try albums(tree)
    try await tree.open()
    let first = try await tree.run()
    #expect((first.seen, first.read, first.unreadable, first.folders) == (12, 12, 0, 4))
    #expect(try await tree.catalogue.survey().tracks == 12)
    let rows = try tree.rows()
    let second = try await tree.run()
    #expect((second.seen, second.read) == (12, 0))
    #expect(try tree.rows() == rows)

    try tree.write("album 0/1.mp3", TinyMP3(title: "Gigue", sound: 999).bytes + [0])
    try tree.write("album 9/1.mp3", TinyMP3(title: "New", album: "Suite 9", sound: 77).bytes)
    #expect(tree.path("album 1/2.mp3").withCString { unlink($0) } == 0)
    let third = try await tree.run()
    #expect((third.seen, third.read) == (12, 2))
    let survey = try await tree.catalogue.survey()
    #expect(survey.tracks == 12 && survey.albums == 5)
  }

  @Test("a folder that is gone from a folder is forgotten with what was in it; one that is new takes nothing away")
  func innerFolders() async throws {
    let tree = try MusicTree()
    try albums(tree)
    try await tree.open()
    try await tree.run()
    func move(_ name: String, to other: FilePath) throws {
      try #require(tree.path(name).withCString { from in other.withCString { rename(from, $0) } } == 0)
    }
    func isKnown(_ name: String) async throws -> Bool { try await tree.catalogue.key(at: tree.path(name)) != nil }
    // Another name that stands where the old one stood, then one less, then one more.
    try move("album 1", to: tree.path("album 1b"))
    try await tree.run()
    #expect(try await isKnown("album 1b/4.mp3"))
    #expect(try await !isKnown("album 1/4.mp3"))
    try move("album 2", to: tree.state.path / "aside")
    try await tree.run()
    #expect(try await !isKnown("album 2/1.mp3"))
    try move("album 0", to: tree.path("album 5"))
    try tree.write("album 0", Array("no folder, and no music either".utf8))
    try tree.write("album 9/1.mp3", TinyMP3(title: "New", album: "Suite 9", sound: 77).bytes)
    try await tree.run()
    #expect(try await !isKnown("album 0/1.mp3"))
    for name in ["album 1b/1.mp3", "album 5/1.mp3", "album 9/1.mp3"] { #expect(try await isKnown(name), "\(name)") }
  }

  @Test("a file that moved, and a copy, are the same recording with its counts")
  func moved() async throws {
    let tree = try MusicTree()
    try tree.write("a/1.mp3", TinyMP3(sound: 5).bytes)
    try await tree.open()
    try await tree.run()
    let key = try #require(try await tree.catalogue.key(at: tree.path("a/1.mp3")))
    // Another tag, the same sound.
    try tree.write("b/other.mp3", TinyMP3(title: "Another title", artist: "Somebody", sound: 5).bytes)
    try tree.write("b/no.mp3", TinyMP3(sound: 6).bytes)
    #expect(tree.path("a/1.mp3").withCString { unlink($0) } == 0)
    try await tree.run()
    // A folder in which nothing is any more may only be away; the second time it is believed.
    #expect(try await tree.catalogue.key(at: tree.path("a/1.mp3")) == key)
    try await tree.run()
    #expect(try await tree.catalogue.key(at: tree.path("b/other.mp3")) == key)
    #expect(try await tree.catalogue.key(at: tree.path("b/no.mp3")) != key)
    #expect(try await tree.catalogue.key(at: tree.path("a/1.mp3")) == nil)
  }

  @Test("hidden files, what systems leave behind, links, pipes and other files are no music; any name is a name")
  func names() async throws {
    let tree = try MusicTree()
    let music = TinyMP3().bytes
    for name in [
      "good.mp3", "._good.mp3", ".hidden.mp3", ".Trashes/1.mp3", "System Volume Information/2.mp3",
      "$RECYCLE.BIN/3.mp3", "notes.txt", "cover.jpg", "sub/UPPER.MP3", "noending", "mp3", "a.mp3.part",
    ] {
      try tree.write(name, music)
    }
    try tree.write([0xFF, 0xFE, 0x20, 0xC0] + Array(".mp3".utf8), music)
    try tree.write([UInt8](repeating: 0x61, count: 251) + Array(".mp3".utf8), music)
    #expect(tree.path("pipe.mp3").withCString { mkfifo($0, 0o600) } == 0)
    #expect("/".withCString { target in tree.path("link.mp3").withCString { symlink(target, $0) } } == 0)
    #expect("..".withCString { target in tree.path("loop").withCString { symlink(target, $0) } } == 0)
    #expect(tree.music.path.withCString { target in tree.path("sub/up").withCString { symlink(target, $0) } } == 0)
    try await tree.open()
    let done = try await tree.run()
    #expect((done.seen, done.read, done.unreadable, done.folders) == (4, 4, 0, 2))
    #expect(done.leftOut == 2, "a pipe and a link that are called music")
    let page = try tree.rows().filter { $0.hasSuffix("-") }
    #expect(page.count == 4)
  }

  @Test("what is no music is known with the reason, and read again when it has changed")
  func unreadable() async throws {
    let tree = try MusicTree()
    try tree.write("good.mp3", TinyMP3().bytes)
    try tree.write("bad.mp3", Array("It was a dark and stormy night".utf8))
    try tree.write("empty.flac", [])
    try await tree.open()
    let done = try await tree.run()
    #expect((done.read, done.unreadable) == (3, 2))
    let problems = try await tree.catalogue.problems(count: 10)
    #expect(problems.count == 2)
    #expect(try await tree.run().read == 0)
    try tree.write("bad.mp3", TinyMP3(sound: 3).bytes)
    #expect(try await tree.run().read == 1)
    #expect(try await tree.catalogue.problems(count: 10).count == 1)
  }

  @Test("a tree that is very deep is walked as far as anybody has music; it ends, and that is told")
  func deep() async throws {
    let tree = try MusicTree()
    var path = tree.music.path
    var depth = 0
    // As deep as a path can be named.
    while path.bytes.count < 3_900, path.withCString({ mkdir($0, 0o700) }) == 0 || depth == 0 {
      if depth == 3 { try AtomicFile.replace(path / "1.mp3", with: TinyMP3().bytes) }
      path = path / "d"
      depth += 1
    }
    #expect(depth > 1_500)
    try await tree.open()
    let done = try await tree.run()
    #expect((done.seen, done.leftOut, done.foldersTooDeep) == (1, 1, 1) && done.folders == Walk.deepest + 1)
  }

  @Test("a folder that is empty where there was music keeps what is known, and so does one that went away")
  func away() async throws {
    let tree = try MusicTree()
    try albums(tree)
    try await tree.open()
    try await tree.run()
    let rows = try tree.rows()
    let aside = FilePath("\(tree.music.path).aside")
    #expect(tree.music.path.withCString { old in aside.withCString { rename(old, $0) } } == 0)
    await #expect(throws: Fault.self) { try await tree.run() }
    #expect(try tree.rows() == rows)
    try Folder.make(tree.music.path)
    var fault: Fault?
    do throws(Fault) {
      _ = try await tree.importer.run(source: tree.source, root: tree.music.path, today: 1)
    } catch { fault = error }
    #expect(fault?.code == "L-409")
    #expect(try tree.rows() == rows)
    #expect(tree.music.path.withCString { rmdir($0) } == 0)
    #expect(aside.withCString { old in tree.music.path.withCString { rename(old, $0) } } == 0)
    #expect(try await tree.run().read == 0)
    #expect(try tree.rows() == rows)
  }

  @Test(
    "stopped anywhere and taken up again, it ends with the same rows as one that nobody disturbed", arguments: 1...4)
  func resumed(seed: UInt64) async throws {
    let calm = try MusicTree()
    let broken = try MusicTree()
    for tree in [calm, broken] {
      for album in 0..<90 {
        for number in 1...10 {
          try tree.write(
            "artist \(album / 5)/album \(album)/\(number).mp3",
            TinyMP3(title: "Air \(number)", album: "Suite \(album)", track: number, sound: UInt64(album * 50 + number))
              .bytes)
        }
      }
      try tree.write("all.m3u", Array("artist 0/album 3/2.mp3\nartist 17/album 89/10.mp3\nnone.mp3\n".utf8))
      try await tree.open()
    }
    try await calm.run()
    var random = SeededGenerator(seed: seed)
    var stops = 0
    for _ in 0..<6 {
      let after = Int.random(in: 0..<900, using: &random)
      let sign = StopSign()
      do {
        try await broken.run(until: sign) { if $0.seen >= after { sign.raise() } }
        break
      } catch { stops += 1 }
    }
    let last = try await broken.run()
    #expect(last.seen == 900)
    #expect(try broken.rows() == calm.rows())
    // Once more, with changes, broken off before the playlists and not.
    for tree in [calm, broken] {
      try tree.write("artist 0/album 3/2.mp3", TinyMP3(title: "Other", sound: 4_000 + seed).bytes + [1])
      #expect(tree.path("artist 17/album 89/10.mp3").withCString { unlink($0) } == 0)
    }
    try await calm.run()
    let sign = StopSign()
    _ = try? await broken.run(until: sign) { if $0.phase == .playlists { sign.raise() } }
    try await broken.run()
    #expect(try broken.rows() == calm.rows())
    print("seed \(seed): stopped \(stops) times")
  }

  @Test(
    "playlists lead to files that come later in the walk, by any writing of the path; each lives as long as its file")
  func playlists() async throws {
    let tree = try MusicTree()
    try albums(tree, 2)
    try tree.write(
      "a.m3u", Array("#EXTM3U\nalbum 1/2.mp3\nALBUM 0\\3.MP3\n/elsewhere/music/album 1/4.mp3\nnot there.mp3\n".utf8))
    try tree.write("album 0/own.m3u8", Array("1.mp3\n../album 1/1.mp3\n../../../etc/passwd\n".utf8))
    try await tree.open()
    #expect(try await tree.run().playlists == 2)
    let connection = try Connection(open: tree.state.path / "library.db", as: .reader)
    func titles() throws -> [String] {
      try connection.rows(
        """
        SELECT p.title, f.title, d.name FROM imported_entry e JOIN imported_playlist p ON p.id = e.playlist
          LEFT JOIN file f ON f.id = e.file LEFT JOIN folder d ON d.id = f.folder ORDER BY p.title, e.place
        """
      ) {
        "\($0.text(0) ?? ""): \($0.bytes(2).map { String(decoding: $0, as: UTF8.self) } ?? "-")/\($0.text(1) ?? "-")"
      }
    }
    let expected = [
      "a: album 1/Air 2", "a: album 0/Air 3", "a: album 1/Air 4", "a: -/-", "own: album 0/Air 1",
      "own: album 1/Air 1", "own: -/-",
    ]
    #expect(try titles() == expected)
    #expect(try await tree.run().playlists == 0)
    #expect(tree.path("a.m3u").withCString { unlink($0) } == 0)
    try await tree.run()
    #expect(try titles().filter { $0.hasPrefix("a:") }.isEmpty)
  }

  @Test("texts of one folder that do not say how they are written are taken for what all of them look like")
  func encodings() async throws {
    let tree = try MusicTree()
    // "Песня", "Дорога", "Ночь", "Я": the last alone could be anything.
    let titles: [[UInt8]] = [
      [0xCF, 0xE5, 0xF1, 0xED, 0xFF], [0xC4, 0xEE, 0xF0, 0xEE, 0xE3, 0xE0], [0xCD, 0xEE, 0xF7, 0xFC], [0xDF],
    ]
    for (number, title) in titles.enumerated() {
      try tree.write("x/\(number).mp3", TinyMP3(sound: UInt64(number + 1), rawTitle: title).bytes)
    }
    try await tree.open()
    try await tree.run()
    let found = try tree.rows().prefix(4).map { $0.split(separator: "|")[5] }
    #expect(found == ["Песня", "Дорога", "Ночь", "Я"])
  }

  @Test("gains in tags are told by path, as long as the file is the one that was read")
  func gains() async throws {
    let tree = try MusicTree()
    let gain = Bytes.frame(3, "TXXX", [0] + Array("replaygain_track_gain".utf8) + [0] + Array("-6.5 dB".utf8))
    try tree.write("with.mp3", Bytes.id3(3, gain) + Bytes.mpeg(4))
    try tree.write("without.mp3", TinyMP3().bytes)
    try await tree.open()
    try await tree.run()
    let paths = ["with.mp3", "without.mp3", "none.mp3"].map { tree.path($0) }
    let found = try await tree.catalogue.taggedLoudness(of: paths)
    #expect(found.count == 1 && found[paths[0]]?.trackGain == -6.5)
    try tree.write("with.mp3", TinyMP3().bytes)
    #expect(try await tree.catalogue.taggedLoudness(of: paths).isEmpty)
  }
}
