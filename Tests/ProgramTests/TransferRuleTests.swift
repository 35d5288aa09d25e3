import FaultServer
import Glibc
import Remote
import Runtime
import Services
import TestSupport
import Testing

extension ProgramTests {
  @Suite(
    "When transfers run, and which of them", .serialized,
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct TransferRuleTests {
    /// What the kernel says of the only link that leads everywhere, and of the power.
    struct SpawnOptions: Sendable {
      var isWifi = true
      /// A modem, neither Wi-Fi nor a cable.
      var isMobile = false
      /// Per cent; nil without a battery.
      var level: Int?
      var isCharging = true
      var settings = ""
      /// Why nothing is fetched unasked.
      var waits: [String] = []
    }

    @Test(
      "what is fetched unasked comes over Wi-Fi, by cable where the owner says so, and charging above 30 %",
      .enabled(if: SmallDisk.isPossible, "no folder of the kernel's can be replaced here"),
      arguments: [
        SpawnOptions(), SpawnOptions(isWifi: false, waits: ["O-106"]),
        SpawnOptions(isWifi: false, settings: "smart_on_wired = yes\n"), SpawnOptions(level: 31),
        SpawnOptions(level: 30, waits: ["O-111"]),
      ])
    func unasked(around: SpawnOptions) async throws {
      let folder = try KeptFolder(pieces: 1)
      let home = try Home(
        owner: folder.settings.replacing("[offline]\n", with: "[offline]\nsmart = yes\n\(around.settings)"))
      let player = try await RunningPlayer(in: home, through: try Self.pretend(around, in: home))
      try await Self.untilOpen(player)
      try await player.until("it knows its battery") {
        try await player.ask("status")["power"]?["percent"]?.whole == around.level.map { Int64($0) }
      }
      var codes: [String] = []
      try await player.until("it waits for \(around.waits), and not \(codes)") {
        codes = Self.codes(try await player.ask("offline", "smart"))
        return codes == around.waits
      }
      let shown = try await Finished([Built.layby, "offline", "smart", "--run", "\(home.run)"], in: home)
      #expect(shown.output.contains("nothing was fetched unasked"), "\(shown)")
      #expect(around.waits.allSatisfy { shown.output.contains("(\($0))") }, "\(shown)")
      try await player.stop()
    }

    @Test("an album that comes next in the queue is fetched before what was wanted some time ago, its start first")
    func aboutToBePlayed() async throws {
      let folder = try KeptFolder(pieces: 12)
      let home = try Home(owner: folder.settings)
      let music = try await home.flac("music", seconds: 60)
      var player = try await RunningPlayer(in: home)
      try await Self.untilOpen(player)
      try await player.ask("offline", "pause")
      try await player.ask("offline", "want", "album", "Elsewhere")
      var reasons = try await Self.because(player)
      #expect(Set(reasons) == ["it was asked for"])
      try await player.stop()
      // Weeks go by.
      try changeRows(in: home.state / "state.db", by: "UPDATE wish SET wanted_at = 1000000000")
      player = try await RunningPlayer(playing: [music], in: home)
      try await Self.untilOpen(player)
      try await player.plays(music)
      reasons = try await Self.because(player)
      #expect(Set(reasons) == ["it was wanted some time ago"])
      _ = try await player.add([StreamingTests.first])
      try await player.until("it comes next") {
        reasons = try await Self.because(player)
        return reasons.first == "it is the start of what may be played next"
      }
      let start = reasons.prefix { $0 == "it is the start of what may be played next" }
      #expect(start.count == 10 && reasons.dropFirst(10).allSatisfy { $0.contains("is played") }, "\(reasons)")
      try await player.ask("queue", "remove", "2")
      try await player.until("nothing of it comes next any more") {
        reasons = try await Self.because(player)
        return Set(reasons) == ["it was wanted some time ago"]
      }
      try await player.stop()
    }

    @Test("a server that answers 503 is waited for, and until when is said; it comes when it serves again")
    func unavailable() async throws {
      let folder = try KeptFolder(pieces: 1)
      folder.server.script("/far/1.mp3", [Act](repeating: .status(503), count: 1_000))
      let player = try await RunningPlayer(in: try Home(owner: folder.settings))
      try await Self.untilOpen(player)
      try await player.ask("offline", "want", "album", "Elsewhere")
      var messages: [String: String] = [:]
      try await player.until("it waits for its server") {
        let line = try await player.ask("offline")["offline"]?.items?.first
        #expect(line?["failed"]?.whole == 0, "\(line as Any)")
        for why in line?["why"]?.items ?? [] {
          guard let code = why["code"]?.string, why["again_s"]?.double != nil else { continue }
          messages[code] = why["message"]?.string
        }
        return messages["O-143"] != nil
      }
      #expect(messages.values.allSatisfy { $0.contains("; it is tried again in ") }, "\(messages)")
      #expect(folder.questions(for: "far/1.mp3").count <= 6)
      folder.server.script("/far/1.mp3", [])
      try await player.until("it is here") {
        try await player.ask("offline")["offline"]?.items?.first?["whole"]?.whole == 1
      }
      try await player.stop()
    }

    @Test("what does not fit is asked about and not queued, and queued when that is said")
    func tooMuch() async throws {
      let folder = try KeptFolder(pieces: 2)
      // No disk has as much.
      let home = try Home(
        owner: folder.settings.replacing("[offline]\n", with: "[offline]\nreserve = 1000000\n"))
      let player = try await RunningPlayer(in: home)
      try await Self.untilOpen(player)
      let refused = try await player.answer("offline", ["want", "album", "Elsewhere"])
      #expect(refused["error"]?["code"] == "X-211", "\(refused)")
      let message = refused["error"]?["message"]?.string ?? ""
      #expect(message.contains("Elsewhere needs about ") && message.contains("\"anyway\""), "\(message)")
      let told = try await Finished(
        [Built.layby, "offline", "want", "album", "Elsewhere", "--run", "\(home.run)"], in: home)
      #expect(told.code != 0 && told.errors.contains("nothing was queued"), "\(told)")
      #expect(try await Self.wanted(player).isEmpty)
      // At a terminal it asks, and takes no word for no.
      for (said, count) in [("n", 0), ("", 0), ("y", 1)] {
        let verb = "\(Built.layby) offline want album Elsewhere --run \(home.run)"
        let typed = "echo \(said) | script -qec '\(verb)' /dev/null"
        let asked = try await Finished(["sh", "-c", typed], in: home)
        #expect(asked.code == 0 && asked.output.contains("Queue it all the same? [y/N]"), "\(asked)")
        #expect(try await Self.wanted(player).count == count, "\(said): \(asked)")
      }
      // It waits, and says for what; whoever asks for it again is not asked.
      let line = try await Self.wanted(player).first ?? .null
      #expect(Self.codes(line) == ["O-121"], "\(line)")
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.ask("offline", "drop", "all")
      let wanted = try await player.ask("offline", "want", "album", "Elsewhere", "anyway")
      #expect(wanted["queued"]?.whole == 2 && wanted["size"]?["fits"] == false, "\(wanted)")
      try await player.stop()
    }

    @Test(
      "what nobody wants stays as cache after it was heard over Wi-Fi, and goes where bytes cost",
      .enabled(if: SmallDisk.isPossible, "no folder of the kernel's can be replaced here"), arguments: [false, true])
    func streamed(isMobile: Bool) async throws {
      let folder = try KeptFolder(pieces: 2, of: 40_000)
      let home = try Home(owner: folder.settings)
      let player = try await RunningPlayer(
        in: home, through: try Self.pretend(SpawnOptions(isMobile: isMobile), in: home))
      try await Self.untilOpen(player)
      try await player.until("it knows its network") {
        try await player.ask("status")["network"]?["metered"]?.truth == isMobile
      }
      _ = try await player.add([StreamingTests.first])
      try await player.ask("play")
      try await player.status { $0["state"] == "stopped" }
      try await player.ask("queue", "clear")
      var line = JSON.null
      try await player.until("it is \(isMobile ? "gone" : "cache"), and not \(line)") {
        line = try await player.ask("offline", "state", "track", "far/1.mp3")["items"]?.items?.first ?? .null
        return line["state"] == (isMobile ? "not wanted" : "cached")
      }
      #expect(home.kept(ending: ".mp3") == (isMobile ? 0 : 1))
      try await player.stop()
    }

    @Test(
      "on a battery music is low below 20 %, normal below 50 %, and what follows the line is high above",
      .enabled(if: SmallDisk.isPossible, "no folder of the kernel's can be replaced here"),
      arguments: [
        (nil, true, "very-high", "lossless"), (19, true, "very-high", "lossless"), (19, false, "low", "low"),
        (49, false, "normal", "normal"), (50, false, "high", "lossless"),
      ] as [(Int?, Bool, String, String)])
    func battery(level: Int?, isCharging: Bool, streams: String, downloads: String) async throws {
      let folder = try KeptFolder(pieces: 1)
      let home = try Home(owner: folder.settings)
      let around = SpawnOptions(level: level, isCharging: isCharging)
      let player = try await RunningPlayer(in: home, through: try Self.pretend(around, in: home))
      try await Self.untilOpen(player)
      var quality = JSON.null
      try await player.until("it is \(streams) and \(downloads), and not \(quality)") {
        quality = try await player.ask("offline")["quality"] ?? .null
        return quality["streams"]?.string == streams && quality["downloads"]?.string == downloads
      }
      // What is wanted is wanted at that.
      try await player.ask("offline", "want", "album", "Elsewhere")
      #expect(try await Self.wanted(player).first?["quality"]?.string == downloads)
      try await player.stop()
    }

    @Test(
      "what is heard is fetched a minute ahead where it is not kept, and half a minute while the battery is low",
      .enabled(if: SmallDisk.isPossible, "no folder of the kernel's can be replaced here"),
      arguments: [
        (SpawnOptions(isMobile: true), 60), (SpawnOptions(isMobile: true, level: 15, isCharging: false), 30),
        (SpawnOptions(level: 15, isCharging: false), 30), (SpawnOptions(level: 15), nil),
      ] as [(SpawnOptions, Int64?)])
    func ahead(around: SpawnOptions, seconds: Int64?) async throws {
      let folder = try KeptFolder(pieces: 1, of: 12_000_000, pace: Pace(bytesASecond: 4_000_000))
      let home = try Home(owner: folder.settings)
      let player = try await RunningPlayer(in: home, through: try Self.pretend(around, in: home))
      try await Self.untilOpen(player)
      try await player.until("it knows its surroundings") {
        let status = try await player.ask("status")
        return status["power"]?["percent"]?.whole == around.level.map { Int64($0) }
          && status["network"]?["metered"]?.truth == around.isMobile
      }
      _ = try await player.add([StreamingTests.first])
      try await player.ask("play")
      var line = JSON.null
      try await player.until("so much is here") {
        line = try await player.ask("offline", "state", "track", "far/1.mp3")["items"]?.items?.first ?? .null
        guard seconds != nil else { return line["offline"] == "valid" }
        // Some of it has come, and nothing more comes for now.
        return line["state"] == "cached" && line["bytes"]?.whole ?? 0 > 0
      }
      if let seconds {
        // Nobody knows the file's rate before; it is reckoned by its quality.
        let quality = Quality(named: line["quality"]?.string ?? "") ?? .low
        let second = quality.estimate(of: .seconds(1))
        let here = line["bytes"]?.whole ?? 0
        #expect(here >= seconds * second && here < (seconds + 20) * second + 1_000_000, "\(line)")
      }
      try await player.stop()
    }

    // MARK: Asking

    private static func untilOpen(_ player: RunningPlayer) async throws {
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
    }

    private static func wanted(_ player: RunningPlayer) async throws -> [JSON] {
      try await player.ask("offline")["offline"]?.items ?? []
    }

    private static func codes(_ answer: JSON) -> [String] {
      (answer["why"]?.items ?? []).compactMap { $0["code"]?.string }
    }

    private static func because(_ player: RunningPlayer) async throws -> [String] {
      (try await player.ask("offline", "plan")["plan"]?.items ?? []).compactMap { $0["because"]?.string }
    }

    // MARK: Surroundings

    /// Stands before the program, which then sees other folders in the places of the kernel's.
    private static func pretend(_ around: SpawnOptions, in home: Home) throws -> [String] {
      let (links, supplies) = (home.folder / "links", home.folder / "supplies")
      for path in [links, supplies] { try Folder.make(path) }
      let link = links / (try #require(defaultLink))
      try Folder.make(link)
      try Folder.make(link / (around.isWifi && !around.isMobile ? "wireless" : "device"))
      if around.isMobile { try home.write("DEVTYPE=wwan\n", to: link / "uevent") }
      if let level = around.level {
        let battery = supplies / "BAT0"
        let status = around.isCharging ? "Charging" : "Discharging"
        try Folder.make(battery)
        for (name, text) in [("type", "Battery"), ("present", "1"), ("capacity", "\(level)"), ("status", status)] {
          try home.write(text + "\n", to: battery / name)
        }
      }
      let mounts =
        "mount --bind '\(links)' /sys/class/net && mount --bind '\(supplies)' /sys/class/power_supply && exec \"$@\""
      return ["unshare", "--map-root-user", "--mount", "sh", "-c", mounts, "sh"]
    }
  }
}
