import Glibc
import Kit
import Runtime
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
      #expect(try await !words(player).contains("Press to play"))
      _ = try await player.answer("import", [JSON(path: music)])
      try await shows(player, "Press to play all your music")
      try await player.ask("press", "play")
      try await player.plays(path)
      try await player.ask("queue", "clear")
      try await player.stop()

      // And at a later start, with an empty queue again.
      let later = try await RunningPlayer(in: home)
      try await shows(later, "Press to play all your music")
      try await later.ask("press", "play")
      try await later.plays(path)
      try await later.stop()
    }

    @Test("finds version, board, free space and the last true problem behind the helper's code and in About")
    func about() async throws {
      let home = try Home()
      try home.write("[board]\nname = dashboard\n[panel]\nsize = 320x240\n", to: home.board)
      let gone = home.folder / "gone.flac"
      let player = try await RunningPlayer(playing: [gone], in: home)
      try await player.tells("gone.flac")
      try await player.ask("press", "long knob")
      var steps = 0
      while try await !words(player).contains("About"), steps < 30 {
        try await player.ask("turn", "1")
        steps += 1
      }
      try await player.ask("press", "knob")
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
