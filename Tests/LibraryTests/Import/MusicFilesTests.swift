import Glibc
import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("Music that a path means")
struct MusicFilesTests {
  @Test("all that is played, in order; junk, links and other files are none; so many and no more")
  func folder() throws {
    let folder = TempFolder()
    for name in ["b.MP3", "a.flac", "c.opus", "._a.flac", ".x.mp3", "notes.txt", "a.m3u", "cover.jpg", "sub/d.wav"] {
      try Folder.make((folder.path / name).folder)
      try AtomicFile.replace(folder.path / name, with: [1])
    }
    try Folder.make(folder.path / ".Trashes")
    try AtomicFile.replace(folder.path / ".Trashes/e.mp3", with: [1])
    #expect(folder.path.withCString { target in (folder.path / "up").withCString { symlink(target, $0) } } == 0)
    let found = try MusicFiles.at(folder.path, most: 100)
    #expect(found == ["a.flac", "b.MP3", "c.opus", "sub/d.wav"].map { folder.path / $0 })
    #expect(try MusicFiles.at(folder.path, most: 2) == Array(found.prefix(2)))
    // In pieces it is the same, and nothing is found twice.
    var files = try MusicFiles(at: folder.path)
    let pieces = [try files.next(1), try files.next(2), try files.next(0), try files.next(100), try files.next(100)]
    #expect(pieces.map(\.count) == [1, 2, 0, found.count - 3, 0] && pieces.flatMap { $0 } == found)
    // The folder that is named may be a link; a file that is named is meant, whatever it is called.
    #expect(try MusicFiles.at(folder.path / "up", most: 100).count == 4)
    #expect(try MusicFiles.at(folder.path / "notes.txt", most: 1) == [folder.path / "notes.txt"])
    #expect(throws: Fault.self) { try MusicFiles.at(folder.path / "none", most: 1) }
  }

  @Test("numbers are in the order of their values, in files and in folders, whatever the case")
  func naturalOrder() throws {
    let folder = TempFolder()
    let wanted = [
      "1.mp3", "2.MP3", "10.mp3", "Side 9.mp3", "side 10.mp3", "Disc 2/x.mp3", "disc 9/x.mp3", "Disc 10/x.mp3",
    ]
    for name in wanted.shuffled() {
      try Folder.make((folder.path / name).folder)
      try AtomicFile.replace(folder.path / name, with: [1])
    }
    #expect(try MusicFiles.at(folder.path, most: 100) == wanted.map { folder.path / $0 })
  }
}
