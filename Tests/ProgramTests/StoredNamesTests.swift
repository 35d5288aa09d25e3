import Canvas
import FaultServer
import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite(
    "Names and covers of what was fetched", .serialized,
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct StoredNamesTests {
    @Test("files without tags are called as their source's index says, in every place, and never by their own names")
    func untagged() async throws {
      let folder = try KeptFolder(pieces: 3, of: 20_000, tagged: false)
      let home = try Home(owner: folder.settings)
      let player = try await Self.opened(in: home)
      let follower = try ControlConnection(to: home.run / "control")
      try follower.send(Request(verb: "events"))
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is in the library") { try await player.ask("library")["tracks"]?.whole == 3 }

      let titles: Set = ["Distant Prairie", "Distant Glacier", "Distant Delta"]
      let found = try await player.ask("search", "glacier")["tracks"]?.items ?? []
      #expect(found.map { $0["title"] } == ["Distant Glacier"], "\(found)")
      for list in ["tracks", "added"] {
        let rows = try await player.ask("browse", list)["rows"]?.items ?? []
        #expect(Set(rows.compactMap { $0["title"]?.string }) == titles, "\(list): \(rows)")
      }
      let albums = try await player.ask("browse", "albums")["rows"]?.items ?? []
      #expect(albums.map { $0["title"] } == ["Elsewhere"], "\(albums)")
      #expect(try await player.ask("browse", "artists")["rows"]?.items?.first?["title"] == "The Faraways")

      try await player.ask("queue", "play", "tracks")
      let queue = try await player.ask("queue")["entries"]?.items ?? []
      #expect(Set(queue.compactMap { $0["title"]?.string }) == titles, "\(queue)")
      let status = try await player.status { $0["artist"] == "The Faraways" && $0["album"] == "Elsewhere" }
      #expect(titles.contains(status["title"]?.string ?? ""), "\(status)")
      let shown = try await player.ask("screen")["words"]?.string ?? ""
      #expect(shown.contains("Distant"), "\(shown)")
      try await player.status { $0["state"] == "stopped" }
      try await player.ask("offline", "drop", "album", "Elsewhere")
      try await player.until("its files are gone") { try await player.ask("library")["tracks"]?.whole == 0 }
      for list in [[], ["all"]] {
        let heard = try await player.answer("history", list.map { JSON($0) })["history"]?.items ?? []
        #expect(Set(heard.compactMap { $0["title"]?.string }) == titles, "\(list): \(heard)")
        #expect(heard.allSatisfy { $0["artist"] == "The Faraways" }, "\(heard)")
      }
      try await player.stop()
      while let event = try await follower.next(within: .seconds(1)) {
        for name in [event["title"], event["next"]].compactMap({ $0?.string }) {
          #expect(name.isEmpty || titles.contains(name), "\(event)")
        }
      }
    }

    @Test("what was streamed and is in no list has its names after a start as well, without its source")
    func streamed() async throws {
      let folder = try KeptFolder(pieces: 2, of: 20_000, tagged: false)
      let home = try Home(owner: folder.settings)
      let first = try await Self.opened(in: home)
      try await first.ask("offline", "play", "album", "Elsewhere")
      try await first.status { $0["title"] == "Distant Prairie" }
      try await first.status { $0["state"] == "stopped" }
      try await first.stop()
      folder.server.serve("/layby-index.json", nil)
      let second = try await Self.opened(in: home)
      let queue = try await second.ask("queue")["entries"]?.items ?? []
      #expect(queue.map { $0["title"] } == ["Distant Prairie", "Distant Glacier"], "\(queue)")
      #expect(queue.allSatisfy { $0["artist"] == "The Faraways" }, "\(queue)")
      try await second.stop()
    }

    @Test("names that a source mends in its index are those of what is here already")
    func renamed() async throws {
      let folder = try KeptFolder(pieces: 2)
      let home = try Home(owner: folder.settings)
      let player = try await Self.opened(in: home)
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is in the library") { try await player.ask("library")["tracks"]?.whole == 2 }
      var index = folder.index
      index.items[1].title = "Nearby Glacier"
      folder.serve(index, tag: "2")
      try await player.ask("offline", "refresh")
      try await player.until("it is found by its new name") {
        try await player.ask("search", "nearby")["tracks"]?.items?.first?["title"] == "Nearby Glacier"
      }
      #expect(try await player.ask("search", "distant")["tracks"]?.items?.count == 1)
      #expect(folder.questions(for: "far/2.mp3").count == 1)
      try await player.stop()
    }

    @Test(
      "the cover that an index names is stored with the music, and shown without its source",
      .enabled(if: !Sanitizer.isThere, "no process that is shut in decodes pictures with a sanitizer"))
    func cover() async throws {
      let picture = Canvas(size: Size(width: 64, height: 64))
      picture.fill(Rect(x: 0, y: 0, width: 64, height: 64), Pixel(red: 250, green: 20, blue: 10))
      let folder = try KeptFolder(pieces: 2, cover: try PNG.encode(picture), tagged: false)
      let home = try Home(owner: folder.settings)
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let first = try await Self.opened(in: home)
      try await first.ask("offline", "want", "album", "Elsewhere")
      let covers = home.state / "covers"
      try await first.until("the cover is stored, and nobody has played anything") {
        home.names(in: covers).contains { home.names(in: covers / $0) == ["cover.png"] }
      }
      try await first.until("all of it is in the library") { try await first.ask("library")["tracks"]?.whole == 2 }
      try await first.stop()
      #expect(!Home.exists(home.state / "art") || home.names(in: home.state / "art").isEmpty)
      for path in ["/layby-index.json", "/far/cover.png"] { folder.server.serve(path, nil) }
      let second = try await Self.opened(in: home)
      // The music is short, and shall not end before its cover is looked for.
      try await second.ask("repeat", "all")
      try await second.ask("queue", "play", "tracks")
      try await second.until("the panel has drawn it") {
        // Without a screen it is drawn for whoever asks.
        try await second.ask("screen")
        return !home.names(in: home.state / "art").isEmpty
      }
      #expect(folder.questions(for: "far/cover.png").count == 1)
      try await second.stop()
    }

    private static func opened(in home: Home) async throws -> RunningPlayer {
      let player = try await RunningPlayer(in: home)
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      return player
    }
  }
}
