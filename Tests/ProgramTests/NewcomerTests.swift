import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("A newcomer at the panel", .serialized)
  struct NewcomerTests {
    private func words(_ player: RunningPlayer) async throws -> String {
      try await player.ask("screen")["words"]?.string ?? ""
    }

    private func shows(_ player: RunningPlayer, _ expected: String) async throws {
      let until = Moment.now + patience
      while try await !words(player).contains(expected) {
        let shown = try await words(player)
        try #require(Moment.now < until, "\(expected) was never shown, but \(shown)")
        await player.events?.news(within: .milliseconds(50))
      }
    }

    @Test("is offered the music after an import with an empty queue, and hears it with one press")
    func offered() async throws {
      let home = try Home()
      let music = home.folder / "music"
      _ = music.withCString { mkdir($0, 0o755) }
      let made = try await home.flac("made", seconds: 30)
      let path = music / "1.flac"
      #expect(made.withCString { from in path.withCString { rename(from, $0) } } == 0)
      let player = try await RunningPlayer(in: home)
      try await shows(player, "Nothing to play")
      #expect(try await !words(player).contains("Play all"))
      _ = try await player.answer("import", [JSON(path: music)])
      try await shows(player, "Play all your music")
      try await player.ask("press", "play")
      try await player.plays(path)
      try await player.ask("queue", "clear")
      try await player.stop()

      // And at a later start, with an empty queue again.
      let later = try await RunningPlayer(in: home)
      try await shows(later, "Play all your music")
      try await later.ask("press", "play")
      try await later.plays(path)
      try await later.stop()
    }

    @Test("reads the name of a file that cannot be played and why, and not where it lies")
    func unplayable() async throws {
      let home = try Home()
      try home.write("no music", to: home.folder / "broken.mp3")
      let player = try await RunningPlayer(playing: [home.folder / "broken.mp3"], in: home)
      try await shows(player, "broken.mp3 holds no music")
      #expect(try await !words(player).contains("\(home.folder)"))
      // The log tells the helper where it is.
      #expect(player.said.contains("\(home.folder / "broken.mp3") holds no music"), "\(player.said)")
      try await player.stop()
    }

    @Test("finds podcasts in a list of their own, by commands and on the panel, and no such list where there are none")
    func podcasts() async throws {
      func rows(_ player: RunningPlayer) async throws -> [String] {
        try await player.ask("press", "long knob")
        try await player.ask("press", "knob")
        var rows: [String] = []
        for _ in 0..<12 {
          rows.append(try await words(player))
          try await player.ask("turn", "1")
        }
        for _ in 0..<2 { try await player.ask("press", "long knob") }
        return rows
      }
      let home = try Home()
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let music = home.folder / "music"
      try Folder.make(music)
      let made = try await home.flac("made", seconds: 2)
      try await tool(
        "metaflac", "--set-tag=TITLE=First", "--set-tag=ALBUM=Talk", "--set-tag=GENRE=Podcast", "\(made)", in: home)
      #expect(made.withCString { from in (music / "1.flac").withCString { rename(from, $0) } } == 0)
      let player = try await RunningPlayer(in: home)
      let before = try await rows(player)
      #expect(
        before.contains { $0.contains("Audiobooks") } && !before.contains { $0.contains("Podcasts") }, "\(before)")
      try await player.imports(music, files: 1)
      let after = try await rows(player)
      #expect(after.contains { $0.contains("Music · Podcasts") }, "\(after)")
      let list = try await Finished([Built.layby, "browse", "podcasts", "--run", "\(home.run)"], in: home)
      #expect(list.code == EX_OK && list.output.contains("Talk"), "\(list)")
      try await player.stop()
    }

    @Test("finds version, board, free space and the last true problem behind the helper's code and in About")
    func about() async throws {
      let home = try Home()
      try home.write("[board]\nname = dashboard\n[panel]\nsize = 320x240\n", to: home.board)
      let gone = home.folder / "gone.flac"
      let player = try await RunningPlayer(playing: [gone], in: home)
      try await player.tells("gone.flac")
      try await player.ask("press", "long knob")
      for row in ["Settings", "About"] {
        var steps = 0
        while try await !words(player).contains(row), steps < 30 {
          try await player.ask("turn", "1")
          steps += 1
        }
        try await player.ask("press", "knob")
      }
      // The rows, one after the other, as whoever turns sees them.
      var rows: [String] = []
      for _ in 0..<20 {
        rows.append(try await words(player))
        try await player.ask("turn", "1")
      }
      let all = rows.joined(separator: "\n")
      for word in ["Version", "0.1", "dashboard", "Free", "GB", "Last problem"] {
        #expect(all.contains(word), "\(all)")
      }
      try await player.ask("turn", "-50")
      try await player.ask("press", "knob")
      let report = try await words(player)
      #expect(report.contains("Layby 0.1 dashboard"), "\(report)")
      #expect(report.contains("GB free") && report.contains("gone.flac"), "\(report)")
      try await player.stop()
    }
  }
}
