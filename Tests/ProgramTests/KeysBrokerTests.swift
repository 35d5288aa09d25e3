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

      /// Started, and not waited for.
      static func started(
        in home: Home, _ folder: FilePath? = nil, _ environment: [String] = []
      ) throws -> ChildProcess {
        try ChildProcess(
          [
            Built.keys, "--folder", "\(folder ?? keys(in: home))", "--socket", "\(socket(in: home))", "--board",
            "\(home.board)",
          ], environment: environment, output: home.folder / "broker.out", errors: home.folder / "broker.log")
      }

      init(in home: Home, _ folder: FilePath? = nil, _ environment: [String] = []) async throws {
        self.home = home
        _ = Self.socket(in: home).withCString { unlink($0) }
        process = try Self.started(in: home, folder, environment)
        let until = Moment.now + patience
        // Who listens is asked at the earliest when the socket is there.
        while Moment.now < until, !process.hasEnded {
          do throws(Fault) {
            _ = try KeysClient(at: Self.socket(in: home), roots: [:]).standing
            return
          } catch {
            // It answers, and be it with why it has nothing to give.
            guard ["E-190", "E-191"].contains(error.code) else { return }
            usleep(20_000)
          }
        }
        let log = try AtomicFile.read(home.folder / "broker.log", limit: 1 << 20)
        throw Fault(.unsupported, "T-70", "layby-keys does not run: \(String(decoding: log, as: UTF8.self))")
      }

      func kill() async {
        process.signal(SIGKILL)
        _ = await process.exitCode()
      }
    }

    private static func home(_ rights: String = "") throws -> Home {
      let home = try Home()
      try home.write(
        "[board]\nname = test\n[panel]\nsize = 64x48\n[rights]\nbroker = \(Broker.socket(in: home))\n\(rights)",
        to: home.board)
      return home
    }

    /// A licence for the device of `client`, of which it is said what is new.
    @discardableResult
    private static func license(
      _ client: KeysClient, _ depot: SealedMusicTests.Depot, _ terms: String...
    ) async throws -> DeviceRights.Taken {
      try client.take(try await bundle(client, depot, terms), from: "depot")
    }

    private static func bundle(
      _ client: KeysClient, _ depot: SealedMusicTests.Depot, _ terms: [String]
    ) async throws -> [UInt8] {
      let home = depot.home
      try home.write("\(try client.card)", to: home.folder / "device.json")
      let words = [Built.depot, "licence", "\(depot.path)", "\(home.folder / "device.json")"] + terms
      let made = try await Finished(words, in: home)
      #expect(made.code == 0, "\(made)")
      let file = depot.path / "public/licences/\(try client.name).json"
      return try AtomicFile.read(file, limit: 1 << 20)
    }

    /// The key's id of the depot's first track.
    private static func track(_ depot: SealedMusicTests.Depot) throws -> KeyID {
      let file = try #require(depot.home.names(in: depot.path / "public").first { $0.hasSuffix(".flac") })
      let first = Array(try AtomicFile.read(depot.path / "public" / file, limit: 1 << 24).prefix(64))
      return try #require(try SealHeader(first, of: file)).key
    }

    private static func client(_ socket: FilePath, _ depot: SealedMusicTests.Depot) throws -> KeysClient {
      let root = try #require(Base64.decode(depot.root).flatMap { SigningKey.PublicKey(bytes: $0) })
      return try KeysClient(at: socket, roots: ["depot": root])
    }

    private static func length(_ client: KeysClient, _ id: KeyID) throws -> Int {
      try client.key(id, of: "it").withBytes { $0.count }
    }

    private static func copy(_ from: FilePath, to: FilePath, in home: Home) async throws {
      try await tool("cp", "-a", "\(from)/.", "\(to)/", in: home)
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
      #expect(Moment.now - began < .seconds(25))
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
      let id = try Self.track(depot)
      let client = try Self.client(broker.socket, depot)
      #expect(try Self.length(client, id) == 32)
      let other = try #require(KeyID([UInt8](repeating: 1, count: 16)))
      #expect(try faultOf { try client.key(other, of: "another") }.code == "E-160")
      #expect(try client.playable([id, other]) == [id])
      // Under a root key of its own it has no licences, and no say over the others' time.
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
        [1, 13, 0xFF, 0xFF, 0xFF, 0xFF], [1, 77, 0, 0, 0, 0], [1, 3, 0, 0, 0, 1, 0], [2, 3, 0, 0, 0, 0],
        Array("GET / HTTP/1.1\r\n\r\n".utf8),
        // A key without a word on who is trusted.
        KeysFrame.bytes(2, [UInt8](repeating: 0, count: 16)), [0, 0],
      ] {
        let socket = try Self.connected(to: broker.socket)
        #expect(send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        _ = try client.standing
        var byte: UInt8 = 0
        let isReadable = !Readiness.readable([socket.number], until: .now + .seconds(10)).isEmpty
        #expect(isReadable && recv(socket.number, &byte, 1, 0) <= 0, "\(bytes) is not cut off")
      }
      let many = try (0..<100).map { _ in Held(try Self.connected(to: broker.socket)) }
      _ = try client.standing
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
      let until = Moment.now + patience
      while true {
        let code = withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
          }
        }
        if code == 0 { return socket }
        // More wait before it than the kernel takes.
        guard errno == EAGAIN, Moment.now < until else { throw Fault.system("T-63", doing: "connect to \(path)") }
        usleep(5_000)
      }
    }

    @Test("asked ten thousand times it answers all of them, and does not grow")
    func memory() async throws {
      let home = try Self.home()
      let broker = try await Broker(in: home)
      let client = try KeysClient(at: broker.socket, roots: [:])
      for _ in 0..<1_000 { _ = try client.standing }
      let before = try Self.memory(of: broker.process, ["Private_"])
      for _ in 0..<10_000 { _ = try client.standing }
      let after = try Self.memory(of: broker.process, ["Private_"])
      #expect(after <= before + 128)
      print("layby-keys: \(try Self.memory(of: broker.process, ["Pss:"])) KB of its own share, \(after) KB its alone")
      await broker.kill()
    }

    /// In KB: of the lines that begin so.
    private static func memory(of process: ChildProcess, _ beginnings: [String]) throws -> Int {
      let text = String(
        decoding: try AtomicFile.read(FilePath("/proc/\(process.pid)/smaps_rollup"), limit: 65_536), as: UTF8.self)
      let lines = text.split(separator: "\n").filter { line in beginnings.contains { line.hasPrefix($0) } }
      return lines.compactMap { Int($0.split(separator: " ").dropFirst().first ?? "") }.reduce(0, +)
    }

    @Test("keys are asked for as often as anybody plays, and no more; then it goes on in a moment")
    func rate() async throws {
      let home = try Self.home()
      let broker = try await Broker(in: home)
      let depot = try await SealedMusicTests.Depot(in: home, pieces: 1)
      let client = try Self.client(broker.socket, depot)
      try await Self.license(client, depot)
      let id = try Self.track(depot)
      var refused = 0
      for _ in 0..<1_000 {
        do throws(Fault) { _ = try client.key(id, of: "it") } catch {
          #expect(error.code == "E-197")
          refused += 1
        }
      }
      #expect(refused > 100)
      // Ten of them are allowed anew.
      usleep(600_000)
      #expect(try Self.length(client, id) == 32)
      await broker.kill()
    }

    @Test("somebody signs in, and what keeps the device signed in is where the player cannot read it")
    func signsIn() async throws {
      let home = try Self.home()
      let broker = try await Broker(in: home)
      let service = try await SignedInTests.Service(in: home, pieces: 1)
      let player = try await SignedInTests.opened(service)
      try await SignedInTests.signIn(player, service)
      try await player.until("licences are here") {
        try await player.ask("rights")["licences"]?.items?.first?["verdict"] == "plays"
      }
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is in the library") { try await player.ask("library")["tracks"]?.whole == 1 }
      try await Self.plays(player)
      let statements = try await player.ask("rights", "renew")["statements"]?.items
      #expect(statements?.first?["subscription"] == "active", "\(statements ?? [])")
      #expect(!Home.exists(home.state / "rights"))
      let session = try AtomicFile.read(Broker.keys(in: home) / "sessions/club", limit: 1 << 16)
      #expect(!String(decoding: session, as: UTF8.self).contains("refresh"))
      let out = try await player.ask("sign-out")
      #expect(out["signed_out"] == "club", "\(out)")
      #expect(!Home.exists(Broker.keys(in: home) / "sessions/club"))
      try await player.stop()
      await broker.kill()
    }

    @Test("its folder on another board opens nothing and says why, and on its own it goes on")
    func copied() async throws {
      let home = try Self.home()
      let number = home.folder / "number"
      try home.write("board 1", to: number)
      let board = String(decoding: try AtomicFile.read(home.board, limit: 1 << 16), as: UTF8.self)
      try home.write(board + "bound_to = \(number)\n", to: home.board)
      let first = try await Broker(in: home)
      let depot = try await SealedMusicTests.Depot(in: home, pieces: 1)
      let client = try Self.client(first.socket, depot)
      try await Self.license(client, depot)
      let id = try Self.track(depot)
      #expect(try client.standing.boundTo == [number])
      #expect(try Self.length(client, id) == 32)
      await first.kill()
      let other = home.folder / "other"
      try Folder.make(other)
      try await Self.copy(Broker.keys(in: home), to: other, in: home)
      try home.write("board 2", to: number)
      let moved = try await Broker(in: home, other)
      #expect(try faultOf { try client.key(id, of: "it") }.code == "E-162")
      await moved.kill()
      try home.write("board 1", to: number)
      let back = try await Broker(in: home)
      #expect(try Self.length(client, id) == 32)
      await back.kill()
    }

    @Test(
      "with a TPM the folder is of no use beside another, and an older copy that is put back waits for its service",
      .enabled(if: SoftwareTPM.isThere, "swtpm or libtss2-tcti-swtpm is not installed"))
    func chip() async throws {
      let home = try Self.home()
      let board = String(decoding: try AtomicFile.read(home.board, limit: 1 << 16), as: UTF8.self)
      func chip(_ name: String) throws -> SoftwareTPM {
        let made = try SoftwareTPM(in: home.folder / name) { address in
          do throws(Fault) {
            _ = try TPM(address)
            return true
          } catch { return false }  // it may not be there yet
        }
        try home.write(board + "tpm = \(made.address)\n", to: home.board)
        return made
      }
      let one = try chip("one")
      let first = try await Broker(in: home)
      let depot = try await SealedMusicTests.Depot(in: home, pieces: 1)
      let client = try Self.client(first.socket, depot)
      try await Self.license(client, depot)
      let id = try Self.track(depot)
      #expect(try client.standing.hasTPM)
      #expect(try Self.length(client, id) == 32)
      #expect(!Home.exists(Broker.keys(in: home) / "device"))
      await first.kill()
      let kept = home.folder / "kept"
      try Folder.make(kept)
      try await Self.copy(Broker.keys(in: home), to: kept, in: home)
      // A later start counts on.
      let second = try await Broker(in: home)
      try client.keepClock()
      #expect(try Self.length(client, id) == 32)
      await second.kill()
      let back = try await Broker(in: home, kept)
      #expect(try faultOf { try client.key(id, of: "it") }.code == "E-184")
      try await Self.license(client, depot)
      // It has been heard of; what remains is the time, where no time server says it.
      if try client.time(of: nil).witness == .network {
        #expect(try Self.length(client, id) == 32)
      } else {
        #expect(try faultOf { try client.key(id, of: "it") }.code == "E-164")
      }
      await back.kill()
      let address = one.address
      _ = consume one
      let other = try chip("other")
      #expect(other.address != address)
      // It says why to whoever asks, and then tries anew.
      let refused = try await Broker(in: home)
      #expect(try faultOf { try client.key(id, of: "it") }.code == "E-182")
      #expect(try faultOf { try client.lines() }.code == "E-182")
      #expect(await refused.process.exitCode() == EX_UNAVAILABLE)
      let log = String(decoding: try AtomicFile.read(home.folder / "broker.log", limit: 1 << 20), as: UTF8.self)
      #expect(log.contains("E-182"), "\(log)")
    }

    private static let steps = ["replace.written", "replace.synced", "replace.renamed", "rights.numbered"]

    /// At each time that each of `steps` is reached, a broker with a copy of the home's keys dies while it is asked. `check` looks
    /// at the one that is started again from there. Returns how often it died at each step.
    private static func cut(
      at steps: [String], in home: Home, while ask: () throws(Fault) -> Void, then check: (String) async throws -> Void
    ) async throws -> [String: Int] {
      var cuts: [String: Int] = [:]
      for step in steps {
        for count in 1...20 {
          let folder = home.folder / "cut \(step) \(count)"
          try Folder.make(folder)
          try await Self.copy(Broker.keys(in: home), to: folder, in: home)
          let cut = try Broker.started(in: home, folder, ["LAYBY_DIE_AT=\(step):\(count)"])
          var isDone = false
          while !cut.hasEnded, !isDone {
            do throws(Fault) {
              try ask()
              isDone = true
            } catch { usleep(5_000) }  // It does not listen yet, or was cut.
          }
          cut.signal(SIGKILL)
          _ = await cut.exitCode()
          if !isDone { cuts[step, default: 0] += 1 }
          let again = try await Broker(in: home, folder)
          try await check("\(step) \(count)")
          await again.kill()
          if isDone { break }
        }
      }
      return cuts
    }

    @Test("made anew and cut at each step it is the former device or the next one, and what it had plays on")
    func rotationCut() async throws {
      let home = try Self.home()
      let broker = try await Broker(in: home)
      let depot = try await SealedMusicTests.Depot(in: home, pieces: 1)
      let client = try Self.client(broker.socket, depot)
      try await Self.license(client, depot)
      let (id, former) = (try Self.track(depot), try client.name)
      await broker.kill()
      var names = Set<ExactText>()
      let cuts = try await Self.cut(
        at: ["rights.former"] + Self.steps, in: home, while: { () throws(Fault) in try client.rotate() },
        then: { place in
          names.insert(ExactText(try client.name))
          #expect(try Self.length(client, id) == 32, "\(place)")
          // Licences for whoever it is now do the same.
          try await Self.license(client, depot, "--for-good")
          #expect(try Self.length(client, id) == 32, "\(place)")
          #expect(try client.lines().map(\.verdict) == [.plays(days: nil)], "\(place)")
        })
      let count = cuts.values.reduce(0, +)
      #expect(count >= 8 && names.contains(ExactText(former)) && names.count > 1, "\(cuts) \(names.count)")
    }

    @Test("renewed and cut at each step it has the former licence or the next one, and takes that again")
    func renewalCut() async throws {
      let home = try Self.home()
      let broker = try await Broker(in: home)
      let depot = try await SealedMusicTests.Depot(in: home, pieces: 1)
      let client = try Self.client(broker.socket, depot)
      try await Self.license(client, depot)
      let id = try Self.track(depot)
      let renewed = try await Self.bundle(client, depot, ["--for-good"])
      await broker.kill()
      let cuts = try await Self.cut(
        at: ["licences.added"] + Self.steps, in: home,
        while: { () throws(Fault) in _ = try client.take(renewed, from: "depot") },
        then: { place in
          #expect(try Self.length(client, id) == 32, "\(place)")
          _ = try client.take(renewed, from: "depot")
          #expect(try client.lines().map(\.verdict) == [.plays(days: nil)], "\(place)")
          #expect(try Self.length(client, id) == 32, "\(place)")
        })
      #expect(cuts["licences.added"] == 1 && cuts.count >= 4, "\(cuts)")
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
          s.sendall(b"\\x01\\x04\\0\\0\\0\\0"); print(len(s.recv(100)))
          """, "\(broker.socket)",
        ], in: home)
      // Hung up on, with or without what it sent being taken.
      #expect(asked.output == "0\n" || asked.errors.contains("Error"), "\(asked)")
      #expect(!asked.output.contains("133"))
      await broker.kill()
    }

    @Test("it dies of what it may not do", arguments: ["socket", "exec", "fork", "kill", "execmem"])
    func shutIn(_ what: String) async throws {
      let home = try Self.home()
      let died = try await Finished([Built.keys, "--try", what], in: home)
      #expect(died.code != 0 && died.code != 1 && died.code != EX_UNAVAILABLE, "\(what): \(died)")
    }

    @Test("it opens no file outside of its folder, where the kernel has Landlock; elsewhere it says so")
    func opensNothing() async throws {
      let home = try Self.home()
      let refused = try await Finished([Built.keys, "--try", "open"], in: home)
      #expect(refused.code == EX_NOPERM || refused.code == 1 && refused.errors.contains("no Landlock"), "\(refused)")
    }
  }
}
