import Formats
import Hardware
import Library
import Playback
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

@Suite("A place in the music, by knob")
struct PlaceDialTests {
  private static let begin = Moment(nanoseconds: 1_000_000_000)

  private static func dial(_ whole: Duration = .seconds(36_000), at place: Duration = .seconds(600)) -> PlaceDial {
    PlaceDial(entry: 1, title: "a", at: place, of: whole)
  }

  struct Turns: Sendable, CustomTestStringConvertible {
    let what: String
    let pause: Duration
    let detents: Int
    let ends: Duration
    var whole: Duration = .seconds(36_000)
    var testDescription: String { what }
  }

  /// All begin at ten minutes. The first two of a quick turn are careful ones: one pause grows nothing.
  static let turns: [Turns] = [
    Turns(what: "careful detents are 5 s each", pause: .milliseconds(250), detents: 6, ends: .seconds(630)),
    Turns(what: "and back", pause: .milliseconds(250), detents: -6, ends: .seconds(570)),
    Turns(what: "quick ones grow to 15 s", pause: .milliseconds(80), detents: 6, ends: .seconds(650)),
    Turns(what: "and to 30 s", pause: .milliseconds(80), detents: 8, ends: .seconds(710)),
    Turns(what: "and to no more than 2 minutes", pause: .milliseconds(80), detents: 13, ends: .seconds(1_190)),
    Turns(what: "quicker ones grow sooner", pause: .milliseconds(60), detents: 6, ends: .seconds(835)),
    Turns(what: "a twitch is no spin", pause: .milliseconds(12), detents: 3, ends: .seconds(625)),
    Turns(what: "spun ones are a twentieth", pause: .milliseconds(12), detents: 5, ends: .seconds(4_225)),
    Turns(
      what: "of five minutes a quick one is a twentieth at most", pause: .milliseconds(60), detents: -7,
      ends: .seconds(215), whole: .seconds(300)),
    Turns(what: "the beginning is the beginning", pause: .milliseconds(12), detents: -40, ends: .zero),
    Turns(what: "spun ones end a minute before it", pause: .milliseconds(12), detents: 90, ends: .seconds(35_940)),
    Turns(
      what: "of what is short too", pause: .milliseconds(12), detents: 90, ends: .seconds(640),
      whole: .seconds(700)),
    Turns(
      what: "careful ones go on to 5 s before it", pause: .milliseconds(250), detents: 20, ends: .seconds(625),
      whole: .seconds(630)),
  ]

  @Test("goes as far as the hand is quick", arguments: turns)
  func paces(one: Turns) {
    var (dial, now) = (Self.dial(one.whole), Self.begin)
    for _ in 0..<abs(one.detents) {
      now = now + one.pause
      dial.turn(by: one.detents.signum(), at: now)
    }
    #expect(dial.place == one.ends && dial.start == min(.seconds(600), one.whole) && dial.isTurned)
  }

  @Test("whoever turns back begins carefully, and detents that came together had the same pause before each")
  func back() {
    var (dial, now) = (Self.dial(), Self.begin)
    for _ in 0..<13 {
      now = now + .milliseconds(80)
      dial.turn(by: 1, at: now)
    }
    let far = dial.place
    now = now + .milliseconds(80)
    dial.turn(by: -1, at: now)
    #expect(dial.place == far - .seconds(5))
    var together = Self.dial()
    together.turn(by: 4, at: Self.begin)
    #expect(together.place == .seconds(620), "nobody knows how quick the first were")
    together.turn(by: 2, at: Self.begin + .milliseconds(200))
    #expect(together.place == .seconds(630))
    together.turn(by: 4, at: Self.begin + .milliseconds(440))
    #expect(together.place == .seconds(855))
  }

