import Formats
import Library
import Pictures
import Playback
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

@Suite("Now playing")
struct NowPlayingTests {
  @Test("time is shown in whole seconds, and what is shown the same is equal")
  func wholeSeconds() {
    let one = NowPlaying { $0.position = .milliseconds(61_999) }
    let other = NowPlaying { $0.position = .milliseconds(61_000) }
    #expect(one == other)
    #expect(one != NowPlaying { $0.position = .milliseconds(62_000) })
    #expect(NowPlaying { $0.position = .seconds(-4) } == NowPlaying())
  }

  @Test("elapsed and remaining add up to the length in every moment")
  func sums() {
    var status = PlayerStatus()
    var track = Track(named: FilePath("/a.flac"))
    (track.rate, track.frames) = (1_000, 30_700)
    status.track = track
    status.count = 1
    for frame in stride(from: Int64(0), to: 31_000, by: 37) {
      status.place = Spot(frame: frame, rate: 1_000)
      let now = NowPlaying(status, notice: nil)
      let left = (now.duration ?? .zero) - min(now.position, now.duration ?? .zero)
      let shown = [now.position, left].map { $0.components.seconds }
      #expect(shown[0] + shown[1] == now.duration?.components.seconds && now.duration == .seconds(30), "\(frame)")
      #expect(now.position.components.attoseconds == 0)
    }
    (status.volume, status.index, status.count) = (1_000, -1, -2)
    let now = NowPlaying(status, notice: nil)
    #expect(now.volume == 100 && now.index == 0 && now.count == 0)
  }

  @Test("volume stays between 0 and 100", arguments: [(-7, 0), (0, 0), (55, 55), (100, 100), (1_000, 100)])
  func volume(asked: Int, shown: Int) {
    #expect(NowPlaying { $0.volume = asked }.volume == shown)
  }

  @Test(
    "how times are written",
    arguments: [
      (0, "0:00"), (59, "0:59"), (60, "1:00"), (245, "4:05"), (3_599, "59:59"), (3_723, "1:02:03"),
      (359_999, "99:59:59"), (-5, "0:00"),
    ])
  func clock(seconds: Int, text: String) {
    #expect(Duration.seconds(seconds).clock == text)
  }
}

extension Canvas {
  fileprivate var shownPixels: [Pixel] {
    (0..<size.height).flatMap { y in (0..<size.width).map { self[$0, y] } }
  }
}

@Suite("Marks")
struct MarkTests {
  @Test("what is off shows nothing; what is on stands in one order")
  func order() {
    let table: [(NowPlaying.Repeat, Bool, NowPlaying.Sleep, [Mark])] = [
      (.off, false, .off, []), (.all, false, .off, [.repeats(one: false)]), (.one, false, .off, [.repeats(one: true)]),
      (.off, true, .off, [.shuffle]), (.off, false, .unknown, [.sleep(minutes: nil)]),
      (.one, true, .minutes(3), [.repeats(one: true), .shuffle, .sleep(minutes: 3)]),
    ]
    for (repeats, isShuffled, sleep, marks) in table {
      let now = NowPlaying {
        $0.repeatMode = repeats
        $0.isShuffled = isShuffled
        $0.sleep = sleep
      }
      #expect(Mark.all(of: now) == marks)
    }
  }

  @Test("the most urgent stands first, a low battery before all, and what runs on as usual behind them")
  func urgent() {
    var now = NowPlaying {
      ($0.count, $0.state, $0.isShuffled, $0.volume) = (1, .waiting, true, 50)
      ($0.condition, $0.battery) = (.offline, .init(level: 9, isPlugged: false))
      $0.told = PanelState(.importing, "Importing BLUE 2") { $0.part = 0.297 }
    }
    let low = Mark.battery(.init(level: 9, isPlugged: false))
    #expect(Mark.all(of: now) == [low, .state(.waiting), .offline, .importing(percent: 29), .shuffle])
    #expect(Mark.isUrgent(now))
    (now.condition, now.battery, now.state) = (nil, .init(level: 80, isPlugged: false), .playing)
    now.told = PanelState(.serverAway, "kitchen does not answer")
    #expect(Mark.all(of: now) == [.offline, .shuffle, .battery(.init(level: 80, isPlugged: false))])
    now.isFetching = true
    #expect(Mark.all(of: now) == [.offline, .shuffle, .fetching, .battery(.init(level: 80, isPlugged: false))])
    now.told = nil
    #expect(!Mark.isUrgent(now))
  }

