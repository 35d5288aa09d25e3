import Glibc
import Playback
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  /// A folder stands for whatever can be taken away: a stick, a disk, a share.
  @Suite("Music that is away", .serialized)
  struct AwaySourceTests {
    private struct Known {
      let library: [String]
      /// History, counts, and playlists made here.
      let memory: [String]

      /// Of a player that has stopped.
      init(_ home: Home) throws {
        library = try DatabaseDump(of: home.state / "library.db").library()
        memory = try DatabaseDump(of: home.state / "state.db").rows(
          of: ["listening", "listening_total", "playlist", "playlist_entry"])
      }
    }

    @Test("is not forgotten, and when it is back all is as it was: files, lists, playlists, counts and history")
    func roundTrip() async throws {
      let home = try Home()
      let (music, elsewhere) = (home.folder / "music", home.folder / "elsewhere")
      try Folder.make(music / "own")
      try TinyAlbums(120).write(below: music)
      var tracks: [FilePath] = []
      for name in ["one", "two"] {
        tracks.append(try await home.flac("music/own/\(name)", seconds: 1, tone: name == "one" ? 441 : 882))
      }
      try home.write("one.flac\ntwo.flac\n01 away.mp3\n", to: music / "own/both.m3u")

      let first = try await RunningPlayer(in: home)
      try await Self.untilLibraryIsOpen(first)
      try await first.ask("import", "\(music)")
      #expect(try await Self.imported(first)["read"]?.whole == 122)
      _ = try await first.add([tracks[0], tracks[1], tracks[0]])
      try await first.ask("play")
      try await first.status { $0["state"] == "stopped" }
      try await Self.until(first, "all three were counted") {
        try await first.ask("browse", "often")["rows"]?.items?.count == 2
      }
      try await first.stop()
      let before = try Known(home)
      #expect(before.library.count > 1_000 && before.memory.count { $0.hasPrefix("listening:") } == 3)
      #expect(before.library.contains { $0.hasPrefix("recording:") && $0.contains("plays=2") })

      #expect(music.withCString { from in elsewhere.withCString { rename(from, $0) } } == 0)
      let second = try await RunningPlayer(in: home)
      try await Self.untilLibraryIsOpen(second)
      try await Self.until(second, "it is said to be away") {
        try await second.ask("library")["sources"]?.items?.first?["present"] == false
      }
      let library = try await second.ask("library")
      #expect(library["tracks"]?.whole == 122 && library["playlists"]?.whole == 4)
      for list in ["artists", "albums", "tracks", "often"] {
        let rows = try await second.ask("browse", list)["rows"]?.items ?? []
        #expect(!rows.isEmpty && rows.allSatisfy { $0["present"] == false }, "\(list): \(rows)")
      }
      #expect(try await second.answer("import", [JSON(path: music)])["ok"] == false)
      try await second.stop()
      let away = try Known(home)
      let changed = Differences(between: before.library, and: away.library)
      #expect(changed.missing.count == 1 && changed.added.count == 1, "\(changed)")
      #expect(changed.added.first?.contains("is_present=0") == true)
      #expect(away.memory == before.memory)

      #expect(elsewhere.withCString { from in music.withCString { rename(from, $0) } } == 0)
      let third = try await RunningPlayer(in: home)
      #expect(try await Self.imported(third)["read"]?.whole == 0)
      try await third.stop()
      let back = try Known(home)
      #expect(Differences(between: before.library, and: back.library).isNone)
      #expect(back.memory == before.memory)
    }

    private static func untilLibraryIsOpen(_ player: RunningPlayer) async throws {
      try await until(player, "the library is open") { try await player.answer("library")["ok"] == true }
    }

    private static func until(
      _ player: RunningPlayer, _ what: String, _ isSo: () async throws -> Bool
    ) async throws {
      let end = Moment.now + patience
      while try await !isSo() {
        guard Moment.now < end else { throw RunningPlayer.Refused(description: "it was never so that \(what)") }
        await player.events?.news(within: .milliseconds(50))
      }
    }

    private static func imported(_ player: RunningPlayer) async throws -> JSON {
      var answer = JSON.null
      try await until(player, "the import is over") {
        answer = try await player.ask("import")
        return answer["running"] == false && answer["import"]?["phase"] == "done"
      }
      return answer["import"] ?? .null
    }
  }
}
