import TestSupport
import Testing

@testable import Panel

@Suite("Part of a list")
struct RowWindowTests {
  static func rows(_ range: Range<Int>) -> [MenuRow] {
    range.map { number in MenuRow("\(number)") { $0.key = .index(number) } }
  }

  /// Whoever has all of it, and gives what is asked for.
  static func serve(_ window: inout RowWindow, of count: Int, page: Int = 60) {
    while let end = window.wants() {
      guard case .index(let edge) = window.edge(end) else { return }
      switch end {
      case .after:
        window.extend(.after, by: rows(edge + 1..<min(edge + 1 + page, count)), isMore: edge + 1 + page < count)
      case .before: window.extend(.before, by: rows(max(edge - page, 0)..<edge), isMore: edge - page > 0)
      }
    }
  }

  @Test("wherever one turns, it is as if all of the list were there, and little of it is")
  func walk() {
    for seed in 1...30 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let count = [1, 59, 60, 61, 400, 5_000].randomElement(using: &random) ?? 1
      var window = RowWindow()
      window.show(Self.rows(0..<min(60, count)), goesOn: count > 60)
      var model = 0
      for _ in 0..<400 {
        // No hand turns further between two looks than is held before it.
        let steps = Int.random(in: -20...24, using: &random)
        model = min(max(model + steps, 0), count - 1)
        window.turn(by: steps)
        Self.serve(&window, of: count)
        #expect(window.focused?.title == "\(model)", "seed \(seed)")
        #expect(window.rows.count <= RowWindow.most)
        let numbers = window.rows.compactMap { Int($0.title) }
        #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + numbers.count), "seed \(seed)")
        #expect(window.goesBack == (numbers.first != 0) && window.goesOn == (numbers.last != count - 1), "seed \(seed)")
      }
    }
  }

  @Test("what has changed is shown where somebody was, by what stands there")
  func again() {
    var window = RowWindow()
    window.show(Self.rows(0..<10), goesOn: false)
    window.turn(by: 4)
    window.show(Self.rows(2..<10), goesOn: false)
    #expect(window.focused?.title == "4")
    window.show(Self.rows(6..<8), goesOn: false)
    #expect(window.focused?.title == "6", "the nearest that there is")
    window.show([], goesOn: false)
    #expect(window.focused == nil && window.focus == 0)
    window.turn(by: 5)
    #expect(window.focus == 0)
  }

  @Test("when what was pressed is gone, something else that does something is looked at, and no question")
  func pressed() {
    let id = DownloadID("3", "A third")
    let (pause, again) = (
      MenuRow("Pause", .perform(.pauseDownload(id))), MenuRow("Again", .perform(.retryDownload(id)))
    )
    let (state, why) = (MenuRow("Waiting"), MenuRow("because"))
    let drop = MenuRow("Stop", .open(.sure(Question("Stop?", .dropDownload(id), yes: .drop))))
    for (focus, after, wanted) in [
      (2, [state, pause, drop], "Pause"), (2, [state, drop], "Waiting"), (1, [state, again, why, drop], "Again"),
      (2, [state, why, pause, again, drop], "Again"),
    ] {
      var window = RowWindow()
      window.show([state, pause, again, drop], goesOn: false)
      window.turn(by: focus)
      window.show(after, goesOn: false)
      #expect(window.focused?.title == wanted)
    }
  }

  @Test("when a row is gone, nobody looks at what takes something away, pressed at once or asked about")
  func harmless() {
    let id = DownloadID("3", "A third")
    let (state, why, clear) = (MenuRow("Waiting"), MenuRow("because"), MenuRow("Clear", .perform(.clearNotices)))
    let (pause, retry) = (
      MenuRow("Pause", .perform(.pauseDownload(id))), MenuRow("Again", .perform(.retryDownload(id)))
    )
    let drop = MenuRow("Stop", .open(.sure(Question("Stop?", .dropDownload(id), yes: .drop))))
    for (before, focus, after, wanted) in [
      ([state, why, drop], 1, [state, drop], "Waiting"), ([state, why, clear], 1, [state, clear], "Waiting"),
      ([state, retry, clear, drop], 1, [state, clear, drop], "Waiting"),
      ([state, clear, pause], 2, [pause, clear], "Pause"), ([pause, retry, clear], 1, [pause, clear], "Pause"),
    ] {
      var window = RowWindow()
      window.show(before, goesOn: false)
      window.turn(by: focus)
      window.show(after, goesOn: false)
      #expect(window.focused?.title == wanted)
    }
  }

  @Test("at first the one that counts now is looked at")
  func current() {
    var window = RowWindow()
    var rows = Self.rows(0..<5)
    rows[3].sign = .current
    window.show(rows, goesOn: false)
    #expect(window.focus == 3)
  }

  @Test("turning is bounded, however far somebody says", arguments: [Int.max, Int.min, 1_000_000])
  func far(steps: Int) {
    var window = RowWindow()
    window.show(Self.rows(0..<7), goesOn: false)
    window.turn(by: steps)
    #expect(window.focus == (steps > 0 ? 6 : 0))
    var wheel = LetterWheel()
    wheel.offer(["a", "b", "c"], found: .init())
    wheel.turn(by: steps)
    #expect(wheel.choices.indices.contains(wheel.focus))
    var dial = Dial(.crossfade, 3, in: 0...12)
    dial.turn(by: steps)
    #expect(dial.value == (steps > 0 ? 12 : 0))
  }

  @Test("a wheel offers what leads on, first what was found, and last a way back")
  func wheel() {
    var wheel = LetterWheel()
    let beforeIt = wheel.choose()
    #expect(wheel.isLoading && !beforeIt)
    wheel.offer(["a", "b"], found: .init())
    #expect(wheel.choices == [.letter("a"), .letter("b")])
    wheel.turn(by: -1)
    let isOther = wheel.focused == .letter("b") && wheel.choose()
    #expect(isOther && wheel.typed == "b" && wheel.isLoading)
    wheel.offer(["o", "y"], found: .init([MenuRow("Boy")]))
    #expect(wheel.choices == [.results, .letter("o"), .letter("y"), .space, .delete] && wheel.focused == .results)
    let isSame = !wheel.choose()
    #expect(isSame, "results are another screen")
    wheel.turn(by: -1)
    let isLess = wheel.choose()
    #expect(isLess && wheel.typed.isEmpty)
    // Faster than what can follow is looked up: nothing that nobody chose.
    for _ in 0..<3 {
      let isTaken = wheel.choose()
      #expect(!isTaken && wheel.typed.isEmpty && wheel.focused == nil)
    }
    wheel.offer(["q"], found: .init())
    wheel.turn(by: 0)
    let isTyped = wheel.choose()
    #expect(isTyped && wheel.typed == "q")
    wheel.fail()
    #expect(wheel.choices == [.delete])
    let (isDeleted, isAgain) = (wheel.choose(), wheel.choose())
    #expect(isDeleted && !isAgain && wheel.typed.isEmpty)
  }
}
