import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Playlists made on the device", .serialized)
  struct PlaylistTests {
    /// Five tracks of one album below a folder, imported.
    private static func library(_ home: Home) async throws -> (
      player: RunningPlayer, music: FilePath, tracks: [FilePath]
    ) {
      let music = home.folder / "music"
      var made: [FilePath] = []
      _ = music.withCString { mkdir($0, 0o755) }
      for number in 1...5 {
        let one = try await home.flac("\(number)", seconds: 0.4, tone: 441 * Double(number))
        let path = music / "\(number).flac"
        try await tool(
          "metaflac", "--set-tag=TITLE=Track \(number)", "--set-tag=ARTIST=Layby", "--set-tag=ALBUM=Signs",
          "--set-tag=TRACKNUMBER=\(number)", "\(one)", in: home)
        #expect(one.withCString { from in path.withCString { rename(from, $0) } } == 0)
        made.append(path)
      }
      let player = try await RunningPlayer(in: home)
      try await take(music, player, tracks: 5)
      return (player, music, made)
    }

    private static func take(_ music: FilePath, _ player: RunningPlayer, tracks: Int64) async throws {
      _ = try await player.answer("import", [JSON(path: music)])
      let until = Moment.now + patience
      while true {
        let isRunning = try await player.ask("import")["running"]?.truth
        let there = try await player.ask("library")["tracks"]?.whole
        if isRunning == false && there == tracks { break }
        try #require(Moment.now < until, "the import never ended")
        await player.events?.news(within: .milliseconds(20))
      }
    }

    private static func paths(_ player: RunningPlayer, _ name: String) async throws -> [FilePath] {
      try await player.ask("playlist", "show", name)["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
    }

    private static func queued(_ player: RunningPlayer) async throws -> [FilePath] {
      try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
    }

    private static func album(_ player: RunningPlayer) async throws -> String {
      let found = try await player.ask("browse", "albums")["rows"]?.items?.first?["id"]?.whole
      return "\(try #require(found))"
    }

    private static func often(_ player: RunningPlayer) async throws -> [String] {
      try await player.ask("browse", "often")["rows"]?.items?.compactMap { $0["title"]?.string } ?? []
    }

    @Test("are made, filled, ordered, renamed, played and deleted, and outlive a power cut")
    func life() async throws {
      let home = try Home()
      var (player, _, tracks) = try await Self.library(home)
      try await player.ask("playlist", "make", "Road")
      _ = try await player.answer("playlist", ["add", "Road", JSON(path: tracks[4]), JSON(path: tracks[0])])
      try await player.ask("playlist", "fill", "Road", "album", Self.album(player))
      #expect(try await Self.paths(player, "Road") == [tracks[4], tracks[0]] + tracks)
      let entries = try await player.ask("playlist", "show", "Road")["entries"]?.items ?? []
      let ids = entries.compactMap { $0["entry"]?.whole }
      #expect(
        entries.allSatisfy { $0["present"] == true && $0["duration_s"]?.double == 0.4 && ($0["added"]?.whole ?? 0) > 0 }
      )
      // The last one to the front, the second out.
      try await player.ask("playlist", "move", "Road", "\(ids[6])")
      try await player.ask("playlist", "remove", "Road", "\(ids[1])")
      try await player.ask("playlist", "rename", "Road", "Way")
      let answer = try await player.ask("playlist", "offline", "Way", "on")
      #expect(answer["playlist"]?["count"]?.whole == 6 && answer["playlist"]?["duration_s"]?.double == 2.4)
      let wanted = [tracks[4], tracks[4]] + tracks[0..<4]
      #expect(try await Self.paths(player, "Way") == wanted)
      await player.kill()
      player = try await RunningPlayer(in: home)
      #expect(try await Self.paths(player, "Way") == wanted)
      #expect(try await player.ask("playlist")["playlists"]?.items?.first?["offline"] == true)
      try await player.ask("playlist", "play", "Way")
      #expect(try await Self.queued(player) == wanted)
      try await player.status { $0["state"] == "stopped" }
      // What was heard knows where it was chosen.
      var heard: [JSON] = []
      let until = Moment.now + patience
      while heard.count < 6, Moment.now < until {
        heard = try await player.ask("history", "all")["history"]?.items ?? []
        await player.events?.news(within: .milliseconds(20))
      }
      #expect(heard.count == 6 && heard.allSatisfy { $0["from"] == "playlist" && $0["from_name"] == "Way" })
      try await player.ask("queue", "play", "album", Self.album(player))
      try await player.status { $0["state"] == "stopped" }
      while heard.count < 11, Moment.now < until {
        heard = try await player.ask("history", "all")["history"]?.items ?? []
        await player.events?.news(within: .milliseconds(20))
      }
      #expect(heard.count == 11 && heard.first?["from"] == "album" && heard.first?["from_name"] == "Signs")
      try await player.ask("playlist", "delete", "Way")
      #expect(try await player.ask("playlist")["playlists"]?.items?.isEmpty == true)
      try await player.stop()
    }

    @Test("know recordings, not paths: moved music is played from where it is, and what is away waits")
    func moved() async throws {
      let home = try Home()
      let (player, music, tracks) = try await Self.library(home)
      try await player.ask("playlist", "make", "Road")
      try await player.ask("playlist", "fill", "Road", "album", Self.album(player))
      let deeper = music / "deeper"
      _ = deeper.withCString { mkdir($0, 0o755) }
      let new = deeper / "other name.flac"
      #expect(tracks[1].withCString { from in new.withCString { rename(from, $0) } } == 0)
      #expect(tracks[2].withCString { unlink($0) } == 0)
      try await Self.take(music, player, tracks: 4)
      let entries = try await player.ask("playlist", "show", "Road")["entries"]?.items ?? []
      #expect(entries.map { $0["present"]?.truth } == [true, true, false, true, true])
      #expect(entries.compactMap { $0["path"]?.path } == [tracks[0], new] + tracks[2...])
      try await player.ask("playlist", "queue", "Road")
      #expect(try await Self.queued(player) == [tracks[0], new, tracks[3], tracks[4]])
      try await player.stop()
    }

    @Test("take the queue and single tracks, and are named by their numbers too")
    func filled() async throws {
      let home = try Home()
      let (player, _, tracks) = try await Self.library(home)
      let made = try await player.ask("playlist", "make", "Road")["playlist"]?["id"]?.whole
      let number = "\(try #require(made))"
      _ = try await player.add([tracks[1], tracks[2]])
      try await player.ask("playlist", "fill", number, "queue")
      let rows = try await player.ask("browse", "album", Self.album(player))["rows"]?.items ?? []
      let last = "\(try #require(rows.first { $0["title"] == "Track 5" }?["id"]?.whole))"
      try await player.ask("playlist", "fill", "#" + number, "track", last)
      #expect(try await Self.paths(player, "Road") == [tracks[1], tracks[2], tracks[4]])
      try await player.ask("queue", "fill", "track", last)
      #expect(try await Self.queued(player) == [tracks[1], tracks[2], tracks[4]])
      for words in [["playlist", "fill", "Road", "track", "99"], ["queue", "fill", "track", "99"]] {
        let answer = try await player.answer(words[0], words.dropFirst().map { JSON($0) })
        #expect(Response.fault(in: answer)?.code == "X-139", "\(words): \(answer)")
      }
      try await player.stop()
    }

    @Test("that cannot be are refused with what was expected, and nothing is changed")
    func refused() async throws {
      let home = try Home()
      let (player, _, tracks) = try await Self.library(home)
      try await player.ask("playlist", "make", "Road")
      _ = try await player.answer("playlist", ["add", "Road", JSON(path: tracks[0])])
      let before = try await player.ask("playlist")
      let table: [(words: [JSON], code: String)] = [
        (["make", "Road"], "X-186"), (["make", ""], "X-130"), (["make", "#1"], "X-130"),
        (["make", "a\u{7}"], "X-130"), (["make", JSON(String(repeating: "a", count: 201))], "X-130"),
        (["make"], "X-130"),
        (["show", "Nowhere"], "X-185"), (["show", "#99"], "X-185"), (["add", "Road", "relative.flac"], "X-130"),
        (["fill", "Road", "album", "x"], "X-130"), (["fill", "Road", "moods"], "X-130"),
        (["remove", "Road", "first"], "X-130"), (["move", "Road", "1", "77"], "P-182"),
        (["offline", "Road", "maybe"], "X-130"), (["rename", "Road", "Road"], "X-186"), (["dance", "Road"], "X-130"),
      ]
      for row in table {
        let answer = try await player.answer("playlist", row.words)
        #expect(Response.fault(in: answer)?.code == row.code, "\(row.words): \(answer)")
      }
      #expect(try await player.ask("playlist") == before)
      // Nothing there to play is no empty queue.
      _ = try await player.add([tracks[1]])
      try await player.ask("playlist", "make", "Empty")
      #expect(Response.fault(in: try await player.answer("playlist", ["play", "Empty"]))?.code == "X-188")
      #expect(try await Self.queued(player) == [tracks[1]])
      try await player.stop()
    }

    @Test("and counts come back into a library that was begun anew")
    func restored() async throws {
      let home = try Home()
      var (player, music, tracks) = try await Self.library(home)
      try await player.ask("playlist", "make", "Road")
      _ = try await player.answer("playlist", ["add", "Road", JSON(path: tracks[3])])
      try await player.ask("queue", "play", "album", Self.album(player))
      try await player.status { $0["state"] == "stopped" }
      try await player.ask("queue", "clear")
      _ = try await player.add([tracks[3]])
      try await player.ask("play")
      try await player.status { $0["state"] == "stopped" }
      // A moment after the last note, and it is counted nevertheless.
      try await player.stop()
      for name in home.names(in: home.state) where name.hasPrefix("library.db") {
        _ = (home.state / name).withCString { unlink($0) }
      }
      player = try await RunningPlayer(in: home)
      #expect(try await player.ask("library")["tracks"]?.whole == 0)
      // Its music is played from where it lay, as long as nobody knows better.
      try await player.ask("playlist", "play", "Road")
      #expect(try await Self.queued(player) == [tracks[3]])
      try await Self.take(music, player, tracks: 5)
      // Those that were played equally often stand in any order.
      let often = try await Self.often(player)
      #expect(often.first == "Track 4")
      #expect(often.sorted() == (1...5).map { "Track \($0)" })
      try await player.stop()
    }
  }
}
