import Glibc
import Runtime
import Testing

extension ProgramTests {
  @Suite("The files people write", .serialized)
  struct SettingsTests {
    @Test("a mistake in the board's file ends the start and says all that is needed to mend it")
    func board() async throws {
      let home = try Home()
      try home.write("[board]\nname = test\n[panel]\nsise = 64x48\n", to: home.board)
      let words = [Built.layby, "run", "--board", "\(home.board)", "--state", "\(home.state)", "--run", "\(home.run)"]
      let unknown = try await Finished(words, in: home)
      #expect(unknown.code == EX_CONFIG)
      for word in ["board.conf", "4", "sise", "size"] { #expect(unknown.errors.contains(word), "\(unknown.errors)") }

      try home.write("[board]\nname = test\n[panel]\nsize = large\n", to: home.board)
      let wrong = try await Finished(words, in: home)
      #expect(wrong.code == EX_CONFIG)
      for word in ["board.conf", "4", "size", "large", "x"] { #expect(wrong.errors.contains(word), "\(wrong.errors)") }
      #expect(!Home.exists(home.state))

      let gone = try await Finished([Built.layby, "run", "--board", "\(home.folder / "none.conf")"], in: home)
      #expect(gone.code == EX_CONFIG && gone.errors.contains("none.conf"))
    }

    @Test("a mistake in the owner's file is told, and what was good last time counts")
    func owner() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = 33\n")
      let first = try await RunningPlayer(in: home)
      #expect(try await first.status()["volume"]?.whole == 33)
      try await first.stop()
      try home.write("[sound]\nstart_volum = 44\n", to: home.owner)
      let second = try await RunningPlayer(in: home)
      #expect(try await second.status()["volume"]?.whole == 33)
      try await second.tells("layby.conf", "start_volum", "start_volume")
      try await second.stop()
    }

    @Test("one bad key costs that key, and not the file")
    func oneKey() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = 33\nvolume_step = 7\n[panel]\nlanguage = klingon\n")
      let player = try await RunningPlayer(in: home)
      #expect(try await player.status()["volume"]?.whole == 33)
      try await player.tells("layby.conf", "klingon", "all else in the file counts")
      try await player.stop()
    }

    @Test("layby config --owner says what is wrong in a file, and ends with 65; a right one is said to be right")
    func check() async throws {
      let home = try Home(owner: "[sound]\nstart_volum = 33\nmax_volume = 60\n")
      let wrong = try await Finished([Built.layby, "config", "--owner", "\(home.owner)"], in: home)
      #expect(wrong.code == EX_DATAERR, "\(wrong)")
      for word in ["layby.conf:2", "start_volum", "did you mean \"start_volume\""] {
        #expect(wrong.errors.contains(word), "\(wrong)")
      }
      try home.write("[sound]\nmax_volume = 60\n", to: home.owner)
      let right = try await Finished([Built.layby, "config", "--owner", "\(home.owner)"], in: home)
      #expect(right.code == EX_OK && right.output.contains("no mistakes"), "\(right)")
      let explained = try await Finished([Built.layby, "config", "--explain", "--owner", "\(home.owner)"], in: home)
      #expect(explained.code == EX_OK && explained.output.contains("max_volume = 60   # default: 100"))
      let gone = try await Finished([Built.layby, "config", "--owner", "\(home.folder / "none")"], in: home)
      #expect(gone.code == EX_UNAVAILABLE && gone.errors.contains("none"), "\(gone)")
      let both = ["--board", "\(home.board)", "--owner", "\(home.owner)"]
      let checked = try await Finished([Built.layby, "config"] + both, in: home)
      #expect(checked.code == EX_OK && checked.output.split(separator: "\n").count == 2, "\(checked)")
      try home.write("[board]\nnam = test\n", to: home.board)
      let board = try await Finished([Built.layby, "config", "--board", "\(home.board)"], in: home)
      #expect(board.code == EX_DATAERR && board.errors.contains("did you mean \"name\""), "\(board)")
    }

    @Test("the first owner's file with a mistake leaves the defaults")
    func firstOwner() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = very loud\n")
      let player = try await RunningPlayer(in: home)
      try await player.tells("layby.conf", "start_volume", "very loud")
      try await player.stop()
    }
  }

  @Suite("The state folder", .serialized)
  struct StateFolderTests {
    @Test("that is in use ends the start with 75 and names who has it; that one plays on")
    func inUse() async throws {
      let home = try Home()
      let music = try await home.flac("music")
      let player = try await RunningPlayer(playing: [music], in: home)
      let second = try await Finished(
        [Built.layby, "run", "--board", "\(home.board)", "--state", "\(home.state)", "--run", "\(home.run)"], in: home)
      #expect(second.code == EX_TEMPFAIL)
      #expect(second.errors.contains("process \(player.process.pid)"), "\(second.errors)")
      try await player.plays(music)
      try await player.stop()
    }

    @Test("that cannot be written to is told; it plays and saves nothing")
    func unwritable() async throws {
      let home = try Home()
      let music = try await home.flac("music")
      try Folder.make(home.state, mode: 0o500)
      let player = try await RunningPlayer(playing: [music], in: home, through: Rights.few)
      try await player.plays(music)
      try await player.tells("nothing will be remembered")
      let health = try await Finished([Built.layby, "health", "--run", "\(home.run)"], in: home)
      #expect(health.output.contains("saving      The disk cannot be written to."), "\(health)")
      try await player.ask("seek", "10")
      try await player.ask("volume", "20")
      try await player.plays(music)
      #expect(home.names(in: home.state).isEmpty)
      try await player.stop()
      #expect(home.names(in: home.state).isEmpty)
    }
  }
}
