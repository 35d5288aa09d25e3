import FaultServer
import Glibc
import Runtime
import TestSupport
import Testing

/// Outside the suite: its own attribute cannot refer to it.
let hasWayOut = defaultLink != nil

/// The link that leads everywhere.
let defaultLink: String? = {
  // The kernel's table of routes: a line whose destination is everywhere.
  guard let bytes = try? AtomicFile.read(FilePath("/proc/net/route"), limit: 1 << 16) else { return nil }
  for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
    let cells = line.split(separator: "\t")
    if cells.count > 1, cells[1] == "00000000" { return String(cells[0]) }
  }
  return nil
}()

extension ProgramTests {
  @Suite(
    "Music of a web server's folder", .serialized,
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct OfflineTests {
    @Test("music that is here plays on when the internet is gone, the panel says so, and its row leads to why")
    func withoutConnection() async throws {
      let folder = try KeptFolder(pieces: 1)
      // Nobody answers there.
      let home = try Home(owner: folder.settings + "[network]\nprobe = http://127.0.0.1:1/\n")
      let music = try await home.flac("here", seconds: 600)
      let player = try await RunningPlayer(playing: [music], in: home)
      try await player.plays(music)
      try await player.until("the panel says so") {
        try await player.ask("screen")["words"]?.string?.contains("Playing offline, reconnecting") == true
      }
      try await player.ask("pause")
      let words = try await player.ask("screen")["words"]?.string ?? ""
      #expect(words.contains("· Offline ·") && !words.contains("reconnecting"), "\(words)")
      try await player.choose("Keep offline: Offline")
      let page = try await player.ask("screen")["words"]?.string ?? ""
      #expect(page.hasPrefix("Keep offline"), "\(page)")
      try await player.stop()
    }

    @Test("a source that cannot be asked hides nothing of the others, and is told; named, it says why")
    func oneIsGone() async throws {
      let folder = try KeptFolder(pieces: 1)
      // Nobody answers there.
      let home = try Home(owner: folder.settings + "[source attic]\nurl = http://127.0.0.1:1/\n")
      let player = try await RunningPlayer(in: home)
      try await Self.untilOpen(player)
      let found = try await player.ask("offline", "browse", "album", "else")
      #expect(found["containers"]?.items?.compactMap { $0["title"]?.string } == ["Elsewhere"], "\(found)")
      #expect(found["unknown"]?.items?.compactMap { $0["source"]?.string } == ["attic"], "\(found)")
      let listed = try await Finished([Built.layby, "offline", "browse", "albums", "--run", "\(home.run)"], in: home)
      #expect(listed.output.contains("The Faraways/Elsewhere") && listed.output.contains("not known of attic: "))
      let named = try await player.answer("offline", ["browse", "album", "from", "attic"])
      #expect(named["error"]?["code"] == found["unknown"]?.items?.first?["code"], "\(named)")
      #expect(try await player.ask("offline", "want", "album", "elsewhere")["queued"]?.whole == 1)
      let other = try await player.answer("offline", ["want", "album", "Nowhere"])
      #expect(other["error"]?["code"] == "N-202", "\(other)")
      try await player.stop()
    }

    @Test("an album that is wanted is fetched, found in the library and played; dropped, it goes")
    func album() async throws {
      let folder = try KeptFolder(pieces: 5)
      let home = try Home(owner: folder.settings)
      let player = try await RunningPlayer(in: home)
      try await Self.untilOpen(player)

      let found = try await player.ask("offline", "browse", "album", "else")
      #expect(found["containers"]?.items?.first?["title"] == "Elsewhere", "\(found)")
      let listed = try await Finished([Built.layby, "offline", "browse", "albums", "--run", "\(home.run)"], in: home)
      #expect(!listed.output.contains("%") && listed.output.contains("The Faraways/Elsewhere"), "\(listed)")
      for name in ["The Faraways/Elsewhere", "kiosk: The Faraways/Elsewhere"] {
        let named = try await player.ask("offline", "size", "album", name)
        #expect(named["size"]?["items"]?.whole == 5, "\(name): \(named)")
      }
      let size = try await player.ask("offline", "size", "album", "Elsewhere")
      let bytes = folder.size
      #expect(size["size"]?["items"]?.whole == 5 && size["size"]?["bytes"]?.whole == Int64(bytes), "\(size)")
      #expect(folder.questions(for: "far/1.mp3").isEmpty)

      let wanted = try await player.ask("offline", "want", "album", "elsewhere")
      #expect(wanted["queued"]?.whole == 5, "\(wanted)")
      let line = try await Self.untilWhole(player)
      #expect(line["whole"]?.whole == 5 && line["size"]?.whole == Int64(bytes), "\(line)")
      #expect(try Self.kept(in: home) == (try folder.sums))

      try await Self.until(player, "all of it is in the library") {
        try await player.ask("library")["tracks"]?.whole == 5
      }
      #expect(try await player.ask("library")["albums"]?.whole == 1)
      let tracks = try await player.ask("search", "glacier")["tracks"]?.items ?? []
      #expect(tracks.first?["title"] == "Distant Glacier", "\(tracks)")
      try await player.ask("queue", "play", "tracks")
      let status = try await player.status { $0["state"] == "playing" }
      let path = status["path"]?.path.map { "\($0)" } ?? ""
      #expect(path.contains("/kept/"), "\(status)")
      let health = try await player.ask("health")["offline"]
      #expect(health?["whole"]?.whole == 5 && health?["completed_ever"]?.whole == 5, "\(health as Any)")

      try await player.ask("stop")
      let dropped = try await player.ask("offline", "drop", "album", "Elsewhere")
      #expect(dropped["items"]?.whole == 5, "\(dropped)")
      try await Self.until(player, "its files are gone, and the library knows") {
        let isGone = home.kept(ending: ".mp3") == 0
        return try await player.ask("library")["tracks"]?.whole == 0 && isGone
      }
      #expect(try await player.ask("offline")["offline"]?.items?.isEmpty == true)
      try await player.stop()
    }

    @Test("what is paused waits and says why, and goes on when it is told to; the plan says who is next")
    func pauses() async throws {
      let folder = try KeptFolder(pieces: 4, of: 200_000, pace: Pace(bytesASecond: 400_000))
      let home = try Home(owner: folder.settings)
      let player = try await RunningPlayer(in: home)
      try await Self.untilOpen(player)
      try await player.ask("offline", "pause")
      try await player.ask("offline", "want", "artist", "The Faraways")
      let plan = try await player.ask("offline", "plan")["plan"]?.items ?? []
      #expect(plan.count == 4, "\(plan)")
      #expect(Self.codes(plan.first).contains("O-152"), "\(plan)")
      let because = plan.first?["because"]?.string ?? ""
      #expect(!because.isEmpty)
      #expect(folder.questions(for: "far/1.mp3").isEmpty)
      try await player.ask("offline", "resume")
      #expect(try await Self.untilWhole(player)["whole"]?.whole == 4)
      try await player.stop()
    }

    @Test("where everything rests, one goes on by its name, and not a byte of another is asked for")
    func oneGoesOn() async throws {
      let folder = try KeptFolder(pieces: 3)
      let home = try Home(owner: folder.settings)
      let player = try await RunningPlayer(in: home)
      try await Self.untilOpen(player)
      try await player.ask("offline", "pause")
      for piece in 1...3 { try await player.ask("offline", "want", "track", "far/\(piece).mp3") }
      try await player.ask("offline", "resume", "track", "far/2.mp3")
      try await player.until("it is here") { home.kept(ending: ".mp3") == 1 }
      let lines = try await player.ask("offline")["offline"]?.items ?? []
      #expect(lines.count == 3 && lines.count { $0["state"] == "paused" } == 2, "\(lines)")
      for piece in [1, 3] { #expect(folder.questions(for: "far/\(piece).mp3").isEmpty) }
      try await player.ask("offline", "resume")
      try await player.until("all are here") { home.kept(ending: ".mp3") == 3 }
      try await player.stop()
    }

    @Test("how downloads went stands in health and on the panel, and the log says when a check is done")
    func health() async throws {
      let folder = try KeptFolder(pieces: 3)
      folder.server.script("/far/1.mp3", [.reset(at: 20_000)])
      let home = try Home(owner: folder.settings)
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      try await Self.untilOpen(player)
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is here") { home.kept(ending: ".mp3") == 3 }
      var health = JSON.null
      try await player.until("it is counted") {
        health = try await player.ask("health")["offline"] ?? .null
        return health["completed_ever"]?.whole == 3
      }
      try await player.ask("offline", "check")
      try await player.logs(["maintenance done", "checked=3"])
      let panel = Panel(player: player)
      try await panel.open("Keep offline")
      try await panel.press(on: "Storage")
      try await panel.press(on: "For support")
      let rows = [
        ("Downloads that succeeded", "100.0 %"), ("Retries", "\(health["retried_ever"]?.whole ?? -1)"),
        ("Recovered", "\(health["recovered_ever"]?.whole ?? -1)"),
        ("Files cleaned up", "\(health["removed_ever"]?.whole ?? -1)"),
      ]
      for (row, value) in rows { #expect(try await panel.turn(to: row) == "\(row): \(value)") }
      try await player.stop()
    }

    @Test("nothing is fetched unasked unless the owner says so, and health tells what is switched off")
    func smart() async throws {
      let folder = try KeptFolder(pieces: 1)
      let home = try Home(owner: folder.settings + "[offline]\nsmart = yes\n[flags]\nsmart-downloads = off\n")
      let player = try await RunningPlayer(in: home)
      try await Self.untilOpen(player)
      #expect(try await player.ask("offline", "smart")["smart"]?.items?.isEmpty == true)
      #expect(try await player.ask("offline", "smart", "drop", "all")["sent_away"]?.whole == 0)
      let none = try await player.answer("offline", ["smart", "drop", "Distant Glacier"])
      #expect(none["error"]?["code"] == "X-193", "\(none)")
      let flags = try await player.ask("health")["flags"]?.items ?? []
      // What is not proven begins off.
      let off = flags.filter { $0["on"] == false }
      #expect(flags.count > 2 && off.map { $0["flag"] } == ["smart-downloads", "http2"], "\(flags)")
      #expect(off.map { $0["why"] } == ["off, by layby.conf", "off until layby.conf says on"], "\(flags)")
      try await player.stop()
      // The owner gives it, and takes it back.
      for (word, why) in [("on", "on, by layby.conf"), ("off", "off, by layby.conf")] {
        try home.write(folder.settings + "[flags]\nhttp2 = \(word)\n", to: home.owner)
        let player = try await RunningPlayer(in: home)
        let flags = try await player.ask("health")["flags"]?.items ?? []
        let http2 = flags.first { $0["flag"] == "http2" }
        #expect(http2?["on"] == (word == "on" ? true : false) && http2?["why"]?.string == why, "\(flags)")
        try await player.stop()
      }
    }

    @Test("hours that have not come are waited for, and the list says so")
    func hours() async throws {
      let folder = try KeptFolder(pieces: 1)
      let home = try Home(owner: folder.settings + "[offline]\nhours = \(Self.hoursFromNow)\n")
      let player = try await RunningPlayer(in: home)
      try await Self.untilOpen(player)
      try await player.ask("offline", "want", "track", "far/1.mp3")
      let line = try await player.ask("offline")["offline"]?.items?.first
      #expect(line?["state"] == "waiting", "\(line as Any)")
      #expect(Self.codes(line).contains("O-131"), "\(line as Any)")
      #expect(folder.questions(for: "far/1.mp3").isEmpty)
      try await player.stop()
    }

    @Test("killed in the middle it goes on where it was, and every byte is right")
    func killed() async throws {
      let folder = try KeptFolder(pieces: 3, of: 3_000_000, pace: Pace(bytesASecond: 4_000_000))
      let home = try Home(owner: folder.settings)
      let first = try await RunningPlayer(in: home)
      try await Self.untilOpen(first)
      try await first.ask("offline", "want", "album", "Elsewhere")
      try await Self.until(first, "some of it is here") {
        try await first.ask("offline")["offline"]?.items?.first?["bytes"]?.whole ?? 0 > 2_000_000
      }
      await first.kill()
      let sent = folder.server.requests.reduce(0) { $0 + $1.sent }
      folder.server.setPace(Pace())
      let second = try await RunningPlayer(in: home)
      #expect(try await Self.untilWhole(second)["whole"]?.whole == 3)
      #expect(try Self.kept(in: home) == (try folder.sums))
      let all = folder.server.requests.reduce(0) { $0 + $1.sent }
      // What was on its way when it was killed, and the megabyte of each that was not durable yet.
      let again = all - folder.size
      #expect(again < 3 << 20 + 1_000_000, "\(again) bytes were sent again, \(sent) before")
      try await Self.until(second, "all of it is in the library") {
        try await second.answer("library")["tracks"]?.whole == 3
      }
      try await second.stop()
    }

    @Test("all of it goes to another disk and back; what is in the queue plays as before, after a start too")
    func moves() async throws {
      let folder = try KeptFolder(pieces: 3, of: 2_000_000)
      let home = try Home(owner: folder.settings)
      let ssd = home.folder / "ssd"
      try Folder.make(ssd)
      let paths = "[paths]\nvolumes = ssd:\(ssd)\n"
      try home.write("[board]\nname = test\n[panel]\nsize = 64x48\n" + paths, to: home.board)
      let sums = try folder.sums
      var player = try await RunningPlayer(in: home)
      try await Self.untilOpen(player)
      try await player.ask("offline", "want", "album", "Elsewhere")
      _ = try await Self.untilWhole(player)
      try await Self.until(player, "all of it is in the library") {
        try await player.ask("library")["tracks"]?.whole == 3
      }
      try await player.ask("queue", "play", "tracks")
      let path = try #require(try await player.status { $0["state"] == "playing" }["path"]?.path)
      let asked = folder.server.requests.count

      for (disk, there, empty) in [("ssd", ssd, home.state / "media"), ("board", home.state / "media", ssd)] {
        let begun = try await player.ask("offline", "move", disk)
        #expect(begun["move"]?["to"]?.string == disk && begun["move"]?["files"]?.whole == 3, "\(begun)")
        try await Self.until(player, "all of it is on the disk \(disk)") {
          let isOver = try await player.ask("offline", "move")["move"] == .null
          let isEmpty = try Self.kept(below: empty, in: home).isEmpty
          return isOver && isEmpty
        }
        #expect(try Self.kept(below: there, in: home) == sums)
        #expect(Home.exists(path), "\(path)")
        await player.kill()
        player = try await RunningPlayer(in: home)
        try await Self.untilOpen(player)
        let disks = try await player.ask("offline", "disks")["disks"]?.items ?? []
        #expect(disks.filter { $0["home"] == true }.compactMap { $0["name"]?.string } == [disk], "\(disks)")
        try await player.ask("play")
        let status = try await player.status { $0["state"] == "playing" }
        #expect(status["path"]?.path == path, "\(status)")
        try await Self.until(player, "the library has it as before") {
          try await player.ask("library")["tracks"]?.whole == 3
        }
      }
      #expect(!folder.server.requests.dropFirst(asked).contains { $0.path.hasPrefix("/far/") })
      try await player.stop()
    }

    @Test("without a source in the owner's file there is nothing of it, and the verb says how to have one")
    func none() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      let answer = try await player.answer("offline")
      #expect(answer["error"]?["code"] == "X-189", "\(answer)")
      #expect(try await player.ask("health")["offline"] == .null)
      #expect(!Home.exists(home.state / "media"))
      try await player.stop()
    }

    private static func codes(_ line: JSON?) -> [String] {
      (line?["why"]?.items ?? []).compactMap { $0["code"]?.string }
    }

    // MARK: Waiting

    private static func untilOpen(_ player: RunningPlayer) async throws {
      try await until(player, "it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
    }

    private static func untilWhole(_ player: RunningPlayer) async throws -> JSON {
      var line = JSON.null
      try await until(player, "all of it is here") {
        line = try await player.answer("offline")["offline"]?.items?.first ?? .null
        return line["state"] == "whole"
      }
      return line
    }

    private static func until(
      _ player: RunningPlayer, _ what: String, _ isSo: () async throws -> Bool
    ) async throws {
      let end = Moment.now + patience
      while try await !isSo() {
        guard Moment.now < end else {
          let list = try await player.answer("offline")
          throw RunningPlayer.Refused(description: "it was never so that \(what): \(list)\n\(player.said)")
        }
        await player.events?.news(within: .milliseconds(50))
      }
    }

    /// An hour of the day that begins three hours from now.
    private static var hoursFromNow: String {
      var now = time(nil)
      var parts = tm()
      localtime_r(&now, &parts)
      let hour = (Int(parts.tm_hour) + 3) % 24
      return "\(hour):00-\((hour + 1) % 24):00"
    }

    // MARK: Files

    /// The sums of all that lies whole in the media folder, and nothing that is not.
    private static func kept(in home: Home) throws -> [String] { try kept(below: home.state / "media", in: home) }

    private static func kept(below media: FilePath, in home: Home) throws -> [String] {
      var found: [[UInt8]] = []
      for folder in home.names(in: media) where !folder.hasPrefix(".") {
        let inside = media / folder
        for name in home.names(in: inside) {
          #expect(name.hasSuffix(".mp3"), "\(name)")
          found.append(try AtomicFile.read(inside / name, limit: 1 << 26))
        }
      }
      return try KeptFolder.sums(of: found)
    }
  }
}
