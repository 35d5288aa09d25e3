import Application
import Canvas
import Formats
import Glibc
import Hardware
import Pictures
import Playback
import Runtime
import TestSupport

@testable import Library
@testable import Panel
@testable import layby

/// Every screen the panel has, with something on it, one beside the other.
@MainLoop
struct Sheet {
  let size: Size
  let look: PanelLook
  var words: PanelWords { look.words }

  static let columns = 4
  private static let gap = 6

  /// A screen by its name, and what draws it.
  typealias Screen = (name: String, draw: @MainLoop (Canvas) -> Void)

  func screens() async -> [Screen] {
    let music = NowPlayingScreen(look)
    let question = QuestionScreen(look)
    let menu = MenuScreen(look)
    let inviting = InvitingScreen(look)
    var all: [Screen] = [
      ("playing", { music.draw(Self.playing, on: $0) }),
      ("cover", { music.draw(covered(music.layout(Self.playing, size)), on: $0) }),
      ("volume", { music.draw(Self.turned, on: $0) }),
      ("notice", { music.draw(Self.noticed(stands: false, in: words), on: $0) }),
      ("standing", { music.draw(Self.noticed(stands: true, in: words), on: $0) }),
      ("offline", { music.draw(Self.waiting(.offline), on: $0) }),
      ("loading", { music.draw(Self.waiting(.loading), on: $0) }),
      ("question", { question.draw(asked, on: $0) }),
      ("inviting", { inviting.draw(invitation, on: $0) }), ("closed", { inviting.draw(closed, on: $0) }),
    ]
    // The same in every language.
    if words.isEnglish {
      for cover in SampleCover.allCases {
        all.append(("cover-\(cover)", { music.draw(covered(music.layout(Self.playing, size), cover), on: $0) }))
      }
    }
    for (name, now) in states {
      var seen = look
      seen.style.rights = Self.rights(name)
      all.append((name, { [seen] canvas in NowPlayingScreen(seen).draw(now, on: canvas) }))
    }
    for (name, shown) in await menus() { all.append((name, { menu.draw(shown, on: $0) })) }
    return all
  }

  /// Each state of the device that the panel tells, by a name that says how it came to be.
  nonisolated static let told: [(name: String, set: @Sendable (inout PanelFacts) -> Void)] = [
    ("nothing to play", { _ in }), ("library is ready", { $0.offersLibrary = true }),
    ("stick is in", { $0.stick = "BLUE 2" }), ("source has music", { $0.sources = ["kitchen"] }),
    ("first music", { $0.musicFolder = "/var/lib/layby/media/Music" }),
    ("no network", { ($0.sources, $0.isOffline) = (["kitchen"], true) }),
    ("choose a network", { ($0.sources, $0.isOffline, $0.joinsWireless) = (["kitchen"], true, true) }),
    (
      "server away",
      {
        ($0.sources, $0.away) = (
          ["kitchen"], .init("kitchen", since: .init(nanoseconds: 0), again: nil, code: "O-143", message: "")
        )
      }
    ),
    (
      "server tried again",
      {
        let again = Moment(nanoseconds: 170_000_000_000)
        ($0.sources, $0.isEmpty) = (["kitchen"], false)
        $0.away = .init(
          "kitchen", since: .init(nanoseconds: 0), again: again, code: "O-143",
          message: "the server does not give it just now")
      }
    ),
    ("counting", { $0.importing = .init("BLUE 2", seen: 128, total: 0) }),
    ("importing", { $0.importing = .init("BLUE 2", seen: 1_280, total: 4_300, left: .seconds(170)) }),
    (
      "importing beside",
      { ($0.isEmpty, $0.importing) = (false, .init("BLUE 2", seen: 1_280, total: 4_300, left: .seconds(170))) }
    ),
    ("disk full", { ($0.isEmpty, $0.unsaved) = (false, .init(Fault(.full, "S-106", "disk full"))) }),
    ("disk locked", { ($0.isEmpty, $0.unsaved) = (false, .init(Fault(.denied, "S-106", "read-only"))) }),
    ("no device", { ($0.isEmpty, $0.missingDevice) = (false, "Headphones") }),
    ("safe mode", { ($0.isEmpty, $0.isSafe) = (false, true) }),
    ("safe mode read", { ($0.isEmpty, $0.isSafe) = (false, true) }),
    ("silent safe mode", { ($0.isEmpty, $0.isSafe, $0.isSilent) = (false, true, true) }),
    ("no device and empty", { $0.missingDevice = "Headphones" }),
    ("visitor chooses", { $0.lock = .locked(opensByPIN: true) }),
    ("locked", { $0.lock = .locked(opensByPIN: true) }),
    ("locked without PIN", { $0.lock = .locked(opensByPIN: false) }),
  ]

