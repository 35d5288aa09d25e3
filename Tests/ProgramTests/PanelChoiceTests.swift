import FaultServer
import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Music that is chosen on the panel", .serialized)
  struct PanelChoiceTests {
    private static let title = "Signs"

    /// A player with five tracks of one album in its library, and a queue of two other files.
    private static func begin(_ home: Home) async throws -> (
      player: RunningPlayer, tracks: [FilePath], others: [FilePath]
    ) {
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let music = home.folder / "music"
      try Folder.make(music)
      var tracks: [FilePath] = []
      for number in 1...5 {
        let made = try await home.flac("\(number)", tone: 441 * Double(number))
        try await tool(
          "metaflac", "--set-tag=TITLE=Track \(number)", "--set-tag=ARTIST=Layby", "--set-tag=ALBUM=\(title)",
          "--set-tag=TRACKNUMBER=\(number)", "\(made)", in: home)
        tracks.append(music / "\(number).flac")
        #expect(made.withCString { from in tracks[number - 1].withCString { rename(from, $0) } } == 0)
      }
      let others = [try await home.flac("a"), try await home.flac("b")]
      let player = try await RunningPlayer(playing: others, in: home)
      try await player.imports(music, files: 5)
      return (player, tracks, others)
    }

    private static func queued(_ player: RunningPlayer) async throws -> [FilePath] {
      try await player.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
    }

    private static func inPlaylist(_ player: RunningPlayer) async throws -> [FilePath] {
      try await player.ask("playlist", "show", "Road")["entries"]?.items?.compactMap { $0["path"]?.path } ?? []
    }

    @Test("an album plays from its third track, the queue before comes back, and what is added stands behind it")
    func album() async throws {
      let home = try Home()
      let (player, tracks, others) = try await Self.begin(home)
      try await player.choose("Music", "Albums", Self.title, "Track 3")
      try await player.plays(tracks[2])
      #expect(try await Self.queued(player) == tracks)
      #expect(try await player.value(of: "Previous queue", "Queue") == "2")
      try await player.choose("Queue", "Previous queue")
      try await player.plays(others[0])
      #expect(try await Self.queued(player) == others)
      try await player.choose("Music", "Albums", Self.title, "Track 5", .twice, "Play next")
      #expect(try await Self.queued(player) == [others[0], tracks[4], others[1]])
      try await player.choose("Music", "Albums", Self.title, "Play, shuffle, more", "Add to the queue")
      #expect(try await Self.queued(player) == [others[0], tracks[4], others[1]] + tracks)
      try await player.choose("Music", "Albums", Self.title, "Play, shuffle, more", "Shuffle all")
      try await player.status { $0["shuffle"] == true }
      #expect(Set(try await Self.queued(player)) == Set(tracks))
      // To the artist of a song, to one of their albums, and on from its first song.
      try await player.choose("Music", "Songs", "Track 2", .twice, "Go to the artist", Self.title, "Track 1")
      try await player.plays(tracks[0])
      // It is still shuffled, until all of something is played.
      #expect(Set(try await Self.queued(player)) == Set(tracks))
      try await player.status { $0["shuffle"] == true }
      try await player.choose("Music", "Albums", Self.title, "Play, shuffle, more", "Play all")
      try await player.plays(tracks[0])
      try await player.status { $0["shuffle"] == false }
      #expect(try await Self.queued(player) == tracks)
      try await player.stop()
    }

    @Test("the time zone is found by its region, and counts from then on")
    func timeZone() async throws {
      let home = try Home()
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      try await player.choose("Settings", "Time zone", "Europe", "Athens")
      #expect(try await player.value(of: "Time zone", "Settings") == "Europe/Athens")
      try await player.choose("Settings", "Time zone", "America", "Argentina/Buenos Aires")
      #expect(try await player.value(of: "Time zone", "Settings") == "America/Argentina/Buenos Aires")
      let kept = String(decoding: try AtomicFile.read(home.state / "choices.json", limit: 65_536), as: UTF8.self)
      #expect(kept.contains("America/Argentina/Buenos_Aires") || kept.contains("America\\/Argentina"), "\(kept)")
      // Nothing waits for a new start.
      #expect(try await !player.offers("Start anew", "Settings"))
      try await player.stop()
    }

    @Test("a song is played with what stands behind it, in place of the queue, wherever it is pressed")
    func song() async throws {
      let home = try Home()
      let (player, tracks, others) = try await Self.begin(home)
      try await player.choose("Music", "Songs", "Track 3")
      try await player.plays(tracks[2])
      #expect(try await Self.queued(player) == Array(tracks[2...]))
      // What was found, in the order in which it is shown.
      try await player.choose("Search", "[T]", "[✓]", "Track 2")
      try await player.plays(tracks[1])
      #expect(try await Self.queued(player) == tracks)
      try await player.choose("Queue", "Previous queue")
      try await player.plays(tracks[2])
      #expect(try await Self.queued(player) == Array(tracks[2...]))
      // And by the first row of what else can be done with it.
      try await player.choose("Music", "Recently added", "Track 4", .twice, "Play from here")
      try await player.plays(tracks[3])
      #expect(try await Set(Self.queued(player)).isDisjoint(with: others))
      try await player.stop()
    }

    @Test("a part of a book plays in order though the music was shuffled, which is said; its page leads to its places")
    func book() async throws {
      let home = try Home()
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let music = home.folder / "music"
      try Folder.make(music)
      var parts: [FilePath] = []
      for number in 1...5 {
        let made = try await home.flac("\(number)", seconds: 600, tone: 441 * Double(number))
        try await tool(
          "metaflac", "--set-tag=TITLE=Part \(number)", "--set-tag=ARTIST=Layby", "--set-tag=ALBUM=Tale",
          "--set-tag=GENRE=Audiobook", "--set-tag=TRACKNUMBER=\(number)", "--set-tag=CHAPTER000=00:00:00.000",
          "--set-tag=CHAPTER000NAME=Begin", "--set-tag=CHAPTER001=00:05:00.000", "--set-tag=CHAPTER001NAME=Later",
          "\(made)", in: home)
        parts.append(music / "\(number).flac")
        #expect(made.withCString { from in parts[number - 1].withCString { rename(from, $0) } } == 0)
      }
      let others = [try await home.flac("a"), try await home.flac("b")]
      let player = try await RunningPlayer(playing: others, in: home)
      try await player.imports(music, files: 5)
      try await player.ask("shuffle", "on")
      try await player.choose("Music", "Audiobooks", "Tale", "Part 2")
      try await player.shows("Played in order, without shuffle.")
      try await player.plays(parts[1])
      #expect(try await Self.queued(player) == parts)
      try await player.status { $0["shuffle"] == false && $0["chapter"]?["number"] == 1 }
      try await player.choose("Music", "Audiobooks", "Tale", "Part 2", .twice, "Chapters", "Later")
      try await player.status { $0["chapter"]?["number"] == 2 }
      #expect(try await !player.offers("Chapters", "Music", "Audiobooks", "Tale", "Part 3", .twice))
      // It is left for other music, and goes on from there.
      try await player.choose("Queue", "Previous queue")
      try await player.plays(others[0])
      try await player.choose("Music", "Audiobooks", "Tale", "Go on")
      try await player.plays(parts[1])
      try await player.status { $0["chapter"]?["number"] == 2 }
      #expect(try await Self.queued(player) == parts)
      try await player.stop()
    }

    @Test("a playlist is filled, played from an entry, thinned out and deleted")
    func playlist() async throws {
      let home = try Home()
      let (player, tracks, _) = try await Self.begin(home)
      try await player.ask("playlist", "make", "Road")
      try await player.choose("Music", "Albums", Self.title, "Play, shuffle, more", "Add to a playlist", "Road")
      try await player.choose("Music", "Albums", Self.title, "Track 2", .twice, "Add to a playlist", "Road")
      #expect(try await Self.inPlaylist(player) == tracks + [tracks[1]])
      try await player.choose("Playlists", "Road", "Track 4")
      try await player.plays(tracks[3])
      #expect(try await Self.queued(player) == tracks + [tracks[1]])
      try await player.choose("Playlists", "Road", "Track 1", .twice, "Remove from the list")
      #expect(try await Self.inPlaylist(player) == tracks[1...] + [tracks[1]])
      try await player.choose("Playlists", "Road", "Delete", "Delete")
      #expect(try await player.ask("playlist")["playlists"]?.items?.isEmpty == true)
      try await player.stop()
    }

    @Test("the chapters of a book are chosen by name, and the panel says which is heard")
    func chapters() async throws {
      let home = try Home()
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let book = try await home.flac("book", seconds: 1_200)
      for (index, name) in ["At sea", "The storm", "Ashore"].enumerated() {
        try await tool(
          "metaflac", "--set-tag=CHAPTER00\(index)=00:0\(3 * index):00.000", "--set-tag=CHAPTER00\(index)NAME=\(name)",
          "\(book)", in: home)
      }
      let player = try await RunningPlayer(playing: [book], in: home)
      try await player.plays(book)
      // A slip of the hand leads back to where it was.
      try await player.ask("press", "turn 1 with knob")
      try await player.status { $0["chapter"]?["number"] == 2 }
      try await player.finds("Back to 0:", at: "Queue", "book", .twice)
      // Paused, places are known to the second.
      try await player.ask("pause")
      try await player.ask("seek", "4:10")
      try await player.choose("Queue", "Chapters", "Ashore")
      try await player.status { $0["chapter"]?["number"] == 3 && ($0["position_s"]?.double ?? 0) >= 360 }
      try await player.until("the music is shown, and named by its chapter") {
        try await player.ask("screen")["words"]?.string?.contains("Ashore") == true
      }
      // Where it was before the last jump; and from there here again, and so on.
      try await player.finds("Back to 4:10", at: "Queue", "Chapters")
      try await player.choose("Queue", "Back to 4:10")
      try await player.status { $0["chapter"]?["number"] == 2 }
      try await player.choose("Queue", "Back to 6:00")
      try await player.status { $0["chapter"]?["number"] == 3 }
      try await player.finds("Back to 4:10", at: "Queue")
      try await player.stop()
    }

    @Test("what plays is taken out of the queue after a question, and any other at once")
    func removal() async throws {
      let home = try Home()
      let (player, _, others) = try await Self.begin(home)
      try await player.plays(others[0])
      try await player.choose("Queue", "b", .twice, "Remove from the queue")
      try await player.until("it is gone") { try await Self.queued(player) == [others[0]] }
      try await player.choose("Queue", "a", .twice, "Remove from the queue")
      try await player.shows("Remove from the queue: a")
      #expect(try await Self.queued(player) == [others[0]])
      try await player.ask("press", "turn 1")
      try await player.ask("press", "knob")
      try await player.until("it is gone") { try await Self.queued(player).isEmpty }
      try await player.stop()
    }

    @Test("the sound for the night is switched on and off in Sound, and then it sounds as it did before")
    func night() async throws {
      let home = try Home()
      let (player, _, _) = try await Self.begin(home)
      try await player.choose("Sound", "Equaliser", "Car")
      #expect(try await player.value(of: "Night", "Sound") == "Off")
      try await player.choose("Sound", "Night")
      #expect(try await player.value(of: "Equaliser", "Sound") == "Night")
      #expect(try await player.value(of: "Night", "Sound") == "On")
      try await player.choose("Sound", "Night")
      #expect(try await player.value(of: "Equaliser", "Sound") == "Car")
      try await player.stop()
    }

    @Test("a press on the song that plays shows the music, and begins nothing anew")
    func pressOnWhatPlays() async throws {
      let home = try Home()
      let (player, tracks, others) = try await Self.begin(home)
      try await player.plays(others[0])
      try await player.choose("Music", "Albums", Self.title, "Track 2")
      try await player.plays(tracks[1])
      let queue = try await Self.queued(player)
      for way in [["Queue", "Track 2"], ["Music", "Songs", "Track 2"], ["Music", "Albums", Self.title, "Track 2"]] {
        try await player.choose(way)
        try await player.until("the music is shown") {
          try await player.panelWords().contains("Track 2 – Layby")
        }
        #expect(try await Self.queued(player) == queue)
      }
      try await player.stop()
    }

    @Test("what is moved in the queue says where it stands now")
    func moved() async throws {
      let home = try Home()
      let (player, tracks, _) = try await Self.begin(home)
      try await player.choose("Music", "Albums", Self.title, "Track 1")
      try await player.plays(tracks[0])
      try await player.choose("Queue", "Track 3", .twice, "Move down")
      try await player.shows("Place 4 of 5: Track 3.")
      try await player.choose("Queue", "Track 3", .twice, "Move up")
      try await player.shows("Place 3 of 5: Track 3.")
      #expect(try await Self.queued(player) == tracks)
      // Up to behind what plays, and no further, however often it is pressed.
      for _ in 0..<3 { try await player.ask("press", "knob") }
      try await player.shows("Place 2 of 5: Track 3.")
      #expect(try await Self.queued(player) == [tracks[0], tracks[2], tracks[1], tracks[3], tracks[4]])
      #expect(try await player.value(of: "Move up", "Queue", "Track 3", .twice) == "Place 2 of 5")
      try await player.plays(tracks[0])
      try await player.choose("Queue", "Track 2", .twice, "Move up")
      // From far behind to where it comes next, from there it goes no further, and from before what plays. The list is
      // shown again.
      try await player.choose("Queue", "Track 5", .twice, "Play next")
      try await player.shows("Comes next: Track 5.")
      #expect(try await player.panelWords().hasPrefix("Queue · Track 5"))
      #expect(try await Self.queued(player) == [tracks[0], tracks[4], tracks[1], tracks[2], tracks[3]])
      #expect(try await !player.offers("Play next", "Queue", "Track 5", .twice))
      try await player.choose("Queue", "Track 3")
      try await player.plays(tracks[2])
      try await player.choose("Queue", "Track 1", .twice, "Play next")
      try await player.shows("Comes next: Track 1.")
      #expect(try await Self.queued(player) == [tracks[4], tracks[1], tracks[2], tracks[0], tracks[3]])
      // One has no place among others.
      #expect(try await player.offers("Move down", "Queue", "Track 4", .twice))
      for number in [5, 4, 2, 1] { try await player.ask("queue", "remove", "\(number)") }
      #expect(try await !player.offers("Move down", "Queue", "Track 3", .twice))
      try await player.stop()
    }

    @Test("what a title has of control characters is in no row and no message, and not in the log")
    func plainTitles() async throws {
      let home = try Home()
      let (player, _, _) = try await Self.begin(home)
      let made = try await home.flac("bell")
      try await tool("metaflac", "--set-tag=TITLE=Be\u{7}ll\u{1B}[31m", "\(made)", in: home)
      let folder = home.folder / "more"
      try Folder.make(folder)
      #expect(made.withCString { from in (folder / "1.flac").withCString { rename(from, $0) } } == 0)
      try await player.imports(folder, files: 1)
      try await player.ask("queue", "add", "\(folder / "1.flac")")
      try await player.choose("Queue")
      try await player.ask("turn", "60")
      let row = try #require(try await player.words().dropFirst().first { $0.hasPrefix("Be") })
      try await player.choose("Queue", String(row), .twice, "Remove from the queue")
      try await player.shows("taken out.")
      let words = try await player.panelWords()
      for text in [String(row), words] {
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "\(text.debugDescription)")
      }
      #expect(player.said.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A }, "\(player.said)")
      try await player.stop()
    }

    @Test("what was taken out of the queue is put back where it stood, also the one that played, and survives a kill")
    func putBack() async throws {
      let home = try Home()
      let (player, tracks, _) = try await Self.begin(home)
      try await player.choose("Music", "Albums", Self.title, "Track 3")
      try await player.plays(tracks[2])
      #expect(try await !player.offers("Put back", "Queue"))
      try await player.choose("Queue", "Track 2", .twice, "Remove from the queue")
      try await player.shows("Track 2: taken out. “Put back” is at the top of this list.")
      // What plays is asked about.
      try await player.choose("Queue", "Track 3", .twice, "Remove from the queue", "Remove from the queue")
      try await player.until("both are gone") { try await Self.queued(player) == [tracks[0], tracks[3], tracks[4]] }
      try await player.plays(tracks[3])
      // The last one first; the other one next.
      #expect(try await player.offers("Put back: Track 3", "Queue"))
      try await player.choose("Queue", "Put back: Track 3")
      try await player.until("what is back is looked at") {
        try await player.panelWords().hasPrefix("Queue · Track 3")
      }
      try await player.until("it is back") { try await Self.queued(player) == [tracks[0]] + tracks[2...] }
      try await player.choose("Queue", "Put back: Track 2")
      try await player.until("both are back") { try await Self.queued(player) == tracks }
      #expect(try await !player.offers("Put back", "Queue"))
      // The music went on, and what came back plays when its turn comes, as part of the album.
      try await player.plays(tracks[3])
      try await player.ask("queue", "jump", "2")
      try await player.plays(tracks[1])
      try await player.ask("next")
      try await player.until("where it was chosen is known") {
        let heard = try await player.ask("history", "all")["history"]?.items?.first
        guard heard?["path"]?.path == tracks[1] else { return false }
        return heard?["from"] == "album" && heard?["from_name"]?.string == Self.title
      }
      await player.kill()
      let later = try await RunningPlayer(in: home)
      #expect(try await Self.queued(later) == tracks)
      #expect(try await !later.offers("Put back", "Queue"))
      // Another queue in its place has nothing to be put back.
      try await later.ask("queue", "remove", "1")
      #expect(try await later.offers("Put back: Track 1", "Queue"))
      try await later.choose("Music", "Albums", Self.title, "Track 4")
      try await later.plays(tracks[3])
      #expect(try await !later.offers("Put back", "Queue"))
      try await later.stop()
    }

    @Test("the last song that is taken out leaves a queue that offers to put it back")
    func putBackOnly() async throws {
      let home = try Home()
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let only = try await home.flac("only")
      let player = try await RunningPlayer(playing: [only], in: home)
      try await player.plays(only)
      try await player.choose("Queue", "only", .twice, "Remove from the queue", "Remove from the queue")
      try await player.status { $0["count"] == 0 && $0["state"] == "stopped" }
      try await player.choose("Queue", "Put back: only")
      try await player.status { $0["count"] == 1 && $0["path"]?.path == only }
      try await player.ask("press", "play")
      try await player.plays(only)
      try await player.stop()
    }

    @Test("a hand goes on by chapters, then by tracks, and at the last one it stays")
    func steps() async throws {
      let home = try Home()
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let (song, book) = (try await home.flac("song", seconds: 1_200), try await home.flac("book", seconds: 1_200))
      for (index, name) in ["At sea", "The storm"].enumerated() {
        try await tool(
          "metaflac", "--set-tag=CHAPTER00\(index)=00:0\(5 * index):00.000", "--set-tag=CHAPTER00\(index)NAME=\(name)",
          "\(book)", in: home)
      }
      let player = try await RunningPlayer(playing: [song, book], in: home)
      try await player.plays(song)
      try await player.ask("press", "turn 9 with knob")
      try await player.plays(book)
      try await player.ask("press", "next")
      try await player.status { $0["chapter"]?["number"] == 2 }
      for gesture in ["next", "turn 3 with knob"] {
        try await player.ask("press", gesture)
        let status = try await player.status()
        #expect(status["state"] == "playing" && status["chapter"]?["number"] == 2, "\(gesture): \(status)")
      }
      try await player.shows("This is the last one")
      try await player.ask("press", "turn -1 with knob")
      try await player.status { $0["chapter"]?["number"] == 1 }
      try await player.ask("press", "turn -2 with knob")
      try await player.plays(song)
      try await player.stop()
    }

    @Test("a double press of the knob leads to what the key for the next one leads to, also from a pause, and it plays")
    func double() async throws {
      let home = try Home()
      let (player, tracks, _) = try await Self.begin(home)
      try await player.choose("Music", "Albums", Self.title, "Track 1")
      try await player.plays(tracks[0])
      try await player.ask("press", "double knob")
      try await player.plays(tracks[1])
      // As a hand does it: the first of both presses counts at once.
      try await player.ask("press", "knob")
      try await player.status { $0["state"] == "paused" && $0["path"]?.path == tracks[1] }
      try await player.ask("press", "double knob")
      try await player.plays(tracks[2])
      for track in tracks[3...] {
        try await player.ask("press", "double knob")
        try await player.plays(track)
      }
      try await player.ask("press", "double knob")
      try await player.shows("This is the last one")
      try await player.plays(tracks[4])
      try await player.stop()
    }

    @Test("the music sleeps at the end of a chapter, set on the panel or by the command line")
    func sleepChapter() async throws {
      let home = try Home()
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let plain = try await home.flac("plain", seconds: 600)
      let book = try await home.flac("book", seconds: 1_200)
      for (index, name) in ["At sea", "The storm", "Ashore"].enumerated() {
        try await tool(
          "metaflac", "--set-tag=CHAPTER00\(index)=00:0\(3 * index):00.000", "--set-tag=CHAPTER00\(index)NAME=\(name)",
          "\(book)", in: home)
      }
      let player = try await RunningPlayer(playing: [book, plain], in: home)
      try await player.plays(book)
      try await player.choose("Sleep timer", "After this chapter")
      try await player.status { $0["sleep"] == "chapter" && ($0["sleep_s"]?.double ?? 0) > 60 }
      try await player.ask("seek", "178.5")
      var status = try await player.status { $0["state"] == "paused" }
      #expect((180..<182).contains(status["position_s"]?.double ?? 0), "\(status)")
      #expect(status["chapter"]?["number"] == 2 && status["sleep"] == .null, "\(status)")
      try await player.ask("play")
      try await player.ask("sleep", "chapter")
      try await player.ask("seek", "358.5")
      status = try await player.status { $0["state"] == "paused" }
      #expect((360..<362).contains(status["position_s"]?.double ?? 0), "\(status)")
      // What has no chapters has no such row.
      try await player.ask("next")
      try await player.status { $0["path"]?.path == plain }
      #expect(try await !player.offers("After this chapter", "Sleep timer"))
      #expect(try await player.offers("After this track", "Sleep timer"))
      try await player.stop()
    }

    @Test("notices are counted until they were looked at, told once, opened whole, and cleared")
    func notices() async throws {
      let home = try Home(owner: "[sound]\nmax_volume = loud\n")
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      // The queue is empty.
      for _ in 0..<3 { try await player.ask("play") }
      #expect(try await player.offers("Settings: Notices"))
      #expect(try await player.offers("Notices: 2", "Settings"))
      let nothing = "There is nothing to play. Add music first."
      #expect(try await player.offers("\(nothing): 3\u{D7}", "Settings", "Notices"))
      #expect(try await !player.offers("P-101", "Settings", "Notices", nothing), "it is no fault")
      #expect(try await player.offers("Music", "Settings", "Notices", nothing))
      #expect(try await !player.offers("Settings: "), "all were looked at")
      try await player.ask("play")
      #expect(try await player.offers("Settings: Notices"))
      #expect(try await player.offers("Notices: 1", "Settings"))
      try await player.choose("Settings", "Notices", "Clear")
      #expect(try await !player.offers("Notices", "Settings"))
      try await player.stop()
    }

    @Test(
      "smart downloads are switched on and off on their own page, at once, and every page says the same",
      .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"), arguments: [false, true])
    func smart(isBarred: Bool) async throws {
      let folder = try KeptFolder(pieces: 1)
      let home = try Home(owner: folder.settings + (isBarred ? "[flags]\nsmart-downloads = off\n" : ""))
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      func says(_ value: String) async throws {
        let row = "Smart downloads: \(value)"
        #expect(try await player.offers(row, "Keep offline"))
        try await player.choose("Keep offline", "Smart downloads")
        let page = try await player.ask("screen")["words"]?.string ?? ""
        #expect(page.hasPrefix("Smart downloads · \(value)"), "\(page)")
        #expect(try await player.offers(row, "Settings", "Offline music"))
      }
      try await says("Off")
      try await player.choose("Settings", "Offline music", "Smart downloads", "On")
      try await says(isBarred ? "Off" : "On")
      #expect(try await !player.offers("Start anew", "Settings"))
      guard !isBarred else { return try await player.stop() }
      // There is no Wi-Fi, or no habit yet: it says what it waits for.
      try await player.untilItsSourceAnswers()
      let why = try await player.ask("offline", "smart")["why"]?.items?.compactMap { $0["message"]?.string } ?? []
      #expect(!why.isEmpty)
      for words in why {
        let row = words.prefix(1).uppercased() + words.prefix { $0 != ";" }.dropFirst()
        #expect(try await player.offers(row, "Keep offline", "Smart downloads"))
      }
      try await player.choose("Keep offline", "Smart downloads", "Off")
      try await says("Off")
      try await player.stop()
    }

    @Test(
      "where all downloads rest, one goes on by itself and the other rests; all go on means that one too",
      .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
    func oneGoesOn() async throws {
      let folder = try KeptFolder(pieces: 2)
      for piece in 1...2 {
        folder.server.script("/far/\(piece).mp3", [Act](repeating: .answer(503, [], []), count: 200))
      }
      let home = try Home(owner: folder.settings)
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      func state(_ piece: Int) async throws -> JSON? {
        let answer = try await player.ask("offline", "state", "far/\(piece).mp3")
        return (answer["items"]?.items?.first ?? answer)["state"]
      }
      for piece in 1...2 { try await player.ask("offline", "want", "track", "far/\(piece).mp3") }
      try await player.choose("Keep offline", "Downloads", "Pause all")
      try await player.until("one rests") { try await state(1) == "paused" }
      try await player.until("both rest") { try await state(2) == "paused" }
      try await player.choose("Keep offline", "Downloads", "1.mp3", "Go on")
      try await player.until("one goes on") { try await state(1) != "paused" }
      #expect(try await state(2) == "paused")
      try await player.choose("Keep offline", "Downloads", "Resume all")
      try await player.until("both go on") { try await state(2) != "paused" }
      try await player.stop()
    }

    @Test("the knob goes to a place in what plays, which is heard; back undoes it, and a press keeps it")
    func place() async throws {
      let home = try Home()
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      // So long that its end does not come while this goes on.
      let book = try await home.flac("book", seconds: 1_200)
      let player = try await RunningPlayer(playing: [book], in: home)
      try await player.plays(book)
      func position(_ status: JSON) -> Double { status["position_s"]?.double ?? -1 }
      try await player.choose("Queue", "Go to a time")
      // Turned while pressed: twentieths of twenty minutes.
      try await player.ask("press", "turn 10 with knob")
      try await player.status { position($0) >= 600 && position($0) < 900 }
      try await player.ask("press", "long knob")
      try await player.status { position($0) < 300 }
      // What can be done with the song that plays leads there, too.
      try await player.choose("Queue", "book", .twice, "Go to a time")
      try await player.ask("press", "turn 5 with knob")
      try await player.ask("press", "knob")
      try await player.status { position($0) >= 300 && position($0) < 600 }
      #expect(try await player.ask("screen")["words"]?.string?.contains("book") == true, "the music is shown")
      // Three careful detents, by the key that leads there.
      try await player.ask("press", "long forward")
      let before = position(try await player.status())
      try await player.ask("turn", "3")
      try await player.status { position($0) >= before + 15 }
      try await player.stop()
    }

    @Test("a number is kept by a press and as it was after a hold; hours are set by their ends, loudness on one page")
    func numbers() async throws {
      let home = try Home(owner: "[offline]\nhours = 1:00-6:00\n")
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(playing: [try await home.flac("music", seconds: 60)], in: home)
      for (button, seconds) in [("long knob", 0), ("knob", 3)] {
        try await player.choose("Sound", "Crossfade")
        try await player.ask("turn", "3")
        try await player.ask("press", button)
        try await player.status { $0["crossfade_s"]?.double == Double(seconds) }
      }
      let before = try await player.status()["volume"]?.whole
      try await player.choose("Sound", "Volume")
      try await player.ask("turn", "-2")
      try await player.status { $0["volume"]?.whole != before }
      try await player.ask("press", "long knob")
      try await player.status { $0["volume"]?.whole == before }
      try await player.choose("Settings", "Offline music", "Download hours", "From")
      try await player.ask("turn", "-3")
      try await player.ask("press", "knob")
      try await player.finds("From: 23:30", at: "Settings", "Offline music", "Download hours")
      // As a verb sets it, until the next start.
      try await player.ask("normaliser", "album")
      #expect(try await player.value(of: "Equal loudness", "Sound") == "Each album")
      try await player.choose("Sound", "Equal loudness", "Each track")
      #expect(try await player.value(of: "Equal loudness", "Sound") == "Each track")
      try await player.stop()
    }

    @Test(
      "a search looks through what sources have, too, plays an album from there on, and says where it could not look",
      .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
    func searchOfSources() async throws {
      let folder = try KeptFolder(pieces: 3)
      let home = try Home(owner: folder.settings)
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      try await player.untilItsSourceAnswers()
      // Nothing is in the library: the letters are the source's.
      try await player.ask("press", "home")
      try await player.until("the source's letters are offered") {
        try await player.choose("Search")
        try await player.ask("turn", "-60")
        return try await player.panelWords().contains("[D]")
      }
      try await player.choose("Search", "[D]", "[✓]", "Found in kiosk", "Distant Glacier")
      // The album goes on behind it: Prairie, Glacier, Delta.
      try await player.status { $0["state"] == "playing" && $0["index"] == 1 && $0["count"] == 3 }
      try await player.stop()

      let away = folder.settings.replacing(":\(folder.server.port)/", with: ":9/")
      let other = try Home(owner: away)
      try other.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: other.board)
      let music = other.folder / "music"
      try Folder.make(music)
      let file = TinyMP3(title: "Mine", artist: "Me", album: "My own", track: 1, sound: 5)
      try AtomicFile.replace(music / "1.mp3", with: file.bytes, mode: 0o644)
      let alone = try await RunningPlayer(in: other)
      try await alone.imports(music, files: 1)
      // Below what the library has, and by itself when that is known.
      try await alone.choose("Search", "[M]", "[✓]")
      try await alone.ask("turn", "20")
      try await alone.shows("kiosk: Not searched")
      try await alone.stop()
    }

    @Test(
      "an artist of a source has the albums that the source has of it, and all songs are kept or played at once",
      .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
    func artistOfSource() async throws {
      let folder = try KeptFolder(pieces: 3)
      let home = try Home(owner: folder.settings)
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      try await player.untilItsSourceAnswers()
      try await player.choose("Music", "Sources", "kiosk", "Artists", "The Faraways", "Elsewhere", "Distant Glacier")
      try await player.status { $0["count"] == 3 && $0["index"] == 1 }
      try await player.choose(
        "Music", "Sources", "kiosk", "Artists", "The Faraways", "Play, keep, more", "Keep offline")
      try await player.until("all of it is here") { home.kept(ending: ".mp3") == 3 }
      try await player.finds("Elsewhere: Kept", at: "Music", "Sources", "kiosk", "Artists", "The Faraways")
      try await player.stop()
    }

    @Test(
      "an album of a source is kept, plays, and is given up again",
      .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
    func offer() async throws {
      let folder = try KeptFolder(pieces: 3)
      let home = try Home(owner: folder.settings)
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      try await player.untilItsSourceAnswers()
      try await player.choose("Keep offline", "kiosk", "Albums", "Elsewhere", "Play, keep, more", "Keep offline")
      try await player.shows("Elsewhere is here, also offline.")
      try await player.until("all of it is here") { home.kept(ending: ".mp3") == 3 }
      try await player.finds("All here", at: "Keep offline", "kiosk", "Albums", "Elsewhere", "Play, shuffle, more")
      // From its second song on.
      try await player.choose("Music", "Sources", "kiosk", "Albums", "Elsewhere", "Distant Glacier")
      try await player.status { $0["count"] == 3 && $0["index"] == 1 && $0["entry"]?.whole != nil }
      try await player.choose(
        "Music", "Sources", "kiosk", "Albums", "Elsewhere", "Play, shuffle, more", "Stop keeping", "Stop keeping")
      try await player.until("nothing of it is here") { home.kept(ending: ".mp3") == 0 }
      // What comes at about the same time is told together.
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.ask("offline", "want", "artist", "The Faraways")
      try await player.shows("more are here, also offline.")
      // From the list of downloads it is looked through, played, and given up.
      try await player.choose("Keep offline", "Downloads", "Elsewhere", "Browse", "Distant Delta")
      try await player.status { $0["count"] == 3 && $0["index"] == 2 && $0["entry"]?.whole != nil }
      try await player.choose("Keep offline", "Downloads", "Elsewhere", "Stop keeping", "Stop keeping")
      try await player.shows("No longer kept: Elsewhere.")
      try await player.stop()
    }

    @Test(
      "the empty page of downloads says how music is kept, which does it; and what is kept and given up is told by name",
      .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
    func toldWhatIsKept() async throws {
      let folder = try KeptFolder(pieces: 3)
      let home = try Home(owner: folder.settings)
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      try await player.untilItsSourceAnswers()
      #expect(try await player.offers("Nothing is on its way", "Keep offline", "Downloads"))
      #expect(
        try await player.offers(
          "Press an album of a source twice, then choose Keep offline", "Keep offline", "Downloads"))
      try await player.choose("Keep offline", "kiosk", "Albums", "Elsewhere", .twice, "Keep offline")
      try await player.shows("Will be kept: Elsewhere.")
      try await player.until("all of it is here") { home.kept(ending: ".mp3") == 3 }
      try await player.finds("Elsewhere: Kept", at: "Music", "Albums")
      // Given up from elsewhere, it goes from the list that is open, without a hand that does anything.
      try await player.ask("offline", "drop", "album", "Elsewhere")
      try await player.shows("Albums · Nothing here")
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.shows("Albums · Elsewhere: Kept")
      try await player.until("all of it is here") { home.kept(ending: ".mp3") == 3 }
      try await player.finds("Elsewhere: Kept", at: "Keep offline", "kiosk", "Albums")
      try await player.ask("offline", "drop", "album", "Elsewhere")
      try await player.until("the sign goes") { try await player.panelWords() == "kiosk: Albums · Elsewhere" }
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.shows("Albums · Elsewhere: Kept")
      // A song of it, and the rest of the album.
      try await player.choose("Music", "Albums", "Elsewhere", "Distant Glacier", .twice, "Stop keeping", "Stop keeping")
      try await player.shows("No longer kept: Distant Glacier.")
      try await player.until("it is gone") { home.kept(ending: ".mp3") == 2 }
      try await player.choose(
        "Keep offline", "kiosk", "Albums", "Elsewhere", "Distant Glacier", .twice, "Keep offline")
      try await player.shows("Will be kept: Distant Glacier.")
      try await player.until("it is here again") { home.kept(ending: ".mp3") == 3 }
      try await player.choose(
        "Keep offline", "kiosk", "Albums", "Elsewhere", .twice, "Stop keeping", "Stop keeping")
      try await player.shows("No longer kept: Elsewhere.")
      try await player.until("nothing of it is here") { home.kept(ending: ".mp3") == 0 }
      try await player.stop()
    }

    @Test(
      "what came from a source is given up and kept again from the library and the queue, a song or the whole album",
      .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
    func keptFromWhereItIs() async throws {
      let folder = try KeptFolder(pieces: 3)
      let home = try Home(owner: folder.settings)
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let own = try await home.flac("own")
      let player = try await RunningPlayer(playing: [own], in: home)
      try await player.untilItsSourceAnswers()
      func count(_ wanted: Int) async throws {
        try await player.until("\(wanted) are here") { home.kept(ending: ".mp3") == wanted }
      }
      // One's own file, which plays now, is not kept.
      #expect(try await !player.offers("Keep offline", "Queue", "own", .twice))
      try await player.choose("Keep offline", "kiosk", "Albums", "Elsewhere", "Play, keep, more", "Keep offline")
      try await count(3)
      try await player.finds("Elsewhere", at: "Music", "Albums")
      // A song of the album that is kept, from the library.
      try await player.choose("Music", "Albums", "Elsewhere", "Distant Glacier", .twice, "Stop keeping", "Stop keeping")
      try await count(2)
      // It is streamed now, and kept again from the queue.
      try await player.choose("Keep offline", "kiosk", "Albums", "Elsewhere", "Distant Glacier")
      try await player.status { $0["count"] == 3 && $0["index"] == 1 && $0["state"] == "playing" }
      try await player.choose("Queue", "Distant Glacier", .twice, "Keep offline")
      try await count(3)
      // All of it, by the row of actions of the library's page.
      try await player.choose("Music", "Albums", "Elsewhere", "Play, shuffle, more", "Stop keeping", "Stop keeping")
      try await count(0)
      try await player.stop()
    }

    @Test(
      "an artist and an album of a source say how much of them is kept, whatever it is kept for, while one looks",
      .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
    func keptInPart() async throws {
      let folder = try KeptFolder(pieces: 3)
      let home = try Home(owner: folder.settings)
      try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n", to: home.board)
      let player = try await RunningPlayer(in: home)
      try await player.untilItsSourceAnswers()
      let lists = [("Artists", "The Faraways"), ("Albums", "Elsewhere")]
      for (list, name) in lists {
        #expect(try await player.value(of: name, "Keep offline", "kiosk", list) == "")
      }
      try await player.ask("offline", "want", "track", "far/1.mp3")
      try await player.until("it is here") { home.kept(ending: ".mp3") == 1 }
      for (list, name) in lists { try await player.finds("\(name): Partly kept", at: "Keep offline", "kiosk", list) }
      folder.server.setPace(Pace(bytesASecond: 1))
      try await player.ask("offline", "want", "album", "Elsewhere")
      // Of an artist, of whom nobody wants all, it is not known which of it comes now.
      for ((list, name), told) in zip(lists, ["Waiting", "Downloading"]) {
        try await player.finds("\(name): \(told)", at: "Keep offline", "kiosk", list)
      }
      try await player.choose("Keep offline", "kiosk", "Artists")
      try await player.shows("Artists · The Faraways: Waiting")
      folder.server.setPace(Pace())
      try await player.shows("Artists · The Faraways: Kept")
      #expect(try await player.value(of: "Elsewhere", "Keep offline", "kiosk", "Albums") == "Kept")
      // One of its songs is left out, and then nothing of it is kept.
      try await player.choose("Keep offline", "kiosk", "Artists")
      try await player.ask("offline", "drop", "track", "far/1.mp3")
      try await player.ask("offline", "leave", "far/1.mp3")
      try await player.shows("Artists · The Faraways: Partly kept")
      try await player.ask("offline", "drop", "album", "Elsewhere")
      try await player.until("the sign goes") { try await player.panelWords() == "kiosk: Artists · The Faraways" }
      try await player.stop()
    }

    @Test(
      "what is kept says so wherever it stands, and is as much as was said before",
      .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
    func keptSigns() async throws {
      let folder = try KeptFolder(pieces: 3)
      // The source has one file of each song, whatever quality is wanted.
      let home = try Home(
        owner: folder.settings.replacing("[offline]\n", with: "[offline]\nquality = low\n"))
      let ssd = home.folder / "ssd"
      try Folder.make(ssd)
      let board = "[board]\nname = test\n[paths]\nvolumes = ssd:\(ssd)\n[panel]\nsize = 320x240\n"
      try home.write(board, to: home.board)
      let player = try await RunningPlayer(in: home)
      try await player.untilItsSourceAnswers()
      let before = try await player.value(
        of: "Keep offline", "Keep offline", "kiosk", "Albums", "Elsewhere", "Play, keep, more")
      try await player.choose("Keep offline", "kiosk", "Albums", "Elsewhere", "Play, keep, more", "Keep offline")
      try await player.until("all of it is here") { home.kept(ending: ".mp3") == 3 }
      try await player.finds("All here", at: "Keep offline", "kiosk", "Albums", "Elsewhere", "Play, shuffle, more")
      let after = try await player.value(
        of: "Stop keeping", "Keep offline", "kiosk", "Albums", "Elsewhere", "Play, shuffle, more")
      #expect(before?.isEmpty == false && before == after)

      try await player.finds("Elsewhere: Kept", at: "Music", "Albums")
      #expect(try await player.value(of: "Elsewhere", "Music", "Artists", "The Faraways") == "Kept")
      #expect(try await player.value(of: "Elsewhere", "Search", "[E]", "[✓]") == "Kept")
      #expect(try await player.value(of: "Distant Delta", "Music", "Songs")?.hasSuffix("Kept") == true)
      try await player.ask("playlist", "make", "Road")
      try await player.ask("playlist", "add", "Road", "source:kiosk/far/1.mp3")
      #expect(try await player.value(of: "Road", "Playlists") == "1")
      try await player.ask("playlist", "offline", "Road", "on")
      try await player.finds("Road: 1, Kept", at: "Playlists")
      try await player.finds("This device: Free", at: "Keep offline", "Storage")
      // What is streamed only, or one's own, has no such sign.
      let own = home.folder / "music"
      try Folder.make(own)
      let file = TinyMP3(title: "Mine", artist: "Me", album: "My own", track: 1, sound: 5)
      try AtomicFile.replace(own / "1.mp3", with: file.bytes, mode: 0o644)
      try await player.imports(own, files: 1)
      try await player.finds("My own", at: "Music", "Albums")
      #expect(try await player.value(of: "My own", "Music", "Albums") == "")
      #expect(try await player.value(of: "Elsewhere", "Music", "Albums") == "Kept")

      // It was never used, and so nobody knows yet what is there.
      #expect(try await player.value(of: "ssd", "Keep offline", "Storage") == "")
      try await player.choose("Keep offline", "Storage", "ssd", "Move all of it here")
      try await player.finds("ssd: Free", at: "Keep offline", "Storage")
      try await player.until("all of it is there, and nothing is left behind") {
        home.kept(ending: ".mp3", below: ssd) == 3 && home.kept(ending: ".mp3") == 0
      }
      try await player.stop()
    }
  }
}

extension RunningPlayer {
  func untilItsSourceAnswers() async throws {
    try await until("the source can be asked") {
      try await answer("offline", ["browse", "album"])["containers"]?.items?.isEmpty == false
    }
  }

  fileprivate func words() async throws -> [Substring] {
    (try await ask("screen")["words"]?.string ?? "").split(separator: " · ")
  }

  /// The first row of the menu, wherever the panel stands.
  private func openMenu() async throws {
    // From the music the key leads to the menu, from deep in the menu to the music.
    var presses = 0
    while try await words().first != "Menu", presses < 3 {
      try await ask("press", "home")
      presses += 1
    }
    try await ask("turn", "-60")
  }

  /// From the menu on, by knob: each row is turned to and pressed, or pressed twice where that follows it.
  func choose(_ rows: String...) async throws { try await choose(rows) }

  func choose(_ rows: [String]) async throws {
    try await openMenu()
    for (index, row) in rows.enumerated() where row != .twice {
      try await ask("turn", "-60")
      var seen: [String] = []
      while true {
        let words = try await words()
        // Some rows end with how they stand, such as "Track 3: 0:30".
        if words.dropFirst().contains(where: { $0 == row || $0.hasPrefix(row + ": ") }) { break }
        seen.append(words.joined(separator: " · "))
        try #require(seen.count < 40, "there is no \(row) among \(seen)")
        try await ask("turn", "1")
      }
      let isTwice = rows.indices.contains(index + 1) && rows[index + 1] == .twice
      try await ask("press", isTwice ? "double knob" : "knob")
    }
  }

  /// Whether the page that these rows lead to has such a row.
  func offers(_ wanted: String, _ rows: String...) async throws -> Bool {
    try await choose(rows)
    return try await seen().contains { $0.dropFirst().first?.hasPrefix(wanted) == true }
  }

  /// Waits until the page that these rows lead to has a row that begins like this.
  func finds(_ wanted: String, at rows: String...) async throws {
    try await until("\(wanted) is in \(rows)") {
      try await self.choose(rows)
      return try await self.seen().contains { $0.dropFirst().first?.hasPrefix(wanted) == true }
    }
  }

  /// How the row stands that is called so, on the page that these rows lead to; nil where there is none.
  func value(of title: String, _ rows: String...) async throws -> String? {
    try await choose(rows)
    for words in try await seen() {
      guard let row = words.dropFirst().first else { continue }
      if row == title { return "" }
      if row.hasPrefix(title + ": ") { return String(row.dropFirst(title.count + 2)) }
    }
    return nil
  }

  /// What the panel says at each of the page's rows, up to the twentieth.
  private func seen() async throws -> [[Substring]] {
    while try await words().contains("Looking…") { await events?.news(within: .milliseconds(20)) }
    try await ask("turn", "-60")
    var all: [[Substring]] = []
    for _ in 0..<20 {
      all.append(try await words())
      try await ask("turn", "1")
    }
    return all
  }

  /// Waits until a page of the menu has a row that begins like this, or has none.
  func menu(_ page: String, has isWanted: Bool, _ row: String) async throws {
    let until = Moment.now + patience
    while try await menu(page, has: row) != isWanted {
      try #require(Moment.now < until, "\(row) \(isWanted ? "never came into" : "stayed in") \(page)")
      await events?.news(within: .milliseconds(20))
    }
  }

  private func menu(_ page: String, has row: String) async throws -> Bool {
    try await choose(page)
    try await ask("turn", "-60")
    for _ in 0..<20 {
      if try await words().dropFirst().first?.hasPrefix(row) == true { return true }
      try await ask("turn", "1")
    }
    return false
  }
}

extension String {
  /// No row, but how the one before it is pressed.
  fileprivate static let twice = "pressed twice"
}
