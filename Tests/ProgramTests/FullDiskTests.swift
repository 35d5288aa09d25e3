import FaultServer
import Glibc
import Runtime
import Testing

extension ProgramTests {
  @Suite("A full disk", .serialized)
  struct FullDiskTests {
    @Test(
      "under the state folder is told, the music goes on, and what plays is remembered again when there is space",
      .enabled(if: SmallDisk.isPossible, "no disk can be mounted here"))
    func underState() async throws {
      let home = try Home()
      let music = try await home.flac("music", seconds: 60)
      let (player, state) = try await SmallDisk.player(of: music, in: home)
      try SmallDisk.fill(state / "filler")

      let many = (0..<2_000).map { home.folder / "a file with quite a long name, number \($0).flac" }
      let answer = try await player.add(many)
      #expect(answer["saved"]?.truth == false, "\(answer)")
      try await player.tells("The disk is full. The music goes on, but where it is will not be remembered")
      let health = try await Finished([Built.layby, "health", "--run", "\(home.run)"], in: home)
      #expect(health.output.contains("saving      The disk is full."), "\(health)")
      try await player.plays(music)
      #expect(try await player.status()["count"]?.whole == 2_001)

      _ = (state / "filler").withCString { unlink($0) }
      try await player.ask("queue", "remove", "2001")
      try await player.tells("remembered again")
      #expect(try await player.ask("health")["saving"]?["ok"] == true)

      // The line is cut, and the next life finds everything that was owed.
      player.process.signal(SIGSTOP)
      let next = try Home()
      try await tool("cp", "-r", "\(state)/.", "\(next.state)", in: next)
      await player.kill()
      let second = try await RunningPlayer(in: next)
      let status = try await second.status()
      #expect(status["count"]?.whole == 2_000)
      try await second.plays(music)
      try await second.stop()
    }

    @Test(
      "at a start is told, all that is known is there, also after a power cut, and with room again all is saved",
      .enabled(if: SmallDisk.isPossible, "no disk can be mounted here"))
    func atStart() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = last\n")
      let songs = home.folder / "songs"
      try Folder.make(songs)
      let music = try await home.flac("songs/glacier", seconds: 60)
      let first = try await RunningPlayer(playing: [music], in: home)
      try await first.plays(music)
      try await Self.takeIn(songs, first)
      try await first.ask("volume", "27")
      // A power cut: what was saved last stands in the log beside the database alone.
      await first.kill()
      // What a machine without power has not written down: the log's index, which is made anew when it is opened.
      try await tool("rm", "\(home.state)/state.db-shm", "\(home.state)/library.db-shm", in: home)
      // Its copy on a small disk, which is filled before the next life begins.
      let kept = home.folder / "kept"
      try await tool("mv", "\(home.state)", "\(kept)", in: home)
      try Folder.make(home.state)
      let player = try await RunningPlayer(in: home, through: SmallDisk.full(with: kept, under: home.state))
      try await player.tells("The disk is full")
      let status = try await player.status()
      #expect(status["count"]?.whole == 1 && status["volume"]?.whole == 27, "\(status)")
      try await player.plays(music)
      try await Self.finds("glacier", player)

      let state = FilePath("/proc/\(player.process.pid)/root\(home.state)")
      _ = (state / "filler").withCString { unlink($0) }
      try await player.tells("remembered again")
      _ = try await home.flac("songs/lighthouse")
      try await Self.takeIn(songs, player)
      try await Self.finds("lighthouse", player)
      let next = try Home()
      try await tool("cp", "-r", "\(state)/.", "\(next.state)", in: next)
      await player.kill()
      let second = try await RunningPlayer(in: next)
      #expect(try await second.status()["count"]?.whole == 1)
      try await second.plays(music)
      try await second.stop()
    }

