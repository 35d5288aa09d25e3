import FaultServer
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite(
    "Transfers that fail, and get another chance", .serialized,
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct FailedTransferTests {
    @Test(
      "a file that is not as long as its index says is waited for, and until when is said; it comes when it is right",
      arguments: [417, -417])
    func replaced(more: Int) async throws {
      let folder = try KeptFolder(pieces: 1)
      let right = try #require(folder.files["far/1.mp3"])
      let other = more > 0 ? right + right.suffix(more) : right.dropLast(-more)
      folder.server.serve("/far/1.mp3", Resource(other, etag: "\"2\"", kind: "audio/mpeg"))
      let player = try await RunningPlayer(in: try Home(owner: folder.settings))
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      try await player.ask("offline", "want", "album", "Elsewhere")
      var messages: Set<String> = []
      try await player.until("it waits for its server") {
        let line = try await player.ask("offline")["offline"]?.items?.first
        // Its head tells, and nothing of it is kept.
        #expect(line?["failed"]?.whole == 0 && line?["bytes"]?.whole == 0, "\(line as Any)")
        let why = line?["why"]?.items?.first
        if let code = why?["code"]?.string, ["O-143", "O-236"].contains(code) {
          messages.insert(why?["message"]?.string ?? "")
          #expect(why?["again_s"]?.double != nil || code == "O-143", "\(line as Any)")
        }
        return why?["code"] == "O-143" && why?["again_s"]?.double != nil
      }
      #expect(messages.contains { $0.contains("it is not as long as the source says; it is tried again in ") })
      #expect(!messages.contains { $0.contains("soon") }, "\(messages)")
      try await player.logs(["retry scheduled", "kiosk:far/1.mp3", "after_s="])
      // Not twice within milliseconds, but after pauses: a try asks at most twice, and the next one may have begun.
      let asked = folder.questions(for: "far/1.mp3").count
      let lines = try await player.ask("log")["lines"]?.items?.compactMap(\.string) ?? []
      let pauses = lines.count { $0.contains("retry scheduled") && $0.contains("kiosk:far/1.mp3") }
      #expect(asked <= 2 * (pauses + 2), "\(asked) questions, \(pauses) pauses")
      folder.server.serve("/far/1.mp3", Resource(right, etag: "\"1\"", kind: "audio/mpeg"))
      try await Self.untilWhole(player, 1)
      try await player.stop()
    }

    enum Chance { case refresh, restart }

    @Test(
      "what failed is in no plan, and gets another chance by a refresh and by a start, gone or of other bytes",
      arguments: [(Chance.refresh, true), (.refresh, false), (.restart, true)])
    func chance(by chance: Chance, isGone: Bool) async throws {
      let folder = try KeptFolder(pieces: 2)
      let right = try #require(folder.files["far/1.mp3"])
      let other = Resource(right.reversed(), etag: "\"2\"", kind: "audio/mpeg")
      folder.server.serve("/far/1.mp3", isGone ? nil : other)
      let home = try Home(owner: folder.settings)
      var player = try await RunningPlayer(in: home)
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await Self.untilFailed(player)
      // A plan that was begun before the failure may still be there for a moment.
      try await player.until("nothing is planned") {
        try await player.ask("offline", "plan")["plan"]?.items?.isEmpty == true
      }
      if chance == .refresh {
        // From now on the index is a known one, and says nothing new.
        let before = folder.questions(for: "far/1.mp3").count
        try await player.ask("offline", "refresh")
        try await player.until("it is tried again") { folder.questions(for: "far/1.mp3").count > before }
        try await Self.untilFailed(player)
      }
      folder.server.serve("/far/1.mp3", Resource(right, etag: "\"1\"", kind: "audio/mpeg"))
      switch chance {
      case .refresh: try await player.ask("offline", "refresh")
      case .restart:
        try await player.stop()
        player = try await RunningPlayer(in: home)
      }
      try await Self.untilWhole(player, 2)
      try await player.stop()
    }

    @Test("after a short outage one transfer tries the server, and by its success all the others go on at once")
    func outage() async throws {
      let paths = (1...4).map { "/far/\($0).mp3" }
      let folder = try KeptFolder(pieces: paths.count)
      let server = folder.server
      for path in paths { server.script(path, [Act](repeating: .reset(at: 0), count: 1_000)) }
      let player = try await RunningPlayer(in: try Home(owner: folder.settings))
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of them wait for their server") {
        let lines = try await player.ask("offline", "state", "album", "Elsewhere")["items"]?.items ?? []
        return lines.count == paths.count && lines.allSatisfy { Self.codes($0) == ["O-143"] }
      }
      let before = paths.map { path in server.requests.count { $0.path == path } }
      for path in paths { server.script(path, []) }
      try await Self.untilWhole(player, Int64(paths.count))
      let after = zip(paths, before).map { path, count in server.requests.count { $0.path == path } - count }
      // One more, where a question was on its way in that moment.
      #expect(after.reduce(0, +) <= paths.count + 1, "\(after)")
      try await player.stop()
    }

    private static func untilFailed(_ player: RunningPlayer) async throws {
      try await player.until("one is whole, and one has failed") {
        let line = try await player.ask("offline")["offline"]?.items?.first
        return line?["failed"]?.whole == 1 && line?["whole"]?.whole == 1
      }
    }

    private static func codes(_ line: JSON) -> [String] {
      (line["why"]?.items ?? []).compactMap { $0["code"]?.string }
    }

    private static func untilWhole(_ player: RunningPlayer, _ count: Int64) async throws {
      try await player.until("all of it is here") {
        try await player.answer("offline")["offline"]?.items?.first?["whole"]?.whole == count
      }
    }
  }
}
