import Runtime
import TestSupport
import Testing

@Suite("Notice board")
struct NoticeBoardTests {
  @Test("what stands is seen whenever no notice passes; the newest of them first, one for each code")
  func standing() async {
    await TestMainLoop.alone {
      let board = NoticeBoard()
      func seen() async -> String? { await onMainLoop { board.current(at: MainLoop.loop.now)?.notice.message } }
      func post(_ text: String) async { await onMainLoop { board.post(Notice("T-1", text)) } }
      func stand(_ code: String, _ text: String) async { await onMainLoop { board.stand(Notice(code, text)) } }
      await post("before")
      await MainLoop.loop.advance(by: .seconds(1))
      await stand("S-1", "stands")
      #expect(await seen() == "before", "what stands can wait")
      await MainLoop.loop.advance(by: Notice.shortestReading)
      #expect(await seen() == "stands")
      await post("passes")
      #expect(await seen() == "passes")
      await MainLoop.loop.advance(by: Notice.shortestReading)
      #expect(await seen() == "stands")
      await stand("S-2", "another")
      #expect(await seen() == "another")
      await stand("S-1", "stands anew")
      #expect(await seen() == "stands anew")
      #expect(await onMainLoop { board.active.map(\.notice.code) } == ["S-2", "S-1"])
      await onMainLoop { board.withdraw("S-1") }
      #expect(await seen() == "another")
      await onMainLoop { board.withdraw("S-2") }
      #expect(await seen() == nil)
    }
  }

  @Test("an answer is shown and heard, and stands in no list; a count that goes on need not be heard")
  func answers() async {
    await TestMainLoop.alone {
      await onMainLoop {
        let board = NoticeBoard()
        var heard: [Bool] = []
        board.listen { heard.append($0.isHeard) }
        board.answer(Notice("N-1", "moved"))
        #expect(board.current(at: MainLoop.loop.now)?.notice.message == "moved")
        #expect(board.told.isEmpty && board.newCount == 0)
        board.answer(Notice("N-1", "moved on"))
        #expect(board.current(at: MainLoop.loop.now)?.notice.message == "moved on" && board.told.isEmpty)
        board.post(Notice("O-1", "2 failed"), isHeard: false)
        #expect(board.told.map(\.notice.code) == ["O-1"] && heard == [true, true, false])
      }
    }
  }

  @Test("an answer takes no line of a full list; news takes the oldest")
  func full() async {
    await TestMainLoop.alone {
      await onMainLoop {
        let board = NoticeBoard()
        for number in 1...100 { board.post(Notice("T-1", "\(number)")) }
        for _ in 0..<3 { board.answer(Notice("N-1", "moved")) }
        #expect(board.told.count == 100 && board.told.last?.notice.message == "1")
        board.post(Notice("T-1", "101"))
        #expect(board.told.count == 100 && board.told.last?.notice.message == "2")
      }
    }
  }

  @Test("whoever listens hears of both kinds, and of a withdrawal only when something was withdrawn")
  func listening() async {
    await TestMainLoop.alone {
      let heard = await onMainLoop { () -> [String] in
        let board = NoticeBoard()
        var heard: [String] = []
        board.listen { heard.append("\($0.notice.code) \($0.stands)") }
        board.listenToWithdrawals { heard.append("withdrawn") }
        board.withdraw("S-1")
        board.post(Notice("T-1", "passes"))
        board.stand(Notice("S-1", "stands"))
        board.withdraw("T-1")
        board.withdraw("S-1")
        return heard
      }
      #expect(heard == ["T-1 false", "S-1 true", "withdrawn"])
    }
  }
}
