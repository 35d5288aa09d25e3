import FaultServer
import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite(
    "How a track of a source is", .serialized,
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct ItemStateTests {
    private static func opened(_ folder: KeptFolder, _ more: String = "") async throws -> RunningPlayer {
      let player = try await RunningPlayer(in: try Home(owner: folder.settings + more))
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      return player
    }

    private static func state(_ player: RunningPlayer, _ words: String...) async throws -> JSON {
      let answer = try await player.answer("offline", (["state"] + words).map { JSON($0) })
      return answer["items"]?.items?.first ?? answer
    }

    private static func codes(_ line: JSON) -> [String] {
      (line["why"]?.items ?? []).compactMap { $0["code"]?.string }
    }

    @Test("it is told by id, address or title: not wanted, fetched and how far it is, kept, also without its source")
    func fetched() async throws {
      let folder = try KeptFolder(pieces: 2, of: 400_000, pace: Pace(bytesASecond: 150_000))
      let player = try await Self.opened(folder)
      let none = try await Self.state(player, "distant", "prairie")
      #expect(none["state"] == "not wanted" && none["offline"] == "not offline", "\(none)")
      #expect(none["item"] == "far/1.mp3", "\(none)")
      try await player.ask("offline", "want", "album", "Elsewhere")
      var running = JSON.null
      try await player.until("its bytes come") {
        running = try await Self.state(player, "source:kiosk/far/1.mp3")
        return running["state"] == "fetching" && running["bytes"]?.whole ?? 0 > 0
      }
      #expect(running["size"]?.whole == Int64(folder.files["far/1.mp3"]?.count ?? 0), "\(running)")
      #expect(running["begun"]?.whole ?? 0 > 0 && running["offline"] == "not offline", "\(running)")
      let words = try await Finished(
        [Built.layby, "offline", "state", "Distant", "Prairie", "--run", "\(player.home.run)"], in: player.home)
      #expect(words.output.hasPrefix("fetching") && words.output.contains("by The Faraways"), "\(words)")
      folder.server.setPace(Pace())
      try await player.until("it is kept") { try await Self.state(player, "far/1.mp3")["state"] == "kept" }
      for path in ["/layby-index.json", "/far/1.mp3"] { folder.server.serve(path, nil) }
      let kept = try await Self.state(player, "Distant Prairie")
      #expect(kept["offline"] == "valid" && kept["artist"] == "The Faraways", "\(kept)")
      #expect(kept["ended"]?.whole ?? 0 >= kept["begun"]?.whole ?? 1 && kept["queued"] != nil, "\(kept)")
      #expect(kept["wanted_by"]?.items?.map { $0["kind"] } == ["album"], "\(kept)")
      let all = try await player.ask("offline", "state", "album", "Elsewhere")["items"]?.items ?? []
      #expect(all.map { $0["item"] } == ["far/1.mp3", "far/2.mp3"], "\(all)")
      // The log has each step.
      for state in ["downloading.resolving", "downloading.fetching", "downloading.verifying", "completed"] {
        try await player.logs(["state changed", "kiosk:far/1.mp3", "state=\(state)"])
      }
      let path = try #require(kept["path"]?.string)
      #expect(unlink(path) == 0)
      #expect(try await Self.state(player, "far/1.mp3")["offline"] == "not valid")
      let wrong = try await Self.state(player, "nobody")
      #expect(wrong["error"]?["code"] != nil, "\(wrong)")
      try await player.stop()
    }

    @Test("what waits says for what, and until when where time ends it")
    func waits() async throws {
      let folder = try KeptFolder(pieces: 2)
      folder.server.script("/far/1.mp3", [Act](repeating: .answer(503, [], []), count: 200))
      let player = try await Self.opened(folder)
      try await player.ask("offline", "want", "track", "far/1.mp3")
      var line = JSON.null
      try await player.until("it says when it is tried again") {
        line = try await Self.state(player, "far/1.mp3")
        return line["state"] == "waiting" && line["why"]?.items?.first?["again_s"]?.double != nil
      }
      #expect(line["last_error"]?["code"] == "O-1503", "\(line)")
      try await player.ask("offline", "pause")
      #expect(Self.codes(try await Self.state(player, "far/1.mp3")) != [])
      try await player.ask("offline", "want", "track", "far/2.mp3")
      let paused = try await Self.state(player, "far/2.mp3")
      #expect(paused["state"] == "paused" && Self.codes(paused) == ["O-152"], "\(paused)")
      try await player.stop()
    }

    @Test("what was given up says why; what was only streamed is no more than cached")
    func failed() async throws {
      let folder = try KeptFolder(pieces: 2, of: 20_000)
      folder.server.serve("/far/1.mp3", nil)
      let player = try await Self.opened(folder)
      try await player.ask("offline", "want", "track", "far/1.mp3")
      var line = JSON.null
      try await player.until("it is given up") {
        line = try await Self.state(player, "Distant Prairie")
        return line["state"] == "failed"
      }
      #expect(Self.codes(line) == ["O-1404"] && line["offline"] == "not offline", "\(line)")
      _ = try await player.add([FilePath("source:kiosk/far/2.mp3")])
      try await player.ask("play")
      try await player.until("it has come") { player.home.kept(ending: ".mp3") == 1 }
      try await player.until("it is told") { try await Self.state(player, "far/2.mp3")["state"] == "cached" }
      try await player.stop()
    }
  }
}
