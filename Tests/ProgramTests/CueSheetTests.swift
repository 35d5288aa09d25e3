import Glibc
import Kit
import Remote
import Runtime
import Testing

extension ProgramTests {
  @Suite("A cue sheet")
  struct CueSheetTests {
    private static let sheet = """
      PERFORMER "Bach"
      TITLE "Suites"
      FILE "whole.flac" WAVE
        TRACK 01 AUDIO
          TITLE "Prelude"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Allemande"
          INDEX 01 00:20:00
      """

    @Test("is played track by track, each by its name, and after a start goes on inside one")
    func played() async throws {
      let home = try Home()
      let music = home.folder / "music"
      _ = music.withCString { mkdir($0, 0o755) }
      let made = try await home.flac("1", seconds: 40, tone: 441)
      let path = music / "whole.flac"
      try await tool("metaflac", "--set-tag=TITLE=Whole", "--set-tag=ALBUM=Suites", "\(made)", in: home)
      #expect(made.withCString { from in path.withCString { rename(from, $0) } } == 0)
      try AtomicFile.replace(music / "suites.cue", with: Array(Self.sheet.utf8))
      var player = try await RunningPlayer(in: home)
      _ = try await player.answer("import", [JSON(path: music)])
      let until = Moment.now + patience
      var list: Int64?
      while list == nil {
        try #require(Moment.now < until, "the import never ended")
        list = try await player.ask("browse", "playlists")["rows"]?.items?.first?["id"]?.whole
        await player.events?.news(within: .milliseconds(20))
      }
      let rows = try await player.ask("browse", "playlist", "\(try #require(list))")["rows"]?.items ?? []
      let parts = ["part:0-20000:\(path)", "part:20000-:\(path)"].map { FilePath($0) }
      #expect(rows.compactMap { $0["path"]?.path } == parts && rows.last?["begins_s"]?.double == 20)
      try await player.ask("queue", "play", "playlist", "\(try #require(list))")
      #expect(try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } == parts)
      try await player.status { $0["title"] == "Prelude" && $0["duration_s"]?.double == 20 }
      // Up to the end of its part, and on into the next.
      try await player.ask("seek", "19.5")
      try await player.status { $0["title"] == "Allemande" && $0["duration_s"]?.double == 20 }
      try await player.ask("pause")
      try await player.ask("seek", "19.5")
      let before = try await player.status { $0["state"] == "paused" && ($0["position_s"]?.double ?? 0) >= 19.5 }
      try await player.stop()
      player = try await RunningPlayer(in: home)
      let after = try await player.status { $0["title"] == "Allemande" }
      #expect(after["path"]?.path == parts[1] && after["position_s"]?.double == before["position_s"]?.double)
      try await player.ask("play")
      try await player.status { $0["state"] == "stopped" }
      try await player.stop()
    }
  }
}
