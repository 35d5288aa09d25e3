import Hardware
import Panel
import Runtime
import Testing

@Suite("What a gesture means")
struct ControlsTests {
  private func meaning(
    _ gesture: Gesture, _ holder: Controls.Holder, _ set: (inout Controls) -> Void = { _ in }
  ) -> Controls.Meaning? {
    var controls = Controls(volumeStep: 2)
    set(&controls)
    return controls.meaning(of: gesture, elapsed: .seconds(30), holder)
  }

  @Test("a knob that is spun goes far in a long list, and nowhere else: not in a short one, a question or the volume")
  func spun() {
    let spun = Gesture.turn(3, far: 15)
    #expect(meaning(spun, .menu) { $0.listIsLong = true } == .menu(.spin(3, rows: 15)))
    #expect(meaning(.turn(-3, far: -15), .menu) { $0.listIsLong = true } == .menu(.spin(-3, rows: -15)))
    #expect(meaning(.turn(3), .menu) { $0.listIsLong = true } == .menu(.turn(3)))
    #expect(meaning(spun, .menu) == .menu(.turn(3)))
    #expect(meaning(spun, .question) { $0.listIsLong = true } == .choose(by: 3))
    #expect(meaning(spun, .music) { $0.listIsLong = true } == .command(.turn(by: 6)))
  }

  @Test("spun while it is pressed it skips by its detents")
  func spunPressed() {
    var gestures = Gestures()
    let bound = Bindings { $0.turned = [.knob] }
    let now = Moment(nanoseconds: 1_000_000_000)
    #expect(gestures.take(.press(.knob), at: now, bound) == [])
    #expect(gestures.take(.turn(3, far: 15), at: now, bound) == [.turnPressed(.knob, by: 3)])
    #expect(gestures.take(.release(.knob), at: now, bound) == [])
    #expect(gestures.take(.turn(3, far: 15), at: now, bound) == [.turn(3, far: 15)])
  }

  @Test("a list is long when it has more rows than a panel shows")
  func long() {
    func menu(_ count: Int, goesOn: Bool = false, goesBack: Bool = false) -> ShownMenu {
      ShownMenu {
        $0.content = .rows((0..<count).map { MenuRow("\($0)") }, focus: 0, goesOn: goesOn, goesBack: goesBack)
      }
    }
    #expect(!menu(0).isLong && !menu(24).isLong)
    #expect(menu(24, goesOn: true).isLong && menu(24, goesBack: true).isLong)
    #expect(!ShownMenu { $0.content = .words("nothing") }.isLong)
    #expect(!ShownMenu { $0.content = .wheel(LetterWheel()) }.isLong)
  }
}

@Suite("Gestures that the board's file binds")
struct GestureMapTests {
  private static func map(_ rows: [(String, [HandGesture])]) -> GestureMap { GestureMap(settings(rows)) }

  private static func settings(_ rows: [(String, [HandGesture])]) -> Settings {
    var settings = Settings()
    settings[.gestures("home")] = []
    for (button, gestures) in rows { settings[.gestures(button)] = gestures }
    return settings
  }

  private static let bound = map([
    ("next", [.double("play")]), ("home", [.long("back"), .chord("next", "previous")]), ("mute", [.double("knob")]),
    ("help", [.long("knob")]),
  ])

  private func meaning(_ gesture: Gesture, _ holder: Controls.Holder = .music) -> Controls.Meaning? {
    var controls = Controls(volumeStep: 2)
    controls.map = Self.bound
    return controls.meaning(of: gesture, elapsed: .zero, holder)
  }

  @Test("are as good as the button they stand for, in a menu too")
  func buttons() {
    #expect(meaning(.double(.play)) == .command(.next) && meaning(.double(.play), .menu) == .command(.next))
    #expect(meaning(.long(.back)) == .menu(.open) && meaning(.long(.back), .menu) == .menu(.close))
    #expect(meaning(.chord(.next, .previous)) == .menu(.open))
    #expect(meaning(.chord(.previous, .next)) == .menu(.open))
    #expect(meaning(.double(.back)) == nil && meaning(.long(.play)) == nil && meaning(.chord(.back, .next)) == nil)
  }

  @Test("take nothing away from what the house means itself, and nothing from a question")
  func own() {
    #expect(meaning(.long(.knob)) == .menu(.open) && meaning(.long(.knob), .menu) == .menu(.back))
    #expect(meaning(.press(.play)) == .command(.toggle))
    for gesture in [Gesture.double(.play), .long(.back), .chord(.next, .previous), .double(.knob)] {
      #expect(meaning(gesture, .question) == nil)
    }
  }

  @Test("a double press of the knob leads to the next track, unless the board binds it or the knob is a menu's")
  func double() {
    let controls = Controls(volumeStep: 2)
    #expect(controls.meaning(of: .double(.knob), elapsed: .zero) == .playNext)
    #expect(controls.meaning(of: .double(.knob), elapsed: .zero, .menu) == .menu(.more))
    #expect(controls.meaning(of: .double(.knob), elapsed: .zero, .question) == nil)
    #expect(meaning(.double(.knob)) == .command(.toggleMute))
  }

  @Test("without a panel the knob's long press is the board's to bind")
  func withoutMenu() {
    var controls = Controls(volumeStep: 2, hasMenu: false)
    controls.map = Self.map([("mute", [.long("knob")])])
    #expect(controls.meaning(of: .long(.knob), elapsed: .zero) == .command(.toggleMute))
    #expect(controls.bindings(.music).long == [.knob])
  }

