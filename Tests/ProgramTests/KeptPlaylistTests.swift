import FaultServer
import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite(
    "Playlists that are kept on the device", .serialized,
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct KeptPlaylistTests {
    private static func address(_ track: Int) -> String { "source:kiosk/far/\(track).mp3" }

    private static func opened(in home: Home) async throws -> RunningPlayer {
      let player = try await RunningPlayer(in: home)
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      return player
    }

    private static func kept(_ player: RunningPlayer) async throws -> JSON? {
      try await player.ask("playlist", "show", "Road")["playlist"]?["kept"]
    }

    @Test("what it has of a source is fetched, what is added later too, and what leaves it goes unless others want it")
    func follows() async throws {
      let folder = try KeptFolder(pieces: 4)
      let home = try Home(owner: folder.settings)
      let player = try await Self.opened(in: home)
      try await player.ask("playlist", "make", "Road")
      try await player.ask("playlist", "add", "Road", Self.address(1), Self.address(2))
      let before = try await Self.kept(player)
      #expect(folder.sent == 0 && Self.isNothing(before))
      let on = try await player.ask("playlist", "offline", "Road", "on")["playlist"]
      #expect(on?["offline"] == true && on?["kept"]?["items"]?.whole == 2, "\(on as Any)")
      try await player.until("both are here") { try await Self.kept(player)?["whole"]?.whole == 2 }
      let line = try await player.ask("offline")["offline"]?.items?.first
      #expect(line?["kind"] == "device-playlist" && line?["name"] == "Road", "\(line as Any)")
      #expect(line?["state"] == "whole", "\(line as Any)")

      try await player.ask("playlist", "add", "Road", Self.address(3))
      try await player.until("the third is here") { try await Self.kept(player)?["whole"]?.whole == 3 }
      try await player.ask("offline", "want", "track", "far/2.mp3")
      let entries = try await player.ask("playlist", "show", "Road")["entries"]?.items ?? []
      #expect(entries.map { $0["title"] } == ["Distant Prairie", "Distant Glacier", "Distant Delta"], "\(entries)")
      try await player.ask("playlist", "remove", "Road", "\(entries[0]["entry"]?.whole ?? 0)")
      try await player.until("its file is gone") { home.kept(ending: ".mp3") == 2 }
      #expect(try await Self.kept(player)?["items"]?.whole == 2)

      try await player.ask("playlist", "rename", "Road", "Street")
      #expect(try await player.ask("offline")["offline"]?.items?.first?["name"] == "Street")
      try await player.ask("playlist", "offline", "Street", "off")
      try await player.until("only what is wanted besides is left") { home.kept(ending: ".mp3") == 1 }
      #expect(folder.questions(for: "far/2.mp3").count == 1)
      // It is played all the same, from its source.
      let played = try await player.ask("playlist", "play", "Street")
      #expect(played["added"]?.whole == 2, "\(played)")
      try await player.status { $0["state"] == "playing" && $0["title"] == "Distant Delta" }
      try await player.stop()
    }

    @Test("the flag outlives a power cut, and what changed just before it is wanted at the next start")
    func powerCut() async throws {
      let folder = try KeptFolder(pieces: 3)
      let home = try Home(owner: folder.settings)
      let first = try await Self.opened(in: home)
      try await first.ask("playlist", "make", "Road")
      try await first.ask("playlist", "add", "Road", Self.address(1))
      try await first.ask("playlist", "offline", "Road", "on")
      try await first.ask("playlist", "add", "Road", Self.address(2))
      await first.kill()
      let second = try await Self.opened(in: home)
      try await second.until("both are here") { try await Self.kept(second)?["whole"]?.whole == 2 }
      // Dropped where it is kept, it has no flag any more.
      try await second.ask("offline", "drop", "playlist", "Road")
      try await second.until("the flag is gone") {
        try await second.ask("playlist", "show", "Road")["playlist"]?["offline"] == false
      }
      try await second.until("its files are gone") { home.kept(ending: ".mp3") == 0 }
      try await second.stop()
      let third = try await Self.opened(in: home)
      #expect(try await third.ask("offline")["offline"]?.items?.isEmpty == true)
      try await third.stop()
    }

    @Test("fetched music of the library stays with a playlist when its album is dropped, and comes back with one")
    func ofTheLibrary() async throws {
      let folder = try KeptFolder(pieces: 2)
      let home = try Home(owner: folder.settings)
      let player = try await Self.opened(in: home)
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is in the library") { try await player.ask("library")["tracks"]?.whole == 2 }
      try await player.ask("playlist", "make", "Road")
      try await player.ask("playlist", "fill", "Road", "tracks")
      try await player.ask("playlist", "offline", "Road", "on")
      try await player.ask("offline", "drop", "album", "Elsewhere")
      #expect(try await Self.kept(player)?["whole"]?.whole == 2)
      #expect(home.kept(ending: ".mp3") == 2)
      try await player.ask("playlist", "offline", "Road", "off")
      try await player.until("nobody wants them") { home.kept(ending: ".mp3") == 0 }
      try await player.ask("playlist", "offline", "Road", "on")
      try await player.until("they are here again") { try await Self.kept(player)?["whole"]?.whole == 2 }
      try await player.stop()
    }

    @Test("what does not fit is asked about, and not begun in silence")
    func tooLarge() async throws {
      let folder = try KeptFolder(pieces: 2)
      // No disk has as much.
      let home = try Home(owner: folder.settings.replacing("[offline]\n", with: "[offline]\nreserve = 1000000\n"))
      let player = try await Self.opened(in: home)
      try await player.ask("playlist", "make", "Road")
      try await player.ask("playlist", "add", "Road", Self.address(1))
      let refused = try await player.answer("playlist", ["offline", "Road", "on"])
      #expect(refused["error"]?["code"] == "X-211", "\(refused)")
      #expect(try await player.ask("playlist", "show", "Road")["playlist"]?["offline"] == false)
      let anyway = try await player.ask("playlist", "offline", "Road", "on", "anyway")
      #expect(anyway["playlist"]?["kept"]?["items"]?.whole == 1, "\(anyway)")
      try await player.stop()
    }

    private static func isNothing(_ json: JSON?) -> Bool { json == nil || json == .null }
  }
}