  /// Where a visitor may do nothing, and elsewhere all.
  private static func rights(_ name: String) -> AccessRights {
    name.hasPrefix("locked") ? AccessRights(only: [], opensByPIN: name == "locked") : .all
  }

  var states: [(name: String, now: NowPlaying)] {
    Self.told.map { name, set in
      var facts = PanelFacts(set)
      facts.menuIsHeld = !look.isTouched
      var now = facts.isEmpty ? NowPlaying { $0.clock = "14:05" } : Self.playing
      if facts.isSilent { now.state = .paused }
      now.take(PanelState.all(of: facts, by: Self.rights(name), words), isRead: name.hasSuffix("read"))
      return (name, now)
    }
  }

  func menus() async -> [(name: String, shown: ShownMenu)] {
    let world = SheetWorld(words)
    var status = PlayerStatus()
    (status.count, status.isShuffled, status.sleep) = (12, true, .time(.seconds(1_800)))
    status.sleepsIn = .seconds(1_720)
    status.entry = .init(id: EntryID(number: 4), path: FilePath("/4.flac"))
    (status.track, status.wish) = (Self.book, .playing)
    status.place = Spot(frame: 700_000, rate: 1_000)
    let board = NoticeBoard()
    board.stand(Self.waits)
    for _ in 0..<3 { board.post(Self.unknown) }
    let shelf = MenuDataSource(
      world,
      MenuPages(
        MenuContext(words, look.style.profile, isTouched: look.isTouched, on: ScreenClass(size)), .all),
      notices: board,
      currentState: { .init(status: status, notices: 1, sticks: 1, fetches: true) })
    let held = PanelFacts {
      ($0.unsaved, $0.sources) = (.init(Fault(.full, "S-106", "the database is full")), ["kitchen"])
    }
    shelf.states = { PanelState.all(of: held, by: .all, self.words) }
    var things: [(String, MenuPlace, Int)] = [
      ("menu", .menu, 2), ("library", .library, 0), ("albums", .list(.albums(.music), named: words[.albums]), 3),
      ("album", .list(.tracksOf(album: 1), named: "Kind of Blue"), 0),
      ("song", .list(.tracksOf(album: 1), named: "Kind of Blue"), 2),
      ("track", .thing(Thing(.track(1, within: .tracksOf(album: 1)), "So What")), 0), ("queue", .queue, 0),
      ("head of the queue", .queue, -20),
      ("playlists", .playlists, 0), ("chapters", .chapters, 1), ("no place", .goTo, 0), ("sleep", .sleep, 2),
      ("sound", .sound, 0),
      ("equaliser", .equaliser, 1), ("equal loudness", .normaliser, 1),
      ("keep", .keep, 1), ("source", .source("kitchen"), 1),
      ("offers", .offers(OfferQuery("kitchen", .album)), 2), ("offer", .offer(Self.wanted("2")), 0),
      ("kept", .offer(Self.wanted("0")), 0), ("keeping", .thing(Thing(.offer(Self.wanted("2")), "Mingus Ah Um")), 1),
      ("kept thing", .thing(Thing(.offer(Self.wanted("0")), "Kind of Blue")), 2),
      ("qualities", .qualities(Self.wanted("2")), 4),
      ("downloads", .downloads, 2), ("download", .download(world.kept[1].id), 1), ("storage", .storage, 2),
      ("storage for help", .storageDetails, 1),
      ("smart", .smart, 1), ("licences", .licences, 4), ("signing in", .account("klub"), 0),
      ("account", .account("shop"), 1), ("sources", .sources, 0), ("sticks", .sticks, 0),
      ("stick", .stick(SheetWorld.stick), 0),
      ("playlist", .playlist(OwnPlaylist(id: 1, name: "Sunday", count: 5)), 6),
      ("keys", .keys, 2), ("a key", .keysOf(.button(.play)), 1),
      ("notices", .notices, 1), ("a notice", .notice(Self.unknown), 0), ("waits", .notice(Self.waits), 1),
      ("state", .state(.fullDisk), 2), ("about", .about, 0), ("signs", .signs, 1),
      ("found", .found("blue"), 4), ("settings", .settings, 2),
      ("sound settings", .settingsOf("sound"), 1), ("screen settings", .settingsOf("panel"), 2),
      ("offline settings", .settingsOf("offline"), 8), ("power settings", .settingsOf("power"), 0),
      ("choice", .setting(Setting<StickImport>.stickImport.name), 1),
      ("bands", .bands, 1), ("wireless", .wireless, 2), ("hotspot", .hotspot, 0),
      ("time zone", .setting(Setting<String>.timeZone.name), 4),
      ("sure", .sure(Question(words.labelled(.delete, "Sunday"), .deletePlaylist(1), yes: .delete)), 0),
    ]
    if look.isForCars { things.append(("more", .more, 1)) }
    var shown: [(name: String, shown: ShownMenu)] = []
    for (name, place, turns) in things {
      var menu = Menu()
      _ = menu.open(place)
      let found = try? await shelf.find(.rows(place))
      if case .rows(let rows, let goesOn, let goesBack, _)? = found {
        _ = menu.came(rows, goesOn: goesOn, goesBack: goesBack, number: 1)
      }
      _ = menu.turn(by: turns)
      if let top = menu.top { shown.append((name, covered(ShownMenu(top, words)))) }
    }
    if var albums = shown.first(where: { $0.name == "albums" })?.shown {
      (albums.letter, albums.hasLetters) = ("風", true)
      shown.append(("by letters", albums))
    }
    var noDownloads = Menu()
    _ = noDownloads.open(.downloads)
    _ = noDownloads.came(shelf.pages.downloads([]), number: 1)
    if let top = noDownloads.top { shown.append(("no downloads", ShownMenu(top, words))) }
    return shown + [
      ("letters", wheel), ("name", name), ("PIN", pin), ("teaching", teaching), ("knob", knob),
      ("dial", ShownMenu(dial, words)), ("go to", ShownMenu(place(of: .seconds(36_912)), words)),
      ("go to soon", ShownMenu(place(of: .seconds(562)), words)),
      ("looking", looking), ("code", code), ("hotspot code", hotspotCode),
    ]
  }

