import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("Cue sheets of a source")
struct CueImportTests {
  @Test("of two that begin at the same time, or out of order, the one without a sound of its own is not played")
  func silent() async throws {
    let tree = try MusicTree()
    try tree.write("mix.mp3", TinyMP3(title: "Mix", sound: 1).bytes)
    let sheet = """
      FILE "mix.mp3" MP3
        TRACK 01 AUDIO
          TITLE "One"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Two"
          INDEX 01 00:00:03
        TRACK 03 AUDIO
          TITLE "with Three"
          INDEX 01 00:00:03
        TRACK 04 AUDIO
          TITLE "Four"
          INDEX 01 00:00:02
      """
    try tree.write("mix.cue", Array(sheet.utf8))
    try await tree.open()
    try await tree.run()
    let list = try #require(try await tree.catalogue.page(of: .playlists, count: 10).rows.first)
    let rows = try await tree.catalogue.page(of: .playlist(list.id), count: 10).rows
    #expect(rows.map(\.title) == ["One", "Two", "with Three", "Four"])
    #expect(rows.map(\.isSilent) == [false, true, true, false])
    let pieces = try await tree.catalogue.pieces(of: await tree.found(list.id))
    #expect(pieces.map(\.path) == ["part:0-40:", "part:26-:"].map { FilePath("\($0)\(tree.music.path)/mix.mp3") })
  }

