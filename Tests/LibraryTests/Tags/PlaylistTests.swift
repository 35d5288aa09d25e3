import Runtime
import Testing

@testable import Library

@Suite("Playlist files")
struct PlaylistTests {
  private func list(_ text: String, _ kind: PlaylistFile.Kind) -> PlaylistFile {
    PlaylistFile.entries(of: Array(text.utf8), kind: kind)
  }

  @Test("m3u with and without what is said of its music, whatever ends its lines")
  func m3u() {
    for end in ["\n", "\r\n", "\r"] {
      let text = [
        "\u{FEFF}#EXTM3U", "#EXTINF:123,Björk - Jóga", " a/b.mp3 ", "", "# a remark", "C:\\x.mp3", "#extinf:-1,Alone",
        "c.mp3",
      ]
      let found = list(text.joined(separator: end), .m3u8).entries
      #expect(found.map(\.pathText) == ["a/b.mp3", "C:\\x.mp3", "c.mp3"])
      #expect(found.map(\.title) == ["Jóga", nil, "Alone"] && found.map(\.artist) == ["Björk", nil, nil])
      #expect(found.map(\.seconds) == [123, nil, nil])
    }
  }

  @Test("wide letters and other encodings")
  func encodings() {
    let text = "#EXTM3U\r\nПривет.mp3\r\n"
    for little in [true, false] {
      let found = PlaylistFile.entries(of: Bytes.wide(text, little: little), kind: .m3u)
      #expect(found.entries.map(\.path) == [Array("Привет.mp3".utf8)] && found.encoding == .utf8)
    }
    let russian: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]
    let forced = PlaylistFile.entries(of: russian + Array(".mp3".utf8), kind: .m3u, encoding: .cp1251)
    #expect(forced.entries.first?.path == russian + Array(".mp3".utf8))
    #expect(forced.entries.first?.pathText == "Привет.mp3")
  }

  @Test("pls in any order")
  func pls() {
    let found = list(
      "[playlist]\nTitle2=B - C\nFile2=b.mp3\nfile1=a.mp3\nLength1=5\nLength2=-1\nFile99=\nNumberOfEntries=9999999999\n",
      .pls)
    #expect(found.entries.map(\.pathText) == ["a.mp3", "b.mp3"])
    #expect(
      found.entries.map(\.seconds) == [5, nil] && found.entries[1].artist == "B" && found.entries[1].title == "C")
  }

  @Test("a cue sheet's tracks, in 75 parts of a second")
  func cue() {
    let text = """
      PERFORMER "Bach"
      TITLE "Suites "live""
      FILE "CD 1.wav" WAVE
        TRACK 01 AUDIO
          TITLE "Prelude"
          PREGAP 00:02:00
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE Allemande in G
          PERFORMER "Yo-Yo Ma"
          INDEX 00 03:10:70
          INDEX 01 03:12:37
        TRACK 03 MODE1/2352
          INDEX 01 04:00:00
      FILE "CD 2.wav" WAVE
        TRACK 04 AUDIO
          INDEX 01 120:00:74
        TRACK 05 AUDIO
          INDEX 01 00:99:00
      """
    let found = list(text, .cue)
    #expect(found.title == "Suites \"live\"" && found.artist == "Bach")
    #expect(found.entries.map(\.pathText) == ["CD 1.wav", "CD 1.wav", "CD 2.wav"])
    #expect(found.entries.map(\.title) == ["Prelude", "Allemande in G", nil])
    #expect(found.entries.map(\.artist) == ["Bach", "Yo-Yo Ma", "Bach"])
    let second: Int64 = (3 * 60 + 12) * 75 + 37
    #expect(found.entries[0].cue == .init(number: 1, start: 0, pregap: 150, end: second))
    #expect(found.entries[1].cue == .init(number: 2, start: second, lead: (3 * 60 + 10) * 75 + 70))
    #expect(found.entries[2].cue?.start == 540_074)
  }

  @Test("made-up bytes are no more than a bounded list")
  func nonsense() {
    for kind in PlaylistFile.Kind.allCases {
      for byte in [0, 0x0A, 0x22, 0x3D, 0x80, 0xFF] as [UInt8] {
        let found = PlaylistFile.entries(of: [UInt8](repeating: byte, count: 30_000), kind: kind)
        #expect(found.entries.count <= 1)
      }
    }
    #expect(list(String(repeating: "a\n", count: 150_000), .m3u).entries.count == PlaylistFile.mostEntries)
  }
}

