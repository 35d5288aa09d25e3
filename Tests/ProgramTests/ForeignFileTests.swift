import Glibc
import Runtime
import Testing

/// Whether this build has the decoder of foreign formats, and it can run here.
enum ForeignDecoding {
  static let canRun: Bool = {
    #if arch(arm64)
      return false
    #else
      guard let itself = dlopen(nil, RTLD_NOW) else { return false }
      return dlsym(itself, "__asan_init") == nil && dlsym(itself, "__tsan_init") == nil
        && getenv("LAYBY_SMALL") == nil
    #endif
  }()
}

extension ProgramTests {
  @Suite(
    "A foreign file", .serialized,
    .enabled(if: ForeignDecoding.canRun, "nothing here decodes foreign files"))
  struct ForeignFileTests {
    /// What the player has started and what is still there, by name.
    private func children(of player: RunningPlayer) throws -> [pid_t: String] {
      var found: [pid_t: String] = [:]
      for name in try Folder.names(in: FilePath("/proc")) {
        guard let pid = pid_t(name.description),
          let stat = try? AtomicFile.read(FilePath("/proc/\(pid)/stat"), limit: 4_096)
        else { continue }
        // "pid (name) state parent ...": a name may hold anything but its own end.
        let text = String(decoding: stat, as: UTF8.self)
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { continue }
        let rest = text[close...].split(separator: " ")
        if rest.count > 2, pid_t(rest[2]) == player.process.pid { found[pid] = String(text[open..<close].dropFirst()) }
      }
      return found
    }

    /// 20 s of music, repeated so many times: encoding ten minutes takes as many seconds.
    private func m4a(_ name: String, times: Int, in home: Home) async throws -> FilePath {
      let (once, path) = (home.folder / "once.m4a", home.folder / "\(name).m4a")
      let flac = try await home.flac(name, seconds: 20)
      try await tool("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", "\(flac)", "-c:a", "aac", "\(once)", in: home)
      try await tool(
        "ffmpeg", "-v", "error", "-nostdin", "-stream_loop", "\(times - 1)", "-i", "\(once)", "-c:a", "copy",
        "-movflags", "+faststart", "\(path)", in: home)
      return path
    }

    @Test("has a process of its own as long as it plays; our own formats have none")
    func process() async throws {
      let home = try Home()
      let own = try await home.flac("own")
      let foreign = try await m4a("foreign", times: 3, in: home)
      let player = try await RunningPlayer(playing: [own, own, foreign, own], in: home)
      try await player.plays(own)
      #expect(try children(of: player) == [:])
      try await player.ask("next")
      try await player.ask("next")
      try await player.plays(foreign)
      #expect(try Array(children(of: player).values) == ["layby-decode"])
      try await player.ask("seek", "0:45")
      try await player.plays(foreign)
      try await player.ask("next")
      try await player.plays(own)
      #expect(try children(of: player) == [:])
      try await player.stop()
    }

    @Test("whose process is killed in the middle ends with a notice, and the next one plays")
    func killed() async throws {
      let home = try Home()
      let good = try await home.flac("good")
      let foreign = try await m4a("foreign", times: 30, in: home)
      let player = try await RunningPlayer(playing: [foreign, good], in: home)
      try await player.plays(foreign)
      for pid in try children(of: player).keys { kill(pid, SIGKILL) }
      // What it had decoded plays on; then more is asked for, and nobody answers.
      try await player.tells(foreign.name.description, "A-211")
      try await player.plays(good)
      #expect(try children(of: player) == [:])
      try await player.stop()
    }
  }
}