  private static let waits = Notice(
    "O-111", "Downloads wait: the battery is low.", as: "downloads wait", because: "O-111")
  /// As it is told of a file with a mistake, which is long.
  private static let unknown = Notice.ofMistakes(in: "[sound]\nmax_volume = loud\n")

  /// Every cover but each third has come.
  private func covered(_ shown: ShownMenu) -> ShownMenu {
    var shown = shown
    let wishes = MenuScreen(look).covers(of: shown, size)
    for (index, wish) in wishes.enumerated() where index % 3 != 2 {
      let colours: [UInt32] = [0x2E546E, 0xFFFFFF, 0x101010, 0x8A4B2D]
      let (one, other) = (colours[index % 4], colours[(index + 1) % 4])
      let pixels = (0..<wish.side * wish.side).map { at in (at % wish.side + at / wish.side) / 12 % 2 == 0 ? one : other
      }
      shown.covers[wish.art] = Picture(size: Size(width: wish.side, height: wish.side), pixels: pixels)
    }
    return shown
  }

  /// One chapter has no name.
  private static let book: Track = {
    var book = Track(named: FilePath("/4.flac"))
    (book.rate, book.frames) = (1_000, 36_000_000)
    let names = ["At sea", "The storm, and what the captain said of it", "", "Ashore"]
    book.chapters = names.enumerated().map { Chapter(at: .seconds(600 * $0), title: $1) }
    return book
  }()

  private static func wanted(_ id: String) -> OfferID {
    OfferID(source: "kitchen", kind: .album, id: id, title: id == "2" ? "Mingus Ah Um" : "Kind of Blue")
  }

