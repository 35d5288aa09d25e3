import Glibc
import Playback
import Runtime
import TestSupport
import Testing

@testable import Panel

@Suite("Panel at work")
struct PanelPartTests {
  @Test("while it plays it is drawn once a second, when the second changes")
  func everySecond() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      #expect(!screen.take().isEmpty)
      await onMainLoop { await desk.perform(.play) }
      await settle()
      _ = screen.take()
      let asked = await onMainLoop { desk.sound.asked }
      var drawn = 0
      for _ in 0..<200 {
        await MainLoop.loop.advance(by: .milliseconds(100))
        await settle()
        if !screen.take().isEmpty { drawn += 1 }
      }
      #expect((19...21).contains(drawn))
      // Where it is, and when that changes: no more wake-ups than that.
      let questions = await onMainLoop { desk.sound.asked } - asked
      #expect(questions <= 2 * 20 + 4)
    }
  }

  @Test("the first picture stands when the panel is prepared, before anything runs, and says that it is starting")
  func first() async throws {
    let screen = try PipeScreen()
    try await TestMainLoop.alone {
      let desk = try #require(await onMainLoop { try? Desk(showingOn: screen, isReady: false) })
      #expect(screen.take().isEmpty)
      await onMainLoop { try? await desk.panel.prepare() }
      let text = String(decoding: screen.take(), as: UTF8.self)
      #expect(text.contains("▀"))
      #expect(text.contains("Starting"))
    }
  }

  @Test("while nothing changes nothing is drawn, and nobody is asked")
  func nothing() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      await onMainLoop {
        await desk.perform(.play)
        await desk.perform(.pause)
      }
      // The last of what the device held is heard out, and seen.
      await MainLoop.loop.advance(by: .seconds(5))
      await settle()
      _ = screen.take()
      let asked = await onMainLoop { desk.sound.asked }
      await MainLoop.loop.advance(by: .seconds(3_600))
      await settle()
      #expect(screen.take().isEmpty)
      #expect(await onMainLoop { desk.sound.asked } == asked)
    }
  }

  @Test("without a terminal an hour of playing costs the panel nothing, and a picture can be had")
  func headless() async throws {
    try await onDesk(nil) { desk in
      await onMainLoop { await desk.perform(.play) }
      await settle()
      let asked = await onMainLoop { desk.sound.asked }
      await MainLoop.loop.advance(by: .seconds(3_600))
      // The transport asks when it would save, every four seconds; there is no store, and so nobody to ask for.
      #expect(await onMainLoop { desk.sound.asked } == asked)
      let first = await onMainLoop { try? desk.panel.picture().png }
      #expect(first?.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
      await MainLoop.loop.advance(by: .seconds(100))
      #expect(await onMainLoop { try? desk.panel.picture().png } != first)
    }
  }

  @Test("a knob turned fast is drawn a few times, and at the end as it is")
  func fastKnob() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      _ = screen.take()
      await onMainLoop { for _ in 0..<40 { await desk.perform(.turn(by: 1)) } }
      await settle()
      let text = String(decoding: screen.take(), as: UTF8.self)
      #expect(text.contains("90"))
      #expect(text.count < 40_000)
    }
  }

  @Test("a notice comes at once and goes when it is read, and then it is quiet")
  func notice() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      _ = screen.take()
      await onMainLoop { desk.notices.post(Notice("T-1", "Seven geese")) }
      await settle()
      #expect(String(decoding: screen.take(), as: UTF8.self).contains("Seven geese"))
      await MainLoop.loop.advance(by: Notice.shortestReading - .milliseconds(1))
      await settle()
      #expect(screen.take().isEmpty)
      await MainLoop.loop.advance(by: .milliseconds(1))
      await settle()
      #expect(!screen.take().isEmpty)
      await MainLoop.loop.advance(by: .seconds(3_600))
      await settle()
      #expect(screen.take().isEmpty)
    }
  }

  @Test("a warning over the music goes by itself when it is read; that it is so stays, and ends with it")
  func warning() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      await onMainLoop { await desk.perform(.play) }
      await settle()
      _ = screen.take()
      let full = PanelFacts { $0.unsaved = .init(Fault(.full, "S-106", "the database is full")) }
      func text() -> String { String(decoding: screen.take(), as: UTF8.self) }
      // A notice hides it, so it is not read meanwhile.
      await onMainLoop {
        desk.notices.post(Notice("T-1", "Seven geese", isUrgent: true))
        desk.panel.facts = { full }
        desk.panel.factsChanged()
      }
      await settle()
      #expect(text().contains("Seven geese"))
      await MainLoop.loop.advance(by: Notice.longestReading)
      await settle()
      #expect(text().contains("The disk is full. The music plays"))
      await MainLoop.loop.advance(by: Notice.longestReading)
      await settle()
      _ = screen.take()
      await MainLoop.loop.advance(by: .seconds(1))
      await settle()
      let later = text()
      #expect(later.contains("The disk is full · ") && !later.contains("The music plays"), "\(later)")
      await onMainLoop {
        desk.panel.facts = { PanelFacts() }
        desk.panel.factsChanged()
      }
      await settle()
      #expect(!text().contains("The disk is full"))
    }
  }

  @Test("a question takes the panel while the music goes on, costs nothing while it stands, and gives it back")
  func question() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      await onMainLoop { await desk.perform(.play) }
      await MainLoop.loop.advance(by: .seconds(5))
      await settle()
      _ = screen.take()
      _ = await onMainLoop {
        desk.questions.ask(OwnersQuestion("T-1", "Seven geese?", answers: ["No", "Yes"])) { _ in }
      }
      await settle()
      #expect(String(decoding: screen.take(), as: UTF8.self).contains("? Seven geese? · [No] Yes"))
      let asked = await onMainLoop { desk.sound.asked }
      await MainLoop.loop.advance(by: .seconds(100))
      await settle()
      #expect(screen.take().isEmpty)
      #expect(await onMainLoop { desk.sound.asked } <= asked + 2)
      let picture = await onMainLoop { try? desk.panel.picture().png }
      await onMainLoop { desk.questions.turn(by: 1) }
      await settle()
      #expect(String(decoding: screen.take(), as: UTF8.self).contains("No [Yes]"))
      #expect(await onMainLoop { try? desk.panel.picture().png } != picture)
      await onMainLoop { desk.questions.press() }
      await settle()
      let text = String(decoding: screen.take(), as: UTF8.self)
      #expect(text.contains("▶ 1:45"), "\(text.suffix(200))")
      #expect(await onMainLoop { desk.transport.status.volume } == 50)
    }
  }

  @Test("notices that come together are seen one after the other, and then it is quiet")
  func notices() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      _ = screen.take()
      await onMainLoop { for word in ["Seven geese", "Nine cranes"] { desk.notices.post(Notice("T-1", word)) } }
      await settle()
      func text() -> String { String(decoding: screen.take(), as: UTF8.self) }
      #expect(text().contains("Seven geese"))
      await MainLoop.loop.advance(by: Notice.shortestReading)
      await settle()
      #expect(text().contains("Nine cranes"))
      await MainLoop.loop.advance(by: Notice.shortestReading)
      await settle()
      #expect(!text().isEmpty)
      await MainLoop.loop.advance(by: .seconds(3_600))
      await settle()
      #expect(text().isEmpty)
    }
  }

  @Test("paused, it is drawn anew when a minute of the sleep timer is over, and no more often")
  func sleepTimer() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      await onMainLoop {
        await desk.perform(.play)
        await desk.perform(.pause)
        await desk.perform(.sleep(.time(.seconds(600))))
      }
      await MainLoop.loop.advance(by: .seconds(5))
      await settle()
      _ = screen.take()
      var drawn = 0
      for _ in 0..<60 {
        await MainLoop.loop.advance(by: .seconds(5))
        await settle()
        if !screen.take().isEmpty { drawn += 1 }
      }
      #expect(drawn == 5)
    }
  }

  @Test("a terminal that does not read for a while shows the present when it reads again")
  func slowTerminal() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      // Full: a pipe takes 64 KiB.
      let filler = [UInt8](repeating: 0x20, count: 4_096)
      while write(screen.writing, filler, filler.count) > 0 {}
      await onMainLoop { await desk.perform(.play) }
      for _ in 0..<100 { await MainLoop.loop.advance(by: .seconds(1)) }
      await MainLoop.loop.advance(by: .milliseconds(500))
      var text = ""
      for _ in 0..<50 {
        text += String(decoding: screen.take(), as: UTF8.self)
        await settle()
      }
      let (showsNow, showsThen) = (text.contains("▶ 1:40"), text.contains("▶ 0:50"))
      #expect(showsNow, "a hundred seconds have passed")
      #expect(!showsThen, "what was drawn meanwhile is not made up for")
    }
  }

  @Test("when the terminal is gone the music goes on, and the panel ends when it is asked to")
  func goneTerminal() async throws {
    signal(SIGPIPE, SIG_IGN)
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      screen.hangUp()
      await onMainLoop { await desk.perform(.play) }
      await MainLoop.loop.advance(by: .seconds(5))
      #expect(await onMainLoop { desk.transport.status.place.elapsed } == .seconds(5))
    }
  }
}
