import Testing

@testable import Runtime

@Suite("The ending of a file's name")
struct FileEndingTests {
  private static let table: [(name: String, without: String, ending: String)] = [
    ("Air.flac", "Air", "flac"), ("Air.FLAC", "Air", "flac"), ("a.b.flac", "a.b", "flac"),
    ("no ending", "no ending", ""), (".hidden", ".hidden", ""), (".hidden.mp3", ".hidden", "mp3"),
    ("trailing.", "trailing.", ""), ("a.b.", "a.b.", ""), ("..", "..", ""), (".", ".", ""), ("a..mp3", "a.", "mp3"),
    ("Ágætis byrjun.ogg", "Ágætis byrjun", "ogg"),
  ]

  @Test("is cut off at the last dot, unless that is the first or the last character", arguments: table)
  func cut(name: String, without: String, ending: String) {
    for path in [FilePath(name), FilePath("/music/Vol. 1/\(name)")] {
      #expect(path.nameWithoutEnding == FilePath(without) && path.ending == ending)
    }
    let bytes = Array(name.utf8)
    #expect(bytes.withoutFileEnding.elementsEqual(without.utf8) && bytes.fileEnding == ending)
    #expect(name.utf8.withoutFileEnding.elementsEqual(without.utf8) && name.utf8.fileEnding == ending)
  }

  @Test("is none in an empty name, and is cut off a name that is not UTF-8")
  func bytes() throws {
    #expect([UInt8]().withoutFileEnding.isEmpty && [UInt8]().fileEnding.isEmpty)
    let odd = try #require(FilePath(bytes: [0x61, 0xFF, 0x2E, 0x6D, 0x70, 0x33]))
    #expect(odd.nameWithoutEnding.bytes == [0x61, 0xFF] && odd.ending == "mp3")
  }
}
