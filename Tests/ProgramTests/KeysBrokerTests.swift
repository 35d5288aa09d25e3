import Ciphers
import Glibc
import Rights
import Runtime
import Seals
import TestSupport
import Testing

extension ProgramTests {
  @Suite(
    "Keys in a program of their own", .serialized,
    .enabled(if: hasWayOut && !Sanitizer.isThere, "this needs a network, and a process that is shut in"))
  struct KeysBrokerTests {
    /// A layby-keys that runs.
    private final class Broker {
      let home: Home
      let process: ChildProcess
      var socket: FilePath { Self.socket(in: home) }

      static func socket(in home: Home) -> FilePath { home.folder / "broker/socket" }
      static func keys(in home: Home) -> FilePath { home.folder / "keys" }

      init(in home: Home) async throws {
        self.home = home
        process = try ChildProcess(
          [
            Built.keys, "--folder", "\(Self.keys(in: home))", "--socket", "\(Self.socket(in: home))", "--board",
            "\(home.board)",
          ], environment: [], output: home.folder / "broker.out", errors: home.folder / "broker.log")
        let until = Moment.now + patience
        while true {
          do throws(Fault) {
            _ = try KeysClient(at: Self.socket(in: home), roots: [:]).askedStanding()
            return
          } catch { if Moment.now > until { throw error } }
          usleep(20_000)
        }
      }

      func kill() async {
        process.signal(SIGKILL)
        _ = await process.exitCode()
      }
    }

    private static func home() throws -> Home {
      let home = try Home()
      try home.write(
        "[board]\nname = test\n[panel]\nsize = 64x48\n[rights]\nbroker = \(Broker.socket(in: home))\n", to: home.board)
      return home
    }

    private static func plays(_ player: RunningPlayer) async throws {
      try await player.ask("queue", "play", "tracks")
      try await player.status { $0["state"] == "playing" && ($0["position_s"]?.double ?? 0) > 0.2 }
    }

    private static func fetch(_ player: RunningPlayer, _ depot: SealedMusicTests.Depot) async throws {
      try await depot.license(player)
      #expect(try await player.ask("rights", "renew")["licences"]?.items?.first?["plays"] == true)
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is in the library") { try await player.ask("library")["tracks"]?.whole == 2 }
    }

    @Test("sealed music plays; without the broker the next playing is refused soon, and one started again is found")
    func killed() async throws {
      let home = try Self.home()
      var broker = try await Broker(in: home)
      let depot = try await SealedMusicTests.Depot(in: home, pieces: 2)
      let player = try await SealedMusicTests.opened(depot)
      try await Self.fetch(player, depot)
      try await Self.plays(player)
      let shown = try await Finished([Built.layby, "rights", "--run", "\(home.run)"], in: home)
      #expect(shown.output.contains("in a program of their own"), "\(shown)")
      #expect(!Home.exists(home.state / "rights"))
      // What plays goes on.
      await broker.kill()
      let before = try await player.ask("status")["position_s"]?.double ?? 0
      try await player.status { ($0["position_s"]?.double ?? 0) > before + 0.2 }
      try await player.ask("queue", "play", "tracks")
      try await player.logs(["E-190"])
      broker = try await Broker(in: home)
      try await Self.plays(player)
      // Silent, which is not dead.
      broker.process.signal(SIGSTOP)
      let began = Moment.now
      try await player.ask("queue", "play", "tracks")
      try await player.logs(["E-191"])
      #expect(Moment.now - began < .seconds(10))
      broker.process.signal(SIGCONT)
      try await Self.plays(player)
      try await player.stop()
      await broker.kill()
    }

    @Test("a process with the player's rights gets keys of what may be played now, and no others")
    func onlyWhatMayPlay() async throws {
      let home = try Self.home()
      let broker = try await Broker(in: home)
      let depot = try await SealedMusicTests.Depot(in: home, pieces: 2)
      let player = try await SealedMusicTests.opened(depot)
      try await Self.fetch(player, depot)
      let file = try #require(home.names(in: depot.path / "public").first { $0.hasSuffix(".flac") })
      let first = Array(try AtomicFile.read(depot.path / "public" / file, limit: 1 << 24).prefix(64))
      let id = try #require(try SealHeader(first, of: file)).key
      let root = try #require(Base64.decode(depot.root).flatMap { SigningKey.PublicKey(bytes: $0) })
      let client = try KeysClient(at: broker.socket, roots: ["depot": root])
      #expect(try client.key(id, of: "it").withBytes { $0.count } == 32)
      let other = try #require(KeyID([UInt8](repeating: 1, count: 16)))
      #expect(try faultOf { try client.key(other, of: "another") }.code == "E-160")
      // Under a root key of its own it has no licences.
      let own = try KeysClient(at: broker.socket, roots: ["depot": SigningKey.made().publicKey])
      #expect(try faultOf { try own.key(id, of: "it") }.code == "E-160")
      // Ended: the broker says so, whatever the player thinks.
      try await depot.license(player, "--from", "2026-01-01", "--days", "30")
      try await player.ask("rights", "renew")
      #expect(try faultOf { try client.key(id, of: "it") }.code == "E-161")
      try await player.stop()
      await broker.kill()
    }