  /// Turned on for some detents, from a little before the middle.
  private func place(of whole: Duration) -> Menu.Level {
    var menu = Menu()
    _ = menu.open(.goTo)
    let dial = PlaceDial(entry: 1, title: "Goodbye Pork Pie Hat", at: whole * 2 / 5, of: whole)
    menu.came(dial, number: 1, at: Moment(nanoseconds: 0))
    if whole > .seconds(3_600) { _ = menu.leap(by: 4) }
    return menu.top ?? Menu.Level(place: .menu, content: .rows(RowWindow()), number: 0)
  }

  private var dial: Menu.Level {
    var menu = Menu()
    _ = menu.open(.dial(Dial(.crossfade, 5, in: 0...12)))
    return menu.top ?? Menu.Level(place: .menu, content: .rows(RowWindow()), number: 0)
  }

  private var wheel: ShownMenu {
    var menu = Menu()
    _ = menu.open(.search)
    let found = ["Blue in Green", "Blue Train", "Blues for Alice"].map { title in
      MenuRow(title) { $0.detail = "Miles Davis" }
    }
    menu.came(letters: ["e", "i", "o", "s", "u"], found: .init(found, count: "23"), number: 1)
    _ = menu.turn(by: 2)
    var shown = menu.top.map { ShownMenu($0, words) } ?? ShownMenu()
    shown.title = "blu"
    return shown
  }

  private var name: ShownMenu { written(.playlistName(OwnPlaylist(id: 1, name: "Sunday", count: 5)), [3, 0, 5]) }

  private var pin: ShownMenu { written(.pin, [4, 3, 6, 0]) }

  /// With each of these so many steps on.
  private func written(_ writing: Writing, _ steps: [Int]) -> ShownMenu {
    var menu = Menu()
    _ = menu.open(.write(writing))
    menu.came(letters: writing.letters(words), found: .init(), number: 1)
    for step in steps {
      _ = menu.turn(by: step)
      _ = menu.press()
    }
    return menu.top.map { ShownMenu($0, words) } ?? ShownMenu()
  }

  private var teaching: ShownMenu {
    var menu = Menu()
    _ = menu.open(.learning(.button(.next)))
    return menu.top.map { ShownMenu($0, words) } ?? ShownMenu()
  }

  private var knob: ShownMenu {
    var menu = Menu()
    _ = menu.open(.knob)
    _ = menu.hear(InputProgress(words[.turnSlowly], progress: (4, 10)), of: .knob)
    return menu.top.map { ShownMenu($0, words) } ?? ShownMenu()
  }

  private var code: ShownMenu {
    var menu = Menu()
    _ = menu.open(.code)
    let text = "Layby Kitchen\nO-111 the battery is low, and nothing is fetched below 10 %"
    menu.came(Code(text), text, number: 1)
    return menu.top.map { ShownMenu($0, words) } ?? ShownMenu()
  }

  private var hotspotCode: ShownMenu {
    var menu = Menu()
    _ = menu.open(.hotspotCode)
    let wish = HotspotWish(id: "0123456789abcdef", name: "Layby-AB12", password: "abcdefghjk", language: "en")
    let lines = MenuPages(MenuContext(words), SettingsTable([])).lines(of: wish)
    menu.came(Code(wish.code), wish.code, beside: lines, number: 1)
    return menu.top.map { ShownMenu($0, words) } ?? ShownMenu()
  }

  private var looking: ShownMenu {
    var menu = Menu()
    _ = menu.open(.downloads)
    var shown = menu.top.map { ShownMenu($0, words) } ?? ShownMenu()
    let told = Self.noticed(stands: true, in: words)
    (shown.notice, shown.noticeInShort, shown.noticeStands) = (told.notice, told.noticeInShort, true)
    return shown
  }

  nonisolated static let playing = NowPlaying {
    ($0.title, $0.artist, $0.album) = ("So What", "Miles Davis", "Kind of Blue")
    ($0.position, $0.duration, $0.volume) = (.seconds(83), .seconds(562), 42)
    ($0.state, $0.index, $0.count, $0.upNext) = (.playing, 2, 12, "Freddie Freeloader")
    ($0.isShuffled, $0.repeatMode, $0.sleep, $0.clock) = (true, .all, .minutes(28), "14:05")
  }

  /// For its network, or without one.
  nonisolated static func waiting(_ condition: NowPlaying.Condition) -> NowPlaying {
    var now = playing
    now.condition = condition
    if condition == .loading { (now.state, now.position) = (.waiting, .zero) }
    return now
  }

