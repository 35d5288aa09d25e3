import FaultServer
import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite(
    "Sealed music of a depot", .serialized,
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct SealedMusicTests {
    /// A depot, and a web server that gives out its public half.
    struct Depot {
      let home: Home
      let server: FaultServer
      let root: String
      var path: FilePath { home.folder / "depot" }

      init(in home: Home, pieces: Int) async throws {
        self.home = home
        let music = home.folder / "music"
        try Folder.make(music)
        for number in 1...pieces {
          let made = try await home.flac("made \(number)", seconds: 10)
          try await tool(
            "metaflac", "--set-tag=TITLE=Track \(number)", "--set-tag=ARTIST=The Faraways", "--set-tag=ALBUM=Elsewhere",
            "--set-tag=TRACKNUMBER=\(number)", "\(made)", in: home)
          let moved = made.withCString { from in (music / "\(number).flac").withCString { rename(from, $0) } }
          #expect(moved == 0)
        }
        let index = try await Finished([Built.layby, "index", "\(music)"], in: home)
        #expect(index.code == 0, "\(index)")
        let made = try await Finished([Built.depot, "new", "\(home.folder / "depot")"], in: home)
        root = String(made.output.dropLast())
        #expect(made.code == 0 && root.count == 44, "\(made)")
        server = try FaultServer()
        let sealed = try await Finished([Built.depot, "import", "\(home.folder / "depot")", "\(music)"], in: home)
        #expect(sealed.output.hasPrefix("\(pieces) files sealed, 0 were"), "\(sealed)")
        try serve()
      }

      func serve() throws {
        for folder in ["", "licences/"] {
          let place = path / "public/\(folder)"
          for name in home.names(in: place) where name.contains(".") {
            let bytes = try AtomicFile.read(place / name, limit: 1 << 24)
            server.serve(
              "/\(folder)\(name)", Resource(bytes, etag: "\"\(bytes.count)\"", kind: "application/octet-stream"))
          }
        }
      }

      func license(_ player: RunningPlayer, _ terms: String...) async throws {
        let card = try await player.ask("rights", "device")["device"]
        try home.write("\(card ?? .null)", to: home.folder / "device.json")
        let words = [Built.depot, "licence", "\(path)", "\(home.folder / "device.json")"] + terms
        let made = try await Finished(words, in: home)
        #expect(made.code == 0, "\(made)")
        try serve()
      }

      var settings: String {
        "[sound]\nstart_volume = 100\n[offline]\nsettling = 0s\n[source depot]\nurl = \(server.url("/"))\ntrust = \(root)\n"
      }
    }

    static func opened(_ depot: Depot) async throws -> RunningPlayer {
      try depot.home.write(depot.settings, to: depot.home.owner)
      let player = try await RunningPlayer(in: depot.home)
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      return player
    }

    @Test("comes sealed, is kept sealed, plays with a licence, and says why it does not without one")
    func plays() async throws {
      let home = try Home()
      let depot = try await Depot(in: home, pieces: 2)
      let player = try await Self.opened(depot)
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is in the library") { try await player.ask("library")["tracks"]?.whole == 2 }
      let tracks = try await player.ask("browse", "tracks")["rows"]?.items ?? []
      #expect(tracks.compactMap { $0["title"]?.string } == ["Track 1", "Track 2"], "\(tracks)")
      for folder in home.names(in: home.state / "kept") where folder.count == 2 {
        for name in home.names(in: home.state / "kept" / folder) {
          let bytes = try AtomicFile.read(home.state / "kept" / folder / name, limit: 1 << 24)
          #expect(bytes.starts(with: "LBSL".utf8), "\(name)")
        }
      }
      // Without a licence.
      try await player.ask("queue", "play", "tracks")
      try await player.logs(["E-160"])
      try await player.status { $0["state"] == "stopped" }
      let nothing = try await player.ask("rights", "renew")
      #expect(nothing["renewed"]?.items?.first?["code"] == "X-232", "\(nothing)")
      // With one.
      try await depot.license(player)
      let renewed = try await player.ask("rights", "renew")
      #expect(renewed["renewed"]?.items?.first?["new"] == 1, "\(renewed)")
      let line = renewed["licences"]?.items?.first
      #expect(line?["title"] == "Elsewhere" && line?["tracks"] == 2 && line?["verdict"] == "plays", "\(renewed)")
      try await player.ask("queue", "play", "tracks")
      let status = try await player.status { $0["state"] == "playing" && ($0["position_s"]?.double ?? 0) > 0.2 }
      #expect(status["title"] == "Track 1", "\(status)")
      try await player.ask("seek", "8")
      try await player.status { $0["title"] == "Track 2" }
      let shown = try await Finished([Built.layby, "rights", "--run", "\(home.run)"], in: home)
      #expect(shown.output.contains("Elsewhere: 2 tracks, until ") && shown.output.contains("30 days"), "\(shown)")
      try await player.stop()
      // Nobody else may read what the keys come from.
      var found = stat()
      #expect((home.state / "rights/device").withCString { lstat($0, &found) } == 0 && found.st_mode & 0o777 == 0o600)
    }

    @Test("plays with its licence after a start without the depot; on another board it does not, and says why")
    func copied() async throws {
      let home = try Home()
      let number = home.folder / "number"
      try home.write("board 1", to: number)
      try home.write("[board]\nname = test\n[panel]\nsize = 64x48\n[rights]\nbound_to = \(number)\n", to: home.board)
      let depot = try await Depot(in: home, pieces: 1)
      let first = try await Self.opened(depot)
      try await depot.license(first)
      #expect(try await first.ask("rights", "renew")["licences"]?.items?.first?["plays"] == true)
      try await first.ask("offline", "want", "album", "Elsewhere")
      try await first.until("all of it is in the library") { try await first.ask("library")["tracks"]?.whole == 1 }
      try await first.stop()
      for name in ["layby-index.json", "1.flac"] { depot.server.serve("/\(name)", nil) }

      let again = try await RunningPlayer(in: home)
      try await again.ask("queue", "play", "tracks")
      try await again.status { $0["state"] == "playing" && ($0["position_s"]?.double ?? 0) > 0.2 }
      try await again.stop()

      try home.write("board 2", to: number)
      let moved = try await RunningPlayer(in: home)
      try await moved.ask("queue", "play", "tracks")
      try await moved.logs(["E-162"])
      try await moved.stop()
    }

    @Test("another reader, by other code, opens what the depot has sealed with the licence that the device has")
    func secondReader() async throws {
      let home = try Home()
      let number = home.folder / "number"
      try home.write("board 1", to: number)
      try home.write(
        "[board]\nname = test\n[panel]\nsize = 64x48\n[rights]\nbound_to = \(number), /no/such/number\n", to: home.board
      )
      let depot = try await Depot(in: home, pieces: 1)
      let player = try await Self.opened(depot)
      try await depot.license(player, "--days", "10")
      _ = try await player.ask("rights", "renew")
      try await player.stop()
      let script = "\(FilePath(#filePath).folder.folder / "lib/second-reader.py")"
      let words = [
        "/usr/bin/python3", script, "\(home.state / "rights")", "depot", depot.root, "\(depot.path / "public/1.flac")",
      ]
      let read = try await Finished(words, in: home)
      let plain = try await Finished(["/usr/bin/sha256sum", "\(home.folder / "music/1.flac")"], in: home)
      let sum = plain.output.prefix(64)
      #expect(sum.count == 64 && read.output == "Elsewhere 864000\n\(sum)\n", "\(read)")
    }

    @Test("a track that a depot seals anew is another file, and who has the former one goes on playing it")
    func changed() async throws {
      let home = try Home()
      let depot = try await Depot(in: home, pieces: 2)
      let player = try await Self.opened(depot)
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is in the library") { try await player.ask("library")["tracks"]?.whole == 2 }
      let music = home.folder / "music"
      func run() async throws -> String {
        _ = try await Finished([Built.layby, "index", "\(music)"], in: home)
        return try await Finished([Built.depot, "import", "\(depot.path)", "\(music)"], in: home).output
      }
      #expect(try await run().hasPrefix("0 files sealed, 2 were"))
      try await tool("metaflac", "--set-tag=GENRE=Other", "\(music / "1.flac")", in: home)
      #expect(try await run().hasPrefix("1 files sealed, 1 were"))
      // A cut between the key and the file: the file is still the former one.
      let sealed = depot.path / "public/1.flac"
      let former = try AtomicFile.read(home.state / "kept" / Self.keptNames(home)[0], limit: 1 << 24)
      try AtomicFile.replace(sealed, with: former)
      #expect(try await run().hasPrefix("1 files sealed, 1 were"))
      try await depot.license(player)
      try await player.ask("rights", "renew")
      try await player.ask("queue", "play", "tracks")
      try await player.status { $0["state"] == "playing" && ($0["position_s"]?.double ?? 0) > 0.2 }
      try await player.stop()
    }

    private static func keptNames(_ home: Home) -> [String] {
      home.names(in: home.state / "kept").filter { $0.count == 2 }.flatMap { folder in
        home.names(in: home.state / "kept" / folder).map { "\(folder)/\($0)" }
      }
    }

    @Test(
      "that ended says since when, and is not opened into a file; with a new licence it plays without being fetched")
    func ended() async throws {
      let home = try Home()
      let depot = try await Depot(in: home, pieces: 1)
      let player = try await Self.opened(depot)
      try await depot.license(player, "--from", "2026-01-01", "--days", "30")
      try await player.ask("rights", "renew")
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("all of it is in the library") { try await player.ask("library")["tracks"]?.whole == 1 }
      try await player.ask("queue", "play", "tracks")
      try await player.logs(["E-161", "2026-01-31"])
      let asked = depot.server.requests.filter { $0.path == "/1.flac" }.count
      try await depot.license(player, "--for-good")
      #expect(try await player.ask("rights", "renew")["licences"]?.items?.first?["verdict"] == "plays")
      try await player.ask("queue", "play", "tracks")
      try await player.status { $0["state"] == "playing" && ($0["position_s"]?.double ?? 0) > 0.2 }
      #expect(depot.server.requests.filter { $0.path == "/1.flac" }.count == asked)
      try await player.stop()

      let copier = try await RunningPlayer(output: "file:\(home.folder / "copy.wav")", in: home)
      try await copier.ask("queue", "play", "tracks")
      try await copier.logs(["E-108"])
      try await copier.stop()
    }
  }
}
