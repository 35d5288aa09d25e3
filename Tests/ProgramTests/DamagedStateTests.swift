import Glibc
import Playback
import Runtime
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
  }
}
