import Hardware
import Library
import Playback
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

@Suite("Touch")
struct TouchTests {
  struct Panel: Sendable {
    let size: Size
    let style: PanelStyle
    var words = PanelWords.english
  }

  static let panels: [Panel] = [
    Panel(size: Size(width: 320, height: 240), style: PanelStyle(isTouched: true)),
    Panel(size: Size(width: 800, height: 480), style: PanelStyle(.car, isTouched: true)),
    Panel(size: Size(width: 240, height: 320), style: PanelStyle(.kiosk, isTouched: true)),
    Panel(size: Size(width: 320, height: 240), style: PanelStyle(isTouched: true), words: .arabic),
  ]

  @Test("what is touched lies on the panel, lies over nothing else, and is as large as a finger", arguments: panels)
  func places(panel: Panel) async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      let look = PanelLook(type: type, words: panel.words, style: panel.style)
      let all = Rect(x: 0, y: 0, width: panel.size.width, height: panel.size.height)
      // Of panels as they are sold: 7 inches, 3.5, and 3.2.
      let pitch = panel.size.width == 800 ? 0.19 : panel.size.width == 320 ? 0.222 : 0.203
      // On the narrowest the letters of the wheel are 7 mm wide.
      let least = Int((panel.style.isForCars ? CarRule.touched : panel.size.width == 240 ? 7 : 8) / pitch)
      var grounds: [(String, [TouchTarget])] = [
        ("music", NowPlayingScreen(look).targets(Sheet.playing, panel.size)),
        ("question", QuestionScreen(look).targets(Sheet.question, panel.size)),
      ]
      for (name, shown) in await Sheet(size: panel.size, look: look).menus() {
        grounds.append((name, MenuScreen(look).targets(shown, panel.size)))
      }
      for (name, targets) in grounds {
        #expect(!targets.isEmpty, "\(name)")
        for (index, target) in targets.enumerated() {
          #expect(all.contains(target.rect), "\(name): \(target.rect)")
          for other in targets[(index + 1)...] {
            #expect(target.rect.intersection(other.rect).isEmpty, "\(name): \(target.rect) \(other.rect)")
          }
          #expect(min(target.rect.width, target.rect.height) >= least, "\(name): \(target.rect)")
        }
      }
    }
  }

  static let sold: [(screen: ScreenClass, inches: Double)] = [
    (.square, 2.8), (.square, 4), (.wide, 2.4), (.wide, 2.8), (.wide, 3.5), (.tall, 2.8), (.tall, 3.2), (.wider, 3.5),
    (.wider, 4), (.large, 4.3), (.large, 5), (.large, 7), (.largeTall, 4.3), (.largeTall, 5), (.largeTall, 7),
  ]

  @Test("on a panel of a known size everything that is touched is 9 mm high and wide, the line of the time too")
  func diagonal() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      for (screen, inches) in Self.sold {
        let size = screen.size
        var style = PanelStyle(isTouched: true)
        style.diagonal = PanelDiagonal(tenths: Int(inches * 254))
        let least = style.finger(on: size)
        let corners = Double(size.width * size.width + size.height * size.height).squareRoot()
        #expect(Double(least) * inches * 25.4 / corners >= 8.9, "\(size) \(inches)")
        let look = PanelLook(type: type, style: style)
        let music = NowPlayingScreen(look)
        let line = music.ground(Sheet.playing, size).line
        #expect(line.map { $0.height >= least } == true, "\(size) \(inches): \(String(describing: line))")
        var grounds = [("music", music.targets(Sheet.playing, size))]
        for (name, now) in Sheet(size: size, look: look).states { grounds.append((name, music.targets(now, size))) }
        grounds.append(("question", QuestionScreen(look).targets(Sheet.question, size)))
        for (name, shown) in await Sheet(size: size, look: look).menus() where name != "code" {
          grounds.append((name, MenuScreen(look).targets(shown, size)))
        }
        let all = Rect(x: 0, y: 0, width: size.width, height: size.height)
        for (name, targets) in grounds {
          #expect(!targets.isEmpty && targets.allSatisfy { all.contains($0.rect) }, "\(name)")
          // What is only pressed as the knob is has all that is left.
          for target in targets where name != "music" || !Self.isLeft(target, music, size) {
            let side = min(target.rect.width, target.rect.height)
            // On the smallest panel three answers leave the question two lines, and have 8 mm.
            let wanted = name == "question" ? least * 7 / 8 : least
            #expect(side >= wanted, "\(size) \(inches) \(name): \(target.rect) is not \(wanted)")
          }
        }
      }
    }
  }

  /// The cover or the names, which a finger's height of the line below may leave little of.
  private static func isLeft(_ target: TouchTarget, _ music: NowPlayingScreen, _ size: Size) -> Bool {
    let layout = music.layout(Sheet.playing, size)
    return [layout.cover, layout.names].compactMap { $0 }.contains { $0.x == target.rect.x && $0.y == target.rect.y }
  }

  @Test("a diagonal is inches or millimetres; what is none, or no panel's, is refused with what is expected")
  func diagonals() {
    let type = SettingType<PanelDiagonal?>.diagonal
    for (text, tenths) in [("89mm", 890), ("88.9mm", 889), ("3.5in", 889), ("7in", 1_778), ("25mm", 250)] {
      #expect(type.parse(text)??.tenths == tenths, "\(text)")
      #expect(type.parse(text).map { type.parse(type.format($0)) == $0 } == true, "\(text)")
    }
    #expect(type.parse("auto") == .some(nil) && type.format(nil) == "auto")
    for text in [
      "", "7", "in", "7 in", "-7in", "0in", "24mm", "2001mm", "7.55in", "7.in", ".5in", "7cm", "99999999999in",
    ] {
      #expect(type.parse(text) == nil, "\(text)")
    }
    #expect(type.expected.contains("25mm to 2000mm"))
  }

  @Test("without a diagonal each class keeps its figures; with a small one they grow, and with a large one they stay")
  func grown() {
    for screen in ScreenClass.allCases where screen != .tiny {
      var style = PanelStyle(isTouched: true)
      let plain = NowPlayingLayout(screen.size, style)
      style.diagonal = PanelDiagonal(tenths: 5_000)
      #expect(NowPlayingLayout(screen.size, style) == plain)
      style.diagonal = PanelDiagonal(tenths: 700)
      let grown = NowPlayingLayout(screen.size, style)
      #expect(grown.keys.height > plain.keys.height || plain.keys.height >= style.finger(on: screen.size), "\(screen)")
      #expect(grown.names.height > 0 && grown.keys.y >= grown.times.bottom || screen == .large, "\(screen)")
    }
  }

  @Test("every place is reached by touch alone, and left again", arguments: panels)
  func tree(panel: Panel) async throws {
    let type = try PanelType()
    let seen = await aloneOnMainLoop { () async -> Set<String> in
      let hand = MenuHand(MenuWorld(70))
      let finger = Finger(hand, MenuScreen(PanelLook(type: type, words: .english, style: panel.style)), panel.size)
      await hand.move(.open)
      var seen: Set<String> = []
      await finger.visit(depth: 0, &seen)
      await finger.back()
      #expect(!hand.desk.isOpen)
      return seen
    }
    let expected: [Word] = [
      .menu, .library, .queue, .search, .playlists, .sleepTimer, .sound, .equaliser, .crossfade, .downloads, .sticks,
      .notices, .about, .artists, .albums, .songs, .genres, .books, .podcasts, .folders, .recentlyAdded,
      .recentlyPlayed,
      .oftenPlayed, .listPlaylists, .addToPlaylist, .clearQueue, .settings, .bands, .forHelp,
    ]
    for word in expected { #expect(seen.contains(word.rawValue), "\(word.rawValue)") }
  }

  @Test("a song is found and played by touch alone")
  func song() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      let world = MenuWorld(2_000)
      let hand = MenuHand(world)
      let panel = Self.panels[0]
      let finger = Finger(hand, MenuScreen(PanelLook(type: type, style: panel.style)), panel.size)
      await hand.move(.open)
      #expect(await finger.tap("Search"))
      guard let title = world.songs.first(where: { !$0.title.contains(" ") && $0.title.count >= 6 })?.title else {
        return #expect(Bool(false))
      }
      for letter in title.prefix(5) { #expect(await finger.tap(letter: String(letter)), "\(title)") }
      await finger.tapFound()
      #expect(await finger.tap(title), "\(title)")
      guard case .play(let thing)? = world.performed.last else { return #expect(Bool(false)) }
      #expect(thing.title == title && !hand.desk.isOpen)
    }
  }

  @Test("a finger that is held on a song leads to what else can be done, and elsewhere back")
  func held() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(20))
      let panel = Self.panels[0]
      let screen = MenuScreen(PanelLook(type: type, style: panel.style))
      await hand.move(.open)
      for title in ["Music", "Songs"] { #expect(await hand.choose(title)) }
      let song = hand.rows[1].title
      @MainLoop func hold(_ y: Double) async {
        guard let shown = hand.desk.shown else { return }
        var reading = TouchReading()
        let point = TouchPoint(x: 0.5, y: y)
        for case .menu(let move) in reading.meanings(of: .hold(point), on: screen.ground(shown, panel.size)) {
          await hand.move(move)
        }
      }
      guard let shown = hand.desk.shown else { return #expect(Bool(false)) }
      let second = screen.laidOut(hand.rows, 0, screen.layout(shown, panel.size))[1].rect
      await hold(Double(second.y + second.height / 2) / 240)
      #expect(hand.desk.shown?.title == song && hand.rows.contains { $0.title == "Play next" })
      await hold(0.5)
      #expect(hand.desk.shown?.title == "Songs" && hand.rows[hand.focus].title == song)
      await hold(0.05)
      #expect(hand.desk.shown?.title == "Music")
    }
  }

  @Test("twenty thousand touches anywhere lead nowhere that back does not leave")
  func random() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      for seed in 1...2 as ClosedRange<UInt64> {
        var random = SeededGenerator(seed: seed)
        let hand = MenuHand(MenuWorld(300, seed: seed))
        let panel = Self.panels[Int(seed) % 2]
        let screen = MenuScreen(PanelLook(type: type, style: panel.style))
        var reading = TouchReading()
        for step in 0..<10_000 {
          guard let shown = hand.desk.shown else {
            hand.desk.move(.open)
            continue
          }
          func part() -> Double { Double.random(in: -0.2...1.2, using: &random) }
          let point = TouchPoint(x: part(), y: part())
          let touches: [Touch] = [
            .tap(point), .tap(point), .tap(point), .drag(point, across: part(), down: part() - 0.5), .hold(point),
            .swipe([Swipe.left, .right, .up, .down].randomElement(using: &random) ?? .up, from: point),
          ]
          let touch = touches.randomElement(using: &random) ?? .tap(point)
          for meaning in reading.meanings(of: touch, on: screen.ground(shown, panel.size)) {
            if case .menu(let move) = meaning { hand.desk.move(move) }
          }
          if Int.random(in: 0..<3, using: &random) > 0 { await hand.desk.settled() }
          if step % 100 == 99 {
            await hand.desk.settled()
            for _ in 0..<Menu.deepest where hand.desk.isOpen {
              guard let shown = hand.desk.shown else { break }
              let bar = TouchPoint(x: 0.5, y: 0.01)
              for meaning in reading.meanings(of: .tap(bar), on: screen.ground(shown, panel.size)) {
                if case .menu(let move) = meaning { hand.desk.move(move) }
              }
            }
            #expect(!hand.desk.isOpen, "seed \(seed), step \(step)")
          }
        }
        await hand.desk.settled()
      }
    }
  }

  struct Script: Sendable {
    let touch: Touch
    let meant: [Controls.Meaning]
  }

  private static let middle = TouchPoint(x: 0.5, y: 0.5)

  static let musicScripts: [Script] = [
    Script(touch: .tap(TouchPoint(x: 0.05, y: 0.97)), meant: [.menu(.open)]),
    Script(touch: .tap(TouchPoint(x: 0.25, y: 0.97)), meant: [.command(.turn(by: -5))]),
    Script(touch: .tap(TouchPoint(x: 0.45, y: 0.97)), meant: [.command(.turn(by: 5))]),
    Script(touch: .tap(TouchPoint(x: 0.6, y: 0.97)), meant: [.command(.previous)]),
    Script(touch: .tap(TouchPoint(x: 0.75, y: 0.97)), meant: [.command(.toggle)]),
    Script(touch: .tap(TouchPoint(x: 0.95, y: 0.97)), meant: [.command(.next)]),
    Script(touch: .tap(middle), meant: [.command(.toggle)]),
    Script(touch: .swipe(.left, from: middle), meant: [.command(.next)]),
    Script(touch: .swipe(.right, from: middle), meant: [.command(.previous)]),
    Script(touch: .swipe(.up, from: middle), meant: [.menu(.open)]),
    Script(touch: .swipe(.down, from: middle), meant: []),
    Script(touch: .hold(middle), meant: [.menu(.open)]),
    Script(touch: .drag(middle, across: 0.3, down: 0.3), meant: []),
    Script(touch: .tap(TouchPoint(x: -3, y: .infinity)), meant: []),
    Script(touch: .drag(middle, across: .nan, down: .nan), meant: []),
  ]

  @Test("on the music's screen", arguments: musicScripts)
  func music(script: Script) async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      let panel = Self.panels[0]
      let ground = NowPlayingScreen(PanelLook(type: type, style: panel.style)).ground(Sheet.playing, panel.size)
      var reading = TouchReading()
      #expect(reading.meanings(of: script.touch, on: ground) == script.meant)
    }
  }

  @Test("the bar is as long as the track: where it is touched the music goes on")
  func seeking() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      let panel = Self.panels[0]
      let screen = NowPlayingScreen(PanelLook(type: type, style: panel.style))
      let bar = screen.layout(Sheet.playing, panel.size).progress
      let targets = screen.targets(Sheet.playing, panel.size)
      #expect(targets.meanings(x: bar.x, y: bar.y) == [.command(.seek(to: .zero))])
      #expect(targets.meanings(x: bar.right - 1, y: bar.y) == [.command(.seek(to: .seconds(562)))])
      guard case .command(.seek(let half))? = targets.meanings(x: bar.x + bar.width / 2, y: bar.y).first else {
        return #expect(Bool(false))
      }
      #expect(abs(half.milliseconds - 281_000) < 2_000)
    }
  }

  @Test("the line of the time follows the finger to the page where it is large, and its swipe changes no track")
  func sliding() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      let panel = Self.panels[0]
      let look = PanelLook(type: type, style: panel.style)
      let music = NowPlayingScreen(look).ground(Sheet.playing, panel.size)
      guard let line = music.line else { return #expect(Bool(false)) }
      let hand = MenuHand(MenuWorld(30))
      var reading = TouchReading()
      let y = (Double(line.y) + 6) / Double(panel.size.height)
      let start = TouchPoint(x: (Double(line.x) + Double(line.width) / 4) / Double(panel.size.width), y: y)
      let quarter = Double(line.width) / 4 / Double(panel.size.width)
      #expect(reading.meanings(of: .hold(start), on: music) == [.menu(.goTo)])
      let first = reading.meanings(of: .drag(start, across: 0.001, down: 0), on: music)
      guard first.count == 2, case .menu(.slide(let part)) = first[1] else { return #expect(Bool(false), "\(first)") }
      #expect(first[0] == .menu(.goTo) && abs(part - 0.25) < 0.01)
      for case .menu(let move) in first { await hand.move(move) }
      guard let shown = hand.desk.shown else { return #expect(Bool(false)) }
      let page = MenuScreen(look).ground(shown, panel.size)
      for _ in 0..<2 {
        for case .menu(let move) in reading.meanings(of: .drag(start, across: quarter, down: 0.01), on: page) {
          await hand.move(move)
        }
      }
      guard case .place(let place)? = hand.desk.shown?.content else { return #expect(Bool(false)) }
      #expect(abs(place.place.components.seconds - 27_000) < 400, "\(place.place)")
      #expect(reading.meanings(of: .swipe(.right, from: start), on: page) == [])
      #expect(reading.meanings(of: .swipe(.right, from: Self.middle), on: page) == [.menu(.back)])
      // Up from the line is no way along it, wherever the finger goes then.
      var crossing = TouchReading()
      for across in [0.001, 0.3] {
        #expect(crossing.meanings(of: .drag(start, across: across, down: -0.1), on: music) == [])
      }
      #expect(crossing.meanings(of: .swipe(.up, from: start), on: music) == [.menu(.open)])
      // Put down elsewhere it is no line.
      #expect(reading.meanings(of: .drag(Self.middle, across: 0.2, down: 0), on: music) == [])
    }
  }

  @Test("a list goes as far as the finger, whatever steps it is told in, and as far back")
  func drags() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      let panel = Self.panels[0]
      let hand = MenuHand(MenuWorld(200))
      let screen = MenuScreen(PanelLook(type: type, style: panel.style))
      await hand.move(.open)
      for title in ["Music", "Songs"] { _ = await hand.choose(title) }
      guard let shown = hand.desk.shown else { return #expect(Bool(false)) }
      let ground = screen.ground(shown, panel.size)
      let row = Double(ground.row ?? 1) / Double(panel.size.height)
      var random = SeededGenerator(seed: 3)
      for _ in 0..<50 {
        var reading = TouchReading()
        var (moved, steps) = (0.0, 0)
        while moved < 10 * row {
          let part = min(Double.random(in: 0...0.1, using: &random), 10 * row - moved + 1e-9)
          moved += part
          for case .menu(.turn(let turned)) in reading.meanings(
            of: .drag(Self.middle, across: 0, down: -part), on: ground)
          { steps += turned }
        }
        #expect(steps == 10)
      }
    }
  }
}

