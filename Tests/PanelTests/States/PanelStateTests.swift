import Application
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

@Suite("States of the device")
struct PanelStateTests {
  typealias Row = (
    name: String, set: @Sendable (inout PanelFacts) -> Void, states: [PanelState.Kind], said: String,
    action: PanelState.Action?
  )

  private static let away = PanelFacts.Away(
    "kitchen", since: Moment(nanoseconds: 0), again: nil, code: "O-143", message: "it does not serve")
  private static let full = PanelFacts.Unsaved(Fault(.full, "S-106", "no room"))

  static let table: [Row] = [
    ("music plays", { $0.isEmpty = false }, [], "", nil),
    ("nothing at all", { _ in }, [.nothingHere], "Nothing to play yet. Plug in a USB stick with music", nil),
    (
      "a library", { $0.offersLibrary = true }, [.nothingHere], "Your music is ready", .playLibrary
    ),
    ("a stick", { $0.stick = "BLUE 2" }, [.nothingHere], "Nothing to play yet. BLUE 2 is plugged in", .open(.sticks)),
    (
      "a stick without a name", { $0.stick = "" }, [.nothingHere], "Nothing to play yet. This stick is plugged in",
      .open(.sticks)
    ),
    (
      "one source", { $0.sources = ["kitchen"] }, [.nothingHere], "Nothing to play yet. kitchen has music",
      .open(.source("kitchen"))
    ),
    ("two sources", { $0.sources = ["a", "b"] }, [.nothingHere], "Nothing to play yet. a has music", .open(.sources)),
    (
      "no network", { ($0.sources, $0.isOffline) = (["kitchen"], true) }, [.serverAway, .nothingHere],
      "No network. A stick with layby-setup.conf sets up Wi-Fi", .open(.keep)
    ),
    (
      "no network where one can be chosen",
      { ($0.sources, $0.isOffline, $0.joinsWireless) = (["kitchen"], true, true) }, [.serverAway, .nothingHere],
      "No network", .open(.wireless)
    ),
    (
      "no network and music here", { ($0.sources, $0.isOffline, $0.offersLibrary) = (["kitchen"], true, true) },
      [.nothingHere], "Your music is ready", .playLibrary
    ),
    ("no network where nothing is fetched", { ($0.isOffline, $0.isEmpty) = (true, false) }, [], "", nil),
    (
      "a server", { ($0.sources, $0.away, $0.isEmpty) = (["kitchen"], away, false) }, [.serverAway],
      "kitchen does not answer. Stored music plays on. It tries again by itself", .open(.keep)
    ),
    (
      "a server in three minutes",
      {
        ($0.sources, $0.away, $0.isEmpty) = (["kitchen"], away, false)
        $0.away?.again = Moment(nanoseconds: 150_000_000_000)
      }, [.serverAway], "kitchen does not answer. Stored music plays on. It is tried again in 3 min", .open(.keep)
    ),
    (
      "a server that has been away for long",
      {
        ($0.sources, $0.away, $0.isEmpty) = (["kitchen"], away, false)
        $0.now = Moment(nanoseconds: 90_000_000_000)
      }, [], "", nil
    ),
    (
      "a server that has been away for long, whose music plays",
      {
        ($0.sources, $0.away, $0.isEmpty) = (["kitchen"], away, false)
        $0.now = Moment(nanoseconds: 90_000_000_000)
        $0.away?.isPlayed = true
      }, [.serverAway], "kitchen does not answer. Stored music plays on. It tries again by itself", .open(.keep)
    ),
    (
      "a library and a knob", { ($0.offersLibrary, $0.menuIsHeld) = (true, true) }, [.nothingHere],
      "Your music is ready. Hold: menu", .playLibrary
    ),
    (
      "counting", { $0.importing = .init("BLUE 2", seen: 40, total: 0) }, [.importing, .nothingHere],
      "Importing BLUE 2. 40 songs so far", nil
    ),
    (
      "importing", { $0.importing = .init("BLUE 2", seen: 40, total: 80, left: .seconds(61)) },
      [.importing, .nothingHere], "Importing BLUE 2. 40 of 80 songs. About 2 min left", nil
    ),
    (
      "importing what can be played", { ($0.importing, $0.offersLibrary) = (.init("b", seen: 4, total: 8), true) },
      [.importing, .nothingHere], "Importing b. 4 of 8 songs", .playLibrary
    ),
    (
      "a full disk", { ($0.unsaved, $0.isEmpty) = (full, false) }, [.fullDisk],
      "The disk is full. The music plays on; saving waits for room", nil
    ),
    (
      "a full disk with what was fetched", { ($0.unsaved, $0.isEmpty, $0.sources) = (full, false, ["a"]) },
      [.fullDisk], "The disk is full. The music plays on; saving waits for room", .open(.storage)
    ),
    (
      "a locked disk", { ($0.unsaved, $0.isEmpty) = (.init(Fault(.denied, "S-1", "")), false) }, [.fullDisk],
      "The disk cannot be written to. The music goes on; nothing new is remembered", nil
    ),
    (
      "no device", { ($0.missingDevice, $0.isEmpty) = ("hw:9", false) }, [.noDevice],
      "The sound device is missing. The music goes on when hw:9 is back", nil
    ),
    (
      "safe mode", { ($0.isSafe, $0.isEmpty) = (true, false) }, [.safeMode],
      "Safe mode after several crashes. The music plays. Your settings and downloads rest until a new start",
      .open(.sure(Question("Start anew", .startAnew, yes: .startAnew)))
    ),
    (
      "silent safe mode", { ($0.isSafe, $0.isSilent, $0.isEmpty) = (true, true, false) }, [.safeMode],
      "Safe mode after several crashes. Press play for the music. Your settings and downloads rest until a new start",
      .open(.sure(Question("Start anew", .startAnew, yes: .startAnew)))
    ),
    ("a kiosk", { $0.lock = .locked(opensByPIN: true) }, [.locked, .nothingHere], "Choose some music", .open(.menu)),
    (
      "closed", { ($0.lock, $0.hours) = (.locked(opensByPIN: true), .closed(.init(day: 0, clock: "9:00"))) },
      [.closed, .nothingHere], "Closed. Opens Mon 9:00", nil
    ),
    (
      "all at once",
      {
        ($0.missingDevice, $0.unsaved, $0.isSafe, $0.isEmpty) = ("hw:9", full, true, false)
        ($0.importing, $0.sources, $0.isOffline) = (.init("b", seen: 4, total: 8), ["a"], true)
      }, [.noDevice, .fullDisk, .safeMode, .importing, .serverAway],
      "The sound device is missing. The music goes on when hw:9 is back", nil
    ),
  ]

