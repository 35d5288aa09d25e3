import Glibc
import Kit
import Runtime
import Testing

@testable import Library

@Suite("Music that a path means")
struct MusicFilesTests {
  @Test("all that is played, in the order of an import; junk, links and other files are none; so many and no more")
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
    // The folder that is named may be a link; a file that is named is meant, whatever it is called.
    #expect(try MusicFiles.at(folder.path / "up", most: 100).count == 4)
    #expect(try MusicFiles.at(folder.path / "notes.txt", most: 1) == [folder.path / "notes.txt"])
    #expect(throws: Fault.self) { try MusicFiles.at(folder.path / "none", most: 1) }
  }
}
