import Library
import Playback
import Runtime
import TestSupport
import Testing

@testable import Panel
@testable import layby

/// What people want of it, as somebody does it who sees the panel for the first time: the gestures of each are kept, and
/// how many they may be.
@Suite("Tasks of a new owner")
struct TaskTests {
  /// A detent and a press count one each.
  struct Task: Sendable, CustomTestStringConvertible {
    let what: String
    let budget: Int
    /// Rows as they are read on the panel, from the menu on.
    let rows: [String]
    let action: MenuAction?
    var profile = PanelProfile.home
    /// In place of a song.
    var playsBook = false
    var testDescription: String { "\(what), \(profile.rawValue)" }
  }

  private static let halfAnHour = MenuAction.sleep(.time(.seconds(1_800)))

  static let tasks: [Task] = [
    Task(what: "set the sleep timer", budget: 12, rows: ["Sleep timer", "30 min"], action: halfAnHour),
    Task(
      what: "set the sleep timer", budget: 16, rows: ["More", "Sleep timer", "30 min"], action: halfAnHour,
      profile: .car),
    Task(
      what: "set the sleep timer in a book", budget: 12, rows: ["Sleep timer", "30 min"], action: halfAnHour,
      playsBook: true),
    Task(
      what: "go to a chapter", budget: 6, rows: ["Chapters", "Part 3"], action: .goTo(.seconds(6_000), entry: 1),
      playsBook: true),
    Task(
      what: "make a playlist", budget: 9, rows: ["Playlists", "New playlist", ""], action: .makePlaylist("", with: nil)),
    Task(
      what: "eject a stick", budget: 18, rows: ["Music", "USB sticks", "BLUE", "Eject"], action: .ejectStick("/media/a")
    ),
    Task(what: "shuffle", budget: 9, rows: ["Queue", "Shuffle"], action: .setShuffle(true)),
    Task(what: "shuffle", budget: 6, rows: ["Shuffle"], action: .setShuffle(true), profile: .car),
    Task(
      what: "keep the tenth of twenty albums", budget: 25,
      rows: ["Keep offline", "kitchen", "Albums", MenuWorld.offered(9), "Play, keep, more", "Keep offline"],
      action: .keep(MenuWorld.offer(9), .lossless, isAnyway: false)),
    Task(
      what: "keep a playlist of one's own", budget: 12, rows: ["Playlists", "Mine", "Keep offline"],
      action: .keepPlaylist(1, true)),
    Task(
      what: "try a failed download again", budget: 18, rows: ["Keep offline", "Downloads", "Another", "Try again"],
      action: .retryDownload(DownloadID("2", "Another"))),
    Task(
      what: "shuffle an album", budget: 16, rows: ["Music", "Albums", "", "Play, shuffle, more", "Shuffle all"],
      action: nil),
    Task(
      what: "clear the queue", budget: 9, rows: ["Queue", "Clear the queue", "Clear the queue"], action: .clearQueue),
  ]

