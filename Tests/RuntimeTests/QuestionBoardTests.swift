import Runtime
import TestSupport
import Testing

@Suite("Question board")
struct QuestionBoardTests {
  @MainLoop
  private final class Desk {
    let board = QuestionBoard()
    var answers: [String] = []
    var changes = 0
    let events = Mailbox<JSON>()

    init() {
      board.listen { self.changes += 1 }
      board.follow(events)
    }

    @discardableResult
    func ask(_ text: String) -> Int? {
      board.ask(OwnersQuestion("T-1", text, answers: ["No", "Yes"])) { self.answers.append("\(text) \($0)") }
    }

    var told: [String] {
      var told: [String] = []
      while let event = events.tryReceive() { told.append(event["event"]?.string ?? "") }
      return told
    }
  }

  @Test("who asks is told once, by the knob, by a program or by time; never of what was withdrawn")
  func answers() async {
    await TestMainLoop.alone {
      let desk = await onMainLoop { Desk() }
      await onMainLoop { for text in ["a", "b", "c", "d"] { desk.ask(text) } }
      await MainLoop.loop.advance(by: .seconds(1))
      await onMainLoop {
        desk.board.turn(by: 1)
        desk.board.press()
        #expect(desk.answers == ["a 1"] && desk.board.current?.question.text == "b")
        #expect(desk.board.answer(3, with: 1) && !desk.board.answer(3, with: 1) && !desk.board.answer(2, with: 2))
        desk.board.withdraw(4)
        desk.board.withdraw(4)
        #expect(desk.answers == ["a 1", "c 1"] && desk.board.asked.count == 1)
      }
      await MainLoop.loop.advance(by: QuestionQueue.patience)
      await onMainLoop {
        #expect(desk.answers == ["a 1", "c 1", "b 0"] && desk.board.current == nil)
        let ends = ["answer", "answer", "question withdrawn", "answer"]
        #expect(desk.told == Array(repeating: "question", count: 4) + ends)
        let changes = desk.changes
        // Nothing stands: the knob is somebody else's.
        desk.board.press()
        #expect(desk.changes == changes)
      }
    }
  }

  @Test("a question that an answer leads to comes up behind those that wait")
  func again() async {
    await TestMainLoop.alone {
      let desk = await onMainLoop { Desk() }
      await onMainLoop {
        desk.board.ask(OwnersQuestion("T-2", "first", answers: ["No", "Yes"])) { _ in desk.ask("third") }
        desk.ask("second")
      }
      await MainLoop.loop.advance(by: .seconds(1))
      await onMainLoop {
        desk.board.press()
        #expect(desk.board.asked.map(\.question.text) == ["second", "third"])
      }
    }
  }

  @Test("one too many is answered with the safest")
  func tooMany() async {
    await TestMainLoop.alone {
      let desk = await onMainLoop { Desk() }
      await onMainLoop {
        for _ in 0..<QuestionQueue.most { desk.ask("a") }
        #expect(desk.ask("b") == nil)
      }
      await MainLoop.loop.advance(by: .zero)
      #expect(await onMainLoop { desk.answers } == ["b 0"])
    }
  }
}
