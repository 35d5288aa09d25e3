import Glibc
import Remote
import Runtime
import Testing

extension ProgramTests {
  @Suite("A file that kills the player", .serialized)
  struct CrashSuspectTests {
    /// Dies when it comes by `step` the first time; `words` are the player's.
    private func dies(at step: String, in home: Home, _ words: [String]) async throws {
      let all =
        [Built.layby, "run", "--board", "\(home.board)", "--state", "\(home.state)", "--run", "\(home.run)"]
        + ["--output", "null"] + words
      let process = try ChildProcess(
        all, environment: ["LAYBY_DIE_AT=\(step)"], output: home.folder / "output", errors: home.log)
      #expect(await process.exitCode() == 128 + SIGKILL)
    }

    @Test("as it is opened, is passed over after two deaths, and tried again when it has changed")
    func opening() async throws {
      let home = try Home()
      let (bad, good) = (try await home.flac("bad", seconds: 20), try await home.flac("good", seconds: 20))
      let play = ["--play", "\(bad)", "\(good)"]
      try await dies(at: "file.opening", in: home, play)
      try await dies(at: "file.opening", in: home, play)
      let player = try await RunningPlayer(playing: [bad, good], in: home)
      try await player.plays(good)
      try await player.tells("bad.flac is passed over", "died 2 times")
      try await player.stop()
      // The file is another one now.
      _ = bad.withCString { utimes($0, nil) }
      let next = try await RunningPlayer(in: home)
      try await next.ask("queue", "jump", "1")
      try await next.ask("play")
      try await next.plays(bad)
      try await next.stop()
    }

    @Test("once is no suspect")
    func once() async throws {
      let home = try Home()
      let file = try await home.flac("file", seconds: 20)
      try await dies(at: "file.opening", in: home, ["--play", "\(file)"])
      let player = try await RunningPlayer(playing: [file], in: home)
      try await player.plays(file)
      // Neither is one that was being opened when somebody wanted the player to stop.
      try await player.stop()
      let next = try await RunningPlayer(playing: [file], in: home)
      try await next.plays(file)
      try await next.stop()
    }

    @Test("as its loudness is measured, is neither measured nor played after two deaths")
    func measuring() async throws {
      let home = try Home(owner: "[sound]\nnormaliser = track\n")
      let (playing, file) = (try await home.flac("playing", seconds: 60), try await home.flac("file", seconds: 20))
      let next = try await home.flac("next", seconds: 20)
      let owner = ["--owner", "\(home.owner)"]
      // What is current is measured first.
      try await dies(at: "file.measuring", in: home, owner + ["--play", "\(file)", "\(playing)"])
      try await dies(at: "file.measuring", in: home, owner + ["--play", "\(file)", "\(playing)"])
      // What is passed over is not measured any more, so another one is played first.
      let player = try await RunningPlayer(playing: [playing, file, next], in: home, owner)
      try await player.logs(["cannot be measured", "file.flac", "died 2 times"])
      try await player.ask("play")
      try await player.plays(playing)
      try await player.ask("next")
      try await player.tells("file.flac is passed over", "died 2 times")
      try await player.plays(next)
      try await player.stop()
    }
  }
}
