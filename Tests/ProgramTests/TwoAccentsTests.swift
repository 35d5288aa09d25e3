import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  /// An accent may be part of its letter (NFC) or a character behind it (NFD). For Linux these are two names.
  @Suite("Two files whose names differ in how an accent is written")
  struct TwoAccentsTests {
    private static let composed = Array("\u{E9}t\u{E9}".utf8)
    private static let decomposed = Array("e\u{301}te\u{301}".utf8)

    private func make(_ home: Home) async throws -> [FilePath] {
      let music = home.folder / "music"
      try Folder.make(music)
      var paths: [FilePath] = []
      for (title, name) in [("one", Self.composed), ("two", Self.decomposed)] {
        let made = try await home.flac(title, seconds: 20, tone: title == "one" ? 441 : 882)
        try await tool("metaflac", "--set-tag=TITLE=\(title)", "--set-tag=ALBUM=Suites", "\(made)", in: home)
        let path = try #require(FilePath(bytes: music.bytes + [0x2F] + name + Array(".flac".utf8)))
        try #require(made.withCString { from in path.withCString { rename(from, $0) } } == 0)
        paths.append(path)
      }
      let lines = paths.reversed().flatMap { path -> [UInt8] in path.name.bytes + [0x0A] }
      try AtomicFile.replace(music / "both.m3u8", with: lines)
      return paths
    }

    @Test("are two in the library, in playlists, in the queue and in the history, also after a power cut")
    func two() async throws {
      let home = try Home()
      let paths = try await make(home)
      var player = try await RunningPlayer(in: home)
      try await player.imports(home.folder / "music", files: 2)
      let tracks = try await player.ask("browse", "tracks")["rows"]?.items ?? []
      #expect(tracks.map { $0["title"]?.string } == ["one", "two"] && tracks.map { $0["path"]?.path } == paths)
      let lists = try await player.ask("browse", "playlists")["rows"]?.items ?? []
      let list = try #require(lists.first?["id"]?.whole)
      let listed = try await player.ask("browse", "playlist", "\(list)")["rows"]?.items ?? []
      #expect(listed.map { $0["path"]?.path } == paths.reversed())
      let add = try await Finished(
        [Built.layby, "queue", "add", "\(home.folder / "music")", "--run", "\(home.run)"], in: home)
      #expect(add.code == EX_OK, "\(add.errors)")
      let queued = try await player.ask("queue")["entries"]?.items ?? []
      // Their names fold to the same, so their bytes decide.
      #expect(queued.map { $0["path"]?.path } == paths.reversed())
      for (number, path) in paths.reversed().enumerated() {
        try await player.ask("queue", "jump", "\(number + 1)")
        try await player.plays(path)
        try await player.status { $0["title"]?.string == (number == 0 ? "two" : "one") }
      }
      let heard = try await player.ask("history")["history"]?.items ?? []
      #expect(heard.first?["path"]?.path == paths[1])
      try await player.ask("queue", "jump", "1")
      try await player.plays(paths[1])
      await player.kill()
      player = try await RunningPlayer(in: home)
      let after = try await player.ask("queue")["entries"]?.items ?? []
      #expect(after.map { $0["path"]?.path } == paths.reversed())
      try await player.stop()
    }
  }
}
