import Application
import Audio
import Hardware
import Playback
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Library
@testable import Panel
@testable import layby

/// What somebody stumbled over who had the panel before them for the first time, and no manual.
@Suite("A newcomer")
struct NewcomerTests {
  private static func row(_ title: String, _ kind: Row.Kind = .track) -> Row { Row(kind: kind, id: 1, title: title) }

  @Test("finds first what is called so, then what has all the words, then what only lies where something is")
  func rank() {
    let titles = ["Winter Harbour", "The Burning Tower", "Tower, Burning", "Burning Tower", "burning towers (live)"]
    let sorted = SearchRank("burning tow").sorted(titles.map { Self.row($0) }).map(\.title)
    #expect(
      sorted == ["Burning Tower", "burning towers (live)", "The Burning Tower", "Tower, Burning", "Winter Harbour"])
    #expect(SearchRank("").sorted(titles.map { Self.row($0) }).map(\.title) == titles)
  }

  @Test("sees each letter that leads on, where there is room for all of them", arguments: 1...9)
  func letters(count: Int) async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      let screen = MenuScreen(PanelLook(type: type))
      let measure = ListLayout(Size(width: 320, height: 240), footLines: 1)
      var wheel = LetterWheel(typed: "b")
      wheel.offer((0..<count).map { "\($0)" }, found: .init())
      let cells = screen.cells(wheel, measure)
      let room = measure.room.width / (cells.first?.rect.width ?? 1)
      let all = wheel.choices.count
      #expect(Set(cells.map(\.choice.description)).count == cells.count, "none twice")
      #expect(cells.count == all || cells.count >= room - 1, "\(cells.count) of \(all) in \(room)")
      #expect(cells.allSatisfy { measure.room.contains($0.rect) })
    }
  }

  @Test("reads what is asked for beside what was written, where both have room, and touches what takes a letter back")
  func asked() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      var wheel = LetterWheel(typed: "12", .pin)
      wheel.offer((0...9).map { "\($0)" }, found: .init())
      #expect(
        wheel.title(beside: "PIN", .english) == "PIN: ••" && wheel.title(beside: "PIN", .french) == "PIN\u{A0}: ••")
      #expect(wheel.title(beside: "The name of a new playlist", .english) == "••")
      #expect(LetterWheel(typed: "blu").title(beside: "Search", .english) == "Blu")
      var search = LetterWheel()
      search.offer(["1", "9", "A", "Z"], found: .init())
      #expect(search.choices == ["A", "Z", "1", "9"].map { .letter($0) } && search.focused == .letter("A"))
      let empty = MenuPages(MenuContext(on: .wide), SettingsTable([])).playlist(
        OwnPlaylist(id: 1, name: "x", count: 0), [])
      #expect(empty.first?.title == "Add songs" && empty.first?.action == .open(.library))
      #expect(LetterWheel(typed: "", .pin).title(beside: "PIN", .english) == "PIN")
      wheel = LetterWheel(typed: "12", .newPlaylist(nil))
      wheel.offer((0...9).map { "\($0)" }, found: .init())
      let touched = MenuScreen(PanelLook(type: type, style: PanelStyle(.home, isTouched: true)))
      let cells = touched.cells(wheel, ListLayout(Size(width: 320, height: 240), footLines: 1))
      #expect(cells.count == wheel.choices.count && Set(cells.map(\.step)).count == cells.count)
      #expect(cells.prefix(2).map(\.choice) == [.results, .delete])
      for cell in cells {
        var turned = wheel
        turned.turn(by: cell.step)
        #expect(turned.focused == cell.choice)
      }
    }
  }

  @Test("touches the digits of a PIN where a telephone has them, and each key is that of its step on the wheel")
  func keypad() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      for (size, profile, lines) in [
        (
          Size(width: 480, height: 800), PanelProfile.home,
          [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["⌫", "0", "✓"]]
        ),
        (Size(width: 480, height: 320), .home, [["1", "2", "3", "⌫"], ["4", "5", "6", "0"], ["7", "8", "9", "✓"]]),
      ] {
        let style = PanelStyle(profile, isTouched: true)
        let screen = MenuScreen(PanelLook(type: type, style: style))
        for typed in ["", "1234"] {
          var wheel = LetterWheel(typed: typed, .pin)
          wheel.offer((0...9).map { "\($0)" }, found: .init())
          let layout = ListLayout(size, style, footLines: 1)
          let cells = screen.cells(wheel, layout)
          let places = Dictionary(grouping: cells) { $0.rect.y }.sorted { $0.key < $1.key }
          let seen = places.map { $0.value.sorted { $0.rect.x < $1.rect.x }.map { MenuScreen.sign(of: $0.choice) } }
          #expect(seen == (typed.isEmpty ? lines.map { $0.filter { "0"..."9" ~= $0 } } : lines), "\(size)")
          for cell in cells {
            var turned = wheel
            turned.turn(by: cell.step)
            #expect(turned.focused == cell.choice && layout.room.contains(cell.rect))
            #expect(cell.rect.width >= layout.cell && cell.rect.height >= layout.cell)
          }
        }
      }
    }
  }

  @Test("sees each sign of the wheel whole")
  func signs() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      for size in [Size(width: 128, height: 64), Size(width: 320, height: 240), Size(width: 800, height: 480)] {
        let screen = MenuScreen(PanelLook(type: type))
        var said: [DrawnText] = []
        var wheel = LetterWheel(typed: "b ")
        wheel.offer(["w", "m"], found: .init([MenuRow("B")]))
        wheel.turn(by: -1)
        let canvas = Canvas(size: size)
        canvas.heard = { said.append($0) }
        screen.draw(ShownMenu { $0.content = .wheel(wheel) }, on: canvas)
        let drawn = Set(said.filter(\.isWhole).map(\.text))
        #expect(drawn.isSuperset(of: ["✓", "W", "M", "⌫"]), "\(size): \(drawn)")
      }
    }
  }

  @Test("counts a list's own rows, and not what can be done with it")
  func counter() {
    var window = RowWindow()
    let heads = ["Play all", "Shuffle all"].map { MenuRow($0) }
    window.show(heads + RowWindowTests.rows(0..<8), goesOn: false)
    var level = Menu.Level(place: .library, content: .rows(window), number: 1)
    #expect(ShownMenu(level, .english).place == "")
    window.turn(by: 2)
    level.content = .rows(window)
    #expect(ShownMenu(level, .english).place == "1/8")
    window.turn(by: 7)
    level.content = .rows(window)
    #expect(ShownMenu(level, .english).place == "8/8")
    // Of a page of the panel's own the way back is none, and a text is none.
    window = RowWindow()
    let text = ["It is so because", "of this"].map { MenuRow($0) { $0.isText = true } }
    let ways = [MenuRow("Go to a time", .open(.goTo)), MenuRow("Shuffle", .perform(.setShuffle(true)))]
    window.show(
      [MenuRow("Waiting")] + ways + text + [MenuRow("Chapters", .open(.chapters)), MenuRow("Back", .back)],
      goesOn: false)
    for wanted in ["1/4", "2/4", "3/4", "", "", "4/4", ""] {
      level.content = .rows(window)
      #expect(ShownMenu(level, .english).place == wanted, "\(window.focused?.title ?? "")")
      window.turn(by: 1)
    }
  }

  @Test(
    "is shown the music by a press on the song that plays, in every list, and by two what can be done with any song")
  func current() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(20))
      await hand.move(.open)
      (hand.world.current, hand.world.playingOfPlaylist, hand.world.playingOffered) = (2, 2, 2)
      let places: [MenuPlace] = [
        .queue, .list(.tracks(.music), named: "Songs"), .list(.tracksOf(album: 1), named: "An album"),
        .list(.recentlyPlayed, named: "Recently played"), .found(hand.world.songs[2].title),
        .playlist(hand.world.lists[0]),
        .offer(MenuWorld.offer(1)),
      ]
      for place in places {
        for (wish, isNew) in [(Player.PlaybackState.playing, false), (.paused, true)] {
          hand.world.status.wish = wish
          hand.world.performed = []
          await hand.move(.at(place))
          guard let current = hand.rows.firstIndex(where: { $0.sign == .current }) else {
            Issue.record("\(place): none is marked")
            continue
          }
          await hand.move(.turn(current - hand.focus))
          await hand.move(.press)
          // Where it rests, a press goes on with it.
          #expect(!hand.desk.isOpen && hand.world.performed.isEmpty != isNew, "\(place)")
          hand.world.performed = []
          for step in [0, 1] {
            await hand.move(.at(place))
            await hand.move(.turn(current - hand.focus + step))
            let title = hand.rows[hand.focus].title
            #expect(hand.rows[hand.focus].hasSecondPress, "\(place)")
            await hand.move(.more)
            #expect(hand.desk.shown?.title == title && hand.rows.contains { $0.action == .back }, "\(place)")
            await hand.move(.close)
          }
          #expect(hand.world.performed.isEmpty)
        }
      }
    }
  }

  @Test(
    "reads on the page of keys what presses of the knob do, and what the board binds a double one to",
    arguments: PanelLanguage.allCases)
  func knobHelp(language: PanelLanguage) {
    let words = PanelWords.of(language)
    let pages = MenuPages(MenuContext(words, on: .large), .all)
    func said(_ settings: Settings, _ knob: InputLearning.Knob = .learned) -> String {
      pages.keys([], knob: knob, settings: settings).filter(\.isText).map(\.title).joined(separator: " ")
    }
    #expect(said(Settings()).contains(words[.nextTrack]) && !said(Settings()).contains(words[.mute]))
    var settings = Settings()
    settings[.gestures("mute")] = [.double("knob")]
    let bound = said(settings)
    #expect(bound.contains(words[.mute]) && !bound.contains(words[.nextTrack]))
    #expect(said(Settings(), .none).isEmpty)
  }

  @Test("sees which queue can be had back")
  func former() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(20))
      await hand.move(.open)
      #expect(await hand.choose("Queue"))
      await hand.move(.turn(-60))
      #expect(!hand.rows.contains { $0.title == "Previous queue" })
      hand.world.former = ShownFormerQueue("So What", count: 12)
      hand.desk.refresh()
      await hand.desk.settled()
      let row = hand.rows.first { $0.title == "Previous queue" }
      #expect(row?.detail == "So What" && row?.value == "12")
      #expect(await hand.choose("Previous queue"))
      #expect(hand.world.performed == [.playFormer])
    }
  }

  @Test("sees beside Settings that there are notices, and how many of them only where they are", arguments: [0, 1, 16])
  func notices(new: Int) {
    let now = MenuPages.Now(status: PlayerStatus(), notices: new, sticks: 0, fetches: true)
    let rows = MenuPages(MenuContext(), .all).menu(now)
    #expect(rows.first { $0.title == "Settings" }?.value == (new > 0 ? "Notices" : ""))
    let settings = MenuPages(MenuContext(), .all).settings(waiting: [], notices: new)
    #expect(settings.first { $0.title == "Notices" }?.value == (new > 0 ? "\(new)" : ""))
  }

  @Test("sees while writing what is first in the list of all that is found")
  func preview() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(3_000))
      await hand.move(.open)
      #expect(await hand.choose("Search"))
      await hand.move(.press)
      guard case .wheel(let wheel)? = hand.desk.shown?.content else {
        Issue.record("no wheel")
        return
      }
      let preview = wheel.found.rows.map(\.title)
      while case .wheel(let wheel)? = hand.desk.shown?.content, wheel.focused != .results { await hand.move(.turn(1)) }
      await hand.move(.press)
      #expect(!preview.isEmpty && Array(hand.rows.map(\.title).prefix(preview.count)) == preview)
    }
  }

  @Test("sees what is kept offline in every list and in what is found, which is asked once for a page")
  func kept() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(3_000))
      hand.world.marks = [.stored, .waits]
      hand.world.lists[0].mark = .waits
      @MainLoop func marks() -> [MenuMark?] { hand.rows.filter { $0.head == nil }.prefix(3).map(\.mark) }
      var asked = 0
      for list in ["Albums", "Artists", "Songs"] {
        await hand.move(.close)
        await hand.move(.open)
        for row in ["Music", list] { #expect(await hand.choose(row)) }
        asked += 1
        #expect(marks() == [.stored, .waits, nil] && hand.world.markings == asked, "\(list)")
        guard list == "Artists" else { continue }
        await hand.move(.press)
        asked += 1
        #expect(hand.rows[0].head != nil && marks() == [.stored, .waits, nil])
      }
      #expect(hand.desk.shown?.scene(.english).value == "Kept")
      await hand.move(.turn(40))
      #expect(hand.world.markings == asked + 1)
      await hand.move(.close)
      await hand.move(.open)
      #expect(await hand.choose("Search"))
      await hand.move(.press)
      await hand.move(.turn(-(hand.wheel?.focus ?? 0)))
      await hand.move(.press)
      #expect(marks() == [.stored, .waits, nil] && hand.world.markings == asked + 2)
      await hand.move(.close)
      await hand.move(.open)
      #expect(await hand.choose("Playlists"))
      #expect(hand.rows.first?.mark == .waits)
    }
    // Where its disk is not in, that is what counts.
    var away = Row(kind: .album, id: 7, title: "Signs")
    away.isPresent = false
    let row = MenuPages(MenuContext(), SettingsTable([])).row(away, in: .albums(.music), .stored)
    #expect(row.mark == .away && row.isDim)
  }

  @Test("is told while writing how many there are in the list of all that is found, where the letters lead there")
  func count() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(3_000))
      await hand.move(.open)
      #expect(await hand.choose("Search"))
      #expect(hand.desk.shown?.place == "")
      var told: Set<String> = []
      for _ in 0..<4 {
        guard let letter = hand.wheel?.choices.first(where: { if case .letter = $0 { true } else { false } }),
          case .letter(let next) = letter
        else { break }
        #expect(await hand.type(next))
        let count = hand.desk.shown?.place ?? ""
        await hand.move(.turn(-(hand.wheel?.focus ?? 0)))
        let hint = hand.desk.shown?.hint
        #expect(hint == (count == "1" ? "Show what is found" : "Show all \(count)"))
        #expect(hand.desk.shown?.scene(.english).focus == hint)
        await hand.move(.press)
        for _ in 0..<10 { await hand.move(.turn(60)) }
        let all = hand.desk.shown?.place.split(separator: "/").last.map { String($0) } ?? "1"
        #expect(count == (all == "150" && count != "150" ? "150+" : all))
        told.insert(count)
        await hand.move(.back)
      }
      #expect(told.contains("150+") && told.contains { $0 != "150+" }, "\(told)")
    }
  }

  @Test("is told the same of what a source has")
  func countOfSource() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      hand.world.offeredCount = 1_000
      await hand.move(.open)
      for row in ["Keep offline", "kitchen", "Search"] { #expect(await hand.choose(row)) }
      #expect(await hand.type("d"))
      #expect(hand.desk.shown?.place == "100" && hand.wheel?.found.rows.count == 6)
      await hand.move(.turn(-(hand.wheel?.focus ?? 0)))
      #expect(hand.desk.shown?.hint == "Show all 100")
    }
  }

  @Test("is offered to shuffle what has several songs, and told how many there are, wherever it comes from")
  func alone() {
    let pages = MenuPages(MenuContext(), SettingsTable([]))
    let id = OfferID(source: "kitchen", kind: .album, id: "1", title: "Signs")
    for count in [1, 2] {
      var album = Row(kind: .album, id: 7, title: "Signs")
      album.count = Int64(count)
      let offer = ShownOffer(id, count: count)
      let details = OfferDetails(offer, OfferSize(.lossless, bytes: 1, room: 2))
      var kept = details
      kept.kept = ShownDownload(DownloadID("kitchen:album:1", "Signs"), .whole)
      let heads: [MenuRow?] = [
        pages.heads(of: .tracksOf(album: 7), named: "Signs", album: album).first,
        pages.heads(of: .playlist(1), named: "Signs", total: ListTotal(count: count, length: nil)).first,
        pages.head(of: kept), pages.head(of: details),
      ]
      let one = ["Play, more", "Play, more", "Play, more", "Play, keep, more"]
      let several = ["Play, shuffle, more", "Play, shuffle, more", "Play, shuffle, more", "Play, keep, more"]
      #expect(heads.map { $0?.title } == (count == 1 ? one : several))
      #expect(heads.allSatisfy { $0?.head?.facts.contains("Songs: \(count)") == (count > 1) })
      // Also where its row is pressed twice in a list.
      let rows = [
        pages.row(album, in: .albums(.music)), pages.offer(offer, in: OfferQuery("kitchen", .album), isAway: false),
      ]
      let opened = heads.map { head -> MenuPlace? in
        if case .open(let place)? = head?.action { place } else { nil }
      }
      for place in rows.map(\.more) + opened {
        guard case .thing(let thing)? = place else {
          Issue.record("it leads nowhere")
          continue
        }
        #expect(pages.thing(thing).contains { $0.title == "Shuffle all" } == (count > 1))
      }
      let own = (1...count).map { PlaylistRow(Int64($0), "\($0)", "") }
      let list = pages.playlist(OwnPlaylist(id: 1, name: "Mine", count: count), own)
      #expect(list.contains { $0.title == "Shuffle all" } == (count > 1))
    }
  }

  static let lengths: [(seconds: Int?, told: [String])] = [
    (nil, []), (1, ["1 min"]), (2_880, ["48 min"]), (3_569, ["59 min"]), (3_571, ["1 h"]), (33_120, ["9 h 12 min"]),
  ]

  @Test("is told how long an album plays where that is known, and of books and podcasts what they consist of")
  func lengths() {
    let pages = MenuPages(MenuContext(), SettingsTable([]))
    for (media, word) in [(Metadata.Kind.music, "Songs"), (.book, "Parts"), (.podcast, "Episodes")] {
      for (seconds, told) in Self.lengths {
        var album = Row(kind: .album, id: 7, title: "Signs")
        (album.count, album.media, album.year) = (9, media, 1999)
        let total = ListTotal(count: 9, length: seconds.map { .seconds($0) })
        let head = pages.heads(of: .tracksOf(album: 7), named: "Signs", album: album, total: total).first
        #expect(head?.head?.facts == ["1999", "\(word): 9"] + told)
      }
    }
  }

  @Test("is told on the page of an album how long it plays, at its begin and when it is gone back to")
  func totals() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(300))
      hand.world.total = ListTotal(count: 300, length: .seconds(60_000))
      await hand.move(.open)
      for row in ["Music", "Albums", ""] { #expect(await hand.choose(row)) }
      #expect(hand.rows.first?.head?.facts == ["1959", "Songs: 300", "16 h 40 min"])
      for way in [60, -60] { for _ in 0..<10 { await hand.move(.turn(way)) } }
      #expect(hand.rows.first?.head?.facts == ["1959", "Songs: 300", "16 h 40 min"])
    }
  }

  @Test("is told that nothing is on its way, and by the gesture of their hands how music is kept, if they may do it")
  func noDownloads() {
    func said(_ manner: MenuContext) -> [String] { MenuPages(manner, SettingsTable([])).downloads([]).map(\.title) }
    let (nothing, back) = ("Nothing is on its way", "Back")
    #expect(
      said(MenuContext()) == [nothing, "Press an album of a source twice,", "then choose Keep offline", back])
    let byTouch = ["Hold an album of a source,", "then choose Keep offline"]
    #expect(said(MenuContext(isTouched: true)) == [nothing] + byTouch + [back])
    #expect(said(MenuContext(rights: AccessRights(only: [.downloads], opensByPIN: true))) == [nothing, back])
    // In each language by the name of the row that does it.
    for language in PanelLanguage.allCases {
      let words = PanelWords.of(language)
      for isTouched in [false, true] {
        let rows = MenuPages(MenuContext(words, isTouched: isTouched), SettingsTable([])).downloads([])
        #expect(rows.map(\.title).joined().filter { $0 != " " }.contains(words[.keepOffline].filter { $0 != " " }))
      }
    }
  }

  @Test("is told of what is all here only how to give it up")
  func downloads() {
    let pages = MenuPages(MenuContext(), SettingsTable([]))
    let id = OfferID(source: "kitchen", kind: .album, id: "1", title: "Signs")
    let kept = ShownDownload(DownloadID("kitchen:album:1", "Signs"), .whole)
    let details = OfferDetails(ShownOffer(id, count: 2), OfferSize(.lossless, bytes: 1, room: 2), kept: kept)
    #expect(pages.keeping(details).map(\.action).first == MenuRow.Action.none)
    #expect(pages.head(of: details).title == "Play, shuffle, more")
    #expect(
      pages.head(of: OfferDetails(ShownOffer(id), OfferSize(.lossless, bytes: 1, room: 2))).title == "Play, keep, more")
  }

  @Test("reads on each page of what is coming how fast it comes and how long that takes, once it is known")
  func timeLeft() {
    let pages = MenuPages(MenuContext(), SettingsTable([]))
    let id = OfferID(source: "kitchen", kind: .album, id: "1", title: "Signs")
    var kept = ShownDownload(DownloadID("kitchen:album:1", "Signs"), .running)
    (kept.bytes, kept.size) = (10_000_000, 100_000_000)
    func shown() -> (facts: [String]?, detail: String?) {
      let details = OfferDetails(ShownOffer(id, count: 2), OfferSize(.lossless, bytes: 1, room: 2), kept: kept)
      return (pages.head(of: details).head?.facts, pages.keeping(details).first?.detail)
    }
    #expect(shown().facts == ["Songs: 2", "100 MB", "Downloading 10 %"] && shown().detail == "")
    (kept.speed, kept.left) = (1_000_000, .seconds(90))
    // The head stays as high as it was: there, how long it takes would push songs away.
    #expect(shown().facts == ["Songs: 2", "100 MB", "Downloading 10 %"])
    #expect(shown().detail == "1.0 MB/s · About 2 min left")
    kept.left = .seconds(58 * 60)
    #expect(shown().detail == "1.0 MB/s · About 58 min left")
    kept.left = .seconds(130 * 60)
    #expect(shown().detail == "1.0 MB/s · About 2 h 30 min left")
  }

  @Test("sees first what is coming, then what waits, what has failed, and what is all here")
  func orderOfDownloads() {
    let states: [ShownDownload.State] = [.whole, .failed, .paused, .waiting, .running, .whole, .running]
    let all = states.enumerated().map { ShownDownload(DownloadID("\($0)", "\($0)"), $1) }
    let rows = MenuPages(MenuContext(), SettingsTable([])).downloads(all).filter { Int($0.title) != nil }
    #expect(rows.map(\.title) == ["4", "6", "3", "2", "1", "0", "5"])
  }

  @Test("finds each download where it was, whatever has come meanwhile, until the page is opened anew")
  func steadyDownloads() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(3))
      func download(_ name: String, _ state: ShownDownload.State) -> ShownDownload {
        ShownDownload(DownloadID(name, name), state)
      }
      hand.world.kept = [download("a", .running), download("b", .waiting), download("c", .waiting)]
      await hand.move(.open)
      for row in ["Keep offline", "Downloads"] { #expect(await hand.choose(row)) }
      #expect(hand.rows.map(\.title) == ["Pause all", "a", "b", "c"] && hand.rows[hand.focus].title == "a")
      await hand.move(.turn(1))
      hand.world.kept = [
        download("new", .running), download("c", .running), download("a", .whole), download("b", .paused),
      ]
      hand.desk.refresh()
      await hand.desk.settled()
      let titles = hand.rows.map(\.title)
      #expect(titles == ["Pause all", "Resume all", "a", "b", "c", "new"] && hand.rows[hand.focus].title == "b")
      // One is gone, and all that is left rests.
      hand.world.kept = [download("c", .paused), download("new", .paused), download("b", .paused)]
      hand.desk.refresh()
      await hand.desk.settled()
      #expect(hand.rows.map(\.title) == ["Resume all", "b", "c", "new"] && hand.rows[hand.focus].title == "b")
      await hand.move(.back)
      #expect(await hand.choose("Downloads"))
      #expect(hand.rows.map(\.title) == ["Resume all", "c", "new", "b"])
    }
  }

  @Test("reads of a download first why it waits, which leads to what could be set otherwise, and is led to its music")
  func download() {
    let limit = Setting<Int>.offlineLimit.name
    let id = OfferID(source: "kitchen", kind: .album, id: "1", title: "Signs")
    var one = ShownDownload(DownloadID("kitchen:album:1", "Signs"), .waiting)
    (one.offer, one.artist, one.bytes, one.size) = (id, "Layby", 1_000, 2_000)
    one.why = [ShownReason("The room for music is used up", limit), "The battery is low"]
    let rows = MenuPages(MenuContext(on: .wide), SettingsTable([])).download(one)
    #expect(rows.map(\.title) == ["Waiting", "Pause", "Browse", "Stop keeping", "The battery is low"])
    #expect(rows[0].detail == "The room for music is used up · 1.0 kB / 2.0 kB")
    #expect(rows[0].action == .open(.setting(limit)) && rows[2].action == .open(.offer(id)))
    // The smallest panel has no second line.
    let tiny = MenuPages(MenuContext(on: .tiny), SettingsTable([])).download(one)
    #expect(tiny.suffix(2).map(\.title) == ["The room for music is used up", "The battery is low"])
    #expect(tiny[0].action == MenuRow.Action.none && tiny[4].action == .open(.setting(limit)))
    // What has failed and is tried again by itself can be tried at once.
    var away = one
    away.why = [ShownReason("The server does not answer", isRetried: true)]
    let retried = MenuPages(MenuContext(on: .wide), SettingsTable([])).download(away)
    #expect(retried.map(\.title) == ["Waiting", "Try again", "Pause", "Browse", "Stop keeping"])
    // While it is, no row moves under a hand.
    (away.state, away.isTriedAgain) = (.running, true)
    let tried = MenuPages(MenuContext(on: .wide), SettingsTable([])).download(away)
    #expect(tried.dropFirst().prefix(4).map(\.title) == retried.dropFirst().map(\.title))
    // What has just begun has failed nowhere.
    away.isTriedAgain = false
    #expect(!MenuPages(MenuContext(on: .wide), SettingsTable([])).download(away).map(\.title).contains("Try again"))
    // In the list its artist tells it from another of its name.
    let all = MenuPages(MenuContext(), SettingsTable([])).downloads([one])
    #expect(all.last?.detail == "Layby · The room for music is used up")
  }

  @Test("reads how long it takes in tens of seconds, in minutes, and from two hours on in half hours")
  func roundedGuess() {
    let words = PanelWords.english
    let told: [(Int64, String)] = [
      (-5, "10 s"), (0, "10 s"), (10, "10 s"), (11, "20 s"), (50, "50 s"), (51, "1 min"), (60, "1 min"), (61, "2 min"),
      (660, "11 min"), (7_140, "1 h 59 min"), (7_141, "2 h"), (7_200, "2 h"), (7_201, "2 h 30 min"), (9_001, "3 h"),
    ]
    for (seconds, said) in told { #expect(words.wait(.seconds(seconds)) == said, "\(seconds)") }
  }

  @Test("is given no choice between qualities that are the same")
  func oneQuality() {
    let pages = MenuPages(MenuContext(), SettingsTable([]))
    let id = OfferID(source: "kitchen", kind: .album, id: "1", title: "Signs")
    func rows(_ bytes: [Int64]) -> [MenuRow] {
      let sizes = zip(ShownQuality.allCases, bytes).map { OfferSize($0, bytes: $1, room: 100) }
      return pages.qualities(of: id, sizes, now: .high)
    }
    #expect(rows([18, 18, 18, 18, 18]).map(\.title) == ["High", "The source has it in this quality alone"])
    #expect(rows([4, 8, 18, 18, 18]).count == 5)
    // Where no size is known, nobody can say.
    #expect(rows([0, 0, 0, 0, 0]).count == 5)
  }

  @Test("finds a sound for the night before those for kinds of music, and one's own at the end")
  func orderOfCurves() {
    let pages = MenuPages(MenuContext(), .all)
    let names = ["off"] + EqualiserCurve.presets.map(\.name).filter { $0 != "off" && $0 != "flat" }
    let rows = pages.equaliser(names + ["60:+3"], PlayerStatus()).map(\.title)
    #expect(rows.prefix(3) == ["Off", "Night", "Speech"] && rows.suffix(2) == ["60:+3", "Own curve"])
    #expect(rows.count == names.count + 2 && Set(rows).count == rows.count)
    #expect(pages.sound(PlayerStatus()).last?.title == "Sound options")
  }

  @Test("reads on each page where they are among what they see, and counts nothing that is done with all of it")
  func counters() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(12))
      hand.world.kept = ["a", "b", "c"].map { ShownDownload(DownloadID($0, $0), .waiting) }
      hand.world.lists.append(OwnPlaylist(id: 2, name: "Ours", count: 3))
      let pages: [(place: MenuPlace, beside: Int)] = [
        (.menu, 1), (.library, 0), (.sound, 0), (.sleep, 0), (.settings, 0), (.downloads, 1), (.playlists, 1),
        (.chapters, 1), (.notices, 1), (.about, 0), (.storage, 0), (.keep, 0), (.source("kitchen"), 0), (.licences, 0),
        (.equaliser, 0), (.list(.albums(.music), named: "Albums"), 0), (.list(.tracksOf(album: 1), named: "A"), 1),
        (.playlist(hand.world.lists[0]), 6), (.offers(OfferQuery("kitchen", .album)), 0),
        (.offer(MenuWorld.offer(1)), 1),
      ]
      for page in pages {
        await hand.move(.at(page.place))
        await hand.move(.turn(-100))
        var told: [String] = []
        for _ in hand.rows {
          told.append(hand.desk.shown?.place ?? "")
          await hand.move(.turn(1))
        }
        let (rows, all) = (hand.rows, told.count { !$0.isEmpty })
        #expect(all + page.beside == rows.count { $0.action != .back && !$0.isText }, "\(page.place): \(told)")
        #expect(told.filter { !$0.isEmpty } == (0..<all).map { "\($0 + 1)/\(all)" }, "\(page.place)")
        await hand.move(.close)
      }
    }
  }

  @Test("reads of what is moved where it stands, and not that it is next where something else is")
  func moved() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(12))
      (hand.world.status.index, hand.world.status.repeats) = (0, .one)
      hand.desk.manner = MenuContext(on: .wide)
      for (entry, action) in [
        (UInt64(2), MenuRow.Action.none), (3, .perform(.moveEntry(3, by: -1))),
        (200, .perform(.moveEntry(200, by: -1))),
      ] {
        await hand.move(.at(.thing(Thing(.entry(entry), "A"))))
        let row = hand.rows.first { $0.title == "Move up" }
        #expect(row?.value == "Place \(entry) of 200")
        #expect(row?.action == action)
        await hand.move(.close)
      }
      hand.desk.manner = MenuContext(on: .tiny)
      await hand.move(.at(.thing(Thing(.entry(3), "A"))))
      #expect(hand.rows.first { $0.title == "Move up" }?.value == "3 / 200")
    }
  }

  @Test("reads where a press begins music that it will be shuffled")
  func shuffledStart() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(12))
      for isShuffled in [false, true] {
        hand.world.status.isShuffled = isShuffled
        hand.world.partLeft = nil
        for place in [MenuPlace.list(.tracksOf(album: 1), named: "A"), .offer(MenuWorld.offer(1))] {
          await hand.move(.at(place))
          #expect(hand.rows[0].head?.facts.contains("Shuffle: On") == isShuffled, "\(hand.rows[0])")
          await hand.move(.close)
        }
        await hand.move(.at(.playlist(hand.world.lists[0])))
        #expect(hand.rows.first { $0.title == "Shuffle all" }?.value == (isShuffled ? "On" : ""))
        await hand.move(.close)
        // A book is played in its order, whatever the last queue was.
        hand.world.partLeft = PartLeft(1, "Track 1", at: .seconds(754))
        await hand.move(.at(.list(.tracksOf(album: 1), named: "A")))
        #expect(hand.rows[0].head?.facts.contains("Shuffle: On") == false)
        await hand.move(.close)
      }
    }
  }

  @Test("sees three dots at a row that is looked at where two presses lead to more, and a chevron where one does")
  func dots() async throws {
    let type = try PanelType()
    func isDrawn(_ row: MenuRow, at place: Int) -> Bool {
      let screen = MenuScreen(PanelLook(type: type))
      func canvas(_ row: MenuRow) -> Canvas {
        let canvas = Canvas(size: Size(width: 320, height: 240))
        let shown = ShownMenu { $0.content = .rows([row], focus: 0, goesOn: false, goesBack: false) }
        screen.draw(shown, on: canvas)
        return canvas
      }
      let (with, without) = (canvas(row), canvas(MenuRow(row.title)))
      // From the right: so many signs, each with its gap.
      let right = 308 - place * 18
      return (right - 12..<right).contains { x in (40..<76).contains { with[x, $0] != without[x, $0] } }
    }
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(12))
      hand.world.current = 0
      let places: [(MenuPlace, signs: Int)] = [
        (.list(.albums(.music), named: "Albums"), 2), (.offers(OfferQuery("kitchen", .album)), 2), (.queue, 2),
        (.list(.tracks(.music), named: "Songs"), 2), (.playlist(hand.world.lists[0]), 1), (.library, 1),
      ]
      for (place, signs) in places {
        await hand.move(.at(place))
        guard var row = hand.rows.last(where: { $0.more != nil && $0.sign != .none }) ?? hand.rows.last else {
          continue
        }
        #expect(row.hasSecondPress == (place != .library), "\(place)")
        (row.detail, row.value, row.mark, row.art, row.title) = ("", "", nil, nil, "A")
        for index in 0..<3 { #expect(isDrawn(row, at: index) == (index < signs), "\(place): \(index)") }
        await hand.move(.close)
      }
    }
  }

  @Test("reads on the smallest panel all of the row that is looked at, in heavy letters on a bright ground")
  func smallest() async throws {
    let type = try PanelType()
    let screen = MenuScreen(PanelLook(type: type, theme: .ink))
    let rows = [
      MenuRow("office") { $0.value = "Not searched · Offline" }, MenuRow("Put back: Freddie Freeloader"),
      MenuRow("Sleep timer", .open(.sleep)) { $0.value = "After this chapter" }, MenuRow("Albums"),
    ]
    for focus in rows.indices {
      let canvas = Canvas(size: Size(width: 128, height: 64))
      var said: [DrawnText] = []
      canvas.heard = { said.append($0) }
      screen.draw(ShownMenu { $0.content = .rows(rows, focus: focus, goesOn: true, goesBack: true) }, on: canvas)
      let looked = said.filter { $0.colour == Theme.ink.standingText }
      let text = looked.map(\.text).joined(separator: " ")
      #expect(text.contains(rows[focus].title) && text.contains(rows[focus].value), "\(text)")
      #expect(looked.allSatisfy { $0.isWhole && canvas.bounds.contains($0.rect) }, "\(looked)")
    }
  }

  @Test("reads why a download waits for others with how many these are, and the first of them")
  func others() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(12))
      func download(_ name: String, _ state: ShownDownload.State) -> ShownDownload {
        var one = ShownDownload(DownloadID(name, name), state)
        if state == .waiting { one.why = [ShownReason("Others come first", isTurn: true)] }
        return one
      }
      hand.world.kept = [download("One", .waiting), download("Two", .running), download("Three", .waiting)]
      await hand.move(.open)
      for row in ["Keep offline", "Downloads"] { #expect(await hand.choose(row)) }
      let told = hand.rows.map(\.detail)
      #expect(told == ["", "Downloading", "Others come first (1): Two", "Others come first (2): Two"], "\(hand.rows)")
      #expect(await hand.choose("Three"))
      #expect(hand.rows.contains { "\($0.title) \($0.detail)".contains("Others come first (2): Two") })
      // Alone before something that is no download of anybody's, it is said as before.
      hand.world.kept = [download("One", .waiting)]
      hand.world.keptOffer = hand.world.kept[0]
      await hand.move(.at(.downloads))
      #expect(hand.rows.last?.detail == "Others come first")
      // An album's page says the same.
      hand.world.kept.insert(download("Two", .running), at: 0)
      await hand.move(.at(.thing(Thing(.offer(MenuWorld.offer(1)), "One"))))
      #expect(hand.rows.contains { $0.detail == "Others come first (1): Two" }, "\(hand.rows)")
    }
  }

  @Test("switches the sound for the night on and off in Sound itself, where what it does is said")
  func night() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(3))
      for isOn in [false, true] {
        hand.world.status.sounding.equaliser =
          isOn ? EqualiserCurve.presets.first { $0.name == "night" }?.curve ?? .flat : .flat
        await hand.move(.open)
        #expect(await hand.choose("Sound"))
        let row = hand.rows.first { $0.title == "Night" }
        #expect(row?.value == (isOn ? "On" : "Off") && row?.detail.hasPrefix("Less bass") == true)
        #expect(await hand.choose("Night"))
        #expect(hand.world.performed.last == .night(!isOn))
        await hand.move(.close)
      }
    }
  }

  @Test("finds what was found last as it was, when they search once more, and writes something else as before")
  func searchedBefore() async {
    await aloneOnMainLoop { () async in
      for source in [nil, "kitchen"] {
        let hand = MenuHand(MenuWorld(3_000))
        hand.world.offeredCount = 1_000
        let search = source.map { MenuPlace.searchOffers($0) } ?? .search
        let letter = source == nil ? "b" : "d"
        await hand.move(.at(search))
        #expect(await hand.type(letter))
        await hand.move(.turn(-(hand.wheel?.focus ?? 0)))
        await hand.move(.press)
        await hand.move(.turn(37))
        let (title, place) = (hand.rows[hand.focus].title, hand.desk.shown?.place)
        if source == nil { await hand.move(.press) } else { await hand.move(.close) }
        #expect(!hand.desk.isOpen)
        await hand.move(.at(search))
        #expect(hand.wheel?.choices.first == .results && hand.wheel?.focus == 1, "letters are as near as before")
        await hand.move(.turn(-1))
        #expect(hand.desk.shown?.hint == "Back to \(letter)")
        await hand.move(.press)
        #expect(hand.rows[hand.focus].title == title && hand.desk.shown?.place == place)
        // One step back is what was written, and from there it is as it was, too.
        await hand.move(.back)
        await hand.move(.press)
        #expect(hand.rows[hand.focus].title == title)
        await hand.move(.close)
        await hand.move(.at(search))
        #expect(await hand.type(letter))
        #expect(hand.desk.shown?.title == letter.uppercased())
        // Who comes next, with other rights, is not told.
        hand.desk.manner = MenuContext(rights: AccessRights(only: [.search], opensByPIN: false))
        await hand.move(.close)
        hand.desk.manner = MenuContext()
        await hand.move(.at(search))
        #expect(hand.wheel?.choices.first != .results)
      }
    }
  }

  @Test("sees of a song that is kept no longer that it is here only for now, in words and by a sign of its own")
  func keptNoLonger() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      hand.world.cachedTracks = [1]
      for isOffline in [false, true] {
        hand.world.isOffline = isOffline
        await hand.move(.at(.offer(MenuWorld.offer(2))))
        #expect(hand.rows[1].mark == .cached && !hand.rows[1].isDim)
        #expect(hand.desk.shown?.scene(.english).value == "Here for now")
        await hand.move(.close)
      }
      var offer = ShownOffer(MenuWorld.track(1))
      offer.isCached = true
      hand.world.keepable = OfferDetails(offer, OfferSize(.high, bytes: 5_000_000, here: 5_000_000, room: 9_000_000))
      await hand.move(.open)
      for row in ["Music", "Songs"] { #expect(await hand.choose(row)) }
      await hand.move(.more)
      let keep = hand.rows.first { $0.title == "Keep offline" }
      #expect(keep?.detail == "Here for now, until its room is needed", "\(hand.rows)")
    }
  }

  @Test("finds all rows of *Keep offline* also while nobody knows what is kept, and below them why, until it is known")
  func keptIsNotKnownYet() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(3))
      hand.world.unknownWhatIsKept = Fault(.busy, "X-190", "it is being opened")
      await hand.move(.open)
      #expect(await hand.choose("Keep offline"))
      let rows = hand.rows
      #expect(rows.map(\.title).contains("kitchen"))
      #expect(rows.first { $0.title == "Smart downloads" }?.value == "On")
      #expect(rows.last?.isText == true, "\(rows)")
      #expect(await hand.choose("Smart downloads"))
      #expect(await hand.choose("Off"))
      let done = hand.world.performed
      #expect(done.contains { if case .choose(_, "no") = $0 { true } else { false } }, "\(done)")
      await hand.move(.back)
      await hand.move(.turn(60))
      #expect(hand.rows[hand.focus].isText)
      hand.world.unknownWhatIsKept = nil
      await MainLoop.loop.advance(by: .seconds(2))
      await hand.desk.settled()
      #expect(!hand.rows.contains { $0.isText } && hand.rows.contains { $0.title == "Storage" && !$0.value.isEmpty })
      #expect(hand.rows.indices.contains(hand.focus))
    }
  }

  @Test("finds the part of a book that was heard last, and where each part goes on")
  func bookIsLeft() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(3))
      let list = List.tracksOf(album: 1)
      (hand.world.partLeft, hand.world.placesLeft) = (PartLeft(1, "Track 1", at: .seconds(754)), [1: .seconds(754)])
      await hand.move(.at(.list(list, named: "An album")))
      let rows = hand.rows
      #expect(rows[1].title == "Go on" && rows[1].detail == "Track 1 · 12:34" && hand.focus == 1)
      #expect(rows.map { $0.detail.hasSuffix("Goes on at 12:34") } == [false, false, false, true, false])
      await hand.move(.press)
      #expect(hand.world.performed == [.play(Thing(.track(1, within: list), "Track 1"))])
      hand.world.partLeft = nil
      await hand.move(.at(.list(list, named: "An album")))
      #expect(!hand.rows.contains { $0.title == "Go on" })
    }
  }

  @Test("finds the song that plays marked in its album, and by two presses what can be done with it")
  func playingInItsAlbum() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(3))
      (hand.world.current, hand.world.status.wish) = (1, .stopped)
      let list = List.tracksOf(album: 1)
      await hand.move(.at(.list(list, named: "An album")))
      #expect(hand.rows.map(\.sign) == [.leadsOn, .none, .current, .none] && hand.focus == 1)
      guard case .perform(.play(let thing)) = hand.rows[2].action else { return #expect(Bool(false), "it is played") }
      #expect(thing.kind == .track(1, within: list))
      await hand.move(.close)
      hand.world.status.wish = .playing
      hand.world.status.entry = .init(id: EntryID(number: 3), path: FilePath("/a"))
      await hand.move(.at(.list(list, named: "An album")))
      #expect(hand.rows.map(\.action).filter { $0 == .music } == [.music] && hand.rows[2].action == .music)
      let title = hand.rows[2].title
      await hand.move(.turn(1))
      await hand.move(.more)
      #expect(hand.world.performed.isEmpty && hand.desk.shown?.title == title)
      #expect(hand.rows.contains { $0.title == "Play next" })
    }
  }

  @Test("is led by two quick presses on an album to what else can be done with it, and by one to its songs at once")
  func twiceOnAnAlbum() async {
    await aloneOnMainLoop { () async in
      let knob = InputHand(.knob, MenuWorld(3))
      for place in [MenuPlace.list(.albums(.music), named: "Albums"), .offers(OfferQuery("kitchen", .album))] {
        await knob.hand.move(.at(place))
        #expect(knob.hand.desk.shown?.hint == "Press twice for more")
        let title = knob.hand.rows[0].title
        await knob.press()
        #expect(knob.hand.desk.shown?.title == title && knob.hand.rows.contains { $0.head != nil })
        await knob.back()
        await knob.pressTwice()
        #expect(knob.hand.desk.shown?.title == title && knob.hand.rows[0].title == "Play all", "\(knob.hand.rows)")
        #expect(knob.hand.world.performed.isEmpty)
        await knob.back()
        #expect(knob.hand.rows[0].title == title, "one step back is the list")
        await knob.hand.move(.close)
      }
      // A page without more is pressed twice as before: it is opened, and its first row is pressed.
      await knob.hand.move(.open)
      #expect(await knob.hand.moveFocus(to: "Music"))
      await knob.pressTwice()
      #expect(knob.hand.desk.shown?.title == "Artists")
    }
  }

  @Test("finds each sign of lists explained on one page, and only those that can be met")
  func explained() {
    let pages = MenuPages(MenuContext(), SettingsTable([]))
    let rows = pages.signs(fetches: true)
    #expect(rows.map(\.mark) == [nil, .stored, .partly, .cached, .coming, .waits, .streamed, .away, nil, nil])
    #expect(rows[0].sign == .current && rows.last?.action == .back)
    #expect(pages.signs(fetches: false).map(\.mark) == [nil, .away, nil, nil])
    #expect(pages.facts([], hasStorage: false, canErase: false).contains { $0.action == .open(.signs) })
  }

  @Test("is told below what the library has what sources have, and where nothing could be looked for")
  func searchedSources() async {
    let hits = [
      SourceHits("kitchen", .found(3)), SourceHits("office", .looking), SourceHits("car", .notSearched(why: "Offline")),
    ]
    let rows = MenuPages(MenuContext(), SettingsTable([])).found(in: hits, searching: "blue")
    #expect(rows.map(\.title) == ["Found in kitchen", "office", "car"])
    #expect(rows.map(\.value) == ["3", "Looking…", "Not searched · Offline"])
    #expect(rows[0].action == .open(.offers(OfferQuery("kitchen", nil, typed: "blue"))))
    let visitor = MenuContext(rights: AccessRights(only: [.library, .search], opensByPIN: true))
    #expect(MenuPages(visitor, SettingsTable([])).found(in: hits, searching: "blue").isEmpty)
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(0))
      hand.world.hits = hits
      await hand.move(.open)
      await hand.move(.at(.found("blue")))
      #expect(hand.rows.map(\.title) == ["Found in kitchen", "office", "car"])
    }
  }

  @Test("is back at what was put back, wherever in a long queue it stands, unless they have turned on")
  func putBack() async {
    await aloneOnMainLoop { () async in
      for turnsOn in [false, true] {
        let hand = MenuHand(MenuWorld(20))
        hand.world.gone = QueuedTrack(
          .init(id: EntryID(number: 150), path: FilePath("/149")), title: "149", artist: "")
        await hand.move(.open)
        await hand.move(.at(.queue))
        #expect(await hand.choose("Put back: 149"))
        #expect(hand.rows[hand.focus].title == "149")
        if turnsOn { await hand.move(.turn(1)) }
        hand.world.gone = nil
        hand.desk.refresh()
        await hand.desk.settled()
        #expect(hand.rows[hand.focus].title == (turnsOn ? "150" : "149"))
      }
    }
  }

  @Test("stays at the list that was looked at when it has grown and stands elsewhere")
  func sorted() {
    var window = RowWindow()
    func list(_ id: Int64, _ name: String, _ count: Int) -> MenuRow {
      MenuRow(name, .open(.playlist(OwnPlaylist(id: id, name: name, count: count))))
    }
    window.show([list(1, "Car", 1), list(2, "Home", 3)], goesOn: false)
    window.show([list(2, "Home", 3), list(1, "Car", 2)], goesOn: false)
    #expect(window.focused?.title == "Car")
  }

  @Test("gets back by one step when the knob is held, to the music when it is held on, and not out of what opens so")
  func holding() async {
    await aloneOnMainLoop { () async in
      let hand = InputHand(.knob, MenuWorld(20))
      await hand.hold(for: .seconds(4))
      #expect(hand.hand.desk.shown?.title == "Menu", "it opens once")
      for row in ["Music", "Songs"] { #expect(await hand.hand.choose(row)) }
      await hand.hold(for: .milliseconds(1_400))
      #expect(hand.hand.desk.shown?.title == "Music")
      #expect(await hand.hand.choose("Songs"))
      await hand.hold(for: .milliseconds(1_600))
      #expect(!hand.hand.desk.isOpen)
    }
  }

  @Test("who reads for a minute and then turns does not turn the music louder")
  func goneByItself() async {
    await TestMainLoop.alone {
      let hand = await onMainLoop { () async -> MenuHand in
        let hand = MenuHand(MenuWorld(20))
        await hand.move(.open)
        return hand
      }
      await MainLoop.loop.advance(by: .seconds(61))
      let (isOpen, first, second) = await onMainLoop { () -> (Bool, Bool, Bool) in
        (hand.desk.isOpen, hand.desk.hasJustGone(), hand.desk.hasJustGone())
      }
      #expect(!isOpen && first && !second)
      await onMainLoop { await hand.move(.open) }
      await MainLoop.loop.advance(by: .seconds(63))
      let late = await onMainLoop { hand.desk.hasJustGone() }
      #expect(!late, "after a while it is meant for the music")
    }
  }
}

extension LetterWheel.Choice {
  fileprivate var description: String { "\(self)" }
}
