import Glibc
import Remote
import Runtime
import TestSupport
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

    /// As ripping programs write them: of WAV files, with what leads to a track at the end of the file before.
    private static let ripped = """
      PERFORMER "Bach"
      TITLE "Suites"
      FILE "one.wav" WAVE
        TRACK 01 AUDIO
          TITLE "Prelude"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Allemande"
          INDEX 00 00:28:00
      FILE "two.wav" WAVE
          INDEX 01 00:00:00
        TRACK 03 AUDIO
          TITLE "Courante"
          PERFORMER "Casals"
          INDEX 01 00:10:00
      """

    @Test("of WAV files plays what they became, with the sheet's performers, and no track is lost between two files")
    func ripped() async throws {
      let home = try Home()
      let music = home.folder / "music"
      try Folder.make(music)
      for (name, tone) in [("one", 441.0), ("two", 882.0)] {
        let made = try await home.flac(name, seconds: 30, tone: tone)
        #expect(made.withCString { from in (music / "\(name).flac").withCString { rename(from, $0) } } == 0)
      }
      try AtomicFile.replace(music / "suites.cue", with: Array(Self.ripped.utf8))
      let player = try await RunningPlayer(in: home)
      try await player.imports(music, files: 2)
      let list = try #require(try await player.ask("browse", "playlists")["rows"]?.items?.first?["id"]?.whole)
      let rows = try await player.ask("browse", "playlist", "\(list)")["rows"]?.items ?? []
      #expect(rows.map { $0["title"]?.string } == ["Prelude", "Allemande", "Courante"])
      #expect(rows.map { $0["detail"]?.string } == ["Bach", "Bach", "Casals"])
      try await player.ask("queue", "play", "playlist", "\(list)")
      let two = music / "two.flac"
      let wanted = [music / "one.flac", FilePath("part:0-10000:\(two)"), FilePath("part:10000-:\(two)")]
      #expect(try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } == wanted)
      for (number, title, artist) in [(2, "Allemande", "Bach"), (3, "Courante", "Casals")] {
        try await player.ask("queue", "jump", "\(number)")
        try await player.plays(wanted[number - 1])
        try await player.status { $0["title"]?.string == title && $0["artist"]?.string == artist }
      }
      try await player.stop()
    }
  }
}