/// Taps what it sees: goes through menus by what lies where, and by nothing else.
@MainLoop
final class Finger {
  private let hand: MenuHand
  private let screen: MenuScreen
  private let size: Size
  private var reading = TouchReading()

  init(_ hand: MenuHand, _ screen: MenuScreen, _ size: Size) {
    (self.hand, self.screen, self.size) = (hand, screen, size)
  }

  private func touch(_ touch: Touch) async {
    guard let shown = hand.desk.shown else { return }
    for meaning in reading.meanings(of: touch, on: screen.ground(shown, size)) {
      if case .menu(let move) = meaning { await hand.move(move) }
    }
  }

  private func touch(_ rect: Rect) async { await touch(.tap(point(in: rect))) }

  private func point(in rect: Rect) -> TouchPoint {
    let middle = (x: Double(rect.x) + Double(rect.width) / 2, y: Double(rect.y) + Double(rect.height) / 2)
    let x = screen.words.isRightToLeft ? Double(size.width) - middle.x : middle.x
    return TouchPoint(x: x / Double(size.width), y: middle.y / Double(size.height))
  }

  func back() async { await touch(.tap(TouchPoint(x: 0.5, y: 0.02))) }

  /// Where that row lies now, dragged to where it lies nowhere.
  private func reach(_ row: MenuRow) async -> Rect? {
    for _ in 0..<400 {
      guard let shown = hand.desk.shown, case .rows(let rows, let focus, _, _) = shown.content else { return nil }
      let index = rows.firstIndex { $0.title == row.title && $0.action == row.action }
      let laid = screen.laidOut(rows, focus, screen.layout(shown, size))
      if let index, let rect = laid.first(where: { $0.index == index })?.visible { return rect }
      await touch(.drag(TouchPoint(x: 0.5, y: 0.5), across: 0, down: (index ?? -1) > focus ? -0.2 : 0.2))
    }
    return nil
  }

