import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("The library in safe mode", .serialized)
  struct SafeLibraryTests {
    private static func tracks(_ player: RunningPlayer) async throws -> Int64? {
      try await player.ask("library")["tracks"]?.whole
    }

    private static func imported(_ player: RunningPlayer, _ tracks: Int64) async throws {
      let until = Moment.now + patience
      while try await Self.tracks(player) != tracks {
        try #require(Moment.now < until, "it was not imported; it said:\n\(player.said)")
        await player.events?.news(within: .milliseconds(20))
      }
    }

    @Test("is not filled by itself, which is told, and is when somebody asks")
    func byItself() async throws {
      let home = try Home()
      let music = home.folder / "music"
      try Folder.make(music)
      try AtomicFile.replace(music / "1.mp3", with: TinyMP3(sound: 1).bytes)
      let first = try await RunningPlayer(in: home)
      _ = try await first.answer("import", [JSON(path: music)])
      try await Self.imported(first, 1)
      await first.kill()
      for number: UInt64 in 2...3 {
        try AtomicFile.replace(music / "\(number).mp3", with: TinyMP3(sound: number).bytes)
        let next = try await RunningPlayer(in: home)
        try await Self.imported(next, Int64(number))
        await next.kill()
      }
      try AtomicFile.replace(music / "4.mp3", with: TinyMP3(sound: 4).bytes)
      let safe = try await RunningPlayer(in: home)
      try await safe.tells("L-413")
      #expect(try await safe.status()["safe_mode"] == true)
      let state = try await safe.ask("import")
      #expect(state["running"]?.truth == false && state["import"] == nil, "\(state)")
      #expect(try await Self.tracks(safe) == 3)
      _ = try await safe.answer("import", [JSON(path: music)])
      try await Self.imported(safe, 4)
      try await safe.stop()
    }
  }
}