  @Test("what is so leads to one list of states, the first of which says what happened and what happens now")
  func rule() {
    for row in Self.table {
      let states = PanelState.all(of: PanelFacts(row.set), by: .all, .english)
      #expect(states.map(\.kind) == row.states, "\(row.name)")
      #expect(states.first?.sentences.joined(separator: ". ") ?? "" == row.said, "\(row.name)")
      #expect(states.first?.action == row.action, "\(row.name)")
      for state in states { #expect((state.action == nil) == state.offer.isEmpty, "\(row.name)") }
    }
  }

  @Test("a visitor who may do nothing is told who opens it, and is offered nothing else")
  func visitor() {
    for opensByPIN in [true, false] {
      let rights = AccessRights(only: [], opensByPIN: opensByPIN)
      let facts = PanelFacts {
        ($0.lock, $0.offersLibrary, $0.sources) = (.locked(opensByPIN: opensByPIN), true, ["a"])
        $0.unsaved = Self.full
      }
      let states = PanelState.all(of: facts, by: rights, .english)
      #expect(states.map(\.kind) == [.fullDisk, .locked, .nothingHere])
      #expect(states.map(\.action) == [nil, opensByPIN ? .open(.write(.pin)) : nil, nil])
      #expect(states[1].now == [opensByPIN ? "Staff can open it with the PIN" : "Its owner can open it"])
    }
  }

  @Test("every kind has a row in the table and a screen among the drawn ones")
  func complete() {
    let drawn = Sheet.told.flatMap { PanelState.all(of: PanelFacts($0.set), by: .all, .english).map(\.kind) }
    for kind in PanelState.Kind.allCases {
      #expect(Self.table.contains { $0.states.contains(kind) }, "\(kind)")
      // The sheet of invitations has the one that says that it is closed.
      #expect(drawn.contains(kind) || kind == .closed, "\(kind)")
    }
  }

  @Test("what is said of a source that is away changes at the times at which the panel looks again, and at no other")
  func awayChanges() {
    var facts = PanelFacts { ($0.sources, $0.away, $0.isEmpty) = (["kitchen"], Self.away, false) }
    for isPlayed in [false, true] {
      facts.away?.isPlayed = isPlayed
      facts.away?.again = Moment(nanoseconds: 150_000_000_000)
      var (said, looks) = ("", Moment(nanoseconds: 0))
      var all: [String] = []
      for second in 0..<300 {
        facts.now = Moment(nanoseconds: Int64(second) * 1_000_000_000)
        let now = PanelState.all(of: facts, by: .all, .english).flatMap(\.sentences).joined(separator: ". ")
        if facts.now < looks { #expect(now == said, "after \(second) s") }
        guard facts.now >= looks else { continue }
        looks = facts.away?.nextChange(after: facts.now) ?? Moment(nanoseconds: .max)
        (said, all) = (now, all + [now])
      }
      // In 3 and 2 minutes, and then at any time; or no news any more after one.
      #expect(Set(all).count == 3 && looks == Moment(nanoseconds: .max))
    }
  }

  @Test("an import is told in a hundred steps at most, and its end is its end")
  func steps() {
    var shown: [PanelFacts.Import] = []
    for seen in 0...12_345 {
      let now = PanelFacts.Import("b", seen: seen, total: 12_345, left: .seconds(12_345 - seen))
      if now.seen != shown.last?.seen { shown.append(now) }
    }
    #expect(shown.count <= 102 && shown.last?.seen == 12_345)
    #expect(PanelFacts.Import("b", seen: 3, total: 7).seen == 3)
  }

  @Test("beside music that plays a warning stands, an import is a few words, and another notice goes first")
  func beside() {
    let facts = PanelFacts {
      ($0.isEmpty, $0.missingDevice, $0.importing) = (false, "hw:9", .init("b", seen: 4, total: 8))
    }
    let states = PanelState.all(of: facts, by: .all, .english)
    var now = NowPlaying { $0.count = 3 }
    now.take(states)
    #expect(now.warning?.kind == .noDevice && now.told?.kind == .importing)
    var noticed = NowPlaying { ($0.count, $0.notice) = (3, "The stick is gone.") }
    noticed.take(states)
    #expect(noticed.warning == nil && noticed.told?.kind == .importing)
    var empty = NowPlaying()
    empty.take(states)
    #expect(empty.warning?.kind == .noDevice && empty.told?.kind == .importing)
  }

  @Test("with nothing to play, keys that do nothing look so, and play does only where it offers something")
  func idleKeys() throws {
    let screen = NowPlayingScreen(PanelLook(type: try PanelType(), words: .english))
    func idle(_ set: (inout PanelFacts) -> Void, count: Int = 0) -> [NowPlayingScreen.Key] {
      var now = NowPlaying { $0.count = count }
      now.take(PanelState.all(of: PanelFacts(set), by: .all, .english))
      return NowPlayingScreen.Key.allCases.filter { screen.isIdle($0, now) }
    }
    #expect(idle({ _ in }) == [.previous, .play, .next])
    #expect(idle({ $0.offersLibrary = true }) == [.previous, .next])
    #expect(idle({ $0.isEmpty = false }, count: 3) == [])
  }

  @Test("a warning over music that plays passes when it is read, and is a sign and a few words then")
  func passes() {
    let facts = PanelFacts {
      ($0.isEmpty, $0.isSafe, $0.importing) = (false, true, .init("b", seen: 4, total: 8))
    }
    let states = PanelState.all(of: facts, by: .all, .english)
    var (unread, read, empty) = (NowPlaying { $0.count = 3 }, NowPlaying { $0.count = 3 }, NowPlaying())
    unread.take(states, isRead: false)
    read.take(states, isRead: true)
    empty.take(states, isRead: true)
    #expect(unread.warning?.kind == .safeMode && unread.told?.kind == .importing)
    #expect(read.warning == nil && read.told?.kind == .safeMode)
    #expect(Mark.all(of: read).contains(.warning) && !Mark.all(of: unread).contains(.warning))
    #expect(empty.warning?.kind == .safeMode && empty.told?.kind == .importing, "with nothing to play it has the room")
    #expect(unread.scene(.english).value.hasPrefix(read.scene(.english).value), "nothing new is said")
    // What has stopped the music stays.
    var silent = NowPlaying { $0.count = 3 }
    silent.take(PanelState.all(of: PanelFacts { $0.missingDevice = "hw:9" }, by: .all, .english), isRead: true)
    #expect(silent.warning?.kind == .noDevice)
  }

  @Test(
    "of a full screen every state says what happened, whole, in each class and language",
    arguments: PanelLanguage.allCases)
  func whole(language: PanelLanguage) async throws {
    let cut = try await aloneOnMainLoop { () async -> Result<[String], Fault> in
      do {
        var cut: [String] = []
        for profile in PanelProfile.allCases {
          for screen in ScreenClass.allCases {
            for isTouched in screen == .tiny ? [false] : [false, true] {
              let one = SheetTests.Case(language, screen.size.width, screen.size.height) {
                ($0.profile, $0.isTouched) = (profile, isTouched)
              }
              let look = try one.look()
              let music = NowPlayingScreen(look)
              for (name, now) in Sheet(size: one.size, look: look).states where now.count == 0 {
                let picture = music.statePicture(now, one.size, music.layout(now, one.size))
                if !picture.isWhole { cut.append("\(one.name) \(name)") }
                let title = picture.lines.filter(\.isTitle).map(\.text.text).joined().filter { $0 != " " }
                if title != now.told?.title.filter({ !" \u{2068}\u{2069}".contains($0) }) {
                  cut.append("\(one.name) \(name): \(title)")
                }
                // On the smallest what happened may be all that has room; the page of notices has the rest.
                if screen == .tiny { continue }
                let hasMore = !picture.offer.isEmpty || picture.lines.contains { !$0.isTitle }
                if !hasMore, now.told?.now.isEmpty == false { cut.append("\(one.name) \(name): only the title") }
                if picture.offer.isEmpty != (now.told?.action == nil) {
                  cut.append("\(one.name) \(name): no button")
                }
              }
            }
          }
        }
        return .success(cut)
      } catch { return .failure(Fault(.missing, "T-1", "\(error)")) }
    }.get()
    #expect(cut.isEmpty, "\(cut.joined(separator: "\n"))")
  }

  @Test("a finger on what is offered does it, and nothing else of the screen does")
  func touched() async throws {
    let meanings = try await aloneOnMainLoop { () async -> Result<[Controls.Meaning], Fault> in
      do {
        let one = SheetTests.Case(.english, 320, 240) { $0.isTouched = true }
        let music = NowPlayingScreen(try one.look())
        var now = NowPlaying()
        now.take(PanelState.all(of: PanelFacts { $0.stick = "BLUE 2" }, by: .all, .english))
        let button = try #require(music.stateButton(now, one.size))
        let targets = music.targets(now, one.size)
        return .success(
          targets.meanings(x: button.rect.x + 4, y: button.rect.y + 4) + targets.meanings(x: 2, y: 40))
      } catch { return .failure(Fault(.missing, "T-1", "\(error)")) }
    }.get()
    #expect(meanings == [.menu(.at(.sticks))])
  }

  @Test("a notice that has no room is shortened by sentences, and never in the middle of its first")
  func shortened() throws {
    let type = try PanelType()
    let face = type.bold.at(14)
    let long = "The disk is full. The music goes on, but where it is will not be remembered until there is room again."
    #expect(NowPlayingScreen.shortened(long, face, 216, lines: 2) == "The disk is full")
    #expect(NowPlayingScreen.shortened(long, face, 2_000, lines: 1) == long)
    let clause = "cannot open the panel's own device just now; the music plays without a picture there"
    #expect(NowPlayingScreen.shortened(clause, face, 216, lines: 2) == "cannot open the panel's own device just now")
    #expect(NowPlayingScreen.shortened("再生は続きます。空きができれば保存します", face, 120, lines: 1) == "再生は続きます")
    #expect(NowPlayingScreen.shortened("Onelongword", face, 8, lines: 1) == "Onelongword")
  }

  @Test("without a length only the elapsed time is told")
  func length() throws {
    let screen = NowPlayingScreen(PanelLook(type: try PanelType()))
    for duration in [nil, Duration.zero] {
      let now = NowPlaying { ($0.count, $0.position, $0.duration, $0.title) = (1, .seconds(40), duration, "Air") }
      #expect(screen.caption(of: now).hasPrefix("■ 0:40 · "))
      let canvas = Canvas(size: Size(width: 320, height: 240))
      var said: [String] = []
      canvas.heard = { said.append($0.text) }
      screen.draw(now, on: canvas)
      canvas.heard = nil
      #expect(!said.joined().contains("−"), "\(said)")
    }
  }

  @Test("no word of a state and nothing that it offers lies under the keys", arguments: ScreenClass.allCases)
  func keys(of screen: ScreenClass) async throws {
    let type = try SheetTests.type()
    await aloneOnMainLoop { () async in
      for profile in PanelProfile.allCases {
        let shown = NowPlayingScreen(PanelLook(type: type, style: PanelStyle(profile, isTouched: true)))
        for facts in [
          PanelFacts { _ in }, PanelFacts { $0.offersLibrary = true }, PanelFacts { $0.sources = ["kitchen"] },
        ] {
          var now = NowPlaying()
          now.take(PanelState.all(of: facts, by: .all, .english))
          let layout = shown.layout(now, screen.size)
          let picture = shown.statePicture(now, screen.size, layout)
          #expect(picture.isWhole && !picture.lines.isEmpty)
          for key in shown.keys(layout, screen.size).map(\.rect) {
            #expect(key.y >= 0 && key.bottom <= screen.size.height)
            for rect in picture.lines.map(\.place) + [picture.button] {
              #expect(rect.intersection(key).area == 0, "\(profile): \(rect) lies under \(key)")
            }
          }
        }
      }
    }
  }

  @Test("what is read aloud has all sentences and what can be done, and an import is not told at each step")
  func spoken() {
    var now = NowPlaying()
    now.take(PanelState.all(of: PanelFacts { $0.offersLibrary = true }, by: .all, .english))
    let scene = now.scene(.english)
    #expect(scene.focus == "Your music is ready. Play all your music" && scene.value.isEmpty)
    var warned = NowPlaying { ($0.count, $0.title) = (1, "Air") }
    warned.take(PanelState.all(of: PanelFacts { ($0.isEmpty, $0.unsaved) = (false, Self.full) }, by: .all, .english))
    #expect(warned.scene(.english).value == "The disk is full. The music plays on; saving waits for room")
    var importing = NowPlaying()
    importing.take(PanelState.all(of: PanelFacts { $0.importing = .init("b", seen: 4, total: 8) }, by: .all, .english))
    #expect(importing.scene(.english).isMoving && importing.scene(.english).focus == "Importing b")
  }
}
