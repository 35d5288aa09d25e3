import Canvas
import Hardware
import Runtime
import TestSupport
import Testing

@testable import Panel
@testable import layby

@Suite("The list of notices")
struct NoticeTests {
  @MainLoop
  private func value(of row: String, _ hand: MenuHand) -> String? { hand.rows.first { $0.title == row }?.value }

  @Test("what says the same is told once, is new until the list was looked at, and goes with all that does not stand")
  func list() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(5))
      for _ in 0..<3 { hand.notices.post(Notice("P-101", "There is nothing to play. Add music first.")) }
      await hand.move(.open)
      #expect(value(of: "Settings", hand) == "Notices")
      #expect(await hand.choose("Settings"))
      #expect(value(of: "Notices", hand) == "3")
      #expect(await hand.choose("Notices"))
      let titles = hand.rows.map(\.title)
      #expect(
        titles == [
          "Something is to be seen to.", "There is nothing to play. Add music first.", "Downloads go on.", "Clear",
        ])
      #expect(hand.rows[1].value == "3\u{D7}" && hand.rows[1].detail == "Just now")
      await hand.move(.back)
      #expect(value(of: "Notices", hand) == "")
      await hand.move(.back)
      #expect(value(of: "Settings", hand) == "")
      // What comes again is new again; what still stands, word for word, is not.
      hand.notices.post(Notice("P-101", "There is nothing to play. Add music first."))
      hand.notices.stand(Notice("T-2", "Something is to be seen to."))
      await hand.move(.close)
      await hand.move(.open)
      #expect(value(of: "Settings", hand) == "Notices")
      for row in ["Settings", "Notices", "Clear"] { #expect(await hand.choose(row)) }
      #expect(hand.world.performed == [.clearNotices])
      hand.notices.clear()
      await hand.move(.back)
      #expect(await hand.choose("Notices"))
      #expect(hand.rows.map(\.title) == ["Something is to be seen to."])
      hand.notices.withdraw("T-2")
      await hand.move(.back)
      #expect(!hand.rows.contains { $0.title == "Notices" })
    }
  }

  @Test("a press opens all that it says, what can be done about it, and when it was; of what went wrong its code, too")
  func one() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(5))
      await hand.move(.open)
      for row in ["Settings", "Notices", "Downloads go on."] { #expect(await hand.choose(row)) }
      #expect(hand.rows.map(\.title) == ["Downloads go on.", "Keep offline", "Just now"])
      #expect(await hand.choose("Keep offline"))
      #expect(hand.desk.shown?.title == "Keep offline")
      hand.notices.post(Notice(Fault(.missing, "T-9", "It is gone.")))
      await hand.move(.close)
      await hand.move(.open)
      for row in ["Settings", "Notices", "It is gone."] { #expect(await hand.choose(row)) }
      #expect(hand.rows.map(\.title) == ["It is gone.", "Just now", "T-9"])
    }
  }

  @Test("on the page of one its time is as small as its message, and quieter")
  func time() async {
    await aloneOnMainLoop { () async in
      let told = Notice("P-102", "The queue has ended.")
      let board = made { $0.stand(told) }
      let rows = MenuPages(MenuContext(), .all).notice(told, board.first, at: .init(now: Moment(nanoseconds: 0)))
      let time = rows.first { $0.title == "Just now" }
      #expect(time?.isText == true && time?.isDim == true)
      #expect(rows.first { $0.title == told.message }?.isDim == false)
    }
  }

  @Test("a state that says the same, and better, stands for its notice")
  func states() async {
    await aloneOnMainLoop { () async in
      let pages = MenuPages(MenuContext(), .all)
      let held = PanelFacts { ($0.isEmpty, $0.missingDevice) = (false, "Headphones") }
      let states = PanelState.all(of: held, by: .all, .english)
      let board = made { $0.stand(Notice("A-171", "The sound device is gone.")) }
      let rows = pages.notices(board, states, at: .init(now: Moment(nanoseconds: 0)))
      #expect(rows.map(\.title) == ["The sound device is missing"])
      #expect(pages.notices(board, [], at: .init(now: Moment(nanoseconds: 0))).count == 1)
    }
  }

  @MainLoop
  private func made(_ fill: @MainLoop (NoticeBoard) -> Void) -> [NoticeBoard.Told] {
    let board = NoticeBoard()
    fill(board)
    return board.told
  }

  static let ages: [(minutes: Int, clock: TimeOfDay?, told: String)] = [
    (0, nil, "Just now"), (1, nil, "1 min ago"), (59, TimeOfDay(minute: 845, second: 0), "59 min ago"),
    (60, TimeOfDay(minute: 845, second: 0), "13:05"), (845, TimeOfDay(minute: 845, second: 0), "0:00"),
    // Yesterday, or nobody knows what time it is.
    (846, TimeOfDay(minute: 845, second: 0), "14 h ago"), (60, nil, "1 h ago"), (2_879, nil, "47 h ago"),
    (2_880, nil, "2 days ago"), (-5, nil, "Just now"),
  ]

  @Test("when it was is told by its age, and by the clock where that is right", arguments: ages)
  func times(minutes: Int, clock: TimeOfDay?, told: String) {
    #expect(PanelWords.english.ago(.seconds(minutes * 60), at: clock) == told)
  }

  static let texts = [
    "Short.", "", " ", "One sentence. Another! A third? And an end without a sign",
    String(repeating: "word ", count: 200), String(repeating: "x", count: 300),
    "a, " + String(repeating: "b", count: 90),
    "layby.conf, line 12: [sound] max_volume = loud: expected a whole number from 0 to 100 (percent); 1.5 is none.",
    String(repeating: "再生待ちリストが終わりました。", count: 9), String(repeating: "تعمل الموسيقى لكن لا يُحفظ شيء ", count: 8),
  ]

  @Test("a text is cut into pieces that lose nothing, and none is longer than the panel shows", arguments: texts)
  func pieces(text: String) {
    for longest in ScreenClass.allCases.map(\.textColumns) {
      let pieces = TextPieces.of(text, longest: longest)
      #expect(pieces.joined().filter { $0 != " " } == text.filter { $0 != " " })
      #expect(pieces.allSatisfy { !$0.isEmpty && TextPieces.columns($0) <= longest })
    }
  }

  @Test("where there is room a row is a sentence, and it is cut only where there is none")
  func sentences() {
    let text = "The music plays, but nothing new is remembered before there is room. Give it some."
    let pieces = Dictionary(
      grouping: ScreenClass.allCases, by: { MenuPages(MenuContext(on: $0), .all).text(text).map(\.title) })
    #expect(pieces.count == 2 && pieces.first { $0.value == [.tiny] }?.key.count == 3)
    #expect(
      pieces.first { $0.value != [.tiny] }?.key == [
        "The music plays, but nothing new is remembered before there is room.", "Give it some.",
      ])
  }

  @Test("a long notice is read to its end on every class of screen", arguments: PanelProfile.allCases, texts)
  func read(profile: PanelProfile, text: String) async throws {
    let type = try SheetTests.type()
    await aloneOnMainLoop { () async in
      for (width, height) in [(128, 64), (240, 240), (320, 240), (240, 320), (480, 320), (800, 480), (480, 800)] {
        let size = Size(width: width, height: height)
        let rows = MenuPages(MenuContext(on: ScreenClass(size)), .all).text(text)
        let theme = width == 128 ? Theme.ink : .night
        let screen = MenuScreen(PanelLook(type: type, words: .english, theme: theme, style: PanelStyle(profile)))
        for index in rows.indices {
          let shown = ShownMenu {
            $0.content = .rows(rows, focus: index, goesOn: true, goesBack: true)
            // On the smallest one what is said has the last line, for as long as it is said.
            if width > 128 {
              $0.notice = "What is said below has three lines in the smallest letters, and here it has all of them."
            }
          }
          let layout = screen.layout(shown, size)
          let laid = screen.laidOut(rows, index, layout).first { $0.index == index }
          let lines = laid?.lines.map(\.text) ?? []
          #expect(lines.joined().filter { $0 != " " } == rows[index].title.filter { $0 != " " }, "\(size)")
          let fits = laid?.lines.allSatisfy { $0.width <= layout.bar.width } ?? false
          #expect(fits && screen.overrun(shown, size) == nil, "\(size): \(lines)")
        }
      }
    }
  }
}