    @Test("who sends garbage is cut off, who is silent or slow too, and nobody waits for them")
    func garbage() async throws {
      let home = try Self.home()
      let broker = try await Broker(in: home)
      let client = try KeysClient(at: broker.socket, roots: [:])
      for bytes: [UInt8] in [
        [0xFF, 0xFF, 0xFF, 0xFF, 9], [0, 0, 0, 0, 77], [0, 0, 0, 1, 3, 0], Array("GET / HTTP/1.1\r\n\r\n".utf8),
        // A key without a word on who is trusted.
        KeysFrame.bytes(2, [UInt8](repeating: 0, count: 16)), [0, 0],
      ] {
        let socket = try Self.connected(to: broker.socket)
        #expect(send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        _ = try client.askedStanding()
        var byte: UInt8 = 0
        let isReadable = !Readiness.readable([socket.number], until: .now + .seconds(10)).isEmpty
        #expect(isReadable && recv(socket.number, &byte, 1, 0) <= 0, "\(bytes) is not cut off")
      }
      let many = try (0..<100).map { _ in Held(try Self.connected(to: broker.socket)) }
      _ = try client.askedStanding()
      withExtendedLifetime(many) {}
      await broker.kill()
    }

    private final class Held {
      let socket: Descriptor
      init(_ socket: consuming Descriptor) { self.socket = socket }
    }

    private static func connected(to path: FilePath) throws -> Descriptor {
      let socket = Descriptor.streamSocket()
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes.prefix($0.count - 1)) }
      let code = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard code == 0 else { throw Fault.system("T-63", doing: "connect to \(path)") }
      return socket
    }

    @Test("asked ten thousand times it does not grow")
    func memory() async throws {
      let home = try Self.home()
      let broker = try await Broker(in: home)
      let client = try KeysClient(at: broker.socket, roots: [:])
      for _ in 0..<1_000 { _ = try client.askedStanding() }
      let before = try Self.ownMemory(of: broker.process)
      for _ in 0..<10_000 { _ = try client.askedStanding() }
      #expect(try Self.ownMemory(of: broker.process) <= before + 128)
      await broker.kill()
    }

    /// In KB: what it shares with nobody.
    private static func ownMemory(of process: ChildProcess) throws -> Int {
      let text = String(
        decoding: try AtomicFile.read(FilePath("/proc/\(process.pid)/smaps_rollup"), limit: 65_536), as: UTF8.self)
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("Private_") }
      return lines.compactMap { Int($0.split(separator: " ").dropFirst().first ?? "") }.reduce(0, +)
    }

    @Test("another user's process gets nothing", .enabled(if: getuid() == 0, "only root can be another user"))
    func anotherUser() async throws {
      let home = try Self.home()
      let broker = try await Broker(in: home)
      _ = home.folder.withCString { chmod($0, 0o755) }
      let asked = try await Finished(
        [
          "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c",
          """
          import socket, sys
          s = socket.socket(socket.AF_UNIX); s.settimeout(10); s.connect(sys.argv[1])
          s.sendall(b"\\0\\0\\0\\0\\x05"); print(len(s.recv(100)))
          """, "\(broker.socket)",
        ], in: home)
      // Hung up on, with or without what it sent being taken.
      #expect(asked.output == "0\n" || asked.errors.contains("Error"), "\(asked)")
      #expect(!asked.output.contains("133"))
      await broker.kill()
    }

    @Test("it dies of what it may not do", arguments: ["open", "socket", "exec", "fork", "kill", "execmem"])
    func shutIn(_ what: String) async throws {
      let home = try Self.home()
      let died = try await Finished([Built.keys, "--try", what], in: home)
      #expect(died.code != 0 && died.code != 1 && died.code != EX_UNAVAILABLE, "\(what): \(died)")
    }
  }
}
