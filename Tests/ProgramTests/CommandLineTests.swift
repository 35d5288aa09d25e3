import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("The command line", .serialized)
  struct CommandLineTests {
    let home: Home

    init() throws { home = try Home() }

    private func layby(_ words: String...) async throws -> Finished {
      try await Finished([Built.layby] + words, environment: ["LAYBY_SOCKET=\(home.run / "control")"], in: home)
    }

    @Test("a verb without a player says so, by 69 and in words", arguments: Verb.all.map(\.name))
    func nobodyThere(verb: String) async throws {
      for json in [[], ["--json"]] {
        let words = [Built.layby, verb, "--run", "\(home.run)"] + json
        let finished = try await Finished(words, in: home)
        #expect(finished.code == EX_UNAVAILABLE, "\(finished)")
        #expect((json.isEmpty ? finished.errors : finished.output).contains("control"), "\(finished)")
        #expect(json.isEmpty != finished.errors.isEmpty, "\(finished)")
        #expect(json.isEmpty == finished.output.isEmpty, "\(finished)")
        if !json.isEmpty { #expect(try JSON(parsing: finished.output)["error"]?["code"]?.string != nil) }
      }
    }

    @Test("what it does not know is refused with the way to help")
    func unknown() async throws {
      let verb = try await layby("plau")
      #expect(verb.code == EX_USAGE && verb.errors.contains("plau") && verb.errors.contains("help"))
      let option = try await layby("status", "--jsn")
      #expect(option.code == EX_USAGE && option.errors.contains("--jsn") && option.errors.contains("--json"))
      let nothing = try await layby()
      #expect(nothing.code == EX_USAGE && nothing.output.contains("layby run"))
      let board = try await layby("run")
      #expect(board.code == EX_USAGE && board.errors.contains("--board"))
      let boards = try await layby("run", "--board", "\(home.board)", "--board=\(home.board)")
      #expect(boards.code == EX_USAGE && boards.errors.contains("2 boards' files"))
    }

    @Test("every setting is explained, in words and as JSON")
    func settings() async throws {
      let words = try await layby("config", "--explain")
      #expect(words.code == EX_OK && words.output.contains("start_volume") && words.output.contains("size"))
      let json = try await layby("config", "--explain", "--json")
      #expect(json.code == EX_OK)
      _ = try JSON(parsing: json.output)
      let doctor = try await layby("doctor", "--json")
      #expect(doctor.code == 0 || doctor.code == 1)
      _ = try JSON(parsing: doctor.output)
    }

    @Test("the doctor tells of files with a PIN that others can read")
    func secrets() async throws {
      for (mode, verdict) in [(UInt32(0o600), "works"), (0o640, "works"), (0o644, "limited"), (0o660, "limited")] {
        try home.write("[kiosk]\npin = 4711\n", to: home.owner)
        _ = home.owner.withCString { chmod($0, mode) }
        let found = try await Self.secrets(home)
        #expect(found?["verdict"]?.string == verdict, "mode \(String(mode, radix: 8)): \(found as Any)")
        #expect((found?["advice"]?.string?.contains("\(home.owner)") == true) == (verdict == "limited"))
      }
    }

    @Test(
      "the doctor tells of files with a PIN that belong to somebody else",
      .enabled(if: geteuid() == 0, "only root gives files away"))
    func others() async throws {
      try home.write("[kiosk]\npin = 4711\n", to: home.owner)
      for (owner, verdict) in [(uid_t(65_534), "limited"), (0, "works")] {
        #expect(home.owner.withCString { chown($0, owner, 0) } == 0)
        let found = try await Self.secrets(home)
        #expect(found?["verdict"]?.string == verdict, "\(owner): \(found as Any)")
        #expect((found?["advice"]?.string?.contains("chown root \(home.owner)") == true) == (verdict == "limited"))
      }
    }

    @Test("what the player keeps of the owner's file and of choices is closed to others, and the doctor looks at it")
    func kept() async throws {
      try home.write("[kiosk]\npin = 4711\n", to: home.owner)
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      _ = home.owner.withCString { chmod($0, 0o600) }
      let kept = ["layby.conf.good", "choices.json"].map { home.state / $0 }
      // Whoever starts it may have said that all can read what it writes.
      let player = try await RunningPlayer(in: home, through: ["sh", "-c", "umask 000; exec \"$@\"", "sh"])
      try await player.choose("Settings", "Language", "Deutsch")
      try await player.until("the choice is kept") { kept.allSatisfy { Home.exists($0) } }
      try await player.stop()
      let found = try await Self.secrets(home)
      #expect(found?["verdict"] == "works", "\(found as Any)")
      for path in kept {
        #expect(found?["seen"]?.string?.contains("\(path)") == true, "\(found as Any)")
        _ = path.withCString { chmod($0, 0o644) }
        let open = try await Self.secrets(home)
        #expect(open?["verdict"] == "limited" && open?["advice"]?.string?.contains("\(path)") == true, "\(open as Any)")
        _ = path.withCString { chmod($0, 0o600) }
      }
    }

    /// What the doctor finds.
    private static func secrets(_ home: Home) async throws -> JSON? {
      let words = ["doctor", "--json", "--owner", "\(home.owner)", "--state", "\(home.state)"]
      let doctor = try await Finished([Built.layby] + words, in: home)
      let findings = try JSON(parsing: doctor.output)["findings"]?.items ?? []
      return findings.first { $0["name"] == "files with secrets" }
    }

    @Test("every verb of a running player answers in words, and as JSON with --json")
    func running() async throws {
      let music = try await home.flac("music")
      let player = try await RunningPlayer(playing: [music], in: home)
      let picture = "\(home.folder / "panel.png")"
      let asked = [
        ["play"], ["pause"], ["toggle"], ["next"], ["previous"], ["seek", "1:02"], ["seek", "-10"], ["volume", "40"],
        ["turn", "-2"], ["press", "louder"], ["repeat", "all"], ["queue"], ["queue", "add", "\(music)"],
        ["queue", "jump", "2"], ["queue", "remove", "1"], ["status"], ["health"], ["log"], ["stop"],
        ["queue", "clear"], ["screen", picture],
      ]
      for words in asked {
        let answer = try await Finished([Built.layby] + words + ["--run", "\(home.run)"], in: home)
        #expect(answer.code == EX_OK && !answer.output.isEmpty, "\(words): \(answer)")
      }
      for words in asked.filter({ $0 != ["queue", "jump", "2"] }) {
        let answer = try await Finished([Built.layby] + words + ["--json", "--run", "\(home.run)"], in: home)
        // There may be nothing to remove any more; that is an answer too.
        let isDone = answer.code == EX_OK
        #expect(try JSON(parsing: answer.output)["ok"]?.truth == isDone, "\(words): \(answer)")
      }
      #expect(try AtomicFile.read(FilePath(picture), limit: 1 << 20).starts(with: [0x89, 0x50, 0x4E, 0x47]))
      for words in [
        ["seek", "soon"], ["volume", "101"], ["turn"], ["press", "nose"], ["repeat", "maybe"], ["queue", "eat"],
        ["screen", "\(home.folder / "panel.jpg")"],
      ] {
        let answer = try await Finished([Built.layby] + words + ["--run", "\(home.run)"], in: home)
        #expect(answer.code == EX_USAGE && answer.errors.hasPrefix("layby: "), "\(words): \(answer)")
      }
      try await player.stop()
    }
  }
}