  @Test("after a pressed turn of a long piece detents are minutes, however slowly they come, until the knob has rested")
  func minutes() {
    var (dial, now) = (Self.dial(at: .zero), Self.begin)
    func turn(_ steps: Int, after pause: Duration) {
      now = now + pause
      dial.turn(by: steps, at: now)
    }
    dial.leap(by: 14, at: now)
    #expect(dial.place == .seconds(7 * 3_600) && dial.shown.step == .seconds(1_800))
    for _ in 0..<21 { turn(1, after: .milliseconds(900)) }
    #expect(dial.place == .seconds(7 * 3_600 + 21 * 60) && dial.shown.step == .seconds(60))
    // Whoever has gone too far turns back, and is there.
    turn(-1, after: .milliseconds(900))
    turn(1, after: .milliseconds(900))
    turn(-1, after: .milliseconds(300))
    #expect(dial.place == .seconds(7 * 3_600 + 21 * 60 - 5))
    // Also when the pressed turn itself was too far.
    dial.leap(by: 1, at: now)
    turn(-1, after: .milliseconds(900))
    turn(-1, after: .milliseconds(900))
    #expect(dial.place == .seconds(7 * 3_600 + 49 * 60 - 5))
    turn(-1, after: PlaceDial.settles)
    #expect(dial.place == .seconds(7 * 3_600 + 49 * 60 - 10), "it has rested")
    // Where a twentieth is no more than two minutes, there is nothing between it and a careful detent.
    var song = Self.dial(.seconds(600), at: .zero)
    song.leap(by: 3, at: now)
    song.turn(by: 1, at: now + .seconds(1))
    #expect(song.place == .seconds(95))
  }

