import Runtime
import Testing
import VirtualBoard

@Suite("A board that is switched on", .enabled(if: Board.isWanted, Board.whyNot))
struct ColdBootTests {
  /// What may stand between the power and the first sound, and why each is there.
  private static let links: Set = [
    "layby.service",
    // The devices it plays on, and the modules behind them.
    "dash.service", "dev-snd-controlC0.device", "dev-fb0.device", "systemd-modules-load.service",
    "systemd-udevd.service", "systemd-udev-trigger.service", "systemd-udevd-kernel.socket",
    "systemd-udevd-control.socket",
    // Where its state lies.
    "layby-data.service", "data.mount",
    // What every unit hangs on.
    "system.slice", "-.slice", "-.mount", "systemd-journald.socket", "systemd-journald-dev-log.socket",
  ]

  @Test("plays by itself, and waits for neither a network nor the time of day nor every device")
  func coldBoot() async throws {
    try await Board.with(.off) { board in
      try board.boot(clock: .wrong("2000-01-01T00:00:00"))
      try board.waitUntilItPlays()
      #expect(try board.says("systemctl is-active layby") == "active")

      // What comes from the network starts after the music.
      var jobs = ""
      try board.waitUntil("all has started", within: .seconds(180), instead: { "what waits: \(jobs)" }) {
        () throws(Fault) in
        jobs = try board.shell("systemctl list-jobs --no-pager").line
        return ["running", "degraded"].contains(try board.shell("systemctl is-system-running").line)
      }
      let chain = Self.units(try board.says("systemd-analyze critical-chain layby.service --no-pager"))
      #expect(chain.contains("layby.service"), "no chain was told: \(chain)")
      #expect(chain.count < 12, "\(chain)")
      #expect(Set(chain).subtracting(Self.links).isEmpty, "\(chain)")

      // The chain tells only what was slowest; nothing of the kind may have run before it at all.
      let after = try board.says("systemctl list-dependencies --after --plain layby.service --no-pager")
      #expect(after.contains("layby-data.service"), "\(after)")
      // A file that is watched waits for nothing.
      for unit in Set(after.split(whereSeparator: \.isWhitespace).map(String.init)) where !unit.hasSuffix(".path") {
        guard ["network", "timesync", "time-sync", "time-set", "udev-settle"].contains(where: unit.contains) else {
          continue
        }
        #expect(try board.shell("systemctl is-active \(unit)").line == "inactive", "layby waited for \(unit)")
      }
      print(try board.says("systemd-analyze blame --no-pager | head -n 12"))
      print(try board.shell("systemd-analyze --no-pager time").line)
    }
  }

  /// A unit a line, behind the tree's branches: `└─data.mount @1.2s +3ms`.
  private static func units(_ chain: String) -> [String] {
    chain.split(separator: "\n").compactMap { line in
      let word = line.drop { !$0.isASCII || $0 == " " }.prefix { $0 != " " }
      return word.contains(".") && !word.hasSuffix(".") && !line.contains("activ") ? String(word) : nil
    }
  }

  @Test("goes on where it was when the power went, after at most five seconds are heard twice")
  func resumes() async throws {
    try await Board.with(.playing) { board in
      try board.layby("queue", "jump", "2")
      try board.waitUntil("a while of the second track is heard") { () throws(Fault) in
        (try board.status()["position_s"]?.double ?? 0) > 8
      }
      let before = try Session.ask(board)
      board.cutPower()
      try board.boot()
      try board.waitUntilItPlays()
      // Each second since it was started may have been played, over the end of the track too.
      let now = try Session.ask(board)
      let complaints = before.complaints(about: now, underWay: nil, played: try board.secondsOfLayby())
      #expect(complaints.isEmpty, "\(complaints)")
    }
  }
}
