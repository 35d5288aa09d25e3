import Glibc
import Remote
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("What commands mean", .serialized)
  struct CommandMeaningTests {
    private func layby(_ home: Home, _ words: String...) async throws -> Finished {
      try await Finished([Built.layby] + words + ["--run", "\(home.run)"], in: home)
    }

    @Test("a volume with a sign is so much louder or softer, and one without is a place")
    func volume() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = 40\nmax_volume = 60\n")
      let player = try await RunningPlayer(in: home)
      for (word, expected) in [("+5", 45), ("-15", 30), ("35", 35), ("-100", 0), ("+7", 7), ("+100", 60)] {
        #expect(try await layby(home, "volume", word).code == EX_OK)
        #expect(try await player.status()["volume"]?.whole == Int64(expected), "volume \(word)")
      }
      try await player.stop()
    }

    @Test("a verb that sets one thing tells it when it stands alone, and changes nothing")
    func alone() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = 40\n")
      let player = try await RunningPlayer(in: home)
      for (verb, told) in [
        ("volume", "volume 40"), ("repeat", "repeat off"), ("shuffle", "shuffle off"), ("sleep", "no sleep timer"),
        ("equaliser", "equaliser off"), ("normaliser", "normaliser"), ("crossfade", "crossfade"),
      ] {
        let answer = try await layby(home, verb)
        #expect(answer.code == EX_OK && answer.output.contains(told), "\(verb): \(answer)")
        let json = try await layby(home, verb, "--json")
        #expect(json.code == EX_OK && json.output.contains("\"ok\":true"), "\(verb): \(json)")
      }
      try await player.ask("sleep", "30m")
      #expect(try await layby(home, "sleep").output.contains("sleeps in"))
      try await player.ask("equaliser", "rock")
      #expect(try await layby(home, "equaliser").output.contains("equaliser rock\npresets: off, bass"))
      #expect(try await player.status()["volume"]?.whole == 40)
      try await player.stop()
    }

    @Test("arguments that mean nothing are refused with what was expected, and nothing is done")
    func refused() async throws {
      let home = try Home(owner: "[sound]\nstart_volume = 40\n")
      let music = try await home.flac("music")
      let player = try await RunningPlayer(in: home)
      try await player.ask("queue", "add", "\(music)")
      let table: [(words: [String], told: String)] = [
        (["play", "money"], "\"money\" means nothing here; expected: layby play"), (["pause", "now"], "now"),
        (["toggle", "it"], "it"), (["stop", "it"], "layby stop"), (["next", "please"], "how many"),
        (["seek", "10", "20"], "layby seek TIME"), (["volume", "40", "50"], "\"50\""), (["volume", "loud"], "+5"),
        (["volume", "101"], "0 to 100"), (["status", "all"], "\"all\""), (["health", "now"], "layby health"),
        (["log", "10"], "\"10\""), (["events", "all"], "\"all\""), (["queue", "clear", "all"], "queue clear"),
        (["shuffle", "maybe"], "on, off"), (["repeat", "all", "day"], "\"day\""), (["sleep", "never"], "30m"),
        (["equaliser", "loud"], "a preset (off"), (["sticks", "1"], "\"1\""),
        (["questions", "all"], "layby questions"),
        (["mute", "off", "now"], "\"now\""), (["offline", "disks", "all"], "\"all\""),
        (["browse", "colours"], "artists"), (["queue", "jump"], "number of an entry"),
      ]
      for (words, told) in table {
        let answer = try await Finished([Built.layby] + words + ["--run", "\(home.run)", "--wait", "10s"], in: home)
        #expect(answer.code == EX_USAGE && answer.errors.contains(told), "\(words): \(answer)")
      }
      let status = try await player.status()
      #expect(status["state"] == "stopped" && status["volume"]?.whole == 40 && status["count"]?.whole == 1)
      try await player.stop()
    }

    @Test(
      "what was mistyped gets the word that was probably meant",
      arguments: [
        (["plya"], "layby play"), (["shufle", "on"], "layby shuffle"), (["hlep"], "layby help"),
        (["docter"], "layby doctor"), (["queue", "ad", "/a"], "\"add\""), (["status", "--jsno"], "--json"),
        (["repeat", "noe"], "\"one\""), (["offline", "want", "albun", "x"], "\"album\""),
        (["equaliser", "rok"], "\"rock\""), (["help", "quueue"], "layby queue"),
        (["browse", "atrists"], "\"artists\""),
        (["run", "--bord", "x"], "--board"),
      ])
    func suggested(words: [String], meant: String) async throws {
      let home = try Home()
      let player = try await RunningPlayer(in: home)
      let answer = try await Finished(
        [Built.layby] + words, environment: ["LAYBY_SOCKET=\(home.run / "control")"], in: home)
      #expect(
        answer.code == EX_USAGE && answer.errors.contains("did you mean \(meant)")
          || answer.errors.contains("did you mean \"\(meant)\""), "\(answer)")
      try await player.stop()
    }

    @Test("help fits a screen and names every verb; help of a verb says how it is used, and of no other")
    func help() async throws {
      let home = try Home()
      let help = try await Finished([Built.layby, "help"], in: home)
      let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(help.output)")
      for verb in Verb.all { #expect(help.output.contains(verb.name), "\(verb.name)") }
      for verb in ["volume", "queue", "offline", "run", "config", "doctor", "index"] {
        let one = try await Finished([Built.layby, "help", verb], in: home)
        let other = try await Finished([Built.layby, verb, "--help"], in: home)
        #expect(one.code == EX_OK && one.output == other.output && one.output.contains("layby \(verb)"), "\(one)")
        #expect(!one.output.contains("layby status"), "\(one)")
      }
      #expect(try await Finished([Built.layby, "help", "volume"], in: home).output.contains("+5"))
      let queue = try await Finished([Built.layby, "queue", "--help"], in: home)
      #expect(queue.output.contains("layby queue add MUSIC...") && queue.output.contains("--from"))
      #expect(try await Finished([Built.layby, "help", "nothing"], in: home).code == EX_USAGE)
    }

    @Test("a playlist or cue sheet in the queue is its entries, and what is not there is said")
    func playlists() async throws {
      let home = try Home()
      let music = try await home.flac("one", seconds: 40)
      try home.write("#EXTM3U\n#EXTINF:1,One\none.flac\nlost.flac\n\(music)\n", to: home.folder / "list.m3u8")
      try home.write("[playlist]\nFile1=ONE.FLAC\nFile2=away/two.mp3\n", to: home.folder / "list.pls")
      let sheet = "FILE \"one.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:20:00\n"
      try home.write(sheet, to: home.folder / "sheet.cue")
      try home.write("gone.flac\n", to: home.folder / "empty.m3u")
      let player = try await RunningPlayer(in: home)
      let list = try await layby(home, "queue", "add", "\(home.folder / "list.m3u8")")
      #expect(list.code == EX_OK && list.errors.contains("lost.flac"), "\(list)")
      let pls = try await layby(home, "playnext", "\(home.folder / "list.pls")", "--json")
      #expect(try JSON(parsing: pls.output)["missing"]?.items == ["away/two.mp3"], "\(pls)")
      #expect(try await layby(home, "queue", "add", "\(home.folder / "sheet.cue")").code == EX_OK)
      let empty = try await layby(home, "queue", "add", "\(home.folder / "empty.m3u")")
      #expect(empty.code == EX_UNAVAILABLE && empty.errors.contains("gone.flac"), "\(empty)")
      let parts = ["part:0-20000:\(music)", "part:20000-:\(music)"].map { FilePath($0) }
      let queued = try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
      #expect(queued == [music, music, music] + parts, "\(queued)")
      try await player.stop()
    }

    @Test("an address of the web is what a source has there; any other is refused as an address, and not as a file")
    func addresses() async throws {
      let home = try Home(owner: "[source kiosk]\nurl = http://127.0.0.1:9/music\n")
      let player = try await RunningPlayer(in: home)
      let until = Moment.now + patience
      while try await player.answer("offline")["ok"] != true {
        try #require(Moment.now < until, "what is kept never opened")
        await player.events?.news(within: .milliseconds(20))
      }
      let known = try await layby(home, "queue", "add", "HTTP://127.0.0.1:9/music/far%20away/1.mp3")
      #expect(known.code == EX_OK, "\(known)")
      #expect(try await player.ask("queue")["entries"]?.items?.first?["path"] == "source:kiosk/far away/1.mp3")
      for address in ["http://127.0.0.1:9/other/1.mp3", "https://user:secret@example.org/a.mp3"] {
        let other = try await layby(home, "queue", "add", address)
        #expect(other.code == EX_UNAVAILABLE && other.errors.contains("address of the web"), "\(other)")
        #expect(!other.errors.contains("secret") && other.errors.contains("[source NAME]"), "\(other)")
      }
      try home.write("http://127.0.0.1:9/music/2.mp3\n", to: home.folder / "radio.m3u")
      #expect(try await layby(home, "queue", "add", "\(home.folder / "radio.m3u")").code == EX_OK)
      #expect(try await player.status()["count"]?.whole == 2)
      // Among music it costs itself alone.
      let music = try await home.flac("one")
      let list = home.folder / "mixed.m3u"
      try home.write("one.flac\nhttps://user:secret@example.org/a.mp3\nhttp://127.0.0.1:9/music/3.mp3\n", to: list)
      let mixed = try await layby(home, "queue", "add", "\(list)")
      #expect(mixed.code == EX_OK && mixed.output.contains("added 2;"), "\(mixed)")
      #expect(mixed.errors.contains("address of the web") && !mixed.errors.contains("secret"), "\(mixed)")
      let paths = try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.string } ?? []
      #expect(paths.suffix(2) == ["\(music)", "source:kiosk/3.mp3"], "\(paths)")
      let next = try await layby(home, "playnext", "\(list)", "--json")
      #expect(try JSON(parsing: next.output)["refused"]?.items?.count == 1, "\(next)")
      try await player.stop()
    }

    @Test("every number that is shown is accepted, and lists show titles and dates")
    func numbers() async throws {
      let home = try Home()
      let music = home.folder / "music"
      _ = music.withCString { mkdir($0, 0o755) }
      let made = try await home.flac("made", seconds: 2)
      try await tool(
        "metaflac", "--set-tag=TITLE=Prelude", "--set-tag=ARTIST=Bach", "--set-tag=ALBUM=Suites",
        "--set-tag=GENRE=Baroque", "\(made)", in: home)
      let path = music / "1.flac"
      #expect(made.withCString { from in path.withCString { rename(from, $0) } } == 0)
      let player = try await RunningPlayer(in: home)
      _ = try await player.answer("import", [JSON(path: music)])
      let until = Moment.now + patience
      while try await player.ask("library")["tracks"]?.whole != 1 {
        try #require(Moment.now < until, "the import never ended")
        await player.events?.news(within: .milliseconds(20))
      }
      var shown = 0
      for words in [
        ["search", "pre"], ["search", "bach"], ["search", "suites"], ["browse", "genres"], ["browse", "folder"],
      ] {
        let rows = try await Finished([Built.layby] + words + ["--run", "\(home.run)"], in: home).output
        for row in rows.split(separator: "\n") {
          let row = row.split(separator: " ").map(String.init)
          try #require(row.count > 2 && Int(row[1]) != nil, "\(rows)")
          shown += 1
          for verb in [["browse"], ["queue", "fill"], ["queue", "play"], ["playlist", "fill", "1"], ["copy"]] {
            if verb[0] == "playlist" { _ = try await layby(home, "playlist", "make", "Mine") }
            let answer = try await Finished([Built.layby] + verb + row[0...1] + ["--run", "\(home.run)"], in: home)
            // What was copied before is on the device already.
            let isThere = verb == ["copy"] && answer.errors.contains("are on the device")
            #expect(answer.code == EX_OK || isThere, "\(verb) \(row): \(answer)")
          }
        }
      }
      #expect(shown >= 5)
      let queue = try await layby(home, "queue")
      #expect(queue.output.contains("Prelude - Bach"), "\(queue)")
      _ = try await layby(home, "queue", "add", "\(path)")
      #expect(try await layby(home, "queue", "next").output.contains("Prelude - Bach"))
      // As it is shown, so it is accepted.
      let mine = try await layby(home, "playlist").output.split(separator: " ").first.map(String.init) ?? ""
      let entries = try await layby(home, "playlist", "show", mine)
      #expect(entries.code == EX_OK && entries.output.contains("Prelude - Bach"), "\(entries)")

      try await player.ask("queue", "clear")
      try await player.ask("queue", "add", "\(path)")
      try await player.ask("play")
      try await player.status { $0["state"] == "stopped" }
      let history = try await layby(home, "history")
      let date = history.output.prefix(10)
      #expect(history.output.contains("Prelude - Bach"), "\(history)")
      #expect(date.hasPrefix("20") && date.dropFirst(4).first == "-" && date.dropFirst(7).first == "-", "\(history)")
      try await player.stop()
    }
  }
}
