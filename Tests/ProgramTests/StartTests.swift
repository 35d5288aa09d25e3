import Glibc
import Runtime
import Testing

extension ProgramTests {
  @Suite("A start with nobody there", .serialized)
  struct StartTests {
    @Test("with the ready sound wanted plays it first, and then every sample of the music")
    func cue() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = 100\nready_cue = yes\n")
      let music = try await home.flac("music", seconds: 1)
      let wave = home.folder / "out.wav"
      let player = try await RunningPlayer(output: "file:\(wave)", playing: [music], in: home, ["--once"])
      try await player.ends(with: EX_OK)
      let heard = try samples(of: wave)
      let plain = try await home.recording(of: music)
      #expect(plain.count == 4 * 44_100)
      #expect(heard.suffix(plain.count).elementsEqual(plain))
      let cue = heard.dropLast(plain.count)
      #expect(cue.count >= 4 * 22_050 && cue.contains { $0 != 0 })
    }

    @Test("plays the board's first music once, and never again when the queue was emptied on purpose")
    func firstMusic() async throws {
      let home = try Home()
      let folder = home.folder / "first"
      try Folder.make(folder)
      let music = try await home.flac("first/music")
      try home.write("[board]\nname = test\n[panel]\nsize = 64x48\n[paths]\nfirst_music = \(folder)\n", to: home.board)
      let first = try await RunningPlayer(in: home)
      try await first.plays(music)
      try await first.ask("queue", "clear")
      try await first.stop()
      let second = try await RunningPlayer(in: home)
      #expect(try await second.status()["count"] == 0)
      try await second.stop()
    }

    @Test("after three ends that nobody wanted leaves the owner's settings aside, says so, and still plays")
    func safeMode() async throws {
      let home = try Home(owner: "[sound]\nmax_volume = 40\nvolume_step = 7\n")
      let music = try await home.flac("music")
      let first = try await RunningPlayer(playing: [music], in: home)
      try await first.plays(music)
      #expect(try await first.ask("volume", "90")["status"]?["volume"] == 40)
      await first.kill()
      for _ in 0..<2 {
        let next = try await RunningPlayer(in: home)
        #expect(try await next.ask("volume", "90")["status"]?["volume"] == 40, "not yet")
        await next.kill()
      }
      let safe = try await RunningPlayer(in: home)
      try await safe.tells("R-170", "Safe mode")
      #expect(try await safe.status()["safe_mode"] == true)
      try await safe.plays(music)
      #expect(try await safe.ask("volume", "90")["status"]?["volume"] == 40, "a limit is no wish that could do harm")
      try await safe.ask("volume", "20")
      #expect(try await safe.ask("turn", "1")["status"]?["volume"] == 22, "the owner's steps are left aside")
      await safe.kill()
      let again = try await RunningPlayer(in: home)
      try await again.plays(music)
      await again.kill()
      let silent = try await RunningPlayer(in: home)
      try await silent.tells("R-170", "Press play")
      #expect(try await silent.status()["state"] == "paused")
      try await silent.ask("play")
      try await silent.plays(music)
      try await silent.stop()

      let after = try await RunningPlayer(in: home)
      try await after.ask("volume", "20")
      #expect(try await after.ask("turn", "1")["status"]?["volume"] == 27, "a stop that was wanted ends it")
      try await after.stop()
    }
  }
}

extension Home {
  /// All that is heard of one file at full volume.
  func recording(of music: FilePath) async throws -> [UInt8] {
    let other = try Home()
    let wave = other.folder / "plain.wav"
    let player = try await RunningPlayer(output: "file:\(wave)", playing: [music], in: other, ["--once"])
    try await player.ends(with: EX_OK)
    return try samples(of: wave)
  }
}
