import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Clients that stand in the way", .serialized)
  struct ControlLimitsTests {
    private func layby(_ home: Home, _ words: String...) async throws -> Finished {
      try await Finished([Built.layby] + words + ["--run", "\(home.run)"], in: home)
    }

    @Test("who opens more connections than there are places locks nobody out")
    func places() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      // Somebody else, who says nothing more from now on.
      let told = home.folder / "told"
      let other = try ChildProcess(
        [Built.layby, "events", "--run", "\(home.run)"], output: told, errors: home.folder / "errors")
      try await Self.untilMore(in: told, than: 0, player)
      var idle: [ControlConnection] = []
      for number in 0..<40 {
        let one = try ControlConnection(to: home.run / "control")
        #expect(try await one.ask("status", within: patience)?["ok"] == true)
        if number % 2 == 0 { try one.send(Request(verb: "events")) }
        idle.append(one)
      }
      let answer = try await layby(home, "status")
      #expect(answer.code == EX_OK, "\(answer)")
      // Whose it is is not asked before it has to go: this process lost the ones that it used least lately.
      #expect(try await idle[39].ask("status", within: patience)?["ok"] == true)
      #expect(try await idle[1].next(within: patience)?["error"]?["code"] == "X-115")
      #expect(try await idle[1].next(within: patience) == nil)
      player.control = try ControlConnection(to: home.run / "control")
      try await Self.untilMore(in: told, than: try AtomicFile.read(told, limit: 1 << 24).count, player)
      try await player.stop()
      #expect(await other.exitCode() == EX_UNAVAILABLE)
    }

    /// What happens is told to whoever writes it into this file.
    private static func untilMore(in file: FilePath, than count: Int, _ player: RunningPlayer) async throws {
      let until = Moment.now + patience
      repeat {
        try #require(Moment.now < until, "nothing was told")
        try await player.ask("volume", "\(Int.random(in: 1...90))")
      } while try AtomicFile.read(file, limit: 1 << 24).count <= count
    }

    @Test("arguments that are no list are refused: a verb that was to be switched off is not switched on")
    func noList() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      try player.control?.send(Array(#"{"verb":"mute","arguments":"off"}"#.utf8) + [0x0A])
      let answer = try await player.control?.next(within: patience)
      #expect(answer?["ok"] == false && answer?["error"]?["message"]?.string?.contains("no list") == true)
      #expect(try await player.status()["muted"] == false)
      try await player.stop()
    }

    @Test(
      "thirty clients with long lines that never end cost little memory, and others are answered",
      .enabled(if: !Sanitizer.isThere, "a sanitizer keeps what was given back"))
    func unfinished() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      let before = try Self.memory(of: player.process.pid)
      var clients: [ControlConnection] = []
      let line = [UInt8](repeating: 0x20, count: Request.limit - 4_096)
      for _ in 0..<30 {
        let one = try ControlConnection(to: home.run / "control")
        try? one.send(line)
        clients.append(one)
      }
      #expect(try await layby(home, "status").code == EX_OK)
      let grown = try Self.memory(of: player.process.pid) - before
      #expect(grown < 40_000, "\(grown) KB")
      // A request that is as long and ends is taken.
      let long = try ControlConnection(to: home.run / "control")
      try long.send(line + Array(#"{"verb":"status"}"#.utf8) + [0x0A])
      #expect(try await long.next(within: patience)?["ok"] == true)
      player.control = try ControlConnection(to: home.run / "control")
      try await player.stop()
    }

    /// The most that it ever had, in KB.
    private static func memory(of process: Int32) throws -> Int {
      let bytes = try AtomicFile.read(FilePath("/proc/\(process)/status"), limit: 1 << 16)
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return try #require(line?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    @Test("events end with an error when the player dies")
    func events() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      let (output, errors) = (home.folder / "events.out", home.folder / "events.err")
      let follower = try ChildProcess([Built.layby, "events", "--run", "\(home.run)"], output: output, errors: errors)
      // It follows as soon as it has heard of something.
      try await Self.untilMore(in: output, than: 0, player)
      await player.kill()
      #expect(await follower.exitCode() == EX_UNAVAILABLE)
      let said = String(decoding: try AtomicFile.read(errors, limit: 1 << 16), as: UTF8.self)
      #expect(said.contains("has ended"), "\(said)")
    }

    @Test("a player that is gone, hangs, or goes while it is asked is told, by 69 and in words")
    func gone() async throws {
      let home = try Home()
      try Folder.make(home.run)
      // Somebody who closes at once, in the middle of a request that fits no socket.
      let socket = try ListeningSocket(at: home.run / "control")
      let many = try Self.longArguments(home)
      let client = try ChildProcess(
        [Built.layby, "queue", "add"] + many + ["--run", "\(home.run)"], output: home.folder / "out",
        errors: home.folder / "err")
      #expect(await client.first(socket.number) == .other)
      close(accept(socket.number, nil, nil))
      #expect(await client.exitCode() == EX_UNAVAILABLE)
      let said = String(decoding: try AtomicFile.read(home.folder / "err", limit: 1 << 20), as: UTF8.self)
      #expect(said.contains("has ended"), "\(said.prefix(500))")
      // And one that takes nobody in.
      let crowd = (0..<4).map { _ in try? ControlConnection(to: home.run / "control") }
      let busy = try await Finished([Built.layby, "status", "--run", "\(home.run)", "--wait", "100ms"], in: home)
      #expect(busy.code == EX_UNAVAILABLE && busy.errors.contains("does not answer"), "\(busy)")
      _ = crowd
    }

    @Test("a player that hangs is told")
    func hangs() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      player.process.signal(SIGSTOP)
      let answer = try await Finished([Built.layby, "status", "--run", "\(home.run)", "--wait", "200ms"], in: home)
      #expect(answer.code == EX_UNAVAILABLE && answer.errors.contains("does not answer"), "\(answer)")
      player.process.signal(SIGCONT)
      try await player.stop()
    }

    private static func longArguments(_ home: Home) throws -> [String] {
      // Sources' addresses are not looked for on the disk.
      (0..<4_000).map { "source:kiosk/" + String(repeating: "n", count: 200) + "\($0)" }
    }
  }
}

/// Somebody listens there, and nobody answers.
final class ListeningSocket {
  let number: Int32

  init(at path: FilePath) throws(Fault) {
    number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes.prefix($0.count - 1)) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(number, 1) == 0 else { throw Fault.system("T-77", doing: "listen at \(path)") }
  }

  deinit { close(number) }
}