@Suite("Paths in playlists")
struct PlaylistPathTests {
  /// "Music/Björk/Jóga.mp3" and others, below /stick.
  private static let tree: [String: [String]] = [
    "": ["Music", "lists", "top.mp3", "100%.mp3"], "Music": ["Björk", "AC_DC", "MUSIC"],
    "Music/Bj\u{F6}rk": ["Jo\u{301}ga.mp3", "b c.mp3"], "Music/AC_DC": ["Back.mp3", "back.mp3"],
    "Music/MUSIC": ["deep.mp3"],
    "lists": ["own.mp3", "a\\b.mp3"],
  ]

  private func resolve(_ written: String, text: String? = nil, beside folder: String = "lists") -> String? {
    resolve(Array(written.utf8), text: text, beside: folder)
  }

  private func resolve(_ written: [UInt8], text: String? = nil, beside folder: String = "lists") -> String? {
    PlaylistPath.resolve(
      written, text: text, beside: folder.split(separator: "/").map { FilePath(String($0)) }, root: FilePath("/stick")
    ) { place in
      Self.tree[place.map(\.description).joined(separator: "/")].map { .init($0.map { FilePath($0) }) }
    }?.description
  }

  @Test(
    "all the ways to write one path",
    arguments: [
      "../Music/Björk/b c.mp3", "..\\Music\\Björk\\b c.mp3", "/Music/Björk/b c.mp3", "/stick/Music/Björk/b c.mp3",
      "/media/other/Music/Björk/b c.mp3", "C:\\Users\\me\\Music\\Björk\\b c.mp3", "c:/Music/björk/B C.MP3",
      "file:///Music/Bj%C3%B6rk/b%20c.mp3", "FILE://host/home/me/Music/Bj%c3%b6rk/b%20c.mp3",
      "file:///C:/Music/Bj%C3%B6rk/b%20c.mp3", "../MUSIC/BJO\u{308}RK/b c.mp3",
      "\\\\server\\share\\Music\\Björk\\b c.mp3",
      "./../lists/../Music/./Björk/b c.mp3", "..%2FMusic%2FBj%C3%B6rk%2Fb%20c.mp3",
    ])
  func ways(_ written: String) {
    #expect(resolve(written) == "/stick/Music/Björk/b c.mp3")
  }

  @Test("a name is what it is before it is anything else")
  func exact() {
    #expect(resolve("own.mp3") == "/stick/lists/own.mp3")
    #expect(resolve("a\\b.mp3") == "/stick/lists/a\\b.mp3")
    #expect(resolve("/100%.mp3") == "/stick/100%.mp3")
    #expect(resolve("/Music/AC_DC/back.mp3") == "/stick/Music/AC_DC/back.mp3")
    #expect(resolve("/Music/AC_DC/Back.mp3") == "/stick/Music/AC_DC/Back.mp3")
    #expect(resolve("/elsewhere/own.mp3") == "/stick/lists/own.mp3")
    #expect(resolve("../Music/Bj\u{F6}rk/J\u{F3}ga.mp3") == "/stick/Music/Bj\u{F6}rk/Jo\u{301}ga.mp3")
  }

  @Test("a name in another encoding is found by its letters")
  func otherEncoding() {
    let written = Array("../Music/Bj".utf8) + [0xF6] + Array("rk/b c.mp3".utf8)
    #expect(resolve(written) == nil)
    #expect(resolve(written, text: "../Music/Björk/b c.mp3") == "/stick/Music/Björk/b c.mp3")
  }

  @Test("nothing outside of the root is found, and nothing that is not there")
  func bounds() {
    let none = [
      "../../top.mp3", "../../../../etc/passwd", "/..", "..", ".", "", "/", "http://host/Music/top.mp3", "missing.mp3",
      "a\0b.mp3", String(repeating: "../", count: 500), String(repeating: "a/", count: 5_000), "file://", "C:",
      "/Music/../../top.mp3x", "%2E%2E/%2E%2E/top.mp3",
    ]
    for written in none { #expect(resolve(written) == nil, "\(written.prefix(40))") }
    #expect(resolve("/x/../top.mp3") == "/stick/top.mp3")
  }
}