  func tap(_ title: String) async -> Bool {
    guard let row = hand.rows.first(where: { $0.title == title }), let rect = await reach(row) else { return false }
    await touch(rect)
    return true
  }

  func tap(letter: String) async -> Bool {
    for _ in 0..<40 {
      guard let shown = hand.desk.shown, case .wheel(let wheel) = shown.content else { return false }
      let cells = screen.cells(wheel, screen.layout(shown, size))
      if let cell = cells.first(where: { $0.choice == .letter(letter) }) {
        await touch(cell.rect)
        return true
      }
      await hand.move(.turn(1))
    }
    return false
  }

  func tapFound() async { await touch(.tap(TouchPoint(x: 0.5, y: 0.8))) }

  func visit(depth: Int, _ seen: inout Set<String>) async {
    let title = hand.desk.shown?.title ?? ""
    guard depth < 6, seen.insert(title).inserted else { return }
    for row in hand.rows.prefix(20) {
      let leadsOn = if case .open = row.action { true } else { false }
      guard leadsOn || row.more != nil, let rect = await reach(row) else { continue }
      if leadsOn { await touch(rect) } else { await touch(.hold(point(in: rect))) }
      await visit(depth: depth + 1, &seen)
      await back()
      #expect(hand.desk.shown?.title == title)
    }
  }
}
