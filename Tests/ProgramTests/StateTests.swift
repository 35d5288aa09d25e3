import FaultServer
import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  /// What the panel says when something is not as usual, of the real program: each sentence is asked for by
  /// `layby screen`.
  @Suite("States on the panel", .serialized)
  struct StateTests {
    @Test("with nothing to play it says what to do, and a press does it where there is something that can be done")
    func nothing() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      try await player.shows("Nothing to play yet · Plug in a USB stick with music")
      let songs = home.folder / "songs"
      try Folder.make(songs)
      let music = try await home.flac("songs/one", seconds: 60)
      try await player.until("the library is open") { try await player.answer("library")["ok"] == true }
      try await player.ask("import", "\(songs)")
      try await player.shows("Your music is ready · Hold: menu · [Play all your music]")
      try await player.ask("press", "knob")
      try await player.plays(music)
      try await player.stop()
    }

    @Test("a first folder that has nothing is named")
    func first() async throws {
      let home = try Home()
      let folder = home.folder / "first"
      try Folder.make(folder)
      try home.write("[board]\nname = test\n[panel]\nsize = 64x48\n[paths]\nfirst_music = \(folder)\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      try await player.shows("Put music into", "and start again")
      try await player.stop()
    }

    @Test("what is imported is told with how far it is")
    func importing() async throws {
      let home = try Home()
      let songs = home.folder / "songs"
      try Folder.make(songs)
      // More than it can be done with before anybody looks.
      try TinyAlbums(12_000).write(below: songs)
      let player = try await RunningPlayer(in: home)
      try await player.until("the library is open") { try await player.answer("library")["ok"] == true }
      try await player.ask("import", "\(songs)")
      try await player.shows("Importing songs · ", " songs")
      try await player.ask("import", "stop")
      try await player.stop()
    }

    @Test("a sound device that is missing is named, and what becomes of the music is said for as long as it is missing")
    func noDevice() async throws {
      let home = try Home()
      let player = try await RunningPlayer(output: "alsa:hw:9", playing: [try await home.flac("one")], in: home)
      try await player.shows("The sound device is missing. The music goes on when hw:9 is back")
      try await player.stop()
    }

    @Test(
      "a full disk is told for as long as it is full, with what becomes of the music",
      .enabled(if: SmallDisk.isPossible, "no disk can be mounted here"))
    func fullDisk() async throws {
      let home = try Home()
      let music = try await home.flac("music", seconds: 60)
      let (player, state) = try await SmallDisk.player(of: music, in: home)
      try SmallDisk.fill(state / "filler")
      _ = try await player.add((0..<2_000).map { home.folder / "a file with quite a long name, number \($0).flac" })
      try await player.shows("The disk is full. The music plays on; saving waits for room")
      _ = (state / "filler").withCString { unlink($0) }
      try await player.tells("remembered again")
      try await player.until("nothing is said of the disk any more") { try await !player.panelWords().contains("disk") }
      try await player.stop()
    }

    @Test("safe mode says why, what works, and the way out, also when it waits for a press")
    func safeMode() async throws {
      let home = try Home()
      let music = try await home.flac("music", seconds: 60)
      let first = try await RunningPlayer(playing: [music], in: home)
      try await first.plays(music)
      await first.kill()
      for _ in 0..<2 { await (try await RunningPlayer(in: home)).kill() }
      let safe = try await RunningPlayer(in: home)
      try await safe.shows("Safe mode after several crashes. The music plays. Your settings and downloads rest")
      await safe.kill()
      await (try await RunningPlayer(in: home)).kill()
      let silent = try await RunningPlayer(in: home)
      try await silent.shows("Safe mode after several crashes. Press play for the music.")
      try await silent.stop()
    }

    @Test("at a kiosk it is said whose turn it is, and a press leads there")
    func locked() async throws {
      let home = try Home(owner: "[panel]\nprofile = kiosk\n[kiosk]\nallows = none\npin = 4711\n")
      let player = try await RunningPlayer(in: home)
      try await player.shows("This panel is locked · Staff can open it with the PIN · [PIN]")
      try await player.stop()
      try home.write("[panel]\nprofile = kiosk\n[kiosk]\nallows = library, enqueue\n", to: home.owner)
      let open = try await RunningPlayer(in: home)
      try await open.shows("Choose some music · [Menu]")
      try await open.ask("press", "knob")
      try await open.shows("Menu")
      try await open.stop()
    }

    @Test("outside its hours a kiosk says when it opens")
    func closed() async throws {
      var now = time(nil)
      var parts = tm()
      localtime_r(&now, &parts)
      let opens = "\((Int(parts.tm_hour) + 6) % 24):00"
      let hours = "\(opens)-\((Int(parts.tm_hour) + 7) % 24):00"
      let home = try Home(owner: "[panel]\nprofile = kiosk\n[kiosk]\nhours = \(hours)\n")
      let player = try await RunningPlayer(in: home)
      try await player.shows("Closed", "Opens \(opens)")
      try await player.stop()
    }

    @Test(
      "a server that does not give what was asked is named, with what plays and when it is tried again",
      .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
    func serverAway() async throws {
      let folder = try KeptFolder(pieces: 1)
      let right = try #require(folder.files["far/1.mp3"])
      folder.server.serve("/far/1.mp3", Resource(right + right.suffix(417), etag: "\"2\"", kind: "audio/mpeg"))
      let home = try Home(owner: folder.settings)
      let player = try await RunningPlayer(playing: [try await home.flac("here", seconds: 60)], in: home)
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.shows("kiosk does not answer")
      folder.server.serve("/far/1.mp3", Resource(right, etag: "\"1\"", kind: "audio/mpeg"))
      try await player.ask("offline", "refresh")
      try await player.until("the server is back") { try await !player.panelWords().contains("does not answer") }
      try await player.stop()
    }
  }
}

extension RunningPlayer {
  /// What the panel says.
  func panelWords() async throws -> String { try await ask("screen")["words"]?.string ?? "" }

  /// At some time the panel says all of it at once. What passes may come first.
  func shows(_ wanted: String..., location: SourceLocation = #_sourceLocation) async throws {
    let end = Moment.now + patience
    var seen = ""
    repeat {
      seen = try await panelWords()
      if wanted.allSatisfy({ seen.contains($0) }) { return }
      await events?.news(within: .milliseconds(20))
    } while Moment.now < end
    Issue.record("the panel never says \(wanted); it says \(seen)", sourceLocation: location)
    throw Refused(description: "waited in vain")
  }
}
