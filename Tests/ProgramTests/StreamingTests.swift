import FaultServer
import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  // Not one after the other: each mostly waits for music that plays in its own time.
  @Suite(
    "Music that is played while it comes",
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct StreamingTests {
    static let first = FilePath("source:kiosk/far/1.mp3")
    static let second = FilePath("source:kiosk/far/2.mp3")
    /// Of 128 kbit/s.
    static let second128 = 16_000

    private func opened(_ folder: KeptFolder, output: String = "null") async throws -> RunningPlayer {
      let player = try await RunningPlayer(output: output, in: try Home(owner: folder.settings))
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      return player
    }

    @Test("an album that nobody keeps is played, with its names; whole, it is a file the next time, and never wanted")
    func album() async throws {
      let folder = try KeptFolder(pieces: 3, of: 30_000)
      let player = try await opened(folder)
      try await player.ask("offline", "play", "album", "elsewhere")
      let status = try await player.status { $0["state"] == "playing" && $0["path"]?.path == Self.first }
      #expect(status["count"]?.whole == 3)
      let named = try await player.status { $0["title"] == "Distant Prairie" && $0["next"] == "Distant Glacier" }
      #expect(named["artist"] == "The Faraways", "\(named)")
      try await player.status { $0["path"]?.path == Self.second }
      try await player.status { $0["state"] == "stopped" }
      #expect(try await player.ask("offline")["offline"]?.items?.isEmpty == true)
      // Also what was started and not fetched to its end by then.
      try await player.until("all of it is here") {
        player.home.kept(ending: ".mp3") == 3
      }
      let questions = folder.server.requests.count
      try await player.ask("play")
      try await player.status { $0["path"]?.path == Self.second && $0["state"] == "playing" }
      #expect(folder.server.requests.count == questions)
      try await player.stop()
    }

    @Test("what is kept no longer is played from its source, where it stands in the queue, also after a start")
    func droppedInTheQueue() async throws {
      let folder = try KeptFolder(pieces: 3, of: 30_000)
      var player = try await opened(folder)
      let home = player.home
      let files = try await kept(player)
      _ = try await player.add(files)
      #expect(try await queued(player) == files)
      try await player.ask("offline", "drop", "album", "Elsewhere")
      let streams = (1...3).map { FilePath("source:kiosk/far/\($0).mp3") }
      try await player.until("they are streams") { try await queued(player) == streams }
      try await player.stop()
      player = try await RunningPlayer(in: home)
      #expect(try await queued(player) == streams)
      try await player.ask("play")
      try await player.status { $0["state"] == "playing" && $0["path"]?.path == Self.second }
      try await player.stop()
    }

    @Test("what is kept no longer is played from its source when it is put back, and in the queue before")
    func hadBack() async throws {
      let folder = try KeptFolder(pieces: 3, of: 30_000)
      let player = try await opened(folder)
      let files = try await kept(player)
      _ = try await player.add(files)
      // Only at the panel can a queue that was cleared be had back.
      try await player.choose("Queue", "Clear the queue", "Clear the queue")
      try await player.until("it is empty") { try await queued(player).isEmpty }
      _ = try await player.add(files)
      try await player.ask("queue", "remove", "2")
      try await player.until("it is taken out") { try await queued(player).count == 2 }
      try await player.ask("offline", "drop", "album", "Elsewhere")
      let streams = (1...3).map { FilePath("source:kiosk/far/\($0).mp3") }
      try await player.until("they are streams") { try await queued(player).allSatisfy { streams.contains($0) } }
      try await player.ask("queue", "undo")
      try await player.until("it is back") { try await queued(player).count == 3 }
      let back = try await queued(player)
      #expect(Set(back) == Set(streams), "\(back)")
      try await player.choose("Queue", "Previous queue")
      try await player.status { $0["state"] == "playing" && $0["path"]?.path.map { streams.contains($0) } == true }
      #expect(try await queued(player) == streams)
      try await player.stop()
    }

    @Test("music of a source that does not answer is chosen in vain while other music plays, which goes on")
    func goesOnBesideAnAwaySource() async throws {
      let (folder, own, player) = try await besideOwnMusic()
      folder.server.always(.reset(at: 0))
      try await player.choose("Music", "Sources", "kiosk", "Albums", "Elsewhere", "Distant Glacier")
      try await player.shows("kiosk does not answer; the music goes on")
      #expect(try await player.status()["state"] == "playing")
      #expect(try await queued(player) == [own])
      // With nothing to be heard there is nothing to lose: it is waited for.
      try await player.ask("pause")
      try await player.choose("Music", "Sources", "kiosk", "Albums", "Elsewhere", "Distant Glacier")
      try await player.until("it is in the queue") { try await queued(player).contains(Self.second) }
      folder.server.always(.honest)
      _ = try await player.add([own])
      try await player.ask("queue", "jump", "4")
      try await player.status { $0["state"] == "playing" && $0["path"]?.path == own }
      // It is back, and is played as soon as some of it is here.
      try await player.choose("Music", "Sources", "kiosk", "Albums", "Elsewhere", "Distant Glacier")
      try await player.status { $0["state"] == "playing" && $0["path"]?.path == Self.second }
      try await player.stop()
    }

    @Test(
      "whoever pauses, stops or clears while a choice still waits for its source has decided: it does not begin later",
      arguments: [["pause"], ["stop"], ["queue", "clear"]])
    func callsOff(words: [String]) async throws {
      let (folder, own, player) = try await besideOwnMusic()
      folder.server.always(.later(.honest, by: .seconds(5)))
      try await player.choose("Music", "Sources", "kiosk", "Albums", "Elsewhere", "Distant Glacier")
      try await player.until("it was asked for") { !folder.questions(for: "far/2.mp3").isEmpty }
      if words.count > 1 { try await player.ask(words[0], words[1]) } else { try await player.ask(words[0]) }
      let (state, queue) = (try await player.status()["state"], try await queued(player))
      #expect(state == (words == ["pause"] ? "paused" : "stopped") && queue == (words.count > 1 ? [] : [own]))
      try await player.until("some of it came") { folder.questions(for: "far/2.mp3").contains { $0.sent > 0 } }
      // Each answer is a turn of the loop on which it would begin.
      for _ in 0..<50 { #expect(try await player.status()["state"] == state) }
      #expect(try await queued(player) == queue)
      try await player.stop()
    }

    /// A song of its own plays, and of a source the list is known and nothing of the music.
    private func besideOwnMusic() async throws -> (folder: KeptFolder, own: FilePath, player: RunningPlayer) {
      let folder = try KeptFolder(pieces: 3, of: 200_000)
      let home = try Home(owner: folder.settings)
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let own = try await home.flac("own", seconds: 600)
      let player = try await RunningPlayer(playing: [own], in: home)
      try await player.untilItsSourceAnswers()
      #expect(try await player.offers("Elsewhere", "Music", "Sources", "kiosk", "Albums"))
      try await player.status { $0["state"] == "playing" }
      return (folder, own, player)
    }

    private func queued(_ player: RunningPlayer) async throws -> [FilePath] {
      try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
    }

    /// The files of its album, in its order, when all of them are here and the library has them.
    private func kept(_ player: RunningPlayer) async throws -> [FilePath] {
      try await player.ask("offline", "want", "album", "Elsewhere")
      var files: [FilePath] = []
      for piece in 1...3 {
        try await player.until("its file is there") {
          let answer = try await player.ask("offline", "state", "far/\(piece).mp3")
          let line = answer["items"]?.items?.first ?? answer
          guard line["state"] == "kept", let path = line["path"]?.path else { return false }
          if files.count < piece { files.append(path) }
          return true
        }
      }
      try await player.until("the library has them") { try await player.ask("library")["tracks"]?.whole == 3 }
      return files
    }

    @Test("an address is queued by the command line's own word, and what no source has is told and passed over")
    func queued() async throws {
      let folder = try KeptFolder(pieces: 2, of: 40_000)
      let player = try await opened(folder)
      folder.server.serve("/far/1.mp3", nil)
      let added = try await player.add([Self.first, Self.second])
      #expect(added["ok"] == true, "\(added)")
      try await player.ask("play")
      try await player.status { $0["state"] == "playing" && $0["path"]?.path == Self.second }
      try await player.tells("Distant Prairie: ")
      let wrong = try await player.answer("queue", ["add", "far/1.mp3"])
      #expect(wrong["error"]?["code"] == "X-130", "\(wrong)")
      let nobody = try await player.answer("queue", ["add", "\(Self.first)", "source:nobody/1.mp3"])
      #expect(nobody["error"]?["code"] == "X-192", "\(nobody)")
      #expect(try await player.ask("queue")["total"] == 2)
      try await player.stop()
    }

    @Test("what is in the queue and of a source that is not named any more is passed over, and said")
    func nobody() async throws {
      let folder = try KeptFolder(pieces: 1, of: 40_000)
      let home = try Home(owner: folder.settings)
      let player = try await RunningPlayer(playing: [FilePath("source:nobody/1.mp3"), Self.first], in: home)
      try await player.tells("O-401", "nobody")
      try await player.stop()
    }

    @Test("a line that stalls pauses the sound, says why, and goes on by itself where it was")
    func stalls() async throws {
      let folder = try KeptFolder(pieces: 1, of: 20 * Self.second128, pace: Pace(bytesASecond: 4 * Self.second128))
      let player = try await opened(folder)
      _ = try await player.add([Self.first])
      try await player.ask("play")
      try await player.status { $0["position_s"]?.double ?? 0 > 0.2 }
      folder.server.setPace(Pace(bytesASecond: 1))
      let waiting = try await player.status { $0["waits_for"]?["code"] != nil && $0["waits_for"] != .null }
      #expect(waiting["state"] == "playing", "\(waiting)")
      let words = try await player.ask("screen")["words"]?.string ?? ""
      #expect(words.hasPrefix("…") && words.contains("Loading…"), "the panel says so: \(words)")
      try await player.tells("The music waits")
      let position = waiting["position_s"]?.double ?? 0
      #expect(position > 0 && position < 19, "\(waiting)")
      folder.server.setPace(Pace())
      let on = try await player.status { $0["position_s"]?.double ?? 0 > position + 0.5 }
      #expect(on["waits_for"] == .null && on["entry"] == waiting["entry"], "\(on)")
      try await player.tells("The music goes on")
      #expect(try await player.ask("screen")["words"]?.string?.contains("Loading") == false)
      try await player.stop()
    }

    /// The same pieces as they sound from files, one after the other.
    private func recorded(_ folder: KeptFolder, pieces: Int, in peer: Home) async throws -> FilePath {
      var files: [FilePath] = []
      for track in 1...pieces {
        let file = peer.folder / "\(track).mp3"
        try AtomicFile.replace(file, with: folder.files["far/\(track).mp3"] ?? [])
        files.append(file)
      }
      let wave = peer.folder / "expected.wav"
      let once = try await RunningPlayer(output: "file:\(wave)", playing: files, in: peer, ["--once"])
      try await once.ends(with: EX_OK)
      return wave
    }

    @Test("from a stream to what is kept and back it is the sound of the files alone, of which none is asked for")
    func handsOver() async throws {
      let folder = try KeptFolder(pieces: 4, of: 5 * Self.second128)
      let peer = try Home()
      let expected = try await recorded(folder, pieces: 4, in: peer)
      let wave = peer.folder / "heard.wav"
      let player = try await opened(folder, output: "file:\(wave)")
      for track in [2, 3] { try await player.ask("offline", "want", "track", "far/\(track).mp3") }
      try await player.until("both are here") { player.home.kept(ending: ".mp3") == 2 }
      _ = try await player.add((1...4).map { FilePath("source:kiosk/far/\($0).mp3") })
      try await player.ask("play")
      try await player.status { $0["state"] == "stopped" }
      try await player.stop()
      let isSame = try samples(of: wave) == samples(of: expected)
      #expect(isSame)
      for track in 2...3 { #expect(folder.questions(for: "far/\(track).mp3").count == 1) }
      for track in [1, 4] { #expect(!folder.questions(for: "far/\(track).mp3").isEmpty) }
    }

    @Test("a song that is cut in its middle for good is heard up to there, the reason is told, and the next one plays")
    func endsInItsMiddle() async throws {
      let folder = try KeptFolder(pieces: 2, of: 20 * Self.second128)
      // Asked for the rest, the server begins to answer each time, and no more.
      folder.server.script("/far/1.mp3", [.cut(at: 60_000)] + [Act](repeating: .cut(at: 0), count: 50))
      let peer = try Home()
      let alone = peer.folder / "alone.mp3"
      try AtomicFile.replace(alone, with: folder.files["far/2.mp3"] ?? [])
      let second = try await peer.recording(of: alone)
      let wave = peer.folder / "heard.wav"
      let player = try await opened(folder, output: "file:\(wave)")
      _ = try await player.add([Self.first, Self.second])
      try await player.ask("play")
      try await player.tells("O-205", "Distant Prairie breaks off: the connection broke")
      try await player.status { $0["state"] == "stopped" }
      #expect(folder.questions(for: "far/1.mp3").count >= 3)
      try await player.stop()
      let heard = try samples(of: wave)
      // What came, and not a second less; then all of the next one.
      let seconds = 20 * Double(heard.count - second.count) / Double(second.count)
      #expect(seconds > 2.75 && seconds < 3.8, "\(seconds)")
      #expect(heard.suffix(second.count).elementsEqual(second))
    }

    @Test("a line that is cut in the middle of a song costs nothing of it: recorded, it is the file's own sound")
    func cut() async throws {
      let folder = try KeptFolder(pieces: 1, of: 40 * Self.second128)
      folder.server.script("/far/1.mp3", [.reset(at: 150_000), .cut(at: 40_000)])
      let peer = try Home()
      let expected = try await recorded(folder, pieces: 1, in: peer)
      let wave = peer.folder / "heard.wav"
      let player = try await opened(folder, output: "file:\(wave)")
      _ = try await player.add([Self.first])
      try await player.ask("play")
      try await player.status { $0["state"] == "stopped" }
      try await player.stop()
      let isSame = try samples(of: wave) == samples(of: expected)
      #expect(isSame && folder.questions(for: "far/1.mp3").count >= 3)
    }

    @Test("a song whose source has it no more ends with the reason, and the next one plays")
    func fails() async throws {
      let folder = try KeptFolder(pieces: 2, of: 20 * Self.second128)
      folder.server.script("/far/1.mp3", [.cut(at: 60_000)] + [Act](repeating: .status(404), count: 20))
      let player = try await opened(folder)
      _ = try await player.add([Self.first, Self.second])
      try await player.ask("play")
      try await player.plays(Self.second)
      try await player.tells("1 of kiosk could not be fetched")
      try await player.stop()
    }

    @Test("the cover of what plays and comes next is fetched once for all that have it")
    func covers() async throws {
      let folder = try KeptFolder(
        pieces: 3, of: 2 * Self.second128, cover: [0x89, 0x50, 0x4E, 0x47] + [UInt8](repeating: 0, count: 100))
      let player = try await opened(folder)
      try await player.ask("offline", "play", "album", "elsewhere")
      let covers = player.home.state / "covers"
      try await player.until("it is here") {
        player.home.names(in: covers).contains { player.home.names(in: covers / $0) == ["cover.png"] }
      }
      try await player.plays(Self.second)
      try await player.status { $0["state"] == "stopped" }
      #expect(folder.questions(for: "far/cover.png").count == 1)
      try await player.stop()
    }

    @Test("seeking far ahead of what has come asks for that part, and is heard long before the rest is here")
    func seeks() async throws {
      let folder = try KeptFolder(pieces: 1, of: 200 * Self.second128, pace: Pace(bytesASecond: 6 * Self.second128))
      let player = try await opened(folder)
      _ = try await player.add([Self.first])
      try await player.ask("play")
      try await player.status { $0["position_s"]?.double ?? 0 > 0.2 }
      // One question is enough for the first sound: not whether it is there, nor what stands at its end.
      let first = folder.questions(for: "far/1.mp3")
      #expect(first.map(\.method) == ["GET"] && first.allSatisfy { $0["range"] == nil }, "\(first)")
      try await player.ask("seek", "2:30")
      let there = try await player.status { status in
        let position = status["position_s"]?.double ?? 0
        return position > 150.3 && position < 190
      }
      #expect(there["path"]?.path == Self.first)
      let asked = folder.questions(for: "far/1.mp3").compactMap { $0["range"] }
      let places = asked.compactMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
      #expect(places.contains { $0 > 140 * Self.second128 }, "\(asked)")
      #expect(player.home.kept(ending: ".mp3") == 0)
      try await player.stop()
    }

    @Test("a start in the middle of a stream takes it up where it was, as soon as its source can be asked")
    func resumes() async throws {
      let folder = try KeptFolder(pieces: 1, of: 60 * Self.second128)
      let home = try Home(owner: folder.settings)
      let first = try await RunningPlayer(in: home)
      try await first.until("it can be asked what is kept") { try await first.answer("offline")["ok"] == true }
      _ = try await first.add([Self.first])
      try await first.ask("play")
      try await first.status { $0["position_s"]?.double ?? 0 > 0.2 }
      try await first.ask("seek", "20")
      try await first.status { $0["position_s"]?.double ?? 0 > 20.2 }
      try await first.stop()
      let second = try await RunningPlayer(in: home)
      try await second.status { $0["state"] == "playing" && $0["position_s"]?.double ?? 0 > 20.3 }
      try await second.stop()
    }
  }
}

extension RunningPlayer {
  func until(_ what: String, _ isSo: () async throws -> Bool) async throws {
    let end = Moment.now + patience
    while try await !isSo() {
      guard Moment.now < end else { throw Refused(description: "it was never so that \(what)\n\(said)") }
      await events?.news(within: .milliseconds(50))
    }
  }
}

extension Home {
  /// How many files lie whole in the media folder.
  func kept(ending: String, below disk: FilePath? = nil) -> Int {
    let disk = disk ?? state / "media"
    return names(in: disk).reduce(0) { count, folder in
      count + names(in: disk / folder).count { $0.hasSuffix(ending) }
    }
  }
}
