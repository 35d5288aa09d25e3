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

    @Test(
      "of a WAV file that is WavPack by now is played by the decoder of foreign formats, track by track",
      .enabled(if: ForeignDecoding.canRun, "nothing here decodes foreign files"))
    func wavPack() async throws {
      let home = try Home()
      let music = home.folder / "music"
      try Folder.make(music)
      let (made, path) = (try await home.flac("made", seconds: 40), music / "whole.wv")
      try await tool("ffmpeg", "-v", "error", "-nostdin", "-i", "\(made)", "-c:a", "wavpack", "\(path)", in: home)
      let sheet = music / "suites.cue"
      try home.write(Self.sheet.replacing("whole.flac", with: "whole.wav"), to: sheet)
      let player = try await RunningPlayer(in: home)
      let added = try await Finished([Built.layby, "queue", "add", "\(sheet)", "--run", "\(home.run)"], in: home)
      #expect(added.code == EX_OK && added.errors.isEmpty, "\(added)")
      let parts = ["part:0-20000:\(path)", "part:20000-:\(path)"].map { FilePath($0) }
      #expect(try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } == parts)
      try await player.imports(music, files: 1)
      let list = try #require(try await player.ask("browse", "playlists")["rows"]?.items?.first?["id"]?.whole)
      try await player.ask("queue", "play", "playlist", "\(list)")
      #expect(try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } == parts)
      try await player.ask("queue", "jump", "2")
      try await player.plays(parts[1])
      try await player.status { $0["title"] == "Allemande" && $0["duration_s"]?.double == 20 }
      try await player.stop()
    }

    @Test("of a WAV file that is Monkey's Audio by now says which decoder is missing, once for each file")
    func withoutDecoder() async throws {
      let home = try Home()
      // The player looks for the decoder beside itself.
      let layby = home.folder / "programs/layby"
      for folder in [layby.folder, home.folder / "music"] { try Folder.make(folder) }
      try await tool("cp", Built.layby, "\(layby)", in: home)
      let (ape, sheet) = (home.folder / "music/whole.ape", home.folder / "music/suites.cue")
      try AtomicFile.replace(ape, with: Array("MAC ".utf8) + [UInt8](repeating: 1, count: 2_000))
      try home.write(Self.sheet.replacing("whole.flac", with: "whole.wav"), to: sheet)
      let player = try await RunningPlayer(in: home, program: "\(layby)")
      func ask(_ words: String...) async throws -> Finished {
        try await Finished(["\(layby)"] + words + ["--run", "\(home.run)"], in: home)
      }
      let alone = try await ask("queue", "add", "\(sheet)")
      #expect(alone.code == EX_USAGE && alone.errors.contains("layby-decode"), "\(alone)")
      #expect(alone.errors.contains("not installed") && alone.errors.contains("\(ape) holds no music"), "\(alone)")
      let both = home.folder / "both"
      try Folder.make(both)
      for name in ["one.ape", "two.ape"] { try await tool("cp", "\(ape)", "\(both / name)", in: home) }
      try home.write(Self.ripped, to: both / "both.cue")
      let two = try await ask("queue", "add", "\(both / "both.cue")")
      #expect(two.code == EX_UNAVAILABLE && two.errors.contains("one.ape holds no music"), "\(two)")
      #expect(two.errors.contains("of other files the same is true (1)"), "\(two)")
      // Beside what is played, it is told of and left out.
      let plain = try await home.flac("plain", seconds: 2)
      let beside = try await ask("queue", "add", "\(sheet)", "\(plain)")
      #expect(beside.code == EX_OK, "\(beside)")
      #expect(beside.errors.split(separator: "whole.ape", omittingEmptySubsequences: false).count == 2, "\(beside)")
      #expect(try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } == [plain])
      // In the library its tracks stand as missing, by the name that the sheet has for the file.
      _ = try await ask("import", "\(home.folder / "music")")
      try await player.until("the sheet is known") {
        try await player.ask("browse", "playlists")["rows"]?.items?.isEmpty == false
      }
      #expect(try await ask("import").output.contains("only layby-decode plays them, and it is not installed"))
      let list = try await player.ask("browse", "playlists")["rows"]?.items?.first?["id"]?.whole ?? 0
      let rows = try await ask("browse", "playlist", "\(list)")
      #expect(rows.output.contains("missing") && rows.output.contains("Prelude - whole.wav"), "\(rows)")
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