  @Test("a cue sheet's tracks have their own names and lengths, and are played as parts of their file")
  func cue() async throws {
    let tree = try MusicTree()
    try tree.write("whole.mp3", TinyMP3(title: "Whole", sound: 1).bytes)
    try tree.write("other.mp3", TinyMP3(title: "Other", sound: 2).bytes)
    let sheet = """
      PERFORMER "Bach"
      TITLE "Suites"
      FILE "whole.mp3" MP3
        TRACK 01 AUDIO
          TITLE "Prelude"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Allemande"
          PERFORMER "Casals"
          INDEX 01 00:00:03
        TRACK 03 AUDIO
          INDEX 01 00:00:06
      FILE "other.mp3" MP3
        TRACK 04 AUDIO
          TITLE "Gigue"
          INDEX 01 00:00:00
      """
    try tree.write("sheet.cue", Array(sheet.utf8))
    try tree.write("twice.m3u", Array("#EXTINF:1,Bach - Air\nwhole.mp3\nwhole.mp3\n".utf8))
    try await tree.open()
    try await tree.run()
    let lists = try await tree.catalogue.page(of: .playlists, count: 10).rows
    #expect(lists.map(\.title) == ["Suites", "twice"])
    let rows = try await tree.catalogue.page(of: .playlist(lists[0].id), count: 10).rows
    #expect(rows.map(\.title) == ["Prelude", "Allemande", "Whole", "Gigue"])
    #expect(rows.map(\.detail) == ["Bach", "Casals", "Bach", "Bach"])
    #expect(rows.map { $0.begins?.milliseconds } == [0, 40, 80, 0])
    let whole = try #require(rows[3].duration)
    #expect(rows.map(\.duration) == [.milliseconds(40), .milliseconds(40), whole - .milliseconds(80), whole])
    let found = await tree.found(lists[0].id)
    #expect(found.map(\.id) == rows.map(\.id))
    let pieces = try await tree.catalogue.pieces(of: found)
    let music = tree.music.path
    #expect(
      pieces.map(\.path) == [
        FilePath("part:0-40:\(music)/whole.mp3"), FilePath("part:40-80:\(music)/whole.mp3"),
        FilePath("part:80-:\(music)/whole.mp3"), FilePath("\(music)/other.mp3"),
      ])
    #expect(pieces.map(\.duration) == rows.map(\.duration))
    // The same from where it stands in the queue.
    #expect(try await tree.catalogue.pieces(at: pieces.map(\.path)) == pieces)
    var named: [String?] = []
    for piece in pieces {
      let track = try await tree.catalogue.track(at: piece.path)
      named.append(track.map { "\($0.artist): \($0.title)" })
    }
    // The only one of its file is that file, by its own name and key.
    #expect(named == ["Bach: Prelude", "Casals: Allemande", "Bach: Whole", "Johann Bach: Other"])
    #expect(pieces.map { $0.key != nil } == [false, false, false, true])
    let second = try #require(try await tree.catalogue.track(at: pieces[1].path))
    #expect(second.duration.map { $0.milliseconds } == 40)
    #expect(try await tree.catalogue.presentPaths(of: pieces.map { ($0.key, $0.path) }) == pieces.map(\.path))
    // What is no part of a file is played as often as it stands there, under its own name.
    let plain = try await tree.catalogue.page(of: .playlist(lists[1].id), count: 10).rows
    #expect(plain.map(\.title) == ["Whole", "Whole"] && plain.allSatisfy { $0.begins == nil })
    #expect(await tree.gathered(lists[1].id).count == 2)
  }

  @Test(
    "a sheet that names a WAV file leads to what became of it, beside it",
    arguments: ["flac", "ape", "wv", "FLAC", "m4a", "mp3"])
  func converted(ending: String) async throws {
    let tree = try MusicTree()
    try tree.write("disc/Album.\(ending)", TinyMP3(title: "Whole", sound: 1).bytes)
    try tree.write("disc/Album.jpg", [1])
    let sheet = """
      PERFORMER "Bach"
      FILE "C:\\rips\\Album.wav" WAVE
        TRACK 01 AUDIO
          TITLE "Prelude"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Allemande"
          INDEX 01 00:00:03
      """
    try tree.write("disc/sheet.cue", Array(sheet.utf8))
    // Other lists mean what they say.
    try tree.write("disc/list.m3u", Array("Album.wav\n".utf8))
    try await tree.open()
    try await tree.run()
    let lists = try await tree.catalogue.page(of: .playlists, count: 10).rows
    #expect(lists.map(\.title) == ["list", "sheet"])
    let path = tree.path("disc/Album.\(ending)")
    let pieces = try await tree.catalogue.pieces(of: await tree.found(lists[1].id))
    #expect(pieces.map(\.path) == ["part:0-40:", "part:40-:"].map { FilePath("\($0)\(path)") })
    #expect(await tree.found(lists[0].id).isEmpty)
  }

  @Test("of several formats the one is taken that is the same to the sample, and the file itself before all of them")
  func best() async throws {
    let tree = try MusicTree()
    for (number, name) in ["a.mp3", "a.flac", "a.ogg", "b.wav", "b.flac"].enumerated() {
      try tree.write(name, TinyMP3(title: name, sound: UInt64(number + 1)).bytes)
    }
    let sheet = """
      FILE "a.wav" WAVE
        TRACK 01 AUDIO
          INDEX 01 00:00:00
      FILE "b.wav" WAVE
        TRACK 02 AUDIO
          INDEX 01 00:00:00
      """
    try tree.write("sheet.cue", Array(sheet.utf8))
    try await tree.open()
    try await tree.run()
    let list = try #require(try await tree.catalogue.page(of: .playlists, count: 10).rows.first)
    let pieces = try await tree.catalogue.pieces(of: await tree.found(list.id))
    #expect(pieces.map(\.path) == ["a.flac", "b.wav"].map { tree.path($0) })
  }

  @Test("a track whose lead lies at the end of one file begins in the next")
  func leadInTheFileBefore() async throws {
    let tree = try MusicTree()
    try tree.write("1.mp3", TinyMP3(title: "One", sound: 1).bytes)
    try tree.write("2.mp3", TinyMP3(title: "Two", sound: 2).bytes)
    let sheet = """
      FILE "1.wav" WAVE
        TRACK 01 AUDIO
          TITLE "Prelude"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Allemande"
          INDEX 00 00:00:05
      FILE "2.wav" WAVE
          INDEX 01 00:00:00
        TRACK 03 AUDIO
          TITLE "Courante"
          INDEX 01 00:00:06
      """
    try tree.write("sheet.cue", Array(sheet.utf8))
    try await tree.open()
    try await tree.run()
    let list = try #require(try await tree.catalogue.page(of: .playlists, count: 10).rows.first)
    let rows = try await tree.catalogue.page(of: .playlist(list.id), count: 10).rows
    #expect(rows.map(\.title) == ["Prelude", "Allemande", "Courante"])
    let pieces = try await tree.catalogue.pieces(of: await tree.found(list.id))
    let (one, two) = (tree.path("1.mp3"), tree.path("2.mp3"))
    #expect(pieces.map(\.path) == [one, FilePath("part:0-80:\(two)"), FilePath("part:80-:\(two)")])
  }
}
