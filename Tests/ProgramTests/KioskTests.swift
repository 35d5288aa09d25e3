import Audio
import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("A kiosk's panel", .serialized)
  struct KioskTests {
    private static let locked = """
      [panel]
      profile = kiosk
      [kiosk]
      pin = 4711
      max_volume = 30
      [sound]
      start_volume = 80

      """

    @Test("hands may do what is allowed, its keeper all after the PIN, and no way makes it louder")
    func hands() async throws {
      let home = try Home(owner: Self.locked)
      let player = try await RunningPlayer(playing: [try await home.flac("music")], in: home)
      #expect(try await player.status()["volume"]?.whole == 30)
      // The knob pauses nothing here, and turns; what else there is, a press leads to.
      try await player.ask("turn", "-3")
      try await player.ask("press", "play")
      let after = try await player.status()
      #expect(after["state"] == "playing" && after["volume"]?.whole == 24)
      try await player.ask("press", "knob")
      #expect(try await player.ask("screen")["words"]?.string?.hasPrefix("Menu") == true)
      try await player.ask("press", "home")
      try await player.ask("volume", "100")
      try await player.status { $0["volume"]?.whole == 30 }

      try await player.ask("press", "long knob")
      let menu = try await player.ask("screen")["words"]?.string ?? ""
      #expect(menu.hasPrefix("Menu"), "\(menu)")
      try await Self.typePIN([4, 7, 1, 1], player)
      let open = try await player.ask("screen")["words"]?.string ?? ""
      #expect(open.contains("Menu"), "\(open)")
      try await player.ask("press", "home")
      try await player.ask("press", "knob")
      try await player.status { $0["state"] == "paused" }
      #expect(!player.said.contains("4711"), "\(player.said)")
      try await player.stop()
    }

    /// In the menu, of which the last row is the staff's; digits are in their order, the first one is looked at.
    private static func typePIN(_ digits: [Int], _ player: RunningPlayer) async throws {
      try await player.ask("turn", "50")
      try await player.ask("press", "knob")
      var place = 0
      for (count, digit) in digits.enumerated() {
        try await player.ask("turn", "\(digit - place)")
        try await player.ask("press", "knob")
        place = digit
        // With the fourth of them the sign that it is enough comes in front.
        if count == 3 { try await player.ask("turn", "\(-place - 1)") }
      }
      try await player.ask("press", "knob")
    }

    @Test("lets its keeper in also on a full disk, and counts there who tries", .enabled(if: SmallDisk.isPossible))
    func fullDisk() async throws {
      let home = try Home(owner: Self.locked)
      try Folder.make(home.state)
      let player = try await RunningPlayer(in: home, through: SmallDisk.under(home.state))
      let state = FilePath("/proc/\(player.process.pid)/root\(home.state)")
      try SmallDisk.fill(state / "filler")
      try await player.ask("press", "long knob")
      try await Self.typePIN([1, 2, 3, 4], player)
      let wrong = try await player.ask("screen")["words"]?.string ?? ""
      #expect(wrong.hasPrefix("PIN"), "\(wrong)")
      let count = try AtomicFile.read(state / "pin-tries", limit: 64)
      #expect(count == Array("0001\n".utf8))
      try await player.ask("press", "home")
      try await player.ask("press", "long knob")
      try await Self.typePIN([4, 7, 1, 1], player)
      let open = try await player.ask("screen")["words"]?.string ?? ""
      #expect(open.contains("Menu"), "\(open)")
      try await player.stop()
    }

    @Test("stays closed when its owner's file is empty, as a power cut can leave it, at each start")
    func emptied() async throws {
      let home = try Home(owner: Self.locked)
      let first = try await RunningPlayer(in: home)
      #expect(try await first.status()["volume"]?.whole == 30)
      try await first.stop()
      try home.write("", to: home.owner)
      for _ in 0..<2 {
        let player = try await RunningPlayer(in: home)
        try await player.tells("layby.conf", "is empty", "the settings of last time are used")
        try await player.ask("volume", "90")
        try await player.status { $0["volume"]?.whole == 30 }
        try await player.ask("press", "long knob")
        try await player.ask("turn", "50")
        let menu = try await player.ask("screen")["words"]?.string ?? ""
        #expect(menu.contains("For staff"), "\(menu)")
        try await player.stop()
      }
      // Who wants the defaults says so with a line, or without a file.
      try home.write("# defaults\n", to: home.owner)
      let open = try await RunningPlayer(in: home)
      try await open.ask("volume", "90")
      try await open.status { ($0["volume"]?.whole ?? 0) > 30 }
      try await open.stop()
    }

    @Test("who starts outside the opening hours plays nothing, and goes on when it is open")
    func closed() async throws {
      // Closed now and for hours, on whatever day this is run.
      var now = time(nil)
      var parts = tm()
      localtime_r(&now, &parts)
      let hour = Int(parts.tm_hour)
      let owner = { (hours: String) in "[panel]\nprofile = kiosk\n[kiosk]\nhours = \(hours)\n" }
      let home = try Home(owner: owner("any"))
      let music = try await home.flac("music")
      let player = try await RunningPlayer(playing: [music], in: home)
      try await player.plays(music)
      try await player.stop()
      try home.write(owner("\((hour + 6) % 24):00-\((hour + 7) % 24):00"), to: home.owner)
      let closed = try await RunningPlayer(in: home)
      let status = try await closed.status()
      #expect(status["state"] == "paused" && status["gives_way_to"]?.items == ["opening hours"], "\(status)")
      #expect(try await closed.ask("screen")["words"]?.string?.contains("Closed") == true)
      #expect(try await closed.status()["position_s"] == status["position_s"])
      try await closed.stop()
      try home.write(owner("any"), to: home.owner)
      let open = try await RunningPlayer(in: home)
      try await open.plays(music)
      try await open.stop()
    }
  }
}