  @Test("after each change of direction no detent goes as far as the last one did, until the knob has rested")
  func limits() {
    var random = SeededGenerator(seed: 7)
    var (limited, rested) = (0, 0)
    for _ in 0..<400 {
      var (dial, now) = (Self.dial(.seconds(360_000), at: .seconds(180_000)), Self.begin)
      var (way, limit) = (1, Duration.seconds(360_000))
      for _ in 0..<60 {
        let pause = Duration.milliseconds(Int.random(in: 0...9, using: &random) == 0 ? 500 : 70)
        now = now + pause
        let turnsBack = Int.random(in: 0...7, using: &random) == 0
        if pause == .milliseconds(500) { (limit, rested) = (.seconds(360_000), rested + 1) }
        if turnsBack {
          if dial.shown.step > .seconds(5), pause < .milliseconds(500) { limit = dial.shown.step / 2 }
          way = -way
        }
        let before = dial.place
        dial.turn(by: way, at: now)
        let went = max(dial.place - before, before - dial.place)
        #expect(went == dial.shown.step && went <= limit, "after \(limit)")
        if turnsBack { #expect(went == .seconds(5)) }
        if went == limit { limited += 1 }
      }
    }
    #expect(limited > 100 && rested > 100)
  }

  @Test("a contact that bounces slows a quick turn down for a moment only")
  func bounce() {
    var (dial, now) = (Self.dial(), Self.begin)
    func quick(_ detents: Int) {
      for _ in 0..<abs(detents) {
        now = now + .milliseconds(60)
        dial.turn(by: detents.signum(), at: now)
      }
    }
    quick(8)
    quick(-1)
    quick(8)
    #expect(dial.shown.step == .seconds(60))
  }

  struct Late: Sendable, CustomTestStringConvertible {
    let distance: Int
    /// So many detents late the hand feels what the eye has seen.
    let late: Int
    let most: Int
    var testDescription: String { "\(distance) s, \(late) detents late" }
  }

  /// Distances that are a nuisance: just behind what a great step leads to.
  static let late: [Late] = [31, 97, 245, 500, 890].flatMap { distance in
    [Late(distance: distance, late: 2, most: 64), Late(distance: distance, late: 4, most: 96)]
  }

  @Test("a hand that turns quickly, and is late to see where it is, comes to within 5 s all the same", arguments: late)
  func homesIn(one: Late) {
    for pause in [60, 80, 100] {
      var (dial, now, detents) = (Self.dial(at: .seconds(10_000)), Self.begin, 0)
      var rest: Int { 10_000 + one.distance - Int(dial.place.components.seconds) }
      while abs(rest) > 5, detents < 200 {
        let way = rest.signum()
        // On until it is seen that it is there, or too far; and then some more.
        func turn(_ pause: Int) {
          now = now + .milliseconds(pause)
          dial.turn(by: way, at: now)
          detents += 1
        }
        if abs(rest) <= 25 {
          turn(250)
        } else {
          while rest * way > 5 { turn(pause) }
          for _ in 0..<one.late { turn(pause) }
        }
      }
      #expect(detents <= one.most, "\(pause) ms: \(detents)")
    }
  }

  @Test("nothing that a device or a damaged file says leads out of it", arguments: [Int.min, -1, 1, Int.max])
  func bounds(steps: Int) {
    for whole in [Duration.milliseconds(1), .seconds(3), .seconds(360_000_000)] {
      var dial = Self.dial(whole)
      dial.leap(by: steps, at: Self.begin)
      dial.turn(by: steps, at: Self.begin)
      dial.slide(to: .nan, at: Self.begin)
      dial.slide(to: steps > 0 ? .infinity : -7, at: Self.begin)
      #expect(dial.place >= .zero && dial.place <= whole)
    }
  }

  @Test("what was turned to is shown until it is heard; and until somebody turns, where the music is")
  func hearing() {
    var dial = Self.dial()
    dial.hear(.seconds(601), at: Self.begin)
    #expect(dial.place == .seconds(601) && dial.start == .seconds(601))
    dial.leap(by: 1, at: Self.begin)
    dial.hear(.seconds(602), at: Self.begin + .milliseconds(100))
    #expect(dial.place == .seconds(2_401))
    dial.hear(.seconds(2_403), at: Self.begin + .seconds(2))
    #expect(dial.place == .seconds(2_403) && dial.start == .seconds(601))
  }

  @Test("names the chapter that the place is in, and the whole where that has no name")
  func chapters() {
    let names = ["At sea", "", "Ashore"]
    let chapters = names.enumerated().map { PlaceDial.Chapter(at: .seconds(600 * $0), title: $1) }
    for (second, name) in [(0, "At sea"), (599, "At sea"), (600, "Book"), (1_199, "Book"), (1_200, "Ashore")] {
      let dial = PlaceDial(entry: 1, title: "Book", at: .seconds(second), of: .seconds(3_600), chapters: chapters)
      #expect(dial.shown.title == name)
    }
  }

  @MainLoop
  private static func places(_ hand: MenuHand) -> [Duration] {
    hand.world.performed.compactMap { if case .goTo(let place, entry: 1, _) = $0 { place } else { nil } }
  }

  @Test("any place of a book of ten hours is reached within 5 s in 45 detents and presses")
  func book() async {
    await aloneOnMainLoop { () async in
      var most = 0
      for wanted in stride(from: 7, through: 35_990, by: 411) + [35_995, 17_999, 899] {
        for start in [0, 17_500, 35_900] {
          let hand = MenuHand(MenuWorld(30))
          hand.world.status.place = Spot(frame: Int64(start) * 1_000, rate: 1_000)
          await hand.move(.open)
          // The one that plays is looked at, wherever in the queue it is.
          #expect(await hand.choose("Queue"))
          #expect(await hand.chooseMore(hand.rows[hand.focus].title))
          #expect(await hand.choose("Go to a time"))
          let reached = await Self.reach(wanted, from: start, hand)
          await hand.move(.press)
          #expect(!hand.desk.isOpen)
          await MainLoop.loop.advance(by: .seconds(1))
          let place = Int(Self.places(hand).last?.components.seconds ?? Int64(start))
          #expect(abs(place - wanted) <= 5 && place == reached, "from \(start) to \(place), not \(wanted)")
          most = max(most, hand.detents + hand.presses)
        }
      }
      #expect(most <= 45, "\(most)")
    }
  }

  /// As somebody does who sees the time: far by turning while it is pressed, then by minutes, quickly as long as that leads no
  /// further than wanted, and again after a rest.
  @MainLoop
  private static func reach(_ wanted: Int, from start: Int, _ hand: MenuHand) async -> Int {
    var place: Int {
      guard case .place(let shown)? = hand.desk.shown?.content else { return -1 }
      return Int(shown.place.components.seconds)
    }
    func turn(after pause: Duration) async {
      await MainLoop.loop.advance(by: pause)
      await hand.move(.turn((wanted - place).signum()))
    }
    let leaps = Int((Double(wanted - place) / 1_800).rounded())
    if leaps != 0 { await hand.move(.leap(leaps)) }
    // A bound, so that a dial that does not move fails instead of turning for ever.
    for _ in 0..<500 where abs(wanted - place) > 5 {
      // The music has come to there.
      hand.world.status.place = Spot(frame: Int64(place) * 1_000, rate: 1_000)
      await turn(after: abs(wanted - place) < 60 ? PlaceDial.settles : .milliseconds(600))
      var step = 5
      while abs(wanted - place) > max(step, 5) {
        let before = place
        await turn(after: .milliseconds(60))
        // What one more leads to, as the page says it.
        step = max(abs(place - before), 5) == 5 ? 15 : min(abs(place - before) * 2, 120)
        if place == before { break }
      }
    }
    return place
  }

  @Test("is heard at once, no more often than needed; back undoes it, and what was not turned is left alone")
  func heard() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      hand.world.status.place = Spot(frame: 600_000, rate: 1_000)
      await hand.move(.goTo)
      #expect(hand.desk.shown?.title == "Go to a time")
      await hand.move(.back)
      #expect(!hand.desk.isOpen && Self.places(hand) == [])
      await hand.move(.goTo)
      for _ in 0..<40 { await hand.move(.leap(1)) }
      #expect(Self.places(hand) == [.seconds(2_400)])
      await MainLoop.loop.advance(by: MenuController.seeksEvery)
      await hand.desk.settled()
      #expect(Self.places(hand) == [.seconds(2_400), .seconds(35_940)])
      await MainLoop.loop.advance(by: .seconds(1))
      await hand.move(.back)
      #expect(!hand.desk.isOpen && Self.places(hand).last == .seconds(600) && Self.places(hand).count == 3)
    }
  }

  @Test("what has no length says so and leads back; another piece that begins meanwhile is begun anew")
  func streams() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      hand.world.status.track?.frames = nil
      await hand.move(.goTo)
      #expect(hand.rows.map(\.title) == [Word.noPlace.rawValue, "Back"])
      #expect(await hand.choose("Back") && !hand.desk.isOpen && hand.world.performed == [])
      hand.world.status.track?.frames = 36_000_000
      await hand.move(.goTo)
      await hand.move(.leap(1))
      hand.world.status.entry = .init(id: EntryID(number: 2), path: FilePath("/b"))
      hand.desk.refresh()
      await hand.desk.settled()
      guard case .place(let shown)? = hand.desk.shown?.content else { return #expect(Bool(false)) }
      #expect(!shown.isTurned)
      await hand.move(.back)
      #expect(!hand.world.performed.contains { if case .goTo(_, entry: 2, _) = $0 { true } else { false } })
    }
  }

  @Test("in what is long it stands above the row that the menu opens at, and above it the way back from a jump")
  func above() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      await hand.move(.open)
      #expect(hand.rows.prefix(2).map(\.title) == ["Chapters", "Music"] && hand.focus == 1)
      await hand.move(.back)
      hand.world.placeBefore = .seconds(8)
      await hand.move(.open)
      #expect(hand.rows.prefix(3).map(\.title) == ["Back to 0:08", "Chapters", "Music"] && hand.focus == 2)
      await hand.move(.turn(-2))
      await hand.move(.press)
      #expect(hand.world.performed == [.goTo(.seconds(8), entry: 1)])
    }
  }

  @Test("it is at the head of the queue and where two presses on the playing song lead; where nothing plays, it is not")
  func nothing() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      await hand.move(.open)
      #expect(await hand.choose("Queue"))
      #expect(hand.rows[0].title == "Go to a time" && hand.rows[hand.focus].sign == .current)
      await hand.move(.more)
      #expect(
        hand.rows.prefix(3).map(\.title) == ["Go to a time", "Chapters", "Play now"] && hand.world.performed == [])
      await hand.move(.back)
      // Paused, it goes on.
      hand.world.status.wish = .paused
      hand.desk.refresh()
      await hand.desk.settled()
      await hand.move(.press)
      #expect(hand.world.performed == [.jump(1)])
      hand.world.status.entry = nil
      await hand.move(.open)
      #expect(await hand.choose("Queue"))
      #expect(!hand.rows.contains { $0.title == "Go to a time" })
    }
  }

  @Test("how far the next detent leads stands on the page: while one turns, and what it is again when the knob rests")
  func stepIsTold() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      @MainLoop func step(_ width: Int, _ height: Int) -> [String] {
        var said: [DrawnText] = []
        let canvas = Canvas(size: Size(width: width, height: height))
        canvas.heard = { said.append($0) }
        if let shown = hand.desk.shown { MenuScreen(PanelLook(type: type)).draw(shown, on: canvas) }
        return said.filter(\.isWhole).map(\.text)
      }
      @MainLoop func isTold(_ long: String, _ short: String) -> Bool {
        let large = [(240, 240), (320, 240), (240, 320), (480, 320), (800, 480), (480, 800)]
        return large.allSatisfy { step($0, $1).contains { $0.hasPrefix("Each click: \(long)") } }
          && step(128, 64).contains(short)
      }
      @MainLoop func tellsQuick(_ long: String) -> Bool {
        [(320, 240), (480, 320), (800, 480)].allSatisfy { size in
          step(size.0, size.1).contains { $0.hasSuffix("quick: up to \(long)") }
        }
      }
      await hand.move(.goTo)
      #expect(isTold("5 s", "5 s") && tellsQuick("2 min"))
      await hand.move(.leap(1))
      #expect(isTold("1/20 (30 min)", "1/20") && !tellsQuick("2 min"))
      // A book's next detents are minutes, until nobody has turned for a while.
      await MainLoop.loop.advance(by: PlaceDial.rests)
      #expect(isTold("1 min", "1 min"))
      await MainLoop.loop.advance(by: PlaceDial.settles)
      #expect(isTold("5 s", "5 s"))
      for _ in 0..<12 {
        await MainLoop.loop.advance(by: .milliseconds(50))
        await hand.move(.turn(1))
      }
      #expect(isTold("2 min", "2 min"))
      await MainLoop.loop.advance(by: PlaceDial.rests)
      #expect(isTold("5 s", "5 s"))
    }
  }

  @Test("speech reads what it is and where, and each place that is turned to, but not the passing of time")
  func speech() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      await hand.move(.goTo)
      let before = hand.desk.shown?.scene(.english)
      #expect(before?.place == "Go to a time" && before?.focus == "Part 1" && before?.value == "0:00")
      #expect(before?.isMoving == true && before?.advice == Word.goToHint.rawValue)
      await hand.move(.leap(2))
      let after = hand.desk.shown?.scene(.english)
      #expect(after?.value == "1:00:00" && after?.isMoving == false)
    }
  }

  @Test("a finger on its line is a place, whichever way words are read, and the rest of the page a press")
  func touch() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      for words in [PanelWords.english, .arabic] {
        let hand = MenuHand(MenuWorld(30))
        await hand.move(.goTo)
        let screen = MenuScreen(PanelLook(type: type, words: words))
        guard let shown = hand.desk.shown else { return #expect(Bool(false)) }
        let size = Size(width: 320, height: 240)
        let targets = screen.targets(shown, size)
        guard case .place(let place) = shown.content else { return #expect(Bool(false)) }
        let bar = screen.placeLayout(place, screen.layout(shown, size)).bar
        let first: Controls.Meaning = .menu(.slide(words.isRightToLeft ? 1 : 0))
        #expect(targets.meanings(x: bar.x, y: bar.y + 1) == [first])
        #expect(targets.meanings(x: bar.x, y: 40) == [.menu(.press)])
        await hand.move(.slide(0.5))
        #expect(Self.places(hand) == [.seconds(18_000)])
      }
    }
  }

  @Test("a finger slides a number on its line, keeps it by a tap above, and the title leaves it as it was")
  func touchOfNumbers() async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(30))
      await hand.move(.open)
      for row in ["Sound", "Crossfade"] { #expect(await hand.choose(row)) }
      let screen = MenuScreen(PanelLook(type: type, words: .english))
      let size = Size(width: 320, height: 240)
      guard let shown = hand.desk.shown else { return #expect(Bool(false)) }
      let (targets, bar) = (screen.targets(shown, size), screen.dialLine(screen.layout(shown, size)))
      #expect(targets.meanings(x: bar.x + bar.width / 2, y: bar.y) == [.menu(.turn(6))])
      #expect(targets.meanings(x: bar.x + bar.width / 2, y: bar.y - bar.height * 6) == [.menu(.press)])
      #expect(targets.meanings(x: 5, y: 5) == [.menu(.back)])
    }
  }

  @Test("the key g opens it, and so does a long press of forward or rewind that the owner's file has no other use for")
  func keys() {
    var controls = Controls(volumeStep: 2)
    for holder in [Controls.Holder.music, .menu] {
      #expect(controls.meaning(of: .long(.forward), elapsed: .zero, holder) == .menu(.goTo))
      #expect(controls.meaning(of: .long(.rewind), elapsed: .zero, holder) == .menu(.goTo))
    }
    #expect(controls.meaning(of: .long(.forward), elapsed: .zero, .question) == nil)
    #expect(DeskKeys.input(for: .character("g")) == .longPress(.forward))
    var settings = Settings()
    settings[.gestures("next")] = [.long("forward")]
    controls.map = GestureMap(settings)
    #expect(controls.meaning(of: .long(.forward), elapsed: .zero) == .command(.next))
    #expect(controls.meaning(of: .turn(2, far: 9), elapsed: .zero, .menu) == .menu(.turn(2)), "the page knows itself")
  }
}
