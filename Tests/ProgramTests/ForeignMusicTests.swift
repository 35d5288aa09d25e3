import Glibc
import Remote
import Runtime
import Testing

extension ProgramTests {
  @Suite("Music of foreign formats")
  struct ForeignMusicTests {
    private let home: Home
    /// The player looks for the decoder beside itself.
    private var layby: FilePath { home.folder / "programs/layby" }
    private var decoder: FilePath { home.folder / "programs/layby-decode" }
    private var music: FilePath { home.folder / "music" }

    init() throws { home = try Home() }

    /// One file that the player decodes itself, and three that it does not; the last has a name that says otherwise.
    private func make() async throws {
      try Folder.make(layby.folder)
      try await tool("cp", Built.layby, "\(layby)", in: home)
      let own = try await home.flac("own", seconds: 2)
      for folder in ["a", "b"] { try Folder.make(music / folder) }
      try AtomicFile.replace(music / "a/1.flac", with: AtomicFile.read(own, limit: 1 << 24))
      let foreign = Array("MAC ".utf8) + [UInt8](repeating: 1, count: 2_000)
      for name in ["a/2.ape", "a/3.WMA", "b/4.mp3"] { try AtomicFile.replace(music / name, with: foreign) }
    }

    private func queued(_ player: RunningPlayer) async throws -> [FilePath] {
      try await player.ask("queue", "clear")
      let words = ["\(layby)", "queue", "add", "\(music / "a")", "--run", "\(home.run)"]
      let add = try await Finished(words, in: home)
      #expect(add.code == EX_OK, "\(add.errors)")
      return try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
    }

    /// Until the import that comes with every start has ended.
    private func counts(_ tracks: Int64, _ player: RunningPlayer) async throws {
      let until = Moment.now + patience
      while try await player.ask("library")["tracks"]?.whole != tracks {
        guard Moment.now < until else { throw RunningPlayer.Refused(description: "never \(tracks) tracks") }
        await player.events?.news(within: .milliseconds(20))
      }
    }

    @Test("is neither counted, listed nor queued while no decoder of it is installed, and is once there is one")
    func installed() async throws {
      try await make()
      var player = try await RunningPlayer(in: home, program: "\(layby)")
      _ = try await player.answer("import", [JSON(path: music)])
      try await counts(1, player)
      while try await player.ask("import")["running"] != false { await player.events?.news(within: .milliseconds(20)) }
      let survey = try await player.ask("library")
      #expect(survey["tracks"] == 1 && survey["unreadable"] == 1)
      let state = try await player.ask("import")
      #expect(state["import"]?["files"] == 2 && state["import"]?["left_out"] == 2)
      let words = try await Finished(["\(layby)", "import", "--run", "\(home.run)"], in: home)
      #expect(words.output.contains("2 left out (only layby-decode"), "\(words)")
      let problems = try await player.ask("library", "problems")["problems"]?.items ?? []
      #expect(problems.first?["reason"]?.string?.contains("not installed") == true, "\(problems)")
      let rows = try await player.ask("browse", "tracks")["rows"]?.items ?? []
      #expect(rows.map { $0["path"]?.path } == [music / "a/1.flac"])
      #expect(try await queued(player) == [music / "a/1.flac"])
      try await player.stop()

      // Nothing is played here, so any program does.
      try await tool("cp", "/bin/true", "\(decoder)", in: home)
      player = try await RunningPlayer(in: home, program: "\(layby)")
      try await counts(4, player)
      #expect(try await player.ask("library")["unreadable"] == 0)
      #expect(try await queued(player) == ["a/1.flac", "a/2.ape", "a/3.WMA"].map { music / $0 })
      try await player.stop()

      _ = decoder.withCString { unlink($0) }
      player = try await RunningPlayer(in: home, program: "\(layby)")
      try await counts(2, player)
      #expect(try await queued(player) == [music / "a/1.flac"])
      try await player.stop()
    }

    @Test("that is named, by hand or by a playlist, is told to be no music for this player when it is added")
    func named() async throws {
      try await make()
      try home.write("milk, bread, eggs\n", to: music / "notes.txt")
      try home.write("2.ape\n1.flac\n", to: music / "a/list.m3u8")
      let player = try await RunningPlayer(in: home, program: "\(layby)")
      func add(_ words: String...) async throws -> Finished {
        try await Finished(["\(layby)", "queue", "add"] + words + ["--run", "\(home.run)"], in: home)
      }
      let some = try await add("\(music / "a/2.ape")", "\(music / "notes.txt")", "\(music / "a/1.flac")")
      #expect(some.code == EX_OK && some.errors.contains("2.ape holds no music"), "\(some)")
      #expect(some.errors.contains("notes.txt holds no music"), "\(some)")
      let list = try await add("\(music / "a/list.m3u8")", "--json")
      let told = try JSON(parsing: list.output)["refused"]?.items?.compactMap(\.string) ?? []
      #expect(told.count == 1 && told[0].contains("2.ape holds no music"), "\(list)")
      let none = try await add("\(music / "notes.txt")")
      #expect(none.code == EX_USAGE && none.errors.contains("notes.txt holds no music"), "\(none)")
      let queue = try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
      #expect(queue == [music / "a/1.flac", music / "a/1.flac"])

      // Its name says nothing of what is in it.
      let own = try AtomicFile.read(music / "a/1.flac", limit: 1 << 24)
      try AtomicFile.replace(music / "c.wma", with: own)
      try AtomicFile.replace(music / "plain", with: own)
      #expect(try await add("\(music / "c.wma")", "\(music / "plain")").code == EX_OK)
      #expect(try await player.ask("queue")["entries"]?.items?.count == 4)
      try await player.stop()
    }
  }
}