    @Test(
      "lets its owner drop music that is kept offline: the files go, and with the room again all is saved",
      .enabled(if: SmallDisk.isPossible && hasWayOut, "no disk can be mounted here, or there is no network"))
    func dropped() async throws {
      let folder = try KeptFolder(pieces: 3)
      let home = try Home(owner: folder.settings.replacing("[offline]\n", with: "[offline]\nreserve = 50\n"))
      let music = try await home.flac("music", seconds: 600)
      let (player, state) = try await SmallDisk.player(of: music, in: home, megabytes: 90)
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      try await player.ask("offline", "want", "album", "elsewhere")
      try await player.until("all of it is here") {
        try await player.ask("offline")["offline"]?.items?.first?["state"] == "whole"
      }
      try await player.until("room is set aside") { (state / "ballast").withCString { access($0, F_OK) } == 0 }
      try SmallDisk.fill(state / "filler")
      // What the log beside the database has room for already is used up.
      try await player.until("nothing can be saved") {
        try await player.add([music])["saved"]?.truth == false
      }

      let dropped = try await player.ask("offline", "drop", "album", "elsewhere")
      #expect(dropped["items"]?.whole == 3, "\(dropped)")
      let media = "\(state)/media"
      try await player.until("the files are gone") {
        try await Finished(["find", media, "-name", "*.mp3"], in: home).output.isEmpty
      }
      try await player.until("all is saved") { try await player.ask("health")["saving"]?["ok"] == true }
      try await player.plays(music)
      try await player.stop()
    }

    @Test("under a recording ends the playing, says so, and is seen by whoever started it")
    func underRecording() async throws {
      let home = try Home()
      let music = try await home.flac("music")
      let wave = home.folder / "full.wav"
      _ = wave.withCString { link in "/dev/full".withCString { symlink($0, link) } }
      let player = try await RunningPlayer(output: "file:\(wave)", playing: [music], in: home)
      try await player.tells("full.wav", "No space left", "P-108")
      try await player.status { $0["state"] == "stopped" }
      // It does not pretend, when asked again, either.
      try await player.ask("play")
      #expect(try await player.status()["state"] == "stopped")
      try await player.stop()

      let once = try await RunningPlayer(output: "file:\(wave)", playing: [music], in: home, ["--once"])
      try await once.ends(with: EX_CANTCREAT)
    }

    /// Also where the library is not open yet.
    private static func takeIn(_ folder: FilePath, _ player: RunningPlayer) async throws {
      let end = Moment.now + patience
      var said = JSON.null
      while said["import"]?["phase"] != "done" || said["running"] != false {
        guard Moment.now < end else { throw RunningPlayer.Refused(description: "nothing is taken in: \(said)") }
        if said["import"]?["phase"] == nil { _ = try await player.answer("import", [JSON(path: folder)]) }
        said = try await player.ask("import")
        await player.events?.news(within: .milliseconds(200))
      }
    }

    private static func finds(_ word: String, _ player: RunningPlayer) async throws {
      #expect(try await player.ask("search", word)["tracks"]?.items?.count == 1)
    }

  }
}

/// A small disk in memory that the program alone sees, and that goes with it.
enum SmallDisk {
  private static let unshare = ["unshare", "--map-root-user", "--mount", "sh", "-c"]

  static func under(_ folder: FilePath, megabytes: Int = 1) -> [String] {
    unshare + ["mount -t tmpfs -o size=\(megabytes)m none '\(folder)' && exec \"$@\"", "sh"]
  }

  /// A player whose state lies on a small disk, and that state's folder as this program sees it, behind the other's mount.
  static func player(
    of music: FilePath, in home: Home, megabytes: Int = 1
  ) async throws -> (player: RunningPlayer, state: FilePath) {
    try Folder.make(home.state)
    let player = try await RunningPlayer(
      playing: [music], in: home, through: under(home.state, megabytes: megabytes))
    try await player.plays(music)
    return (player, FilePath("/proc/\(player.process.pid)/root\(home.state)"))
  }

  /// With what lies in another folder, and no room for anything more.
  static func full(with content: FilePath, under folder: FilePath) -> [String] {
    let mounted = "mount -t tmpfs -o size=40m none '\(folder)' && cp -r '\(content)/.' '\(folder)'"
    return unshare + ["\(mounted) && { cat /dev/zero >'\(folder)/filler' 2>/dev/null; exec \"$@\"; }", "sh"]
  }

  /// Until there is no room for a byte more.
  static func fill(_ path: FilePath) throws {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT, code: "T-67")
    let block = [UInt8](repeating: 0x55, count: 4_096)
    while write(file.number, block, block.count) > 0 {}
    guard errno == ENOSPC else { throw Fault.system("T-67", doing: "fill \(path)") }
  }

  static let isPossible: Bool = {
    let words = (unshare + ["mount -t tmpfs none /mnt"]).map { "'\($0)'" }.joined(separator: " ")
    return system("\(words) >/dev/null 2>&1") == 0
  }()
}
