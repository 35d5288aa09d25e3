import Canvas
import Glibc
import Library
import Pictures
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite(
    "The process that decodes covers", .serialized,
    .enabled(if: !Sanitizer.isThere, "no process that is shut in decodes pictures with a sanitizer"))
  struct PictureProcessTests {
    private static let words = [Built.layby, PictureServer.verb]

    private func picture(_ side: Int, _ ending: String, in home: Home) async throws -> [UInt8] {
      let path = home.folder / "cover.\(ending)"
      try await tool(
        "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "color=c=0x2040C0:s=\(side)x\(side)",
        "-frames:v", "1", "\(path)", in: home)
      return try AtomicFile.read(path, limit: 1 << 26)
    }

    @Test("gives each kind as it is decoded here, one after the other")
    func kinds() async throws {
      let home = try Home()
      let process = PictureProcess(Self.words)
      var pid: pid_t?
      for ending in ["jpg", "png", "webp"] {
        let bytes = try await picture(400, ending, in: home)
        for frame in [PictureFrame.square(240), .fitting(Size(width: 100, height: 900)), .square(1_024)] {
          let made = try process.decode(bytes, named: ending, as: frame)
          #expect(made == (try Picture.decode(bytes, named: ending, as: frame)), "\(ending)")
        }
        #expect(pid == nil || pid == process.pid)
        pid = process.pid
        // A broken one is told as here, and costs the process nothing.
        let broken = Array(bytes.prefix(40))
        let fault = try faultOf { try process.decode(broken, named: "b", as: .square(8)) }
        let here = try faultOf { try Picture.decode(broken, named: "b", as: .square(8)) }
        #expect(fault == here)
        #expect(pid == process.pid)
      }
    }

    @Test("when it dies, costs its own picture; the next has a new one; who does not want it any more is not kept")
    func dies() async throws {
      let home = try Home()
      let bytes = try await picture(2_000, "png", in: home)
      let process = PictureProcess(Self.words)
      _ = try process.decode(bytes, named: "a", as: .square(8))
      let first = process.pid
      if let first { kill(first, SIGKILL) }
      let fault = try faultOf { try process.decode(bytes, named: "a", as: .square(8)) }
      #expect(fault.code == "K-167")
      _ = try process.decode(bytes, named: "a", as: .square(8))
      #expect(process.pid != nil && process.pid != first)
      if let second = process.pid { kill(second, SIGSTOP) }
      var looks = 0
      let unwanted = try faultOf {
        _ = try process.decode(bytes, named: "a", as: .square(8)) {
          looks += 1
          return looks < 3
        }
      }
      #expect(unwanted.code == "K-146" && process.pid == nil)
    }

    @Test(
      "is shut in before it sees a byte: what it should not do is its death",
      arguments: ["open", "socket", "exec", "fork", "execmem", "kill"])
    func shutIn(what: String) async throws {
      let home = try Home()
      let finished = try await Finished(Self.words + ["--try", what], in: home)
      #expect(finished.code == 128 + SIGSYS, "\(finished)")
    }

    @Test("is gone a while after the last picture, and another one is there for the next")
    func rests() async throws {
      let home = try Home()
      let music = try await home.flac("music")
      _ = try await picture(600, "jpg", in: home)
      var budgets = ArtShelf.Budgets()
      budgets.lingering = .milliseconds(50)
      let shelf = ArtShelf(storing: nil, decoding: .process(Self.words), budgets: budgets)
      func cover(_ side: Int) async -> Picture? {
        await withCheckedContinuation { continuation in
          _ = shelf.ask(music, as: .square(side)) { continuation.resume(returning: $0) }
        }
      }
      for side in 10...12 {
        #expect(await cover(side)?.size == Size(width: side, height: side))
        let until = Moment.now + patience
        while try !ownProcesses().isEmpty {
          try #require(Moment.now < until, "it is still there")
          try await Task.sleep(for: .milliseconds(10))
        }
      }
    }

    /// Those that decode pictures for this process.
    private func ownProcesses() throws -> [pid_t] {
      try Folder.names(in: FilePath("/proc")).compactMap { pid_t($0.description) }.filter { pid in
        let line = (try? AtomicFile.read(FilePath("/proc/\(pid)/cmdline"), limit: 65_536)) ?? []
        let status = (try? AtomicFile.read(FilePath("/proc/\(pid)/status"), limit: 65_536)) ?? []
        return String(decoding: line, as: UTF8.self).split(separator: "\0").last?.elementsEqual(PictureServer.verb)
          == true
          && String(decoding: status, as: UTF8.self).contains("PPid:\t\(getpid())\n")
          && !String(decoding: status, as: UTF8.self).contains("State:\tZ")
      }
    }

    @Test("is there while a running player has covers to show, has nothing open of the player's, and goes with it")
    func running() async throws {
      let home = try Home()
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let music = try await home.flac("music", seconds: 30)
      _ = try await picture(600, "jpg", in: home)
      let player = try await RunningPlayer(playing: [music], in: home)
      try await player.plays(music)
      let until = Moment.now + patience
      var found: pid_t?
      while found == nil {
        // Somebody looks at it.
        try await player.ask("screen")
        found = try Folder.names(in: FilePath("/proc")).compactMap { pid_t($0.description) }.first { pid in
          let line = (try? AtomicFile.read(FilePath("/proc/\(pid)/cmdline"), limit: 65_536)) ?? []
          let status = (try? AtomicFile.read(FilePath("/proc/\(pid)/status"), limit: 65_536)) ?? []
          let words = String(decoding: line, as: UTF8.self).split(separator: "\0")
          return words.last?.elementsEqual(PictureServer.verb) == true
            && String(decoding: status, as: UTF8.self).contains("PPid:\t\(player.process.pid)\n")
            // It shuts itself in a moment after its start.
            && String(decoding: status, as: UTF8.self).contains("Seccomp:\t2")
        }
        try #require(Moment.now < until, "no process came:\n\(player.said)")
      }
      let child = try #require(found)
      try await player.stop()
      // Whoever takes over what is left of it may take its time.
      let gone = Moment.now + patience
      while kill(child, 0) == 0 {
        let state = (try? AtomicFile.read(FilePath("/proc/\(child)/status"), limit: 65_536)) ?? []
        if String(decoding: state, as: UTF8.self).contains("State:\tZ") { break }
        try #require(Moment.now < gone, "it is still there")
      }
    }
  }
}
