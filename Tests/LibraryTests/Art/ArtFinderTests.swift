import Glibc
import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("Finding pictures of music")
struct ArtFinderTests {
  @Test(
    "what a picture beside music is called",
    arguments: [
      ("cover.jpg", true), ("Folder.JPG", true), ("FRONT.jpeg", true), ("album.png", true), ("AlBuM.WebP", true),
      (".cover.jpg", false), ("._cover.jpg", false), ("cover", false), ("cover.gif", false), ("back.jpg", false),
      ("cover.jpg.part", false), ("my cover.jpg", false), ("jpg", false), (".jpg", false), ("cover.jpg ", false),
    ])
  func names(name: String, isCover: Bool) {
    #expect(ArtNames.isCover(FilePath(name)) == isCover)
  }

  private func names(_ places: [ArtFinder.Location]) -> [String] { places.map { "\($0.path.name)" } }

  @Test("the front in the file comes first, then others in it, then the largest beside it")
  func order() throws {
    let music = ArtMusic()
    let song = ArtMusic.song([(kind: 4, bytes: [1, 2]), (kind: 3, bytes: [3, 4, 5])])
    let file = try music.put(song, "a.mp3")
    try music.put(try ArtMusic.cover(1), "folder.png")
    try music.put(try ArtMusic.cover(2, extra: 900), "Cover.PNG")
    try music.put([1], "._cover.png")
    try music.put([1], "back.png")
    try music.put([], "front.png")
    var finder = ArtFinder()
    let places = finder.places(of: file)
    #expect(names(places) == ["a.mp3", "a.mp3", "Cover.PNG", "folder.png"])
    #expect(try finder.load(places[0]) == [3, 4, 5])
    #expect(try finder.load(places[1]) == [1, 2])
    #expect(try finder.load(places[3]) == ArtMusic.cover(1))
  }

  @Test("music that is gone or none, and a folder that is gone")
  func missing() throws {
    let music = ArtMusic()
    try music.put([1], "cover.jpg")
    try music.put(Array("text".utf8), "a.txt")
    var finder = ArtFinder()
    #expect(names(finder.places(of: music.path / "gone.mp3")) == ["cover.jpg"])
    #expect(names(finder.places(of: music.path / "a.txt")) == ["cover.jpg"])
    #expect(finder.places(of: music.path / "no folder" / "a.mp3").isEmpty)
  }

  @Test("links, pipes and folders are no pictures, and nothing waits for them")
  func strange() throws {
    let music = ArtMusic()
    let file = try music.put([1], "a.mp3")
    try music.put(try ArtMusic.cover(1), "elsewhere/secret.png")
    _ = (music.path / "elsewhere/secret.png").withCString { from in
      (music.path / "cover.png").withCString { symlink(from, $0) }
    }
    _ = (music.path / "folder.png").withCString { mkfifo($0, 0o600) }
    try Folder.make(music.path / "front.png")
    var finder = ArtFinder()
    #expect(finder.places(of: file).isEmpty)
  }

  @Test("what is too long is not read, and what was changed meanwhile is refused")
  func bounds() throws {
    let music = ArtMusic()
    let file = try music.put([1], "a.mp3")
    let large = try music.put([1], "cover.png")
    _ = large.withCString { truncate($0, Int(ArtFinder.longest) + 1) }
    let small = try music.put([7, 7], "folder.png")
    var finder = ArtFinder()
    let places = finder.places(of: file)
    #expect(names(places) == ["folder.png"])
    try music.put([7, 7, 7], "folder.png")
    #expect(try faultOf { () throws in try finder.load(places[0]) }.code == "L-504")
    _ = small.withCString { unlink($0) }
    #expect(try faultOf { () throws in try finder.load(places[0]) }.kind == .missing)
  }
}
