import Application
import Canvas
import Pictures
import Playback
import Runtime
import TestSupport
import Testing

@testable import Library
@testable import Panel
@testable import layby

@Suite("Menus")
struct MenuTests {
  @Test("every place is reached with the knob alone, and left again")
  func tree() async throws {
    let (places, wishes) = await aloneOnMainLoop { () async -> (Set<String>, Int) in
      let hand = MenuHand(MenuWorld(70))
      // What is looked at is not counted any more.
      hand.notices.markSeen()
      await hand.move(.open)
      var seen: Set<String> = []
      await Self.visit(hand, depth: 0, &seen)
      #expect(hand.desk.isOpen)
      await hand.move(.back)
      #expect(!hand.desk.isOpen)
      return (seen, hand.world.performed.count)
    }
    let expected: [Word] = [
      .menu, .library, .queue, .search, .playlists, .sleepTimer, .sound, .equaliser, .crossfade, .keepOffline,
      .downloads, .sticks,
      .notices, .about, .artists, .albums, .songs, .genres, .books, .podcasts, .folders, .recentlyAdded,
      .recentlyPlayed,
      .oftenPlayed, .listPlaylists, .addToPlaylist, .clearQueue, .volume, .storage, .smart, .licences, .sources, .keys,
      .settings,
      .rename, .knob, .nextTrack, .forHelp, .signs,
    ]
    for word in expected { #expect(places.contains(word.rawValue), "\(word.rawValue)") }
    #expect(wishes == 0, "looking at all of it changes nothing")
  }

  /// Into each row that leads on, and back; of the same title once.
  @MainLoop
  private static func visit(_ hand: MenuHand, depth: Int, _ seen: inout Set<String>) async {
    let title = hand.desk.shown?.title ?? ""
    guard depth < 6, seen.insert(title).inserted else { return }
    if !hand.rows.isEmpty { await hand.move(.turn(-1_000)) }
    // Of songs some are as good as all.
    for turn in 0..<min(hand.rows.count, 18) {
      if turn > 0 { await hand.move(.turn(1)) }
      guard hand.rows.indices.contains(hand.focus) else { continue }
      let row = hand.rows[hand.focus]
      if case .open = row.action {
        await hand.move(.press)
      } else if row.more != nil {
        await hand.move(.more)
      } else {
        continue
      }
      await visit(hand, depth: depth + 1, &seen)
      await hand.move(.back)
      #expect(hand.desk.shown?.title == title)
      #expect(hand.rows[hand.focus] == row, "it is where it was: \(title)")
    }
  }

  @Test("twenty thousand gestures at random lead nowhere that back does not leave")
  func random() async {
    await aloneOnMainLoop { () async in
      for seed in 1...4 as ClosedRange<UInt64> {
        var random = SeededGenerator(seed: seed)
        let hand = MenuHand(MenuWorld(500, seed: seed))
        for step in 0..<5_000 {
          hand.world.fails = step % 500 > 480
          let moves: [Controls.MenuMove] = [
            .open, .turn(Int.random(in: -9...9, using: &random)), .press, .press, .press,
            .goTo, .slide(Double.random(in: -1...2, using: &random)),
            .leap(Int.random(in: -3...3, using: &random)), .spin(1, rows: Int.random(in: 1...9, using: &random)),
            Int.random(in: 0..<6, using: &random) == 0 ? .back : .press,
          ]
          hand.desk.move(moves.randomElement(using: &random) ?? .open)
          // Not everything was looked up before the hand goes on.
          if Int.random(in: 0..<3, using: &random) > 0 { await hand.desk.settled() }
          if step % 100 == 99 {
            for _ in 0..<Menu.deepest { hand.desk.move(.back) }
            #expect(!hand.desk.isOpen, "seed \(seed), step \(step)")
          }
        }
        await hand.desk.settled()
      }
    }
  }

  @Test("a song among a hundred thousand is playing within sixty detents and presses")
  func song() async {
    await aloneOnMainLoop { () async in
      let world = MenuWorld(100_000)
      var (random, spent) = (SeededGenerator(seed: 5), [Int]())
      for _ in 0..<30 {
        let hand = MenuHand(world)
        let index = Int.random(in: 0..<world.songs.count, using: &random)
        let title = world.songs[index].title
        await hand.move(.open)
        #expect(await hand.choose("Search"))
        // As somebody does: the letters of the title, until it is to be seen.
        for letter in title {
          if hand.wheel?.found.rows.contains(where: { $0.title == title }) == true { break }
          if letter == " " {
            guard let wheel = hand.wheel, let space = wheel.choices.firstIndex(of: .space) else { break }
            await hand.move(.turn(space > wheel.choices.count / 2 ? space - wheel.choices.count : space))
            await hand.move(.press)
          } else {
            #expect(await hand.type("\(letter)"), "\(title): \(letter)")
          }
        }
        await hand.move(.turn(-(hand.wheel?.focus ?? 0)))
        await hand.move(.press)
        #expect(await hand.choose(title), "\(title)")
        guard case .play(let thing)? = world.performed.last else { return #expect(Bool(false), "\(title)") }
        #expect(thing.title == title && !hand.desk.isOpen)
        spent.append(hand.detents + hand.presses)
      }
      #expect(spent.max() ?? 100 <= 60, "\(spent.sorted())")
    }
  }

  @Test("the sleep timer is set within twelve")
  func sleep() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(10))
      await hand.move(.open)
      #expect(await hand.choose("Sleep timer"))
      #expect(await hand.choose("30 min"))
      #expect(hand.world.performed == [.sleep(.time(.seconds(1_800)))])
      #expect(hand.detents + hand.presses <= 12, "\(hand.detents) and \(hand.presses)")
    }
  }

  @Test("a playlist that was just made is looked at as soon as it is there")
  func newPlaylist() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(10))
      await hand.move(.open)
      for row in ["Playlists", "New playlist", ""] { #expect(await hand.choose(row)) }
      #expect(hand.world.performed.last == .makePlaylist("", with: nil))
      hand.world.lists.insert(OwnPlaylist(id: 99, name: "Zoo", count: 0), at: 0)
      hand.desk.refresh()
      await hand.desk.settled()
      #expect(hand.rows[hand.focus].title == "Zoo")
    }
  }

  @Test("the first page has the same eight rows, whatever plays, and never more than eight for anybody")
  func firstPage() {
    var playing = PlayerStatus()
    playing.entry = .init(id: EntryID(number: 1), path: FilePath("/a"))
    let states = [PlayerStatus(), playing].flatMap { status in
      [false, true].map { MenuPages.Now(status: status, notices: 1, sticks: 1, fetches: $0) }
    }
    for now in states {
      let rows = MenuPages(MenuContext(), .all).menu(now).map(\.title)
      let words: [Word] = [.library, .search, .queue, .playlists, .keepOffline, .sound, .sleepTimer, .settings]
      #expect(rows == words.filter { $0 != .keepOffline || now.fetches }.map(\.rawValue))
    }
    for lock in [KioskLock.none, .locked(opensByPIN: false), .locked(opensByPIN: true), .open] {
      // Not each of the 65,536 sets: none, up to two rights, all but up to two, and what a new kiosk allows.
      let rights = KioskRight.allCases
      let few: [Set<KioskRight>] = rights.flatMap { one in rights.map { [one, $0] } } + [[], KioskRight.initial]
      let sets = Set(few + few.map { Set(rights).subtracting($0) })
      let isOwners = lock == .none || lock == .open
      let all =
        isOwners
        ? [AccessRights.all] : sets.map { AccessRights(only: $0, opensByPIN: lock == .locked(opensByPIN: true)) }
      for rights in all {
        for profile in PanelProfile.allCases {
          let pages = MenuPages(MenuContext(.english, profile, rights: rights), .all)
          for var now in states {
            now.kiosk = lock
            let rows = pages.allowed(pages.menu(now))
            #expect(rows.count <= MenuPages.mostOnFirstPage, "\(lock), \(profile): \(rows.map(\.title))")
            // Wherever it is, the timer is reached.
            guard rights.allows(MenuPlace.sleep), profile != .car else { continue }
            let isUnderSound = rows.contains { $0.action == .open(.sound) }
            #expect(isUnderSound || rows.contains { $0.action == .open(.sleep) }, "\(lock): \(rows.map(\.title))")
          }
        }
      }
    }
  }

  @Test("music that is chosen is looked at; what is put away is not, and the list is where it was")
  func afterwards() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(200))
      await hand.move(.open)
      for title in ["Music", "Songs"] { #expect(await hand.choose(title)) }
      await hand.move(.turn(17))
      let title = hand.rows[hand.focus].title
      await hand.move(.more)
      #expect(await hand.choose("Add to the queue"))
      #expect(hand.rows[hand.focus].title == title && hand.desk.shown?.title == "Songs")
      await hand.move(.more)
      #expect(await hand.choose("Add to a playlist"))
      #expect(await hand.choose("Mine"))
      #expect(hand.rows[hand.focus].title == title && hand.desk.shown?.title == "Songs")
      await hand.move(.press)
      guard case .play(let thing)? = hand.world.performed.last else { return #expect(Bool(false)) }
      #expect(thing.title == title && !hand.desk.isOpen && hand.world.performed.count == 3)
    }
  }

  @Test("an album is its head and its songs: a press on one plays it from there, two lead to what else can be done")
  func album() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(20))
      await hand.move(.open)
      for title in ["Music", "Albums", hand.world.songs[3].title] { #expect(await hand.choose(title)) }
      // One row has all that can be done with the whole, and what is looked at first is the first song.
      #expect(hand.rows[0].head == MenuHead(hand.world.songs[3].title, artist: "Somebody", facts: ["1959"]))
      #expect(hand.focus == 1 && hand.rows.count == 21 && hand.rows[1].title == hand.world.songs[0].title)
      await hand.move(.turn(2))
      await hand.move(.more)
      let song = hand.world.songs[2].title
      #expect(hand.desk.shown?.title == song && hand.rows[0].title == "Play from here")
      #expect(await hand.choose("Go to the artist"))
      #expect(hand.desk.shown?.title == "Somebody")
      for _ in 0..<2 { await hand.move(.back) }
      await hand.move(.press)
      guard case .play(let thing)? = hand.world.performed.last else { return #expect(Bool(false)) }
      #expect(thing.kind == .track(2, within: .tracksOf(album: 3)) && !hand.desk.isOpen)
    }
  }

  @Test("of an account there is the code while somebody is awaited, the way out of it, and the way in")
  func account() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(20))
      await hand.move(.open)
      for title in ["Keep offline", "Licences", "klub"] { #expect(await hand.choose(title), "\(title)") }
      #expect(hand.rows.first?.title == "BCDF-GHJK", "\(hand.rows)")
      #expect(hand.rows.contains { $0.title.contains("klub.fm/an") && !$0.title.contains("https") }, "\(hand.rows)")
      #expect(await hand.choose("Cancel"))
      await hand.move(.at(.licences))
      for title in ["shop", "Sign out", "Sign out"] { #expect(await hand.choose(title), "\(title)") }
      #expect(hand.world.performed == [.callOffSignIn("klub"), .signOut("shop")], "\(hand.world.performed)")
      await hand.move(.at(.licences))
      for title in ["attic", "Sign in"] { #expect(await hand.choose(title), "\(title)") }
      #expect(hand.world.performed.last == .signIn("attic"))
      await hand.move(.at(.licences))
      // What does not play comes first, and leads to the reason.
      let titles = hand.rows.map(\.title)
      #expect(titles == ["klub", "shop", "attic", "Renew now", "Yonder", "Elsewhere", "Nearby"], "\(titles)")
      #expect(await hand.choose("Yonder"))
      #expect(hand.rows.contains { $0.title.contains("ended on") }, "\(hand.rows)")
    }
  }

  @Test("a row says by a sign where its music is, and only where that is not simply here")
  func marks() throws {
    let pages = MenuPages(MenuContext(), .all)
    for kind in [Row.Kind.track, .album] {
      var row = Row(kind: kind, id: 1, title: "A")
      #expect(pages.row(row, in: .albums(.music)).mark == nil)
      row.isPresent = false
      #expect(pages.row(row, in: .albums(.music)).mark == .away)
    }
    let entry = PlayQueue.Entry(id: EntryID(number: 1), path: FilePath("/a"))
    #expect(pages.queued(QueuedTrack(entry, title: "A", artist: "", mark: .streamed), PlayerStatus()).mark == .streamed)
    // It stands at the row's end, and takes nothing but room from the name.
    let screen = MenuScreen(PanelLook(type: try PanelType()))
    let canvas = Canvas(size: Size(width: 320, height: 240))
    func draw(_ mark: MenuMark?) {
      let rows = [MenuRow("A"), MenuRow("B") { $0.mark = mark }]
      screen.draw(ShownMenu { $0.content = .rows(rows, focus: 0, goesOn: false, goesBack: false) }, on: canvas)
    }
    draw(nil)
    for mark in [MenuMark.stored, .streamed, .away] {
      canvas.markShown([canvas.bounds])
      draw(mark)
      let changed = canvas.changes().reduce(Rect.nothing) { $0.union($1) }
      #expect(!changed.isEmpty && changed.x >= 290 && changed.right <= 308, "\(mark): \(changed)")
    }
  }

  @Test("of an album that is fetched, what has not come is dim while its source is away, and what is here is not")
  func halfFetched() {
    let pages = MenuPages(MenuContext(), .all)
    let states: [ShownDownload.State?] = [.whole, .running, .waiting, nil]
    func rows(isAway: Bool) -> [MenuRow] {
      states.map { pages.song(ShownOffer(MenuWorld.track(1), state: $0), of: nil, isAway: isAway) }
    }
    #expect(rows(isAway: false).map(\.mark) == [.stored, .coming, .waits, .streamed])
    #expect(rows(isAway: true).map(\.mark) == [.stored, .coming, .waits, .away])
    #expect(rows(isAway: false).allSatisfy { !$0.isDim })
    #expect(rows(isAway: true).map(\.isDim) == [false, true, true, true])
  }

  static let bars = [(128, 64, false), (240, 240, false), (320, 240, true), (240, 320, false), (800, 480, true)]

  @Test(
    "the bar shows that there is a way back, where there is room, at the side where reading begins", arguments: bars)
  func back(width: Int, height: Int, isShown: Bool) throws {
    for words in [PanelWords.english, .arabic] {
      let size = Size(width: width, height: height)
      let screen = MenuScreen(PanelLook(type: try PanelType(), words: words))
      let canvas = Canvas(size: size)
      screen.draw(
        ShownMenu { $0.content = .rows([MenuRow("A")], focus: 0, goesOn: false, goesBack: false) }, on: canvas)
      let ground = canvas[width / 2, 2]
      let bar = screen.layout(ShownMenu(), size).bar
      let drawn = (0..<width).filter { x in (2..<max(bar.height - 2, 3)).contains { canvas[x, $0] != ground } }
      #expect(drawn.isEmpty == !isShown, "\(size)")
      #expect(drawn.allSatisfy { words.isRightToLeft ? $0 > width * 9 / 10 : $0 < width / 10 }, "\(drawn)")
    }
  }

  @Test("an artist is told only where it is not the page's")
  func artists() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(20))
      await hand.move(.open)
      let artist = hand.world.songs[0].artist
      for title in ["Music", "Artists"] { #expect(await hand.choose(title)) }
      // Rows of the world are called like songs; this one leads to albums by that name.
      let place = MenuPlace.list(.albumsOf(artist: 0), named: artist)
      var menu = Menu()
      _ = menu.open(place)
      let source = MenuDataSource(
        hand.world, MenuPages(MenuContext(), .all), notices: NoticeBoard(),
        currentState: { .init(status: PlayerStatus(), notices: 0, sticks: 0, fetches: false) })
      guard case .rows(let rows, _, _, _)? = try? await source.find(.rows(place)) else { return #expect(Bool(false)) }
      #expect(rows.count == 21 && rows.allSatisfy { $0.detail != artist })
      guard case .rows(let all, _, _, _)? = try? await source.find(.rows(.list(.albums(.music), named: ""))) else {
        return #expect(Bool(false))
      }
      #expect(all.contains { $0.detail == artist })
    }
  }

  @Test("what is gone for good is asked for once more, and the first answer is no")
  func sure() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(10))
      await hand.move(.open)
      for title in ["Playlists", "Mine", "Delete"] { #expect(await hand.choose(title)) }
      #expect(hand.rows.map(\.title) == ["Cancel", "Delete"] && hand.focus == 0)
      await hand.move(.press)
      #expect(hand.world.performed.isEmpty && hand.desk.shown?.title == "Mine")
      for title in ["Delete", "Delete"] { #expect(await hand.choose(title)) }
      #expect(hand.world.performed == [.deletePlaylist(1)] && hand.desk.shown?.title == "Playlists")
    }
  }

  @Test("a library that does not answer is said in the list's place, and looked for again when it is gone to again")
  func broken() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(10))
      await hand.move(.open)
      hand.world.fails = true
      for title in ["Music", "Songs"] { #expect(await hand.choose(title)) }
      #expect(hand.desk.shown?.content == .words("the library does not answer"))
      await hand.move(.turn(3))
      await hand.move(.press)
      hand.world.fails = false
      await hand.move(.back)
      #expect(await hand.choose("Songs"))
      #expect(hand.rows.count == 10)
    }
  }

  @Test("a list of any length is gone through to its end and back with little of it held")
  func long() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(3_000))
      await hand.move(.open)
      for title in ["Music", "Songs"] { #expect(await hand.choose(title)) }
      for _ in 0..<200 { await hand.move(.turn(20)) }
      #expect(hand.rows.last?.key == .page(PageKey(sort: Array(hand.world.songs[2_999].title.utf8), id: 2_999)))
      for _ in 0..<200 { await hand.move(.turn(-20)) }
      #expect(hand.rows.first?.key == .page(PageKey(sort: Array(hand.world.songs[0].title.utf8), id: 0)))
    }
  }
}