  nonisolated static var turned: NowPlaying {
    var now = playing
    now.showsVolume = true
    return now
  }

  /// Covers that make a screen hard to read or dull.
  private enum SampleCover: CaseIterable {
    case white, black, grey, red, busy, lettered

    @MainLoop func pixels(_ side: Int, _ type: PanelType) -> [UInt32] {
      let canvas = Canvas(size: Size(width: side, height: side))
      let ground: UInt32 =
        switch self {
        case .white: 0xFFFFFF
        case .black: 0x000000
        case .grey: 0x808080
        case .red: 0xD01818
        case .busy, .lettered: 0xF4F0E6
        }
      canvas.fill(canvas.bounds, Pixel(ground))
      switch self {
      case .white, .black, .grey, .red: break
      case .busy:
        var generator = SeededGenerator(seed: 20)
        let step = max(side / 24, 1)
        for y in stride(from: 0, to: side, by: step) {
          for x in stride(from: 0, to: side, by: step) {
            let colour = Pixel(UInt32.random(in: 0...0xFFFFFF, using: &generator))
            canvas.fill(Rect(x: x, y: y, width: step, height: step), colour)
          }
        }
      case .lettered:
        let face = type.bold.at(max(side / 5, 9))
        for (line, text) in ["GREAT", "HITS OF", "ALL THE", "YEARS"].enumerated() {
          let place = Rect(x: side / 16, y: side / 16 + line * face.lineHeight, width: side, height: face.lineHeight)
          canvas.draw(text, in: place, font: face, colour: Pixel(line % 2 == 0 ? 0x101010 : 0xB02020))
        }
      }
      return (0..<side * side).map { canvas[$0 % side, $0 / side].value }
    }
  }

  /// A cover, of stripes unless told otherwise, and a title that needs two lines.
  private func covered(_ layout: NowPlayingLayout, _ sample: SampleCover? = nil) -> NowPlaying {
    var now = Self.playing
    (now.title, now.artist, now.album) = ("Goodbye Pork Pie Hat (alternate take)", "Charles Mingus", "Mingus Ah Um")
    (now.isShuffled, now.repeatMode, now.sleep, now.isFetching) = (false, .off, .off, true)
    let side = layout.cover?.width ?? 1
    let stripes = (0..<side * side).map { at -> UInt32 in
      let (x, y) = (at % side * 255 / side, at / side * 255 / side)
      return UInt32((x + y) / 48 % 3 == 0 ? 0x8A4B2D : 0x2E546E) + UInt32(y / 5)
    }
    let pixels = sample?.pixels(side, look.type) ?? stripes
    now.cover = Picture(size: Size(width: side, height: side), pixels: pixels)
    let small = layout.nextCover
    if small > 0 {
      let blue = (0..<small * small).map { UInt32($0 % small / 8 % 2 == 0 ? 0x2E546E : 0x6FA8C9) }
      now.nextCover = Picture(size: Size(width: small, height: small), pixels: blue)
    }
    now.theme = now.cover.flatMap { CoverPalette($0) }.map { look.theme.tinted(by: $0) }
    return now
  }

  nonisolated static func noticed(stands: Bool, in words: PanelWords = .english) -> NowPlaying {
    var now = playing
    (now.title, now.artist) = ("Goodbye Pork Pie Hat", "Charles Mingus")
    let notice =
      stands
      ? Notice("H-611", "The battery is at 2 %: the board switches off in 30 s. Plug it in.")
      : Notice(
        "L-440", "BLUE 2: 128 files (1.2 GB) are on the device.", names: ["BLUE 2", "128", "1.2 GB"])
    (now.notice, now.noticeInShort) = (words.said(notice), words.inShort(notice))
    (now.noticeStands, now.battery, now.state) = (stands, .init(level: 9, isPlugged: false), .paused)
    return now
  }

  private var asked: ShownQuestion {
    let answers = ["Not now", "Yes, each time it is in", "Yes, and play it now", "Never from this stick"]
    let said = words.said(
      OwnersQuestion("H-713", "Take in the music of \"BLUE 2\"?", about: "\"BLUE 2\"", answers: answers))
    return ShownQuestion { ($0.text, $0.answers) = (said.text, said.answers) }
  }

