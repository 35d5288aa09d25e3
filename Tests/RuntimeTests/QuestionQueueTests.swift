import Runtime
import TestSupport
import Testing

@Suite("Question queue")
struct QuestionQueueTests {
  private static func at(_ seconds: Int) -> Moment { Moment(nanoseconds: 1_000_000_000 * Int64(seconds)) }

  private static func question(_ text: String, _ answers: Int = 3) -> OwnersQuestion {
    OwnersQuestion("T-1", text, answers: (0..<answers).map { "answer \($0)" })
  }

  @Test(
    "the safest is chosen at first, a turn moves the choice and stays at the ends, a press gives it",
    arguments: [
      ([], 0), ([1], 1), ([1, 1], 2), ([1, 1, 1], 2), ([9], 2), ([-1], 0), ([2, -1], 1), ([Int.max], 2),
      ([Int.max, Int.min], 0), ([Int.min, 1], 1),
    ] as [([Int], Int)])
  func knob(turns: [Int], chosen: Int) {
    var queue = QuestionQueue()
    let number = queue.ask(Self.question("a"), at: Self.at(0))
    for turn in turns { queue.turn(by: turn, at: Self.at(2)) }
    #expect(queue.current?.chosen == chosen)
    let answered = queue.press(at: Self.at(2))
    #expect(answered?.answer == chosen && answered?.number == number)
    #expect(queue.current == nil && queue.nextChange == nil && queue.press(at: Self.at(3)) == nil)
  }

  @Test("a hand that was at the knob already answers nothing, neither this question nor the one behind it")
  func grace() {
    var queue = QuestionQueue()
    _ = queue.ask(Self.question("a"), at: Self.at(10))
    _ = queue.ask(Self.question("b"), at: Self.at(10))
    let early = Self.at(10) + QuestionQueue.grace - .milliseconds(1)
    queue.turn(by: 1, at: early)
    #expect(queue.current?.chosen == 0 && queue.press(at: early) == nil)
    #expect(queue.press(at: Self.at(11))?.question.text == "a")
    // A press that bounces, or one too many.
    #expect(queue.press(at: Self.at(11) + .milliseconds(100)) == nil)
    #expect(queue.press(at: Self.at(12))?.question.text == "b")
  }

  @Test("one stands at a time, in their order, and each begins its own long while when it comes up")
  func patience() {
    var queue = QuestionQueue()
    for text in ["a", "b", "c"] { _ = queue.ask(Self.question(text), at: Self.at(0)) }
    let first = Self.at(0) + QuestionQueue.patience
    #expect(queue.nextChange == first)
    #expect(queue.pass(to: first - .milliseconds(1)).isEmpty)
    #expect(queue.pass(to: first).map(\.answer) == [0] && queue.current?.question.text == "b")
    #expect(queue.nextChange == first + QuestionQueue.patience)
    // Nobody looked for hours.
    #expect(queue.pass(to: Self.at(100_000)).map(\.question.text) == ["b", "c"])
  }

  @Test("time gives the safest answer whatever is chosen, and whoever turns has all of it again")
  func turned() {
    var queue = QuestionQueue()
    _ = queue.ask(Self.question("a"), at: Self.at(0))
    queue.turn(by: 2, at: Self.at(200))
    #expect(queue.pass(to: Self.at(0) + QuestionQueue.patience).isEmpty)
    #expect(queue.press(at: Self.at(201)) != nil)
    _ = queue.ask(Self.question("b"), at: Self.at(300))
    queue.turn(by: 2, at: Self.at(302))
    #expect(queue.pass(to: Self.at(302) + QuestionQueue.patience).map(\.answer) == [0])
  }

