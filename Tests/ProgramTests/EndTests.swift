import Glibc
import Playback
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("The end", .serialized)
  struct EndTests {
    @Test("by a signal saves where the music is, and goes on there", arguments: [SIGTERM, SIGINT])
    func saved(signal: Int32) async throws {
      let home = try Home()
      let music = try await home.flac("music")
      let player = try await RunningPlayer(playing: [music], in: home)
      try await player.ask("seek", "12.5")
      try await player.plays(music)
      let asked = Moment.now
      let last = try await player.status()["position_s"]?.double ?? 0
      try await player.stop(by: signal)
      let gone = Double((Moment.now - asked).milliseconds) / 1_000
      // The stop was clean, and the next start need not check anything.
      #expect(!Home.exists(home.state / "running"))
      let saved = try Self.savedPlace(in: home)
      let seconds = Double(saved.frame) / Double(saved.rate)
      #expect(saved.wish == .playing && saved.volume == 100)
      // No further than it can have played meanwhile, what lies in the device included.
      #expect(last <= seconds && seconds < last + gone + 2.5, "\(last), \(seconds), \(gone)")

      let again = try await RunningPlayer(in: home)
      let status = try await again.status()
      #expect((status["position_s"]?.double ?? 0) >= seconds - 0.001, "\(status)")
      try await again.plays(music)
      try await again.stop()
    }

    @Test("comes at once with the second signal")
    func secondSignal() async throws {
      let home = try Home()
      let music = try await home.flac("music")
      let player = try await RunningPlayer(playing: [music], in: home)
      try await player.plays(music)
      player.process.signal(SIGTERM)
      try await player.systemd.wait(for: "STOPPING=1", from: player.process, telling: { player.said })
      player.process.signal(SIGTERM)
      // It may have been faster than the second.
      let code = await player.process.exitCode()
      #expect(code == EX_OK || code == 128 + SIGTERM, "\(player.said)")
    }

    @Test("tells systemd ready, alive as long as it is asked for, and stopping, in this order")
    func systemd() async throws {
      let home = try Home()
      let music = try await home.flac("music")
      let player = try await RunningPlayer(playing: [music], in: home, environment: ["WATCHDOG_USEC=300000"])
      for _ in 0..<3 {
        try await player.systemd.wait(for: "WATCHDOG=1", from: player.process, telling: { player.said })
      }
      try await player.ask("pause")
      for _ in 0..<3 {
        try await player.systemd.wait(for: "WATCHDOG=1", from: player.process, telling: { player.said })
      }
      player.process.signal(SIGTERM)
      try await player.systemd.wait(for: "STOPPING=1", from: player.process, telling: { player.said })
      try await player.ends(with: EX_OK)
      let heard = player.systemd.heard
      // Alive from the first moment to the last.
      let rest = heard.filter { $0 != "WATCHDOG=1" }
      #expect(rest.count == 2 && rest[0].hasPrefix("READY=1") && rest[1] == "STOPPING=1", "\(heard)")
    }

    @Test("nobody is told that it is alive when nobody asked")
    func unwatched() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      player.process.signal(SIGTERM)
      try await player.systemd.wait(for: "STOPPING=1", from: player.process, telling: { player.said })
      try await player.ends(with: EX_OK)
      #expect(player.systemd.heard.count == 2)
    }

    static func savedPlace(in home: Home) throws -> SavedPlace {
      let bytes = try AtomicFile.read(home.state / "position", limit: 2 * PlaceSlot.size)
      let slots = [bytes.prefix(PlaceSlot.size), bytes.suffix(PlaceSlot.size)].compactMap { PlaceSlot(bytes: $0) }
      guard let newest = slots.max(by: { $0.sequence < $1.sequence }) else {
        throw Fault(.damaged, "T-68", "no place was saved")
      }
      return newest.place
    }
  }

  @Suite("The threads", .serialized)
  struct ThreadTests {
    @Test("are those of the house plan and no others, after a hundred commands and more")
    func names() async throws {
      let home = try Home()
      let (one, two) = (try await home.flac("one"), try await home.flac("two"))
      let player = try await RunningPlayer(playing: [one, two], in: home)
      try await player.plays(one)
      let seed: UInt64 = 5
      var dice = SeededGenerator(seed: seed)
      for _ in 0..<100 {
        switch Int.random(in: 0..<9, using: &dice) {
        case 0: try await player.ask("seek", "\(Int.random(in: 0..<25, using: &dice))")
        case 1: try await player.ask("volume", "\(Int.random(in: 0...100, using: &dice))")
        case 2: try await player.ask("next")
        case 3: try await player.ask("previous")
        case 4: try await player.ask("toggle")
        case 5: try await player.ask("turn", "-1")
        case 6: _ = try await player.add([one])
        case 7: try await player.ask("screen")
        default: try await player.ask("queue")
        }
      }
      try await player.ask("play")
      try await player.status { $0["state"] == "playing" }
      let threads = try player.threads
      // The library may have a thread of its own, and so may a look at the kernel; whoever adds another has to say so
      // here.
      let lasting = threads.filter { $0 != "library" && $0 != "kernel" }
      #expect(lasting == ["decode", "layby", "output", "store"], "seed \(seed): \(threads)")
      try await player.stop()
    }
  }
}

extension RunningPlayer {
  /// By name. The first bears the program's; the main loop lives on it.
  fileprivate var threads: [String] {
    get throws {
      let tasks = FilePath("/proc/\(process.pid)/task")
      return try Folder.names(in: tasks).map { task in
        let bytes = try AtomicFile.read(tasks / "\(task)/comm", limit: 64)
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
      }.sorted()
    }
  }
}
