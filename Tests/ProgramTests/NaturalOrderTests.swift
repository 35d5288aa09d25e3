import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Files that are called 1, 2 and 10")
  struct NaturalOrderTests {
    @Test(
      "are in that order in the queue, as a folder and as an album without track numbers, and so are folders of discs")
    func order() async throws {
      let home = try Home()
      let music = home.folder / "music"
      let names = ["CD1/1", "CD1/2", "CD1/10", "CD2/1", "CD10/1"]
      let made = try await home.flac("sound", seconds: 2)
      try await tool("metaflac", "--set-tag=ALBUM=Suites", "\(made)", in: home)
      let bytes = try AtomicFile.read(made, limit: 1 << 24)
      for name in names {
        let path = music / "\(name).flac"
        try Folder.make(path.folder)
        try AtomicFile.replace(path, with: bytes)
      }
      let wanted = names.map { music / "\($0).flac" }
      let player = try await RunningPlayer(in: home)
      let add = try await Finished([Built.layby, "queue", "add", "\(music)", "--run", "\(home.run)"], in: home)
      #expect(add.code == EX_OK, "\(add.errors)")
      func queue() async throws -> [FilePath] {
        try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
      }
      #expect(try await queue() == wanted)
      try await player.ask("queue", "clear")
      let next = try await Finished([Built.layby, "playnext", "\(music)", "--run", "\(home.run)"], in: home)
      #expect(next.code == EX_OK, "\(next.errors)")
      #expect(try await queue() == wanted)
      try await player.ask("queue", "clear")
      try await player.imports(music, files: names.count)
      let albums = try await player.ask("browse", "albums")["rows"]?.items ?? []
      try #require(albums.count == 1)
      let album = "\(albums[0]["id"]?.whole ?? 0)"
      let rows = try await player.ask("browse", "album", album)["rows"]?.items ?? []
      #expect(rows.map { $0["path"]?.path } == wanted)
      try await player.ask("queue", "fill", "album", album)
      #expect(try await queue() == wanted)
      try await player.ask("queue", "clear")
      let roots = try await player.ask("browse", "folder")["rows"]?.items ?? []
      try await player.ask("queue", "fill", "folder", "\(roots.first?["id"]?.whole ?? 0)")
      #expect(try await queue() == wanted)
      try await player.stop()
      let other = try Home()
      let started = try await RunningPlayer(playing: [music], in: other)
      let entries = try await started.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
      #expect(entries == wanted)
      try await started.stop()
    }
  }
}