  private var invitation: ShownInvitation {
    ShownInvitation {
      ($0.words, $0.hint) = (words[.welcome], words[.turnHere])
      ($0.title, $0.artist) = ("So What", "Miles Davis")
    }
  }

  private var closed: ShownInvitation {
    ShownInvitation { ($0.words, $0.hint, $0.shift) = (words[.closed], words.said(.init(day: 0, clock: "9:00")), 4) }
  }

  nonisolated static let question = ShownQuestion {
    $0.text = "Take in the music of \"BLUE 2\"?"
    $0.answers = ["Not now", "Yes, each time it is in", "Never from this stick"]
  }

  /// All of them on one picture.
  func draw() async -> Canvas {
    let screens = await screens()
    let rows = (screens.count + Self.columns - 1) / Self.columns
    let sheet = Canvas(
      size: Size(
        width: Self.columns * (size.width + Self.gap) + Self.gap, height: rows * (size.height + Self.gap) + Self.gap))
    sheet.fill(sheet.bounds, Pixel(0x808080))
    for (index, screen) in screens.enumerated() {
      let canvas = Canvas(size: size)
      screen.draw(canvas)
      let left = Self.gap + index % Self.columns * (size.width + Self.gap)
      let top = Self.gap + index / Self.columns * (size.height + Self.gap)
      for y in 0..<size.height {
        for x in 0..<size.width { sheet[left + x, top + y] = canvas[x, y] }
      }
    }
    return sheet
  }
}

/// A library of a few names that everybody can tell apart.
@MainLoop
final class SheetWorld: MenuBackend {
  let fetches = true
  let canErase = true
  let isOffline = false
  let stickCount = 1
  func formerQueue() async -> ShownFormerQueue? { ShownFormerQueue("So What", count: 12) }
  let placeBefore: Duration? = .seconds(14_646)
  func index(ofEntry id: UInt64) -> Int? { nil }
  let equalisers = ["off", "rock", "speech"]
  let kept: [ShownDownload]
  private let words: PanelWords

  init(_ words: PanelWords) {
    self.words = words
    var first = ShownDownload(DownloadID("1", "Kind of Blue"), .running)
    (first.bytes, first.size, first.speed, first.left) = (61_000_000, 210_000_000, 1_200_000, .seconds(124))
    var second = ShownDownload(DownloadID("2", "A Love Supreme"), .waiting)
    (second.bytes, second.size) = (12_000_000, 180_000_000)
    second.why = [ShownReason(words.reason("O-111", "the battery is low, and nothing is fetched below 10 %"))]
    kept = [first, second, ShownDownload(DownloadID("3", "Mingus Ah Um"), .whole)]
  }

  private static let albums = [
    ("Kind of Blue", "Miles Davis"), ("A Love Supreme", "John Coltrane"), ("Mingus Ah Um", "Charles Mingus"),
    ("風街ろまん", "はっぴいえんど"), ("أنت عمري", "أم كلثوم"), ("Ágætis byrjun", "Sigur Rós"), ("ลูกทุ่ง", "พุ่มพวง ดวงจันทร์"),
    ("Полковнику никто не пишет", "Би-2"), ("שירים", "חוה אלברשטיין"),
  ]
  /// Of music, and of what somebody else said: these may be longer than their place.
  static var names: Set<String> {
    Set(albums.flatMap { [$0.0, $0.1] } + tracks + ["BLUE 2", "Layby Kitchen", "weekday mornings", "like this one"])
  }

  private static let tracks = ["So What", "Freddie Freeloader", "Blue in Green", "All Blues", "Flamenco Sketches"]

  func page(of list: List, after key: PageKey?, count: Int) async throws(Fault) -> Page {
    if list == .albums(.podcast) { return Page(rows: [], next: nil) }
    if case .tracksOf = list {
      return Page(
        rows: Self.tracks.enumerated().map { index, title in
          var row = Row(kind: .track, id: Int64(index), title: title)
          (row.detail, row.duration) = ("Miles Davis", .seconds(300 + index * 37))
          return row
        }, next: nil)
    }
    return Page(
      rows: Self.albums.enumerated().map { index, album in
        var row = Row(kind: .album, id: Int64(index), title: album.0)
        row.detail = album.1
        row.isPresent = index != 2
        return row
      }, next: nil)
  }