  @Test("one is answered by its number, also while it waits; a wrong number or answer changes nothing")
  func numbers() throws {
    var queue = QuestionQueue()
    let (one, two) = (queue.ask(Self.question("a"), at: Self.at(0)), queue.ask(Self.question("b", 2), at: Self.at(0)))
    let (first, second) = (try #require(one), try #require(two))
    let before = queue
    for (number, answer) in [(99, 0), (0, 0), (second, 2), (second, -1), (first, 3)] {
      #expect(queue.answer(number, with: answer, at: Self.at(1)) == nil && queue == before)
    }
    #expect(queue.answer(second, with: 1, at: Self.at(1))?.question.text == "b" && queue.current?.number == first)
    #expect(queue.nextChange == before.nextChange)
    #expect(queue.answer(first, with: 2, at: Self.at(1))?.answer == 2 && queue.current == nil)
    #expect(queue.answer(first, with: 2, at: Self.at(1)) == nil)
  }

  @Test("what is withdrawn goes without an answer, and the next one comes up")
  func withdrawal() throws {
    var queue = QuestionQueue()
    let number = queue.ask(Self.question("a"), at: Self.at(0))
    let first = try #require(number)
    _ = queue.ask(Self.question("b"), at: Self.at(0))
    #expect(queue.withdraw(first, at: Self.at(5))?.number == first && queue.current?.question.text == "b")
    #expect(queue.withdraw(first, at: Self.at(5)) == nil)
    // It came up just now: nobody can have meant it yet.
    #expect(queue.press(at: Self.at(5)) == nil)
  }

  @Test("no more than so many wait")
  func most() {
    var queue = QuestionQueue()
    for number in 1...QuestionQueue.most { #expect(queue.ask(Self.question("a"), at: Self.at(0)) == number) }
    #expect(queue.ask(Self.question("b"), at: Self.at(0)) == nil)
  }

  @Test("whatever happens, one stands as long as one is there, its choice is one of its answers, and each ends once")
  func walk() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    var queue = QuestionQueue()
    var now = Self.at(0)
    var (open, ended): (Set<Int>, Set<Int>) = ([], [])
    for _ in 0..<5_000 {
      now = now + .milliseconds(Int.random(in: 0...60_000, using: &dice))
      var over = queue.pass(to: now)
      switch Int.random(in: 0..<6, using: &dice) {
      case 0:
        let new = queue.ask(Self.question("a", .random(in: 2...4, using: &dice)), at: now)
        if let new { #expect(open.insert(new).inserted && !ended.contains(new), "seed \(seed)") }
      case 1, 2: queue.turn(by: .random(in: -4...4, using: &dice), at: now)
      case 3: over += queue.press(at: now).map { [$0] } ?? []
      case 4:
        let number = Int.random(in: 0...(open.max() ?? 0) + 1, using: &dice)
        over += queue.answer(number, with: .random(in: 0..<4, using: &dice), at: now).map { [$0] } ?? []
      default:
        if let gone = queue.withdraw(open.randomElement(using: &dice) ?? 0, at: now) {
          #expect(open.remove(gone.number) != nil, "seed \(seed)")
        }
      }
      for one in over {
        #expect(open.remove(one.number) != nil && ended.insert(one.number).inserted, "seed \(seed)")
        #expect(one.question.answers.indices.contains(one.answer), "seed \(seed)")
      }
      #expect(Set(queue.asked.map(\.number)) == open, "seed \(seed)")
      if let standing = queue.current {
        #expect(standing.question.answers.indices.contains(standing.chosen), "seed \(seed)")
      }
    }
  }

  @Test("texts of strangers are made plain and cut, so that they neither steer a terminal nor fill the panel")
  func plain() {
    let question = OwnersQuestion(
      "T-1", "a\u{1B}[2J\u{202E}b\nc", details: [String(repeating: "x", count: 5_000)],
      answers: ["y\u{0}es", String(repeating: "é\u{301}\u{301}", count: 3_000)])
    #expect(question.text == "a\u{FFFD}[2J\u{FFFD}b\u{FFFD}c")
    #expect(question.details[0].unicodeScalars.count == 200 && question.details[0].hasSuffix("…"))
    #expect(question.answers[0] == "y\u{FFFD}es" && question.answers[1].unicodeScalars.count == 40)
  }
}