  @Test("are done within their budgets", arguments: tasks)
  func budgets(task: Task) async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      if !task.playsBook {
        hand.world.status.track?.chapters = []
        hand.world.status.track?.frames = 200_000
      }
      hand.desk.manner = MenuContext(.english, task.profile)
      await hand.move(.open)
      for row in task.rows {
        // No row: what is looked at is pressed.
        if row.isEmpty {
          await hand.move(.press)
        } else {
          #expect(await hand.choose(row), "\(row) is not in \(hand.rows.map(\.title))")
        }
      }
      if let action = task.action {
        #expect(hand.world.performed.last == action)
      } else {
        #expect(hand.world.performed.count == 1)
      }
      #expect(hand.detents + hand.presses <= task.budget, "\(hand.detents) detents and \(hand.presses) presses")
    }
  }

  @Test("a song goes into a list of its own, which gets a name, and plays from there")
  func playlist() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      await hand.move(.open)
      for row in ["Music", "Songs"] { #expect(await hand.choose(row)) }
      let song = hand.rows[hand.focus].title
      #expect(await hand.chooseMore(song))
      for row in ["Add to a playlist", "New playlist"] { #expect(await hand.choose(row)) }
      await hand.move(.press)
      guard case .makePlaylist("", let thing?)? = hand.world.performed.last else { return #expect(Bool(false)) }
      #expect(thing.title == song && hand.detents + hand.presses <= 17 && hand.desk.shown?.title == "Songs")
      await hand.move(.close)
      await hand.move(.open)
      for row in ["Playlists", "Mine", "Rename"] { #expect(await hand.choose(row)) }
      for letter in ["s", "e", "a"] { #expect(await hand.type(letter)) }
      await hand.move(.turn(-(hand.wheel?.focus ?? 0)))
      await hand.move(.press)
      #expect(hand.world.performed.last == .renamePlaylist(1, "Sea") && hand.desk.shown?.title == "Playlists")
      for row in ["Mine", "Second"] { #expect(await hand.choose(row)) }
      #expect(hand.world.performed.last == .playEntry(2, ofPlaylist: 1) && !hand.desk.isOpen)
    }
  }

  @Test("why a download waits is read within twelve")
  func why() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      var waiting = ShownDownload(DownloadID("3", "A third"), .waiting)
      waiting.why = ["The battery is low"]
      hand.world.kept = [waiting]
      await hand.move(.open)
      for row in ["Keep offline", "Downloads", "A third"] { #expect(await hand.choose(row)) }
      #expect(hand.rows.contains { $0.title == "The battery is low" })
      #expect(hand.detents + hand.presses <= 12, "\(hand.detents) and \(hand.presses)")
    }
  }

  @Test("any of a thousand albums of a source is kept within sixty, by its name")
  func search() async {
    await aloneOnMainLoop { () async in
      var most = 0
      for wanted in stride(from: 3, to: 1_000, by: 83) {
        let hand = MenuHand(MenuWorld(30))
        hand.world.offeredCount = 1_000
        await hand.move(.open)
        for row in ["Keep offline", "kitchen", "Search"] { #expect(await hand.choose(row)) }
        let title = MenuWorld.offered(wanted)
        var typed = ""
        while let wheel = hand.wheel, !wheel.found.rows.prefix(4).contains(where: { $0.title == title }) {
          let next = String(title.lowercased().dropFirst(typed.count).prefix(1))
          guard !next.isEmpty, await hand.type(next) else { break }
          typed += next
        }
        await hand.move(.turn(-(hand.wheel?.focus ?? 0)))
        await hand.move(.press)
        for row in [title, "Play, keep, more", "Keep offline"] { #expect(await hand.choose(row), "\(row)") }
        #expect(hand.world.performed.last == .keep(MenuWorld.offer(wanted), .lossless, isAnyway: false))
        most = max(most, hand.detents + hand.presses)
      }
      #expect(most <= 60, "\(most) detents and presses")
    }
  }

  @Test("what has no room is asked about first, and what is kept says how far it is and can be taken away again")
  func room() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      hand.world.room = 1_000
      await hand.move(.open)
      for row in ["Keep offline", "kitchen", "Albums", MenuWorld.offered(2), "Play, keep, more", "Keep offline"] {
        #expect(await hand.choose(row))
      }
      #expect(hand.world.performed.isEmpty && hand.desk.shown?.title.contains("Only room for 1.0 kB") == true)
      hand.world.keptOffer = ShownDownload(DownloadID("9", MenuWorld.offered(2)), .running)
      #expect(await hand.choose("Keep what fits"))
      #expect(hand.world.performed == [.keep(MenuWorld.offer(2), .lossless, isAnyway: true)])
      #expect(hand.desk.shown?.title == MenuWorld.offered(2))
      #expect(hand.rows.first?.head?.facts == ["Songs: 8", "41 min", "Downloading"])
      for row in ["Play, shuffle, more", "Stop keeping", "Stop keeping"] { #expect(await hand.choose(row)) }
      #expect(hand.world.performed.last == .stopKeeping(MenuWorld.offer(2)))
    }
  }

  @Test("how long it takes stands beside how much it is, once that was measured; without sizes its songs are counted")
  func howLong() {
    for (language, shown, asked) in [
      (PanelLanguage.english, "about 6 min · Fits", "A: 412 MB, about 6 min. Only room for 9.0 MB"),
      (.german, "etwa 6 min · Passt", "A: 412 MB, etwa 6 min. Nur 9,0 MB Platz"),
    ] {
      let pages = MenuPages(MenuContext(.of(language)), .all)
      let id = MenuWorld.offer(1)
      var details = OfferDetails(
        ShownOffer(OfferID(source: id.source, kind: .album, id: id.id, title: "A"), count: 12),
        OfferSize(.high, bytes: 412_000_000, room: 9_000_000_000))
      #expect(pages.keeping(details).first?.detail.contains("6") == false)
      details.size.time = .seconds(360)
      #expect(pages.keeping(details).first?.detail == shown && pages.keeping(details).first?.value == "412 MB")
      details.size.room = 9_000_000
      guard case .open(.sure(let question))? = pages.keeping(details).first?.action else {
        Issue.record("what does not fit is asked about")
        continue
      }
      #expect(question.text == asked)
      (details.size.bytes, details.size.toFetch, details.size.time) = (0, 0, nil)
      let unknown = pages.keeping(details).first
      #expect(unknown?.value == pages.counted(12) && unknown?.detail == "")
    }
  }

  @Test("what is partly here says so beside its size, on its page, where it is kept, and where it is asked about")
  func partlyHere() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      (hand.world.offeredBytes, hand.world.offeredHere) = (13_000_000, 3_000_000)
      await hand.move(.open)
      for row in ["Keep offline", "kitchen", "Albums", MenuWorld.offered(2)] { #expect(await hand.choose(row)) }
      let here = "3.0 MB of it here already"
      #expect(hand.rows[0].head?.facts == ["Songs: 8", "41 min", "13 MB", here, "Fits"])
      // What is here needs no more room.
      hand.world.room = 10_000_000
      #expect(await hand.choose("Play, keep, more"))
      let keep = hand.rows.first { $0.title == "Keep offline" }
      #expect(keep?.value == "13 MB" && keep?.detail == "41 min of music · \(here) · Fits")
      await hand.move(.back)
      hand.world.room = 9_000_000
      for row in ["Play, keep, more", "Keep offline"] { #expect(await hand.choose(row)) }
      #expect(hand.desk.shown?.title == "\(MenuWorld.offered(2)): 13 MB. \(here). Only room for 9.0 MB")
      for _ in 0..<2 { await hand.move(.back) }
      hand.world.offeredHere = 13_000_000
      hand.desk.refresh()
      await hand.desk.settled()
      #expect(hand.rows[0].head?.facts == ["Songs: 8", "41 min", "13 MB", "All here, as part of something else"])
    }
  }

  @Test("an album of a source is shown as one of the library: its head, and songs that a press plays, with their marks")
  func sourceAlbum() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      let album = MenuWorld.offer(2)
      await hand.move(.open)
      for row in ["Keep offline", "kitchen", "Albums", album.title] { #expect(await hand.choose(row)) }
      let head = MenuHead(album.title, artist: "Somebody", facts: ["Songs: 8", "41 min", "5.0 MB", "Fits"])
      #expect(hand.rows[0].head == head && hand.rows[0].art == .offer(album) && hand.focus == 1)
      #expect(hand.rows.dropFirst().map(\.mark) == [.streamed, .stored, .waits])
      // The artist only where it is not the page's.
      #expect(hand.rows.dropFirst().map(\.detail) == ["", "A guest", ""])
      let scene = hand.desk.shown?.scene(.english)
      #expect(scene?.place == album.title && scene?.focus == "Track 1" && scene?.value == "Streams")
      await hand.move(.turn(1))
      await hand.move(.more)
      #expect(hand.desk.shown?.title == "Track 2" && hand.rows[0].title == "Play from here")
      await hand.move(.back)
      hand.world.isOffline = true
      hand.desk.refresh()
      await hand.desk.settled()
      #expect(hand.rows.dropFirst().map(\.mark) == [.away, .stored, .waits] && hand.focus == 2)
      await hand.move(.press)
      let song = Thing(.offer(MenuWorld.track(2), within: album), "Track 2", "A guest")
      #expect(hand.world.performed == [.play(song)] && !hand.desk.isOpen)
    }
  }

  @Test("a source's album of any length is gone through to its end, and its head stands before the first song again")
  func longSourceAlbum() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      hand.world.offeredTracks = 1_000
      await hand.move(.open)
      for row in ["Keep offline", "kitchen", "Albums", MenuWorld.offered(2)] { #expect(await hand.choose(row)) }
      for _ in 0..<40 { await hand.move(.turn(60)) }
      #expect(hand.rows.last?.title == "Track 1000")
      // What changes by itself is looked at again where one is.
      hand.desk.refresh()
      await hand.desk.settled()
      #expect(hand.rows[hand.focus].title == "Track 1000")
      for _ in 0..<40 { await hand.move(.turn(-60)) }
      #expect(hand.rows.first?.head != nil && hand.rows[1].title == "Track 1")
    }
  }

  @Test("what came from a source is kept, and given up, from where it is found; one's own files offer neither")
  func keptFromLibrary() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      let track = MenuWorld.track(1)
      @MainLoop func rows() -> [String] { hand.rows.map(\.title) }
      await hand.move(.open)
      for row in ["Music", "Songs"] { #expect(await hand.choose(row)) }
      await hand.move(.more)
      #expect(!rows().contains("Keep offline") && !rows().contains("Stop keeping"))
      await hand.move(.back)
      hand.world.keepable = OfferDetails(ShownOffer(track), OfferSize(.high, bytes: 5_000_000, room: 9_000_000))
      await hand.move(.more)
      let keep = hand.rows.first { $0.title == "Keep offline" }
      #expect(keep?.value == "5.0 MB" && keep?.detail == "Fits")
      #expect(await hand.choose("Keep offline"))
      #expect(hand.world.performed == [.keep(track, .high, isAnyway: false)] && hand.desk.shown?.title == "Songs")
      var kept = ShownDownload(DownloadID("", track.title), .whole)
      kept.bytes = 5_000_000
      hand.world.keepable?.kept = kept
      await hand.move(.more)
      #expect(hand.rows.first { $0.title == "Stop keeping" }?.value == "5.0 MB" && rows().contains("All here"))
      for row in ["Stop keeping", "Stop keeping"] { #expect(await hand.choose(row)) }
      #expect(hand.world.performed.last == .stopKeeping(track) && hand.desk.shown?.title == "Songs")
      // An album, by its row of actions; and what plays, in the queue.
      for row in ["Music", "Albums", "", "Play, shuffle, more"] {
        if row == "Music" { for move in [Controls.MenuMove.close, .open] { await hand.move(move) } }
        #expect(await hand.choose(row))
      }
      #expect(rows().contains("Stop keeping"))
      for move in [Controls.MenuMove.close, .open] { await hand.move(move) }
      #expect(await hand.choose("Queue"))
      await hand.move(.more)
      #expect(rows().contains("Stop keeping"))
    }
  }

  @Test("another quality is chosen by what it would need")
  func quality() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      await hand.move(.open)
      for row in ["Keep offline", "kitchen", "Albums", MenuWorld.offered(2), "Play, keep, more", "Quality"] {
        #expect(await hand.choose(row))
      }
      #expect(hand.rows.map(\.value) == ["1.0 MB", "2.0 MB", "3.0 MB", "4.0 MB", "5.0 MB"])
      #expect(await hand.choose("High"))
      #expect(hand.world.performed == [.keep(MenuWorld.offer(2), .high, isAnyway: false)])
      #expect(hand.desk.shown?.title == MenuWorld.offered(2))
    }
  }

  @Test("a long list of a source is gone through by letters, and to its end")
  func letters() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      hand.world.offeredCount = 1_000
      await hand.move(.open)
      for row in ["Keep offline", "kitchen", "Albums"] { #expect(await hand.choose(row)) }
      let first = hand.rows[hand.focus].title
      await hand.move(.leap(2))
      #expect(hand.rows[hand.focus].title.first != first.first)
      for _ in 0..<40 { await hand.move(.turn(60)) }
      #expect(hand.rows.last?.title == MenuWorld.offered(999))
      for _ in 0..<40 { await hand.move(.turn(-60)) }
      #expect(hand.rows.first?.title == MenuWorld.offered(0))
    }
  }

  @Test("entries of a list and of the queue change places, and the ends have only one way")
  func order() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      await hand.move(.open)
      for row in ["Playlists", "Mine"] { #expect(await hand.choose(row)) }
      #expect(await hand.chooseMore("First"))
      #expect(!hand.rows.contains { $0.title == "Move up" })
      #expect(await hand.choose("Move down"))
      #expect(hand.world.performed.last == .moveInPlaylist(1, entry: 1, behind: 2))
      // It can be moved on and on.
      #expect(hand.desk.shown?.title == "First")
      await hand.move(.back)
      #expect(await hand.chooseMore("Third"))
      #expect(await hand.choose("Move up"))
      #expect(hand.world.performed.last == .moveInPlaylist(1, entry: 3, behind: 1))
      await hand.move(.back)
      #expect(await hand.chooseMore("Second"))
      #expect(await hand.choose("Remove from the list"))
      #expect(hand.world.performed.last == .removeFromPlaylist(1, entry: 2) && hand.desk.shown?.title == "Mine")
    }
  }

  @Test("a key is taught: the next that is pressed, and nothing else is listened to once the place is left")
  func teaching() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      await hand.move(.open)
      for row in ["Settings", "Keys and buttons", "Next track", "Teach a key"] { #expect(await hand.choose(row)) }
      #expect(hand.world.listening == .key(.button(.next)))
      await hand.move(.back)
      #expect(hand.world.listening == nil && hand.desk.shown?.title == "Next track")
      #expect(await hand.choose("Teach a key"))
      hand.desk.hear(InputProgress(isOver: true))
      #expect(hand.world.listening == nil && hand.desk.shown?.title == "Next track")
      #expect(await hand.choose("Teach a key"))
      await hand.move(.close)
      #expect(hand.world.listening == nil)
    }
  }

  @Test("a knob is looked at while its page is open: what it sees is shown, and what it found until it is left")
  func knob() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      await hand.move(.open)
      for row in ["Settings", "Keys and buttons", "The knob"] { #expect(await hand.choose(row)) }
      #expect(hand.world.listening == .knob)
      #expect(hand.desk.shown?.content == .heard(InputProgress(PanelWords.english[.turnSlowly])))
      hand.desk.hear(InputProgress("Turn", progress: (3, 10)))
      #expect(hand.desk.shown?.content == .heard(InputProgress("Turn", progress: (3, 10))))
      hand.desk.hear(InputProgress("H-251: the line GPIO17 never moves"))
      #expect(hand.desk.shown?.content == .heard(InputProgress("H-251: the line GPIO17 never moves")))
      await hand.move(.press)
      #expect(hand.world.listening == nil && hand.desk.shown?.title == "Keys and buttons")
      // Late news is nobody's.
      hand.desk.hear(InputProgress("Turn", progress: (4, 10)))
      #expect(hand.desk.shown?.title == "Keys and buttons")
    }
  }

  @Test("the volume follows the knob at once, all else a press; holding the knob leaves every number as it was")
  func dials() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      var values: [Int] {
        hand.world.performed.compactMap { if case .setDial(let dial) = $0 { dial.value } else { nil } }
      }
      await hand.move(.open)
      for row in ["Sound", "Volume"] { #expect(await hand.choose(row)) }
      #expect(hand.desk.shown?.hint == "Press: keep. Hold: as before")
      await hand.move(.turn(2))
      await hand.move(.turn(-1))
      #expect(values == [4, 2])
      await hand.move(.press)
      #expect(values == [4, 2] && hand.desk.shown?.title == "Sound")
      #expect(await hand.choose("Volume"))
      await hand.move(.turn(3))
      await hand.move(.back)
      #expect(values == [4, 2, 6, 0] && hand.desk.shown?.title == "Sound", "as loud as when it was opened")
      #expect(await hand.choose("Crossfade"))
      await hand.move(.turn(3))
      await hand.move(.back)
      #expect(values.count == 4 && hand.desk.shown?.title == "Sound")
      #expect(await hand.choose("Crossfade"))
      await hand.move(.turn(3))
      await hand.move(.press)
      guard case .setDial(let dial)? = hand.world.performed.last else { return #expect(Bool(false)) }
      #expect(dial.subject == .crossfade && dial.value == 3 && values.count == 5)
      // The way home leaves it as it is seen.
      #expect(await hand.choose("Crossfade"))
      await hand.move(.turn(5))
      await hand.move(.close)
      #expect(values.last == 5 && !hand.desk.isOpen)
    }
  }

  @Test("how all is made equally loud stands on one page, as it sounds, and is chosen there")
  func equalLoudness() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      // As a verb has set it, until the next start; the owner's setting is another one.
      hand.world.status.sounding.normaliser = .track
      await hand.move(.open)
      #expect(await hand.choose("Sound"))
      #expect(hand.rows.first { $0.title == "Equal loudness" }?.value == "Each track")
      #expect(await hand.choose("Equal loudness"))
      #expect(hand.rows.prefix(4).map(\.title) == ["Off", "Each track", "Each album", "Automatic"])
      #expect(hand.rows.first { $0.sign == .current }?.title == "Each track")
      #expect(await hand.choose("Automatic"))
      #expect(hand.world.performed == [.normaliser(.automatic)] && hand.desk.shown?.title == "Equal loudness")
      for row in ["Settings", "Sound options"] {
        await hand.move(.close)
        await hand.move(.open)
        #expect(await hand.choose("Settings"))
        if row != "Settings" { #expect(await hand.choose(row)) }
        #expect(!hand.rows.contains { $0.title == "Equal loudness" })
      }
    }
  }

  @Test("the sleep timer counts down wherever it has a row, and nothing is looked up for one that is off")
  func timer() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      @MainLoop func set(_ seconds: Int) {
        (hand.world.status.sleep, hand.world.status.sleepsIn) = (.time(.seconds(1_800)), .seconds(seconds))
      }
      @MainLoop func value(_ title: String) -> String? { hand.rows.first { $0.title == title }?.value }
      @MainLoop func pass() async {
        await MainLoop.loop.advance(by: MenuController.liveEvery)
        await hand.desk.settled()
      }
      set(1_800)
      await hand.move(.open)
      #expect(value("Sleep timer") == "30 min")
      set(1_739)
      await pass()
      #expect(value("Sleep timer") == "29 min")
      #expect(await hand.choose("Sound"))
      set(61)
      await pass()
      #expect(value("Sleep timer") == "2 min")
      #expect(await hand.choose("Sleep timer"))
      set(60)
      await pass()
      #expect(value("30 min") == "60 s" && value("15 min") == "")
      #expect(hand.rows.first { $0.sign == .current }?.title == "30 min")
      await hand.move(.back)
      (hand.world.status.sleep, hand.world.status.sleepsIn) = (.track, .seconds(90))
      await pass()
      #expect(value("Sleep timer") == "60 s", "of what does not count by the clock nothing is looked up")
      hand.desk.refresh()
      await hand.desk.settled()
      #expect(value("Sleep timer") == "After this track")
    }
  }

  @Test("room for music is turned by round numbers, to no more than the disk has; more in the file stays as it is")
  func spaceForMusic() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      hand.world.storing.total = 62_500_000_000
      hand.world.settings[.offlineLimit] = 10
      await hand.move(.open)
      for row in ["Settings", "Offline music", "Space for music"] { #expect(await hand.choose(row)) }
      var seen: [String] = []
      for steps in [0, 1, 1, 1, 1, -3, -3, -9] {
        await hand.move(.turn(steps))
        seen.append(hand.desk.shown?.scene(.english).value ?? "")
      }
      #expect(seen == ["10 GB", "20 GB", "50 GB", "62 GB", "62 GB", "10 GB", "1 GB", "1 GB"])
      await hand.move(.turn(1))
      await hand.move(.press)
      guard case .setDial(let dial)? = hand.world.performed.last else { return #expect(Bool(false)) }
      #expect(dial.value == 2 && hand.world.performed.count == 1)
      // More than there is.
      hand.world.settings[.offlineLimit] = 500
      hand.desk.refresh()
      await hand.desk.settled()
      #expect(hand.rows.first { $0.title == "Space for music" }?.value == "62 GB")
      #expect(await hand.choose("Space for music"))
      await hand.move(.press)
      #expect(hand.world.performed.count == 1, "nobody has turned it")
      // What a download waits for leads to the same number.
      hand.world.storing.total = nil
      await hand.move(.at(.setting(Setting<Int>.offlineLimit.name)))
      #expect(hand.rows.first?.value == "500 GB" && hand.rows.dropFirst().allSatisfy(\.isText))
    }
  }

  @Test("hours of the day are set by two numbers that go round, never both the same")
  func hours() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      await hand.move(.open)
      for row in ["Settings", "Offline music", "Download hours"] { #expect(await hand.choose(row)) }
      #expect(hand.rows.first { $0.sign == .current }?.title == "Always")
      #expect(hand.rows.first { $0.title == "From" }?.value == "")
      hand.world.settings[.offlineHours] = DayHours(from: 23 * 60, to: 30)
      hand.desk.refresh()
      await hand.desk.settled()
      #expect(hand.rows.first { $0.title == "From" }?.value == "23:00")
      #expect(await hand.choose("From"))
      var seen: [String] = []
      for _ in 0..<4 {
        await hand.move(.turn(1))
        seen.append(hand.desk.shown?.scene(.english).value ?? "")
      }
      #expect(seen == ["23:30", "0:00", "1:00", "1:30"], "0:30 is where they end")
      await hand.move(.turn(-2))
      await hand.move(.press)
      guard case .setDial(let dial)? = hand.world.performed.last else { return #expect(Bool(false)) }
      #expect(dial.value == 0 && dial.subject == .hours(Setting<DayHours?>.offlineHours.name, .from, other: 30))
    }
  }
}
