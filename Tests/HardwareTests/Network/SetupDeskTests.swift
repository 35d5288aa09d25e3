import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("Setting up the board from a stick")
struct SetupDeskTests {
  /// A board whose system does as the test says.
  @MainLoop
  private final class Board {
    let notices = NoticeBoard()
    let questions = QuestionBoard()
    private(set) lazy var desk = makeDesk()
    /// What stands on the sticks, by their places.
    var files: [FilePath: Result<StickSetup?, Fault>] = [:]
    /// What reads hold back until the test lets them go.
    var reads: [@MainLoop () -> Void] = []
    var wishes: [StickSetup] = []
    var isTaken = true
    var takenBack = 0
    var outcome: SetupOutcome?
    var memory = StickMemory()

    private func makeDesk() -> SetupDesk {
      SetupDesk(
        .init(
          read: { root, then in self.reads.append { then(self.files[root] ?? .success(nil)) } },
          wish: { setup async throws(Fault) in self.wishes.append(setup) },
          isTaken: { self.isTaken }, takeBack: { self.takenBack += 1 }, outcome: { self.outcome },
          known: { self.memory }, remember: { self.memory.remember($0) }), notices, questions)
    }

    func come(_ stick: Stick, _ text: String) {
      let bytes = Array(text.utf8)
      files[stick.root] = Result { () throws(Fault) in text.isEmpty ? nil : try StickSetup(parsing: bytes) }
      desk.came(stick)
      read()
    }

    func read() {
      for read in reads { read() }
      reads = []
    }

    var told: [String] { notices.posted.map(\.notice.code) }
  }

  private static func stick(_ name: String) -> Stick {
    Stick(
      uuid: name, label: name, root: FilePath("/run/layby-sticks/\(name)"), fileSystem: "vfat", bytes: nil,
      device: DeviceNumber(major: 8, minor: 1))
  }

  private static let home = "[network]\nssid = Home\npassword = secret77\n[board]\nname = Kitchen\n"

  private func onBoard(_ body: @Sendable (Board) async -> Void) async {
    await TestMainLoop.alone { await body(await onMainLoop { Board() }) }
  }

  /// Past the moments in which a press does not count.
  private func answer(_ board: Board, yes: Bool) async {
    await MainLoop.loop.advance(by: .seconds(1))
    await onMainLoop {
      if yes { board.questions.turn(by: 1) }
      board.questions.press()
    }
    for _ in 0..<20 { await MainLoop.loop.advance(by: .zero) }
  }

  @Test("what it asks for is shown without the password, and nothing happens before a yes")
  func shown() async {
    await onBoard { board in
      await onMainLoop { board.come(Self.stick("BLUE"), Self.home) }
      let question = await onMainLoop { board.questions.current?.question }
      #expect(question?.text == "Set up this board as \"BLUE\" says?")
      #expect(question?.details == ["Wi-Fi: Home", "Name: Kitchen"] && question?.answers == ["No", "Yes"])
      #expect(await onMainLoop { board.wishes.isEmpty })
      await answer(board, yes: false)
      #expect(await onMainLoop { board.wishes.isEmpty && board.told.isEmpty && board.questions.current == nil })
    }
  }

  @Test("a yes hands over what was shown, whatever stands on the stick by then, and its outcome is told")
  func yes() async throws {
    let shown = try StickSetup(parsing: Array(Self.home.utf8))
    await onBoard { board in
      await onMainLoop {
        board.come(Self.stick("BLUE"), Self.home)
        board.files[Self.stick("BLUE").root] = Result { () throws(Fault) in
          try StickSetup(parsing: Array("[network]\nssid = Evil\n".utf8))
        }
      }
      await answer(board, yes: true)
      #expect(await onMainLoop { board.wishes == [shown] && board.told.isEmpty })
      await onMainLoop { board.outcome = .joining }
      await MainLoop.loop.advance(by: .seconds(5))
      #expect(await onMainLoop { board.told.isEmpty })
      await onMainLoop { board.outcome = .joined }
      await MainLoop.loop.advance(by: .seconds(1))
      #expect(await onMainLoop { board.told == ["H-722"] && board.memory.has(shown) })
    }
  }

  @Test("the same offered again asks nothing once it is in force; after a refused password it is asked again")
  func again() async {
    for (outcome, asks) in [
      (SetupOutcome.joined, false), (.unseen, false), (.radio, false), (.password, true), (.failed, true),
      (.service, true),
    ] {
      await onBoard { board in
        await onMainLoop {
          board.outcome = outcome
          board.come(Self.stick("BLUE"), Self.home)
        }
        await answer(board, yes: true)
        await MainLoop.loop.advance(by: .seconds(1))
        await onMainLoop {
          board.desk.went(Self.stick("BLUE"))
          board.come(Self.stick("RED"), Self.home)
          #expect((board.questions.current != nil) == asks, "\(outcome)")
          // Another password is another wish.
          board.come(Self.stick("GREEN"), "[network]\nssid = Home\npassword = secret78\n")
          #expect(board.questions.current != nil)
        }
      }
    }
  }

  @Test("a stick that is pulled takes its question along, also one whose file is still being read")
  func pulled() async {
    await onBoard { board in
      await onMainLoop {
        board.come(Self.stick("BLUE"), Self.home)
        #expect(board.questions.asked.count == 1)
        board.desk.went(Self.stick("BLUE"))
        #expect(board.questions.asked.isEmpty)
        board.desk.came(Self.stick("BLUE"))
        board.desk.went(Self.stick("BLUE"))
        board.read()
        #expect(board.questions.asked.isEmpty && board.told.isEmpty)
      }
    }
  }

  @Test("a mistake names file, line and what was expected; no file is no word at all")
  func mistakes() async {
    await onBoard { board in
      await onMainLoop {
        board.come(Self.stick("BLUE"), "")
        #expect(board.told.isEmpty)
        board.come(Self.stick("BLUE"), "[network]\nssid = Home\npassword = short77\n")
        let message = board.notices.posted.last?.notice.message ?? ""
        #expect(message.hasPrefix("layby-setup.conf:3: expected a password of 8 to 63") && !message.contains("short77"))
        #expect(board.told == ["C-120"] && board.questions.current == nil)
      }
    }
  }

  @Test("where nobody takes it up, it is taken back and told; two that are confirmed are done one after the other")
  func untaken() async {
    await onBoard { board in
      await onMainLoop {
        board.isTaken = false
        board.come(Self.stick("BLUE"), Self.home)
        board.come(Self.stick("RED"), "[board]\nname = Car\n")
      }
      await answer(board, yes: true)
      await answer(board, yes: true)
      #expect(await onMainLoop { board.wishes.count == 1 })
      for _ in 0..<260 { await MainLoop.loop.advance(by: .milliseconds(500)) }
      await onMainLoop {
        #expect(board.takenBack == 1 && board.told == ["H-725"] && board.wishes.count == 2)
        board.isTaken = true
        board.outcome = .done
      }
      await MainLoop.loop.advance(by: .seconds(1))
      await MainLoop.loop.advance(by: .seconds(1))
      #expect(await onMainLoop { board.told == ["H-725", "H-722"] && board.memory.boardName == "Car" })
    }
  }
}
