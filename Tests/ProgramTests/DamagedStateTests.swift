import Glibc
import Playback
import Runtime
import Store
import Testing

extension ProgramTests {
  @Suite("After a crash, what is damaged", .serialized)
  struct DamagedStateTests {
    private static let junk = [UInt8](repeating: 0x55, count: 8_192)

    /// A player that was killed while it played the second of two, and what it left.
    private func killed() async throws -> (Home, [FilePath]) {
      let home = try Home()
      let music = [try await home.flac("one"), try await home.flac("two")]
      let player = try await RunningPlayer(playing: music, in: home)
      try await player.ask("next")
      try await player.plays(music[1])
      await player.kill()
      return (home, music)
    }

    private func overwrite(_ name: String, in home: Home, with bytes: [UInt8] = junk) throws {
      for file in ["\(name)-wal", "\(name)-shm"] { _ = (home.state / file).withCString { unlink($0) } }
      try AtomicFile.replace(home.state / name, with: bytes)
    }

    private func keptAside(_ name: String, in home: Home) throws -> Bool {
      try home.names(in: home.state).contains { other in
        guard other.hasPrefix(name), other.contains("damaged") else { return false }
        return try AtomicFile.read(home.state / other, limit: 1 << 20) == Self.junk
      }
    }

    @Test("the queue's database is set aside and told; new music is played and kept")
    func state() async throws {
      let (home, music) = try await killed()
      try overwrite("state.db", in: home)
      let player = try await RunningPlayer(in: home)
      try await player.tells("state.db", "damaged")
      #expect(try keptAside("state", in: home))
      #expect(try await player.status()["count"]?.whole == 0)
      _ = try await player.add(music)
      try await player.ask("play")
      try await player.plays(music[0])
      await player.kill()
      let again = try await RunningPlayer(in: home)
      #expect(try await again.status()["count"]?.whole == 2)
      try await again.plays(music[0])
      try await again.stop()
    }

    @Test("the library is set aside and told, and takes no queue with it")
    func library() async throws {
      let (home, music) = try await killed()
      try overwrite("library.db", in: home)
      let player = try await RunningPlayer(in: home)
      try await player.tells("library.db", "damaged")
      #expect(try keptAside("library", in: home))
      try await player.plays(music[1])
      try await player.stop()
    }

    @Test("the place costs the place, and is told; the queue stays")
    func bothSlots() async throws {
      let (home, music) = try await killed()
      try AtomicFile.replace(
        home.state / "position", with: [UInt8](repeating: 0x55, count: 2 * PlaceSlot.size))
      let player = try await RunningPlayer(in: home)
      let status = try await player.status()
      #expect(status["count"]?.whole == 2, "\(status)")
      try await player.tells("position")
      try await player.ask("queue", "jump", "2")
      try await player.plays(music[1])
      try await player.stop()
    }

    @Test("one of two places costs five seconds at most")
    func oneSlot() async throws {
      for slot in 0..<2 {
        let (home, music) = try await killed()
        var bytes = try AtomicFile.read(home.state / "position", limit: 2 * PlaceSlot.size)
        for index in slot * PlaceSlot.size..<(slot + 1) * PlaceSlot.size { bytes[index] = 0x55 }
        try AtomicFile.replace(home.state / "position", with: bytes)
        let player = try await RunningPlayer(in: home)
        try await player.plays(music[1])
        try await player.stop()
      }
    }

    /// Numbers in the queue's database as a worn card leaves them: SQLite finds nothing wrong with them.
    private func change(_ sql: String, in home: Home) throws {
      let connection = try Connection(open: home.state / "state.db", as: .writer(durability: .normal))
      for part in sql.split(separator: ";") { try connection.execute(String(part)) }
    }

    @Test(
      "numbers of the history that nobody gave end no player, and cost no other entry",
      arguments: ["-9223372036854775807", "-3", "9223372036854775806"])
    func history(number: String) async throws {
      let home = try Home()
      let music = [try await home.flac("one"), try await home.flac("two")]
      let first = try await RunningPlayer(playing: music, in: home)
      for place in [1, 0, 1] {
        try await first.ask("queue", "jump", "\(place + 1)")
        try await first.plays(music[place])
      }
      try await first.stop()
      try change("UPDATE listening SET number = \(number) WHERE number = (SELECT min(number) FROM listening)", in: home)
      let player = try await RunningPlayer(in: home)
      try await player.plays(music[1])
      let before = try await player.ask("history", "all")["history"]?.items?.count ?? 0
      for _ in 0..<2 {
        try await player.ask("queue", "jump", "1")
        try await player.plays(music[0])
        try await player.ask("queue", "jump", "2")
        try await player.plays(music[1])
      }
      let heard = try await player.ask("history", "all")["history"]?.items?.count ?? 0
      #expect(before > 0 && heard >= before + 4, "\(before), \(heard): \(player.said)")
      try await player.stop()
    }

    @Test(
      "places and counts of a playlist that nobody gave end no player; it takes more, and keeps its order",
      arguments: ["9223372036854775807", "-9223372036854775808"])
    func playlist(number: String) async throws {
      let home = try Home()
      let music = [try await home.flac("one"), try await home.flac("two"), try await home.flac("three")]
      let first = try await RunningPlayer(in: home)
      try await first.ask("playlist", "make", "Road")
      _ = try await first.answer("playlist", [JSON("add"), JSON("Road"), JSON(path: music[0])])
      try await first.stop()
      try change("UPDATE playlist SET count = \(number); UPDATE playlist_entry SET place = \(number)", in: home)
      let player = try await RunningPlayer(in: home)
      let added = try await player.answer("playlist", [JSON("add"), JSON("Road"), JSON(path: music[1])])
      #expect(added["ok"] == true, "\(added)")
      _ = try await player.answer("playlist", [JSON("add"), JSON("Road"), JSON(path: music[2])])
      func entries() async throws -> [JSON] {
        try await player.ask("playlist", "show", "Road")["entries"]?.items ?? []
      }
      #expect(try await entries().compactMap { $0["path"]?.path } == music)
      let ids = try await entries().compactMap { $0["entry"]?.whole }
      try #require(ids.count == 3)
      try await player.ask("playlist", "move", "Road", "\(ids[2])")
      try await player.ask("playlist", "move", "Road", "\(ids[0])", "\(ids[1])")
      #expect(try await entries().compactMap { $0["path"]?.path } == [music[2], music[1], music[0]])
      try await player.stop()
    }

    @Test("what is no file in the place of its own is put away, and nothing is written to where it leads")
    func noFiles() async throws {
      let home = try Home()
      let music = try await home.flac("one")
      let other = home.folder / "other"
      try home.write("precious", to: other)
      try Folder.make(home.state, mode: 0o700)
      try #require((home.state / "running").withCString { mkfifo($0, 0o600) } == 0)
      try #require((home.state / "lock").withCString { link in other.withCString { symlink($0, link) } } == 0)
      let player = try await RunningPlayer(playing: [music], in: home)
      try await player.plays(music)
      try await player.stop()
      #expect(try AtomicFile.read(other, limit: 100) == Array("precious".utf8))
      let again = try await RunningPlayer(in: home)
      #expect(try await again.status()["count"]?.whole == 1)
      try await again.stop()
    }
  }
}