  func page(of list: List, before key: PageKey, count: Int) async throws(Fault) -> [Row] { [] }
  func letters(of list: List) async throws(Fault) -> [Letter] { [] }
  func album(_ id: Int64) async throws(Fault) -> Row? {
    var album = Row(kind: .album, id: id, title: Self.albums[0].0)
    (album.detail, album.year, album.count) = (Self.albums[0].1, 1959, 5)
    return album
  }
  func marks(of rows: [Row]) async -> [MenuMark?] {
    rows.map { row in
      row.kind != .album ? nil : row.id % 4 == 0 ? .stored : row.id % 4 == 1 ? .waits : row.id % 4 == 3 ? .cached : nil
    }
  }
  func current(among rows: [Row]) async throws(Fault) -> Int? { nil }
  func placesLeft(in rows: [Row]) async throws(Fault) -> [Duration?] { rows.map { _ in nil } }
  func partLeft(of album: Int64) async throws(Fault) -> PartLeft? { nil }
  func total(of list: List) async throws(Fault) -> ListTotal? { ListTotal(count: 5, length: .seconds(1_870)) }
  func cover(of art: MenuArt) async -> FilePath? { nil }
  func links(of thing: Thing) async throws(Fault) -> TrackLinks {
    TrackLinks(artist: .init(id: 1, name: "Miles Davis"))
  }
  func search(_ words: String, for wanted: Browsing.Wanted, count: Int) async throws(Fault) -> [Row] { [] }
  func count(_ words: String, for wanted: Browsing.Wanted, most: Int) async throws(Fault) -> Int { 0 }
  func wheel(after typed: String) async throws(Fault) -> [String] { [] }
  func takenOut() async -> QueuedTrack? {
    QueuedTrack(
      .init(id: EntryID(number: 13), path: FilePath("/12")), title: "Freddie Freeloader", artist: "Miles Davis")
  }
  func queue(from: Int, count: Int) async -> [QueuedTrack] {
    (from..<max(from, min(12, from + count))).map { index in
      QueuedTrack(
        .init(id: EntryID(number: UInt64(index + 1)), path: FilePath("/\(index)")),
        title: Self.tracks[index % Self.tracks.count], artist: "Miles Davis",
        mark: index % 4 == 0 ? .streamed : index % 4 == 1 ? .stored : nil)
    }
  }
  func playlists() async throws(Fault) -> [OwnPlaylist] { [OwnPlaylist(id: 1, name: "Sunday", count: 14)] }
  func tracks(ofPlaylist id: Int64, count: Int) async throws(Fault) -> [PlaylistRow] {
    Self.tracks.enumerated().map { PlaylistRow(Int64($0 + 1), $1, "Miles Davis") }
  }
  func licences() async -> ShownLicences? { .madeUp }
  let hasWireless = true
  func wireless() async throws(Fault) -> WirelessSetup.Shown? {
    let seen = [
      SeenNetwork(ssid: Array("Roadside".utf8), dBm: -48, isLocked: true),
      SeenNetwork(ssid: Array("Café Größe".utf8), dBm: -62, isLocked: false),
      SeenNetwork(ssid: Array("A network with a long name".utf8), dBm: -79, isLocked: true),
    ]
    return WirelessSetup.Shown(.noInternet("Roadside", address: "192.168.7.20"), seen, isSet: true)
  }
  func sticks() async -> [ShownStick] { [Self.stick] }
  static let stick = ShownStick("/media/a", "BLUE 2", folder: 7)
  func storage() async throws(Fault) -> ShownStorage {
    var storage = ShownStorage(kept: 4_100_000_000, limit: 10_000_000_000, free: 21_000_000_000, reserve: 500_000_000)
    storage.health = .init(success: 987, retried: 12, recovered: 3, cleaned: 2)
    storage.disks = [
      .init("board", words[.thisDevice], isHome: true, isThere: true, free: 21_000_000_000),
      .init("ssd", "ssd", isHome: false, isThere: true, free: 400_000_000_000),
    ]
    storage.check = .init(words[.checked], part: 1_100_000_000, whole: 4_100_000_000, left: .seconds(74))
    return storage
  }
  func smartDownloads() async throws(Fault) -> [ShownSmartDownload] {
    [
      ShownSmartDownload(
        "1", "Blue Train – John Coltrane", because: "often on weekday mornings", bytes: 4_000_000, isWhole: false),
      ShownSmartDownload(
        "2", "Naima – John Coltrane", because: "as in a session like this one", bytes: 0, isWhole: true),
    ]
  }
  let smart = ShownSmart(isWanted: true)
  func whyNoSmartDownloads() async throws(Fault) -> [ShownReason] {
    [ShownReason(words.reason("O-112", "it waits for the charger"))]
  }
  func isCurrent(_ thing: Thing) async -> Bool { false }
  func sourceHits(_ typed: String) async -> [SourceHits] {
    [SourceHits("kitchen", .found(3)), SourceHits("office", .notSearched(why: words[.offline]))]
  }
  func sources() async -> [ShownSource] { [ShownSource("kitchen")] }
  func counts(of source: String) async throws(Fault) -> [(kind: OfferKind, count: Int)] {
    [(.album, Self.albums.count), (.artist, 8), (.playlist, 0), (.track, 94)]
  }
  func offers(
    _ query: OfferQuery, from: Int, count: Int
  ) async throws(Fault) -> (offers: [ShownOffer], total: Int) {
    let states: [ShownDownload.State?] = [.running, .waiting, nil, .whole, nil, .failed, nil, .paused, nil]
    let all = Self.albums.enumerated().map { index, album -> ShownOffer in
      let id = OfferID(source: "kitchen", kind: .album, id: "\(index)", title: album.0)
      var offer = ShownOffer(id, artist: album.1, count: 9, state: states[index])
      offer.isPartly = index == 2
      return offer
    }
    return (Array(all.dropFirst(from).prefix(count)), all.count)
  }
  func letters(of query: OfferQuery) async throws(Fault) -> [(letter: String, index: Int)] { [] }
  func wheel(of source: String, after typed: String) async throws(Fault) -> [String] { [] }
  func details(of offer: OfferID) async throws(Fault) -> OfferDetails {
    var details = OfferDetails(
      ShownOffer(offer, artist: Self.albums[2].1, count: 9),
      OfferSize(.lossless, bytes: 312_000_000, room: 5_900_000_000), kept: offer.id == "0" ? kept[0] : nil)
    (details.length, details.size.time) = (.seconds(2_780), .seconds(350))
    return details
  }
  func contents(of offer: OfferID, from: Int, count: Int) async throws(Fault) -> (offers: [ShownOffer], total: Int) {
    let states: [ShownDownload.State?] = offer.id == "0" ? [.whole, .whole, .running, .waiting, .failed] : []
    let tracks = Self.tracks.enumerated().map { index, title -> ShownOffer in
      let id = OfferID(source: "kitchen", kind: .track, id: title, title: title)
      var track = ShownOffer(id, artist: Self.albums[index == 1 ? 1 : 2].1)
      track.length = .seconds(300 + index * 37)
      track.state = states.indices.contains(index) ? states[index] : nil
      return track
    }
    return (tracks, tracks.count)
  }
  func keeping(of thing: Thing) async -> OfferDetails? {
    guard case .offer(let id, _) = thing.kind else { return nil }
    return try? await details(of: id)  // it never throws
  }
  func sizes(of offer: OfferID) async throws(Fault) -> [OfferSize] {
    zip(ShownQuality.allCases, [8_000_000, 31_000_000, 52_000_000, 104_000_000, 6_312_000_000]).map {
      OfferSize($0, bytes: $1, room: 5_900_000_000)
    }
  }
  var keys: [KeyMap.Row] { KeyMap().rows }
  let knob = InputLearning.Knob.ofTheBoard
  func listen(for listening: Attention?) {}
  let kiosk = KioskLock.none
  func lock() {}
  func unlock(_ typed: String) async -> PinGuard.Verdict { .wrong }
  func downloads() async throws(Fault) -> [ShownDownload] { kept }
  var settings = Settings()
  let ownersFile = Settings()
  var waiting: Set<SettingName> = []
  func report() async -> String { "Layby Kitchen\nO-111 the battery is low" }
  func facts() async -> [(name: String, value: String)] { [("Kitchen", "1,204"), ("sound", "plays")] }
  func perform(_ action: MenuAction) async throws(Fault) {}
}