  @Test(
    "minutes that have begun count, and are written in three letters at most",
    arguments: [
      (-1, 0, "0′"), (0, 0, "0′"), (1, 1, "1′"), (60_000, 1, "1′"), (60_001, 2, "2′"), (5_940_000, 99, "99′"),
      (5_940_001, 100, "2h"), (7_200_000, 120, "2h"), (7_200_001, 121, "3h"), (86_400_000, 1_440, "24h"),
    ] as [(Int64, Int, String)])
  func minutes(milliseconds: Int64, minutes: Int, text: String) {
    let left = Duration.milliseconds(milliseconds)
    #expect(NowPlaying.minutes(left) == minutes)
    #expect(Mark.sleep(minutes: minutes).text == text)
    guard milliseconds > 0 else { return }
    let change = NowPlaying.untilNextMinute(left)
    #expect(NowPlaying.minutes(left - change) == minutes - 1)
    #expect(NowPlaying.minutes(left - change + .milliseconds(1)) == minutes)
  }
}

@Suite("Now playing screen")
struct NowPlayingScreenTests {
  let screen: NowPlayingScreen
  static let sizes = [
    Size(width: 240, height: 240), Size(width: 320, height: 240), Size(width: 480, height: 320),
    Size(width: 800, height: 480),
  ]

  init() throws { screen = NowPlayingScreen(PanelLook(type: try PanelType())) }

  private func picture(_ now: NowPlaying, _ size: Size = Size(width: 320, height: 240)) -> Canvas {
    let canvas = Canvas(size: size)
    screen.draw(now, on: canvas)
    return canvas
  }

  /// The rectangle in which two pictures differ.
  private func difference(_ one: NowPlaying, _ other: NowPlaying, _ size: Size) -> Rect {
    let canvas = picture(one, size)
    canvas.markShown([canvas.bounds])
    screen.draw(other, on: canvas)
    return canvas.changes().reduce(.nothing) { $0.union($1) }
  }

  private var playing: NowPlaying {
    NowPlaying {
      $0.title = "Air"
      $0.artist = "Bach"
      $0.album = "Suite Nr. 3"
      $0.position = .seconds(10)
      $0.duration = .seconds(200)
      $0.volume = 50
      $0.state = .playing
      $0.count = 3
    }
  }

  @Test("drawing the same again changes nothing, also when other things were drawn before", arguments: sizes)
  func pure(size: Size) {
    let canvas = picture(playing, size)
    canvas.markShown([canvas.bounds])
    screen.draw(playing, on: canvas)
    #expect(canvas.changes().isEmpty)
    screen.draw(NowPlaying { $0.notice = "no sound card" }, on: canvas)
    #expect(!canvas.changes().isEmpty)
    screen.draw(playing, on: canvas)
    #expect(canvas.changes().isEmpty)
  }

  @Test("everything a person is told changes the picture")
  func told() {
    let changes: [(inout NowPlaying) -> Void] = [
      { $0.title = "Aria" }, { $0.artist = "Brahms" }, { $0.album = "Suite Nr. 2" }, { $0.position = .seconds(11) },
      { $0.duration = .seconds(201) }, { $0.duration = nil }, { $0.showsVolume = true }, { $0.volume = 0 },
      { $0.clock = "14:05" },
      { $0.state = .paused }, { $0.state = .stopped }, { $0.state = .waiting },
      { $0.state = .starting },
      { $0.repeatMode = .all }, { $0.repeatMode = .one }, { $0.isShuffled = true }, { $0.sleep = .unknown },
      { $0.sleep = .minutes(7) }, { $0.notice = "the stick is gone" }, { $0.isFetching = true },
      { $0.condition = .offline }, { $0.condition = .loading }, { $0.upNext = "Gavotte" }, { $0.count = 0 },
    ]
    for (index, change) in changes.enumerated() {
      var other = playing
      change(&other)
      #expect(other != playing)
      #expect(!difference(playing, other, Size(width: 320, height: 240)).isEmpty, "change \(index)")
    }
  }

