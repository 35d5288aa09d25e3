import Canvas
import Hardware
import Runtime
import TestSupport
import Testing

@testable import Panel

@Suite("Question screen")
struct QuestionScreenTests {
  let screen: QuestionScreen
  private static let answers = ["Not now", "Yes, each time it is in", "Never from this stick", "Ask tomorrow"]
  private static let sizes = NowPlayingScreenTests.sizes

  init() throws { screen = QuestionScreen(PanelLook(type: try PanelType())) }

  private func asked(_ answers: Int = 3) -> ShownQuestion {
    ShownQuestion {
      $0.text = "Take in the music of \"BLUE 2\"?"
      $0.answers = Array(Self.answers.prefix(answers))
    }
  }

  /// What a stick may ask for at most.
  private var longest: ShownQuestion {
    ShownQuestion {
      $0.text = "Set up this board as \"\(String(repeating: "W", count: 20))\" says?"
      $0.details = [
        "Wi-Fi: \(String(repeating: "W", count: 32)), open to all", "Name: \(String(repeating: "W", count: 63))",
      ]
      $0.answers = ["No", "Yes"]
    }
  }

  private func difference(_ one: ShownQuestion, _ other: ShownQuestion, _ size: Size) -> Rect {
    let canvas = Canvas(size: size)
    screen.draw(one, on: canvas)
    canvas.markShown([canvas.bounds])
    screen.draw(other, on: canvas)
    return canvas.changes().reduce(.nothing) { $0.union($1) }
  }

  @Test("the chosen answer is the bright one, and a turn changes only the answers", arguments: sizes, [2, 3, 4])
  func chosen(size: Size, answers: Int) {
    let layout = QuestionLayout(size, answers: answers)
    for chosen in 0..<answers {
      var shown = asked(answers)
      shown.chosen = chosen
      let canvas = Canvas(size: size)
      screen.draw(shown, on: canvas)
      let rows = screen.answerRows(shown, layout)
      #expect(rows.count == answers)
      for (index, row) in rows.enumerated() {
        let ground = canvas[row.right - 2 * layout.unit, row.y + row.height / 2]
        #expect(ground == (index == chosen ? Theme.night.accent : Theme.night.groove))
      }
      let changed = difference(asked(answers), shown, size)
      #expect(chosen == 0 ? changed.isEmpty : rows.reduce(Rect.nothing) { $0.union($1) }.contains(changed))
    }
  }

  @Test("answers lie one below the other, between the text and the foot", arguments: sizes)
  func rows(size: Size) {
    for answers in 2...4 {
      let layout = QuestionLayout(size, answers: answers)
      let rows = screen.answerRows(asked(answers), layout)
      for (above, below) in zip(rows, rows.dropFirst()) { #expect(above.bottom < below.y) }
      for row in rows { #expect(row.height >= layout.foot.height * 9 / 10) }
      #expect((rows.last?.bottom ?? 0) < layout.foot.y && (rows.first?.y ?? 0) > size.height / 3)
    }
  }

  @Test("all of the longest question is there to be read, on every panel", arguments: sizes)
  func longest(size: Size) {
    let layout = QuestionLayout(size)
    let room = screen.textRoom(longest, layout)
    let lines = screen.laidOut(longest, room, layout)
    #expect(lines.reduce(0) { $0 + $1.step } <= room.height)
    for line in lines { #expect(line.face.width(of: line.text) <= room.width, "\(line.text)") }
    let read = lines.map(\.text).joined().filter { !$0.isWhitespace }
    let whole = ([longest.text] + longest.details).joined().filter { !$0.isWhitespace }
    #expect(read == whole)
    for line in lines { #expect(line.face.size * 25 >= size.height) }
  }

  @Test("everything a person is told changes the picture, and the same again changes nothing", arguments: sizes)
  func told(size: Size) {
    #expect(difference(asked(), asked(), size).isEmpty)
    let changes: [(inout ShownQuestion) -> Void] = [
      { $0.text = "Take in the music of \"RED\"?" }, { $0.details = ["Wi-Fi: Home"] }, { $0.answers[1] = "Yes" },
      { $0.chosen = 1 }, { $0.waiting = 2 }, { $0.notice = "the sound card is gone" },
    ]
    for (index, change) in changes.enumerated() {
      var other = asked()
      change(&other)
      #expect(!difference(asked(), other, size).isEmpty, "change \(index)")
    }
  }

  @Test(
    "any text is drawn, on any panel",
    arguments: [
      "", " \n ", String(repeating: "Donaudampfschifffahrt", count: 500), "交響曲第九番「合唱」", "שיר", "e\u{301}\u{302}",
      "👩‍👩‍👧‍👦🎵", "\u{1B}[2J\u{0}\u{202E}", "\u{E000}\u{10FFFF}",
    ])
  func texts(text: String) {
    for size in Self.sizes + [Size(width: 1, height: 1), Size(width: 128, height: 64), Size(width: 10, height: 400)] {
      let shown = ShownQuestion {
        $0.text = text
        $0.details = [text, text]
        $0.answers = Array(repeating: text, count: 4)
        $0.chosen = 9
      }
      screen.draw(shown, on: Canvas(size: size))
      #expect(!screen.caption(of: shown).isEmpty)
    }
  }

  @Test("in one line it says what is asked, and which answer is chosen")
  func caption() {
    var shown = longest
    shown.text = "Set up?"
    shown.details = ["Wi-Fi: Home"]
    #expect(screen.caption(of: shown) == "? Set up? · Wi-Fi: Home · [No] Yes")
  }

  @Test("while a question stands the knob is its, and every other button does what it always does")
  func controls() {
    let controls = Controls(volumeStep: 2)
    func meaning(_ gesture: Gesture, _ whileAsking: Bool) -> Controls.Meaning? {
      controls.meaning(of: gesture, elapsed: .seconds(30), whileAsking ? .question : .music)
    }
    #expect(meaning(.turn(3), true) == .choose(by: 3) && meaning(.turn(3), false) == .command(.turn(by: 6)))
    #expect(meaning(.press(.knob), true) == .confirm && meaning(.press(.knob), false) == .command(.toggle))
    // Nothing leads away from a question but its answer.
    #expect(meaning(.press(.home), true) == nil && meaning(.press(.home), false) == .menu(.open))
    #expect(meaning(.long(.knob), true) == nil && controls.bindings(.question).long.isEmpty)
    let pointing: Set<Button> = [.up, .down, .pageUp, .pageDown]
    for button in Button.allCases where button != .knob && button != .home && !pointing.contains(button) {
      #expect(meaning(.press(button), true) == meaning(.press(button), false), "\(button)")
    }
    #expect(meaning(.other(.otherSound(true)), true) == meaning(.other(.otherSound(true)), false))
  }
}
