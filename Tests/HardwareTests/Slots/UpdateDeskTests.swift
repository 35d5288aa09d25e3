import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("A new version that a stick brings")
struct UpdateDeskTests {
  /// A board whose system answers each wish as the test says.
  @MainLoop
  private final class Board {
    let notices = NoticeBoard()
    let questions = QuestionBoard()
    private(set) lazy var desk = makeDesk()
    var file: FilePath? = FilePath("/run/layby-sticks/BLUE/layby-kitchen-0.2.layby")
    var wishes: [UpdateProgress.Deed] = []
    var names: [String] = []
    /// Those that were to be written.
    var versions: [String] = []
    /// What the system tells after a wish of that kind; without one, nobody takes it.
    var answers: [UpdateProgress.Deed: String] = [:]
    var told: UpdateProgress?

    private func makeDesk() -> UpdateDesk {
      UpdateDesk(
        .init(
          find: { _, then in then(self.file) },
          wish: { wish throws(Fault) in
            self.wishes.append(wish.deed)
            self.names.append(wish.name)
            if wish.deed == .write { self.versions.append(wish.version) }
            self.told = self.answers[wish.deed].flatMap { UpdateProgress("wish=\(wish.name)\n\($0)") }
          }, progress: { self.told }), notices, questions)
    }

    var codes: [String] { notices.posted.map(\.notice.code) }
    var question: OwnersQuestion? { questions.current?.question }
  }

  private static let offered = "state=offered\nversion=0.2\nwords=Faster, and mends the clock.\n"
  private static let stick = Stick(
    uuid: "1", label: "BLUE", root: FilePath("/run/layby-sticks/BLUE"), fileSystem: "vfat", bytes: nil,
    device: DeviceNumber(major: 8, minor: 1))

  /// The stick comes, and the system has said what it thinks of the file.
  private func onBoard(_ check: String?, _ write: String? = nil, _ body: @Sendable (Board) async -> Void) async {
    await TestMainLoop.alone {
      let board = await onMainLoop { Board() }
      await onMainLoop {
        board.answers[.check] = check
        board.answers[.write] = write
        board.desk.came(Self.stick)
      }
      await pass(.seconds(2))
      await body(board)
    }
  }

  private func pass(_ time: Duration) async {
    await MainLoop.loop.advance(by: time)
    for _ in 0..<20 { await MainLoop.loop.advance(by: .zero) }
  }

  private func answer(_ board: Board, yes: Bool) async {
    await pass(.seconds(1))
    await onMainLoop {
      if yes { board.questions.turn(by: 1) }
      board.questions.press()
    }
    await pass(.seconds(2))
  }

  @Test("it is checked first, then asked about with what is new, and only a yes has it written")
  func asked() async {
    await onBoard(Self.offered, "state=ready\nversion=0.2\n") { board in
      let question = await onMainLoop { board.question }
      #expect(question?.text == "Put version 0.2 on this board?" && question?.answers == ["No", "Yes"])
      #expect(question?.details == ["Faster, and mends the clock."])
      #expect(await onMainLoop { board.wishes == [.check] && board.codes.isEmpty })
      await answer(board, yes: true)
      #expect(await onMainLoop { board.wishes == [.check, .write] && board.codes == ["H-752"] })
      // Nothing but what was asked about.
      #expect(await onMainLoop { board.versions == ["0.2"] })
    }
    await onBoard(Self.offered) { board in
      await answer(board, yes: false)
      #expect(await onMainLoop { board.wishes == [.check] && board.codes.isEmpty && board.question == nil })
    }
  }

  @Test("while it is written it is told at each quarter, then how it ended")
  func progress() async {
    await onBoard(Self.offered, "state=writing\nversion=0.2\npercent=3\n") { board in
      await answer(board, yes: true)
      #expect(await onMainLoop { board.codes == ["H-751"] })
      for (percent, count) in [(20, 1), (27, 2), (49, 2), (80, 3)] {
        await onMainLoop {
          let wish = board.told?.wish ?? ""
          board.told = UpdateProgress("wish=\(wish)\nstate=writing\nversion=0.2\npercent=\(percent)")
        }
        await pass(.seconds(1))
        #expect(await onMainLoop { board.codes.count == count }, "\(percent) %")
      }
      await onMainLoop {
        board.told = UpdateProgress("wish=\(board.told?.wish ?? "")\nstate=failed\nwords=It cannot be read.")
      }
      await pass(.seconds(1))
      #expect(await onMainLoop { board.codes.contains("H-759") })
    }
  }

  @Test("a writing that does not go on is told after a while")
  func still() async {
    await onBoard(Self.offered, "state=writing\nversion=0.2\npercent=3\n") { board in
      await answer(board, yes: true)
      await onMainLoop {
        board.told = board.told.flatMap { UpdateProgress("wish=\($0.wish)\nstate=writing\npercent=4") }
      }
      await pass(UpdateDesk.stillness - .seconds(5))
      #expect(await onMainLoop { !board.codes.contains("H-759") })
      await pass(.seconds(10))
      #expect(await onMainLoop { board.codes.last == "H-759" })
    }
  }

  @Test("each refusal has words of its own and asks nothing; the version that runs says nothing at all")
  func refused() async {
    let table = [
      ("board", "H-753"), ("older", "H-754"), ("key", "H-755"), ("damaged", "H-756"), ("room", "H-757"),
      ("battery", "H-758"), ("slots", "H-759"),
    ]
    for (reason, code) in table {
      await onBoard("state=refused\nreason=\(reason)\nwords=So it is.\n") { board in
        #expect(await onMainLoop { board.codes == [code] && board.question == nil }, "\(reason)")
      }
    }
    await onBoard("state=refused\nreason=same\nwords=It runs already.\n") { board in
      #expect(await onMainLoop { board.codes.isEmpty && board.question == nil })
    }
  }

  @Test("while another update is written, one from a stick waits for its turn")
  func waits() async {
    await onBoard(nil) { board in
      let wish = await onMainLoop { board.names.last ?? "" }
      await onMainLoop { board.told = UpdateProgress("wish=1\nstate=writing\nversion=0.9\npercent=3") }
      await pass(.seconds(300))
      await onMainLoop { board.told = UpdateProgress("wish=1\nstate=ready\nversion=0.9") }
      await pass(.seconds(5))
      await onMainLoop { board.told = UpdateProgress("wish=\(wish)\n" + Self.offered) }
      await pass(.seconds(1))
      #expect(await onMainLoop { board.question?.text == "Put version 0.2 on this board?" })
    }
  }

  @Test("without a file nothing is wished; where nobody takes the wish, it ends; pulled, the question goes too")
  func gone() async {
    await onBoard(nil) { board in
      await pass(.seconds(90))
      #expect(await onMainLoop { board.wishes == [.check] && board.question == nil })
      await onMainLoop {
        board.file = nil
        board.desk.came(Self.stick)
      }
      #expect(await onMainLoop { board.wishes.count == 1 })
    }
    await onBoard(Self.offered) { board in
      await onMainLoop { board.desk.went(Self.stick) }
      #expect(await onMainLoop { board.question == nil })
    }
  }
}