  @Test("what comes next has its cover at 800x480, and no word moves when it comes", arguments: sizes)
  func nextCover(size: Size) {
    var now = playing
    now.upNext = "Gavotte"
    let layout = NowPlayingLayout(size)
    let side = layout.nextCover
    #expect((side > 0) == (size.width == 800))
    guard side > 0 else { return }
    var covered = now
    covered.nextCover = Picture(
      size: Size(width: side, height: side), pixels: Array(repeating: 0xFF8800, count: side * side))
    let place = Rect(x: layout.next.x, y: layout.next.bottom - side, width: side, height: side)
    #expect(difference(now, covered, size) == place)
  }

  @Test("music that does not come in time is no playing music, and says that it is loaded")
  func loading() {
    var status = PlayerStatus()
    (status.wish, status.count) = (.playing, 3)
    #expect(NowPlaying(status, notice: nil).state == .playing && NowPlaying(status, notice: nil).condition == nil)
    status.waitsFor = Notice("O-413", "The music waits.")
    let now = NowPlaying(status, notice: nil)
    #expect(now.state == .waiting && now.condition == .loading)
    status.wish = .paused
    #expect(NowPlaying(status, notice: nil).condition == nil)
  }

  @Test("without a connection it says so in as many words as have room, in one pill beside the clock", arguments: sizes)
  func offline(size: Size) {
    var now = playing
    (now.condition, now.clock) = (.offline, "14:05")
    var said: [DrawnText] = []
    let canvas = Canvas(size: size)
    canvas.heard = { said.append($0) }
    screen.draw(now, on: canvas)
    let drawn = said.filter(\.isWhole).map(\.text)
    let layout = NowPlayingLayout(size)
    let hasRoom = layout.top.height > 0 && layout.screen != .square
    #expect(drawn.contains { $0.contains("Playing offline, reconnecting") || $0 == "Offline" } == hasRoom, "\(drawn)")
    let changed = difference(playing, now, size)
    #expect(changed == .nothing || changed.bottom <= layout.top.bottom)
    now.state = .paused
    #expect(screen.caption(of: now).contains("· Offline ·"))
  }

  /// An hour beside an hour leaves no room between the times.
  private static let urgent: [(String, @Sendable (inout NowPlaying) -> Void)] = [
    ("offline", { $0.condition = .offline }), ("paused", { $0.state = .paused }), ("waits", { $0.state = .waiting }),
    ("server", { $0.told = PanelState(.serverAway, "the server in the kitchen does not answer") }),
    ("import", { $0.told = PanelState(.importing, "Importing the music of a stick with a long name") }),
    ("battery", { $0.battery = .init(level: 9, isPlugged: false) }),
  ]