  @Test("only a button with a double press waits for a second one, and the knob in a menu only where rows are music")
  func waiting() {
    var controls = Controls(volumeStep: 2)
    #expect(controls.bindings(.music).double.isEmpty && controls.bindings(.music).chords.isEmpty)
    controls.map = Self.bound
    #expect(controls.bindings(.music).double == [.play, .knob] && controls.bindings(.menu).double == [.play])
    #expect(controls.bindings(.music).long == [.knob, .back] && controls.bindings(.menu).long == [.knob, .back])
    #expect(controls.bindings(.music).chords.count == 1)
    controls.rowsHaveMore = true
    #expect(controls.bindings(.menu).double == [.play, .knob] && controls.bindings(.menu).longAgain == [.knob])
    #expect(controls.meaning(of: .double(.knob), elapsed: .zero, .menu) == .menu(.more))
    #expect(controls.meaning(of: .long(.knob), elapsed: .zero, .menu) == .menu(.back))
    #expect(controls.meaning(of: .longAgain(.knob), elapsed: .zero, .menu) == .menu(.close))
    // What pauses the music is not one of them.
    #expect(controls.bindings(.music).doubleAfterPress == [.knob] && controls.bindings(.menu).doubleAfterPress == [])
    #expect(controls.bindings(.question).doubleAfterPress == [])
    controls.maySkip = false
    #expect(controls.bindings(.music).doubleAfterPress == [])
    let ofQuestion = controls.bindings(.question)
    #expect(ofQuestion.double.isEmpty && ofQuestion.long.isEmpty && ofQuestion.chords.isEmpty)

    let now = Moment(nanoseconds: 1_000_000_000)
    var gestures = Gestures()
    for button in Button.allCases where ![.play, .knob, .back, .next, .previous].contains(button) {
      #expect(gestures.take(.press(button), at: now, controls.bindings(.music)) == [.press(button)], "\(button)")
      #expect(gestures.take(.release(button), at: now, controls.bindings(.music)) == [], "\(button)")
    }
    #expect(gestures.take(.press(.play), at: now, controls.bindings(.music)) == [])
    #expect(gestures.take(.release(.play), at: now + .milliseconds(50), controls.bindings(.music)) == [])
    #expect(gestures.due(controls.bindings(.music)) == now + .milliseconds(350))
  }

  @Test("a gesture that is given to two is the first one's, in the order of the buttons, and is told")
  func doubled() {
    let settings = Self.settings([("play", [.long("mute")]), ("next", [.long("mute"), .double("mute")])])
    #expect(GestureMap.doubled(in: settings) == [.long("mute")])
    #expect(GestureMap(settings).button(for: .long(.mute)) == .play)
    #expect(GestureMap.doubled(in: Settings()) == [])
  }

  @Test("with no word of the board's file, back that is held is home, and the times are the usual ones")
  func usual() {
    #expect(GestureMap(Settings()).button(for: .long(.back)) == .home)
    #expect(Gestures.Times(Settings()) == Gestures.Times())
    var settings = Settings()
    (settings[.longPress], settings[.doublePress]) = (.seconds(1), .milliseconds(400))
    (settings[.repeatsAfter], settings[.repeatsEvery]) = (.seconds(2), .milliseconds(60))
    let times = Gestures.Times(settings)
    #expect(times.long == .seconds(1) && times.double == .milliseconds(400))
    #expect(times.repeatsAfter == .seconds(2) && times.repeatsEvery == .milliseconds(60))
  }
}

@Suite("Keys that point up and down")
struct PointingTests {
  struct Case: Sendable {
    let button: Button
    let music: Controls.Meaning
    let menu: Controls.MenuMove
    let question: Int
  }

  static let cases: [Case] = [
    Case(button: .up, music: .command(.turn(by: 2)), menu: .down(-1), question: -1),
    Case(button: .down, music: .command(.turn(by: -2)), menu: .down(1), question: 1),
    Case(button: .pageUp, music: .command(.turn(by: 10)), menu: .down(-5), question: -5),
    Case(button: .pageDown, music: .command(.turn(by: -10)), menu: .down(5), question: 5),
  ]

  @Test("up is louder, and in a list it is the row above", arguments: cases)
  func meanings(one: Case) {
    let controls = Controls(volumeStep: 2)
    let gesture = Gesture.press(one.button)
    #expect(controls.meaning(of: gesture, elapsed: .zero, .music) == one.music)
    #expect(controls.meaning(of: gesture, elapsed: .zero, .menu) == .menu(one.menu))
    #expect(controls.meaning(of: gesture, elapsed: .zero, .question) == .choose(by: one.question))
  }

  @Test("of a number up is more, whichever way a knob goes through a list")
  func numbers() {
    var menu = Menu()
    _ = menu.open(.dial(Dial(.crossfade, 5, in: 0...12)))
    _ = menu.down(by: -2)
    guard case .dial(let dial)? = menu.top?.content else { return #expect(Bool(false)) }
    #expect(dial.value == 7)
    _ = menu.back()
    _ = menu.open(.sleep)
    _ = menu.came([MenuRow("a"), MenuRow("b"), MenuRow("c")], number: 2)
    _ = menu.down(by: 2)
    guard case .rows(let window)? = menu.top?.content else { return #expect(Bool(false)) }
    #expect(window.focus == 2)
  }
}
