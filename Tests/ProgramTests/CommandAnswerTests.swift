import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("What commands answer", .serialized)
  struct CommandAnswerTests {
    private func layby(_ home: Home, _ words: String...) async throws -> Finished {
      try await Finished([Built.layby] + words + ["--run", "\(home.run)"], in: home)
    }

    @Test("a verb that sets one thing says what it is now")
    func settings() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = 40\n")
      let music = try await home.flac("one")
      let player = try await RunningPlayer(in: home)
      try await player.ask("queue", "add", "\(music)")
      let table: [(words: [String], told: String)] = [
        (["volume", "35"], "volume 35"), (["mute", "on"], "volume 35, muted"), (["mute", "off"], "volume 35"),
        (["repeat", "one"], "repeat one"), (["shuffle", "on"], "shuffle on"), (["shuffle", "off"], "shuffle off"),
        (["sleep", "track"], "sleeps"), (["sleep", "chapter"], "sleeps"), (["sleep", "off"], "no sleep timer is set"),
        (["equaliser", "rock"], "equaliser rock"), (["normaliser", "track", "3"], "normaliser track, 3 dB"),
        (["crossfade", "5"], "crossfade of 5"), (["crossfade", "0"], "no crossfade"),
      ]
      for (words, told) in table {
        let answer = try await Finished([Built.layby] + words + ["--run", "\(home.run)"], in: home)
        #expect(answer.code == EX_OK && answer.output.hasPrefix(told), "\(words): \(answer)")
        #expect(answer.output.split(separator: "\n").count == 1, "\(words): \(answer)")
      }
      #expect(try await layby(home, "status").output.contains("this track again and again"))
      try await player.ask("repeat", "all")
      let given = try await layby(home, "giveway", "begin", "phone")
      #expect(given.output.contains("all of it again and again, gives way to phone"), "\(given)")
      try await player.stop()
    }

    @Test("what is added is counted, and an end of the queue is not called an empty queue")
    func queue() async throws {
      let home = try Home()
      let one = try await home.flac("one")
      let two = try await home.flac("two")
      let player = try await RunningPlayer(in: home)
      #expect(try await layby(home, "queue", "next").output == "the queue is empty\n")
      #expect(try await layby(home, "queue", "jump", "1").errors.contains("the queue is empty"))
      let added = try await layby(home, "queue", "add", "\(one)", "\(two)")
      #expect(added.output.hasPrefix("added 2; stopped: "), "\(added)")
      let next = try await layby(home, "playnext", "\(two)")
      #expect(next.output.hasPrefix("added 1; stopped: "), "\(next)")
      try await player.ask("queue", "jump", "3")
      #expect(try await layby(home, "queue", "next").output == "nothing comes after this entry\n")
      #expect(try await layby(home, "queue", "list", "9").output == "the queue ends with entry 3\n")
      let beyond = try await layby(home, "queue", "jump", "9")
      #expect(beyond.code == EX_USAGE && beyond.errors.contains("no entry 9; its entries are 1 to 3"), "\(beyond)")
      #expect(beyond.errors.contains("expected: layby queue jump N"), "\(beyond)")
      try await player.stop()
    }

    @Test("what was taken out comes back where it stood, and is named; with nothing taken out that is said")
    func undo() async throws {
      let home = try Home()
      let files = [try await home.flac("one"), try await home.flac("two"), try await home.flac("three")]
      let player = try await RunningPlayer(in: home)
      _ = try await player.add(files)
      func queued() async throws -> [FilePath] {
        try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
      }
      let nothing = try await layby(home, "queue", "undo")
      #expect(nothing.code == EX_UNAVAILABLE && nothing.errors.contains("nothing was taken out"), "\(nothing)")
      for number in ["1", "2"] { _ = try await layby(home, "queue", "remove", number) }
      #expect(try await queued() == [files[1]])
      let third = try await layby(home, "queue", "undo")
      #expect(third.code == EX_OK && third.output.hasPrefix("put back three; stopped: "), "\(third)")
      #expect(try await queued() == [files[1], files[2]])
      #expect(try await layby(home, "queue", "undo").output.hasPrefix("put back one; "))
      #expect(try await queued() == files)
      #expect(try await layby(home, "queue", "undo").code == EX_UNAVAILABLE)
      _ = try await layby(home, "remove", "2")
      _ = try await layby(home, "queue", "clear")
      #expect(try await layby(home, "queue", "undo").code == EX_UNAVAILABLE)
      try await player.stop()
    }

    @Test("what does not fit into a full queue is counted")
    func full() async throws {
      let home = try Home()
      let paths = (0..<9_999).map { FilePath("/nowhere/\($0).flac") }
      let player = try await RunningPlayer(in: home)
      #expect(try await player.add(paths)["added"]?.whole == 9_999)
      for name in ["1.mp3", "2.mp3", "3.mp3"] { try home.write("", to: home.folder / name) }
      let files = (1...3).map { "\(home.folder)/\($0).mp3" }
      let more = try await layby(home, "playnext", files[0], files[1], files[2])
      #expect(more.output.hasPrefix("added 1, the queue has no room for 2 more; "), "\(more)")
      try await player.stop()
    }

    @Test("a number that the library does not know is said to be unknown, and not empty")
    func unknown() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      try await player.opensLibrary()
      for list in ["album", "artist", "by", "genre", "playlist"] {
        let answer = try await layby(home, "browse", list, "999")
        #expect(answer.code == EX_UNAVAILABLE && answer.errors.contains("knows no \(list) 999"), "\(answer)")
      }
      let played = try await layby(home, "queue", "play", "album", "999")
      #expect(played.code == EX_UNAVAILABLE && played.errors.contains("nothing of album 999"), "\(played)")
      #expect(try await layby(home, "browse", "albums").output == "it is empty\n")
      _ = try await layby(home, "playlist", "make", "Mine")
      let removed = try await layby(home, "playlist", "remove", "Mine", "999")
      #expect(removed.code == EX_UNAVAILABLE && removed.errors.contains("no entry 999"), "\(removed)")
      let moved = try await layby(home, "playlist", "move", "Mine", "999")
      #expect(moved.code == EX_UNAVAILABLE && moved.errors.contains("no entry 999"), "\(moved)")
      try await player.stop()
    }

    @Test("an import says that it has left out folders which lie too deep")
    func deepFolders() async throws {
      let home = try Home()
      let top = home.folder / "music"
      try Folder.make(top)
      _ = try await home.flac("music/song", seconds: 1)
      try Folder.make((0..<62).reduce(top) { path, _ in path / "deeper" })
      let player = try await RunningPlayer(in: home)
      try await player.imports(top, files: 1)
      let said = try await layby(home, "import", "\(top)")
      #expect(said.output == "1 files, 0 of them read, folders left out: 1 (deeper than 60, or too many)\n", "\(said)")
      try await player.stop()
    }

    @Test("a list that goes on says how its next page is asked for")
    func pages() async throws {
      let home = try Home()
      let music = home.folder / "music"
      try Folder.make(music)
      let made = try await home.flac("made", seconds: 1)
      for number in 101...203 {
        try AtomicFile.replace(music / "\(number).flac", with: try AtomicFile.read(made, limit: 1 << 20))
      }
      let player = try await RunningPlayer(in: home)
      try await player.imports(music, files: 103)
      let first = try await layby(home, "browse", "tracks").output.split(separator: "\n").map(String.init)
      try #require(first.count == 101 && first[100].hasPrefix("more: layby browse tracks after "), "\(first)")
      let next = first[100].dropFirst("more: layby ".count).split(separator: " ").map(String.init)
      let rest = try await Finished([Built.layby] + next + ["--run", "\(home.run)"], in: home)
      #expect(rest.output.contains("203") && rest.output.split(separator: "\n").count == 3, "\(rest)")
      // It is waited for, as every other import is; FLAC says how its texts are written, so none is read again.
      let encoded = try await layby(home, "library", "encoding", "\(music)", "cp1251")
      #expect(encoded.output == "103 files, 0 of them read\n", "\(encoded)")
      let past = try await layby(home, "history", "all", "before", "1")
      #expect(past.output == "nothing was heard before that\n", "\(past)")
      #expect(try await layby(home, "letters", "zzz").output == "no letter leads on\n")
      try await player.stop()
    }

    @Test("a book's chapters are listed, told by the status, and gone to by number and one by one")
    func chapters() async throws {
      let home = try Home()
      let (plain, book) = (try await home.flac("plain", seconds: 5), try await home.flac("book", seconds: 600))
      for (index, name) in ["At sea", "The storm", "Ashore"].enumerated() {
        try await tool(
          "metaflac", "--set-tag=CHAPTER00\(index + 1)=00:0\(3 * index):00.000",
          "--set-tag=CHAPTER00\(index + 1)NAME=\(name)",
          "\(book)", in: home)
      }
      let player = try await RunningPlayer(playing: [book, plain], in: home)
      try await player.plays(book)
      try await player.ask("pause")
      let listed = try await layby(home, "chapters").output
      let lines = ["> 1     0:00      At sea", "  2     3:00      The storm", "  3     6:00      Ashore", ""]
      #expect(listed == lines.joined(separator: "\n"), "\(listed)")
      #expect(
        try await layby(home, "seek", "chapter", "2").output.contains(", 3:00 of 10:00, chapter 2 of 3, track 1 of 2"))
      try await player.ask("seek", "chapter", "next")
      let status = try await player.status()
      #expect(status["position_s"]?.double == 360 && status["chapter"]?["title"] == "Ashore", "\(status)")
      let last = try await layby(home, "seek", "chapter", "next")
      #expect(last.code == EX_UNAVAILABLE && last.errors.contains("this is the last chapter"), "\(last)")
      try await player.ask("seek", "chapter", "previous")
      #expect(try await player.status()["position_s"]?.double == 180)
      let none = try await layby(home, "seek", "chapter", "4")
      #expect(none.errors.contains("there is no chapter 4; there are 3"), "\(none)")
      try await player.ask("next")
      try await player.status { $0["path"]?.path == plain }
      #expect(try await layby(home, "chapters").output == "what plays has no chapters\n")
      #expect(try await player.status()["chapter"]?.isNull == true)
      try await player.stop()
    }

    @Test("a cue sheet of a WAV file is the FLAC file that it became; what is missing is named once")
    func cue() async throws {
      let home = try Home()
      let music = try await home.flac("whole", seconds: 40)
      let tracks = "TRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:20:00\n"
      try home.write("FILE \"whole.wav\" WAVE\n" + tracks, to: home.folder / "sheet.cue")
      try home.write("FILE \"gone.wav\" WAVE\n" + tracks, to: home.folder / "gone.cue")
      let player = try await RunningPlayer(in: home)
      let added = try await layby(home, "queue", "add", "\(home.folder / "sheet.cue")")
      #expect(added.code == EX_OK && added.errors.isEmpty, "\(added)")
      let queued = try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
      #expect(queued == ["part:0-20000:\(music)", "part:20000-:\(music)"].map { FilePath($0) })
      let gone = try await layby(home, "queue", "add", "\(home.folder / "gone.cue")")
      #expect(gone.errors.split(separator: "gone.wav", omittingEmptySubsequences: false).count == 2, "\(gone)")
      try await player.stop()
    }

    @Test("a start plays folders and playlists as well as files, and goes on in them at the next one")
    func start() async throws {
      let home = try Home()
      let folder = home.folder / "music"
      try Folder.make(folder)
      for name in ["2", "10"] {
        let made = try await home.flac(name, seconds: 40)
        #expect(made.withCString { from in (folder / "\(name).flac").withCString { rename(from, $0) } } == 0)
      }
      let list = home.folder / "list.m3u8"
      try home.write("music/10.flac\n", to: list)
      var player = try await RunningPlayer(playing: [folder, list], in: home)
      let wanted = [folder / "2.flac", folder / "10.flac", folder / "10.flac"]
      try await player.plays(wanted[0])
      #expect(try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } == wanted)
      try await player.ask("queue", "jump", "2")
      try await player.plays(wanted[1])
      try await player.stop()
      player = try await RunningPlayer(playing: [folder, list], in: home)
      try await player.plays(wanted[1])
      try await player.stop()
    }

    @Test("a copy says how much room it needs, and not that more is missing than there is")
    func copy() async throws {
      let home = try Home()
      let folder = home.folder / "music"
      try Folder.make(folder)
      let made = try await home.flac("1", seconds: 2)
      #expect(made.withCString { from in (folder / "1.flac").withCString { rename(from, $0) } } == 0)
      let player = try await RunningPlayer(in: home)
      try await player.opensLibrary()
      let before = try await layby(home, "copy", "--dry", "\(folder)")
      #expect(before.code == EX_OK && before.output.contains("of room are needed for it"), "\(before)")
      #expect(try await layby(home, "copy", "\(folder)").code == EX_OK)
      let after = try await layby(home, "copy", "--dry", "\(folder)")
      #expect(after.output.contains("all of it is on the device already"), "\(after)")
      try await player.stop()
    }

    @Test("a time to sleep may be hours and minutes, and music without --play is told where it goes")
    func times() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      _ = try await player.add([home.folder / "gone.flac"])
      let sleeps = try await player.ask("sleep", "1h30m")["status"]?["sleep_s"]?.double ?? 0
      #expect(sleeps > 5_000 && sleeps <= 5_400)
      #expect(try await layby(home, "sleep", "1h30m").code == EX_OK)
      for wrong in ["1h90m", "24h1m", "h30m", "1hh", "1h2h"] {
        let answer = try await layby(home, "sleep", wrong)
        #expect(answer.code == EX_USAGE && answer.errors.contains("1h30m"), "\(wrong): \(answer)")
      }
      let stray = try await Finished([Built.layby, "run", "--board", "\(home.board)", "\(home.folder)"], in: home)
      #expect(stray.code == EX_USAGE && stray.errors.contains("music goes behind --play"), "\(stray)")
      try await player.stop()
    }

    @Test("options that all verbs take may stand before the verb, and help says what each is for")
    func options() async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      let status = try await Finished([Built.layby, "--run", "\(home.run)", "--json", "status"], in: home)
      #expect(try JSON(parsing: status.output)["ok"] == true, "\(status)")
      let nothing = try await Finished([Built.layby, "--run", "\(home.run)"], in: home)
      #expect(nothing.code == EX_USAGE && nothing.errors.contains("a verb is missing"), "\(nothing)")
      let typo = try await Finished([Built.layby, "--json", "staus"], in: home)
      #expect(typo.code == EX_USAGE && typo.errors.contains("did you mean \"layby status\""), "\(typo)")
      let short = try await layby(home, "vol", "5")
      #expect(short.code == EX_USAGE && short.errors.contains("did you mean \"layby volume\""), "\(short)")
      let help = try await Finished([Built.layby, "help", "status"], in: home)
      for option in Verb.commonOptions { #expect(help.output.contains(option.help), "\(help)") }
      try await player.stop()
      let away = try await layby(home, "status")
      #expect(away.code == EX_UNAVAILABLE && away.errors.contains("--run DIR"), "\(away)")
    }
  }
}

extension RunningPlayer {
  fileprivate func opensLibrary() async throws {
    let until = Moment.now + patience
    while try await answer("library")["ok"] != true {
      try #require(Moment.now < until, "the library never opened")
      await events?.news(within: .milliseconds(20))
    }
  }
}
