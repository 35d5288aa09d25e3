import Formats
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Chapters of files")
struct ChapterFilesTests {
  static let chapters = [
    Chapter(at: .zero, title: "Auf See"), Chapter(at: .milliseconds(400), title: "The storm; ashore"),
    Chapter(at: .milliseconds(1_250), title: "嵐"),
  ]

  /// As ffmpeg writes them.
  static func write(_ path: FilePath, in folder: TempFolder, _ options: [String] = []) throws {
    let flac = folder.path / "plain.flac"
    try Signal(frames: 88_200).writeFLAC(flac, ["-0"])
    var text = ";FFMETADATA1\ntitle=A book\n"
    for (index, chapter) in chapters.enumerated() {
      let end = index + 1 < chapters.count ? chapters[index + 1].begins : .seconds(2)
      text += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(chapter.begins.milliseconds)\nEND=\(end.milliseconds)\n"
      text += "title=\(chapter.title.replacing(";", with: "\\;"))\n"
    }
    let facts = folder.path / "facts"
    try Bytes.write(Array(text.utf8), to: facts)
    try Tool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-y", "-i", "\(flac)", "-i", "\(facts)", "-map_metadata", "1", "-map_chapters", "1"]
        + options + ["\(path)"])
  }

  @Test(
    "are read from each format of ours that has them, and stand in no other field",
    arguments: [
      ("opus", ["-c:a", "libopus"]), ("mp3", ["-id3v2_version", "3"]), ("mp3", ["-id3v2_version", "4"]),
    ] as [(String, [String])])
  func ours(ending: String, options: [String]) throws {
    let folder = TempFolder()
    let path = folder.path / "book.\(ending)"
    try Self.write(path, in: folder, options)
    let tags = try openDecoder(path).tags
    #expect(tags.chapters == Self.chapters && tags.title == "A book")
    #expect(!tags.raw.contains { $0.key.hasPrefix("CHAPTER") })
  }

  @Test("are read from FLAC's comments, which ffmpeg writes no chapters into")
  func flac() throws {
    let folder = TempFolder()
    let path = folder.path / "book.flac"
    try Self.writeFLAC(path)
    #expect(try openDecoder(path).tags.chapters == Self.chapters)
  }

  private static func writeFLAC(_ path: FilePath) throws {
    try Signal(frames: 88_200).writeFLAC(path, ["-0"])
    let times = ["00:00:00.000", "00:00:00.400", "00:00:01.250"]
    for (index, chapter) in chapters.enumerated() {
      let key = "CHAPTER00\(index + 1)"
      try Tool.run(
        "metaflac", ["--set-tag=\(key)=\(times[index])", "--set-tag=\(key)NAME=\(chapter.title)", "\(path)"])
    }
  }

  @Test(
    "are told by the foreign decoder", .enabled(if: Foreign.canRun, Foreign.why),
    arguments: [("m4b", ["-c:a", "aac"]), ("mka", ["-c:a", "flac"])] as [(String, [String])])
  func foreign(ending: String, options: [String]) throws {
    let folder = TempFolder()
    let path = folder.path / "book.\(ending)"
    try Self.write(path, in: folder, options)
    #expect(try openDecoder(path).tags.chapters == Self.chapters)
  }

  @Test("of all the pieces together are not those of one piece")
  func parts() throws {
    let folder = TempFolder()
    let path = folder.path / "book.flac"
    try Self.writeFLAC(path)
    let part = try #require(MusicPart(of: path, from: .milliseconds(400), to: nil))
    #expect(try openDecoder(part.address).tags.chapters == [])
  }
}
