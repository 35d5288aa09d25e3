import Glibc
import Kit
import Runtime
import Testing

@testable import Library

@Suite("Pictures that end the program")
struct ArtTriesTests {
  private let boot = Array("one boot".utf8)
  private let later = Array("a later one".utf8)
  private let bad = ArtIdentity(of: [1])
  private let other = ArtIdentity(of: [2])

  @Test("one that was at work at two ends of the program is not tried again, in this start of the machine or the next")
  func twice() throws {
    let folder = TempFolder()
    func life(_ boot: [UInt8]) -> ArtTries { ArtTries(in: folder.path / "art", boot: boot) }
    for _ in 0..<2 {
      var tries = life(boot)
      let may = tries.begin(other)
      tries.end(other)
      let mayBad = tries.begin(bad)
      #expect(may && mayBad)
    }
    for boot in [boot, later, boot] {
      var tries = life(boot)
      let (mayBad, may) = (tries.begin(bad), tries.begin(other))
      tries.end(other)
      #expect(may && !mayBad)
    }
  }

  @Test("a power cut blames none, and one that was decoded after all is free again")
  func once() throws {
    let folder = TempFolder()
    for _ in 0..<4 {
      for boot in [boot, later] {
        var tries = ArtTries(in: folder.path, boot: boot)
        let may = tries.begin(bad)
        #expect(may, "the machine itself was started anew")
      }
    }
    for _ in 0..<4 {
      for isEnd in [false, true] {
        var tries = ArtTries(in: folder.path, boot: boot)
        let may = tries.begin(other)
        #expect(may)
        if isEnd { tries.end(other) }
      }
    }
    // Where nobody knows which start it is, nothing is counted.
    for _ in 0..<4 {
      var tries = ArtTries(in: folder.path, boot: [])
      let may = tries.begin(bad)
      #expect(may)
    }
  }

  @Test("what an earlier start left is cleared away, and files that are none of these say nothing")
  func tidy() throws {
    let folder = TempFolder()
    var tries = ArtTries(in: folder.path, boot: boot)
    let began = (tries.begin(bad), tries.begin(other))
    #expect(began == (true, true))
    try AtomicFile.replace(folder.path / "mine.tries", with: [2])
    try AtomicFile.replace(folder.path / "\(ArtIdentity(of: [3]).text).tries", with: [])
    var next = ArtTries(in: folder.path, boot: later)
    let may = next.begin(other)
    #expect(may)
    let left = try Folder.names(in: folder.path).map(\.description).sorted()
    #expect(left == ["\(other.text).tries", "mine.tries"].sorted())
  }

  @Test("the shelf passes such a picture over, shows the next best, and keeps what it knows of it")
  func shelf() async throws {
    let (music, state) = (ArtMusic(), TempFolder())
    let cover = try ArtMusic.cover(0x204060)
    let song = try music.put(ArtMusic.song([(kind: 3, bytes: cover)]), "a.mp3")
    try music.put(try ArtMusic.cover(0x00FF00), "Front.png")
    let folder = state.path / "art"
    for _ in 0..<2 {
      var tries = ArtTries(in: folder, boot: boot)
      let may = tries.begin(ArtIdentity(of: cover))
      #expect(may)
    }
    for _ in 0..<2 {
      let shelf = ArtShelf(storing: folder, boot: boot)
      #expect(await shelf.picture(of: song, at: 10)?.pixels.first == 0x00FF00)
      #expect(await shelf.picture(of: song, at: 11)?.pixels.first == 0x00FF00)
    }
    let names = try Folder.names(in: folder).filter { $0.ending == "tries" }
    #expect(names.map(\.description) == ["\(ArtIdentity(of: cover).text).tries"], "and none of what was decoded")
  }
}