  @Test("what is wrong is seen in every class, in words or by a sign, however long the music is")
  func urgentSigns() {
    for screen in ScreenClass.allCases {
      for length in [200, 40_000] {
        var plain = playing
        (plain.duration, plain.position, plain.clock) = (.seconds(length), .seconds(length / 3), "14:05")
        (plain.isShuffled, plain.repeatMode, plain.sleep) = (true, .one, .minutes(88))
        var seen = [picture(plain, screen.size).shownPixels]
        for (name, set) in Self.urgent {
          var now = plain
          set(&now)
          let pixels = picture(now, screen.size).shownPixels
          // Offline and a server that does not answer have one sign.
          if name != "server" { #expect(!seen.contains(pixels), "\(name) on \(screen) at \(length) s") }
          #expect(pixels != seen[0], "\(name) on \(screen) at \(length) s")
          seen.append(pixels)
        }
      }
    }
  }

  @Test("signs between the times touch neither of them")
  func between() {
    let size = ScreenClass.tiny.size
    for seconds in [59, 599, 3_599, 35_999, 359_999] {
      var plain = playing
      (plain.duration, plain.position) = (.seconds(2 * seconds), .seconds(seconds))
      var marked = plain
      (marked.repeatMode, marked.isShuffled, marked.sleep) = (.one, true, .minutes(88))
      let (one, other) = (picture(plain, size), picture(marked, size))
      for y in 0..<size.height {
        for x in 0..<size.width where one[x, y] != Theme.night.ground { #expect(one[x, y] == other[x, y], "\(x) \(y)") }
      }
    }
  }

  @Test("marks stay in the top row and never touch the clock", arguments: sizes)
  func marks(size: Size) {
    var plain = playing
    plain.clock = "14:05"
    var marked = plain
    (marked.repeatMode, marked.isShuffled, marked.sleep) = (.one, true, .minutes(88))
    let changed = difference(plain, marked, size)
    let layout = NowPlayingLayout(size)
    #expect(!changed.isEmpty && changed.y >= layout.top.y && changed.bottom <= layout.top.bottom)
    #expect(changed.right <= layout.top.right - layout.length(40))
  }

  @Test("the volume is over the top row while it is turned, and moves nothing else", arguments: sizes)
  func volume(size: Size) {
    var turned = playing
    turned.showsVolume = true
    let layout = NowPlayingLayout(size)
    let changed = difference(playing, turned, size)
    #expect(!changed.isEmpty && layout.volume.contains(changed))
    var louder = turned
    louder.volume = 90
    #expect(layout.volume.contains(difference(turned, louder, size)))
    // While it lies over the sign that nothing plays it has one itself.
    var paused = turned
    paused.state = .paused
    let sign = difference(turned, paused, size).intersection(layout.volume)
    #expect(sign.height > layout.length(8), "\(sign)")
  }

  @Test("a second later only the times' and the bar's rows change", arguments: sizes)
  func second(size: Size) {
    var later = playing
    later.position += .seconds(1)
    let changed = difference(playing, later, size)
    let layout = NowPlayingLayout(size)
    #expect(changed.y >= layout.progress.y && changed.bottom <= layout.times.bottom)
  }

  @Test("the bar never gets shorter while the music goes on, begins empty and ends full")
  func progress() {
    let size = Size(width: 320, height: 240)
    let row = NowPlayingLayout(size).progress
    var before = -1
    for second in 0...300 {
      let canvas = picture(
        NowPlaying {
          $0.count = 1
          $0.state = .playing
          $0.duration = .seconds(300)
          $0.position = .seconds(second)
        }, size)
      let filled = row.columns.filter { canvas[$0, row.y + row.height / 2] == Theme.night.accent }.count
      #expect(filled >= before)
      if second == 0 { #expect(filled == 0) }
      if second == 300 { #expect(filled >= row.width - 2) }
      before = filled
    }
  }

  /// Every class, at home and in a car, with keys and without, with a notice and without, and sizes between.
  static let layouts: [(size: Size, layout: NowPlayingLayout)] = {
    let between = [(300, 220), (480, 272), (640, 480), (1_024, 600), (1_920, 1_080), (320, 320), (600, 1_024)]
    let sizes = ScreenClass.allCases.map(\.size) + between.map { Size(width: $0, height: $1) }
    return sizes.flatMap { size in
      PanelProfile.allCases.flatMap { profile in
        [false, true].flatMap { isTouched in
          [false, true].map { hasNotice in
            (size, NowPlayingLayout(size, PanelStyle(profile, isTouched: isTouched), hasNotice: hasNotice))
          }
        }
      }
    }
  }()

  @Test("rows do not overlap and lie inside, in every class")
  func rows() {
    for (size, layout) in Self.layouts {
      let panel = Rect(x: 0, y: 0, width: size.width, height: size.height)
      let all = [layout.cover ?? .nothing, layout.names, layout.progress, layout.times, layout.next, layout.keys]
      let there = all.filter { !$0.isEmpty }
      for (index, row) in there.enumerated() {
        #expect(panel.contains(row), "\(row) on \(size)")
        for other in there[(index + 1)...] {
          #expect(row.intersection(other).isEmpty, "\(row) and \(other) on \(size)")
        }
      }
      #expect(panel.contains(layout.notice) && panel.contains(layout.volume) && !layout.notice.isEmpty)
      // A title in its large letters has room, and something to say beside it.
      #expect(layout.names.height >= layout.letters(layout.type.large), "\(layout.names) on \(size)")
    }
  }

  @Test(
    "a screen of its own size has the grid that was drawn for it",
    arguments: [
      (ScreenClass.wide, Rect(x: 12, y: 32, width: 128, height: 128), Rect(x: 12, y: 170, width: 296, height: 6)),
      (.large, Rect(x: 24, y: 64, width: 320, height: 320), Rect(x: 24, y: 408, width: 752, height: 8)),
      (.square, Rect(x: 56, y: 8, width: 128, height: 128), Rect(x: 12, y: 202, width: 216, height: 6)),
    ])
  func grid(screen: ScreenClass, cover: Rect, progress: Rect) {
    let layout = NowPlayingLayout(screen.size)
    #expect(layout.screen == screen && layout.cover == cover && layout.progress == progress)
  }

  @Test("a notice moves neither cover nor names, but in a car", arguments: ScreenClass.allCases)
  func still(screen: ScreenClass) {
    for isTouched in [false, true] {
      let style = PanelStyle(.home, isTouched: isTouched)
      let (plain, told) = (NowPlayingLayout(screen.size, style), NowPlayingLayout(screen.size, style, hasNotice: true))
      #expect(plain == told)
    }
  }

  @Test("a notice, also one of many words, hides neither clock nor time where the panel has other room for it")
  func leavesTheTop() {
    var now = playing
    (now.notice, now.noticeStands) = (String(repeating: "The disk is not well. ", count: 20), true)
    for (size, layout) in Self.layouts where [.large, .largeTall, .tall].contains(layout.screen) {
      let band = screen.noticeBand(now, layout)
      for rect in [layout.top, layout.progress, layout.times, layout.keys] {
        #expect(band.intersection(rect).isEmpty, "\(rect) below \(band) on \(size)")
      }
    }
  }

  @Test("on a tall panel no band lies over the cover, and the title above a notice is whole, at home and in a car")
  func leavesTheCover() {
    let texts = ["Safe mode.", String(repeating: "The disk is not well. ", count: 20)]
    for size in [Size(width: 240, height: 320), Size(width: 480, height: 800)] {
      for (profile, isTouched) in PanelProfile.allCases.flatMap({ profile in [false, true].map { (profile, $0) } }) {
        for (text, stands) in texts.flatMap({ text in [false, true].map { (text, $0) } }) {
          var look = screen.look
          look.style = PanelStyle(profile, isTouched: isTouched)
          let seen = NowPlayingScreen(look)
          var now = playing
          (now.notice, now.noticeStands, now.showsVolume) = (text, stands, false)
          let layout = seen.layout(now, size)
          let band = seen.noticeBand(now, layout)
          let cover = layout.cover ?? .nothing
          #expect(cover.intersection(band).isEmpty && cover.intersection(layout.volume).isEmpty, "\(size), \(profile)")
          #expect(!cover.isEmpty || profile == .car && isTouched, "\(size), \(profile)")
          var title: [Rect] = []
          let canvas = Canvas(size: size)
          canvas.heard = { if $0.text == "Air" { title.append($0.rect) } }
          seen.draw(now, on: canvas)
          #expect(title.count == 1 && title.allSatisfy { $0.intersection(band).isEmpty }, "\(size), \(profile)")
        }
      }
    }
  }

  @Test("digits stand in cells of one width: a second later no other one has moved")
  func cells() {
    let face = screen.type.bold.at(22)
    let widths = Set((0...9).map { screen.digitsWidth(of: "1:\($0)1", face) })
    #expect(widths.count == 1)
  }

  @Test(
    "any names are drawn, in any size",
    arguments: [
      "", " \n ", String(repeating: "Donaudampfschifffahrt", count: 500), String(repeating: "la ", count: 5_000),
      "交響曲第九番「合唱」", "שיר השירים", "أغنية طويلة", "e\u{301}\u{302}\u{303}\u{304}", "👩‍👩‍👧‍👦🎵", "\u{1B}[2J\u{0}\u{202E}",
      "\u{E000}\u{10FFFF}",
    ])
  func names(text: String) {
    for size in Self.sizes + [Size(width: 1, height: 1), Size(width: 20, height: 10), Size(width: 10, height: 400)] {
      let now = NowPlaying {
        $0.title = text
        $0.artist = text
        $0.album = text
        $0.upNext = text
        $0.count = 1
        $0.duration = .seconds(Int64.max / 4)
        $0.position = .seconds(Int64.max / 2)
      }
      _ = picture(now, size)
      var told = now
      told.notice = text
      _ = picture(told, size)
      #expect(!screen.caption(of: told).isEmpty)
    }
  }

  @Test("random values are drawn: bars stay inside, equal values give equal pictures", arguments: 1...3)
  func walk(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      let now = NowPlaying {
        $0.title = String(repeating: "Wort ", count: .random(in: 0..<30, using: &random))
        $0.count = .random(in: -2..<20_000, using: &random)
        $0.index = .random(in: -5..<30_000, using: &random)
        $0.volume = .random(in: -50..<200, using: &random)
        $0.repeatMode = [.off, .one, .all].randomElement(using: &random) ?? .off
        $0.isShuffled = .random(using: &random)
        $0.sleep =
          [.off, .unknown, .minutes(.random(in: -5..<100_000, using: &random))].randomElement(using: &random) ?? .off
        $0.position = .milliseconds(.random(in: -9_000..<9_000_000, using: &random))
        $0.duration = Bool.random(using: &random) ? .milliseconds(.random(in: -9_000..<9_000_000, using: &random)) : nil
      }
      let size = Self.sizes.randomElement(using: &random) ?? Size(width: 320, height: 240)
      #expect(difference(now, now, size).isEmpty, "seed \(seed)")
    }
  }

  @Test("nothing to play says so in words, and keeps a notice")
  func empty() {
    #expect(screen.caption(of: NowPlaying()).contains("Nothing to play"))
    #expect(screen.caption(of: NowPlaying { $0.state = .starting }) == "Starting… · volume 0")
    #expect(screen.caption(of: NowPlaying { $0.notice = "the stick cannot be read" }).contains("stick"))
    #expect(screen.caption(of: playing) == "▶ 0:10/3:20 · volume 50 · Air – Bach")
  }

  @Test("a padlock stands where all is locked, and a note where a visitor may choose music", arguments: sizes)
  func padlock(size: Size) {
    func pixels(_ kind: PanelState.Kind, _ action: PanelState.Action?) -> [Pixel] {
      let now = NowPlaying { now in
        now.told = PanelState(kind, "As it is") { ($0.action, $0.offer) = (action, action == nil ? "" : "Menu") }
      }
      return picture(now, size).shownPixels
    }
    #expect(pixels(.locked, nil) != pixels(.nothingHere, nil))
    #expect(pixels(.locked, .open(.write(.pin))) != pixels(.nothingHere, .open(.write(.pin))))
    #expect(pixels(.locked, .open(.menu)) == pixels(.nothingHere, .open(.menu)))
  }

  @Test("with nothing to play it says what to do, but not while it is starting")
  func hint() {
    for size in Self.sizes {
      let plain = NowPlaying()
      let hinted = NowPlaying {
        $0.told = PanelState.all(of: PanelFacts { $0.musicFolder = "/data/music" }, by: .all, .english).first
      }
      #expect(!difference(plain, hinted, size).isEmpty)
      func starting(_ now: NowPlaying) -> NowPlaying {
        var starting = now
        starting.state = .starting
        return starting
      }
      #expect(!difference(hinted, starting(hinted), size).isEmpty)
      #expect(difference(starting(plain), starting(hinted), size).isEmpty)
    }
  }

  @Test("a notice that stands looks different from one that passes, in the same place", arguments: sizes)
  func standing(size: Size) {
    var passing = playing
    passing.notice = "Safe mode. Your settings are left aside."
    var standing = passing
    standing.noticeStands = true
    let changed = difference(passing, standing, size)
    let place = NowPlayingLayout(size).notice
    #expect(place.contains(changed) && changed.width > place.width * 9 / 10)
  }

  @Test(
    "the first sentence of what stands is its title",
    arguments: [
      ("Safe mode. The settings are left aside.", "Safe mode", "The settings are left aside."),
      ("Safe mode.", "Safe mode", ""), ("No stop", "No stop", ""), ("", "", ""), (".", "", ""),
      ("layby.conf is broken. See to it.", "layby.conf is broken", "See to it."), ("...", "..", ""),
      ("セーフモード。設定は使われません", "セーフモード", "設定は使われません"),
    ])
  func title(notice: String, title: String, rest: String) {
    #expect(NowPlayingScreen.titleAndRest(of: notice) == (title, rest))
  }
}
