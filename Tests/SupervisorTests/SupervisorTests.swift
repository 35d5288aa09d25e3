import Runtime
import Supervisor
import Synchronization
import TestSupport
import Testing

private final class Diary: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func note(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Fails so many times when it runs, then runs until it is cancelled.
private final class FailingPart: Part {
  nonisolated let name: String
  private var failuresLeft: Int
  private let diary: Diary
  private let endsSlowly: Bool

  nonisolated init(_ name: String, failing failures: Int = 0, endsSlowly: Bool = false, _ diary: Diary) {
    self.name = name
    failuresLeft = failures
    self.endsSlowly = endsSlowly
    self.diary = diary
  }

  func prepare() async throws(Fault) { diary.note("prepare \(name)") }

  func run() async throws(Fault) {
    diary.note("run \(name)")
    if failuresLeft > 0 {
      failuresLeft -= 1
      throw Fault(.passing, "T-1", "\(name) was told to fail")
    }
    await MainLoop.loop.sleep(for: .seconds(100_000))
    if endsSlowly { await MainLoop.start { await MainLoop.loop.sleep(for: .seconds(60)) }.value }
    diary.note("end \(name)")
  }
}

@Suite("Supervisor")
struct SupervisorTests {
  @MainLoop private func states(_ supervisor: Supervisor) -> [String: PartState] {
    Dictionary(uniqueKeysWithValues: supervisor.health.map { ($0.name, $0.state) })
  }

  @Test("parts start in order and stop in the opposite order")
  func order() async {
    await TestMainLoop.alone {
      let diary = Diary()
      let supervisor = await onMainLoop { Supervisor() }
      for name in ["store", "player", "panel"] {
        await onMainLoop { await supervisor.keep(FailingPart(name, diary), when: .restart) }
      }
      await MainLoop.loop.advance(by: .milliseconds(1))
      await onMainLoop { await supervisor.stop() }
      #expect(
        diary.all.filter { !$0.hasPrefix("run") } == [
          "prepare store", "prepare player", "prepare panel", "end panel", "end player", "end store",
        ])
    }
  }

  @Test("a part that fails is started again alone, and the others never notice")
  func restart() async {
    await TestMainLoop.alone {
      let diary = Diary()
      let supervisor = await onMainLoop { Supervisor() }
      await onMainLoop { await supervisor.keep(FailingPart("player", diary), when: .restart) }
      await onMainLoop { await supervisor.keep(FailingPart("panel", failing: 3, diary), when: .restart) }
      await MainLoop.loop.advance(by: .seconds(5))
      #expect(diary.all.filter { $0 == "run panel" }.count == 4)
      #expect(diary.all.filter { $0 == "run player" }.count == 1)
      #expect(await self.states(supervisor)["panel"] == .running)
      await onMainLoop { await supervisor.stop() }
    }
  }

  @Test("when the budget of restarts is used up, the rest goes on without it")
  func degraded() async {
    await TestMainLoop.alone {
      let diary = Diary()
      let supervisor = await onMainLoop { Supervisor() }
      await onMainLoop { await supervisor.keep(FailingPart("player", diary), when: .restart) }
      await onMainLoop { await supervisor.keep(FailingPart("panel", failing: 100, diary), when: .restart) }
      await MainLoop.loop.advance(by: .seconds(50))
      #expect(await self.states(supervisor)["panel"] == .degraded(by: Fault(.passing, "T-1", "panel was told to fail")))
      #expect(await self.states(supervisor)["player"] == .running)
      #expect(diary.all.filter { $0 == "run panel" }.count == RestartRule.standard.budget + 1)
      await onMainLoop { await supervisor.stop() }
    }
  }

  @Test("a part whose end stops all asks for the stop")
  func stopsAll() async {
    await TestMainLoop.alone {
      let diary = Diary()
      let supervisor = await onMainLoop { Supervisor() }
      await onMainLoop { await supervisor.keep(FailingPart("player", failing: 1, diary), when: .stopsAll) }
      await onMainLoop { await supervisor.untilStopWanted() }
      await onMainLoop { await supervisor.stop() }
      #expect(await self.states(supervisor)["player"] == .ended)
    }
  }

  @Test("a part that does not end is left behind when the two seconds are over")
  func slow() async {
    await TestMainLoop.alone {
      let diary = Diary()
      let supervisor = await onMainLoop { Supervisor() }
      await onMainLoop { await supervisor.keep(FailingPart("quick", diary), when: .restart) }
      await onMainLoop { await supervisor.keep(FailingPart("slow", endsSlowly: true, diary), when: .restart) }
      await MainLoop.loop.advance(by: .milliseconds(1))
      async let stopped: Void = onMainLoop { await supervisor.stop() }
      while !diary.all.contains("end quick") { await MainLoop.loop.advance(by: .milliseconds(100)) }
      await stopped
      #expect(!diary.all.contains("end slow"))
      await MainLoop.loop.advance(by: .seconds(60))
    }
  }
}

/// Answers while it is told to be healthy.
private final class Patient: Pulse {
  let healthy = Mutex(true)
  private let answered = Mutex(false)

  func ask() { answered.withLock { $0 = healthy.withLock { $0 } } }
  var hasAnswered: Bool { answered.withLock { $0 } }
}

@Suite("Watchdog")
struct WatchdogTests {
  @Test("it is fed only while everyone asked has answered")
  func feeding() async throws {
    await TestMainLoop.alone {
      let fed = Diary()
      let patient = Patient()
      let watchdog = await onMainLoop { Watchdog(feedingEvery: .seconds(5)) { fed.note("fed") } }
      await onMainLoop {
        watchdog.expect("output", patient)
        watchdog.expect("main", LoopPulse(of: MainLoop.loop))
      }
      let task = MainLoop.start { try? await watchdog.run() }
      await MainLoop.loop.advance(by: .seconds(20))
      let before = fed.all.count
      #expect(before >= 3)
      patient.healthy.withLock { $0 = false }
      await MainLoop.loop.advance(by: .seconds(6))
      let after = fed.all.count
      await MainLoop.loop.advance(by: .seconds(60))
      #expect(fed.all.count == after)
      patient.healthy.withLock { $0 = true }
      await MainLoop.loop.advance(by: .seconds(11))
      #expect(fed.all.count > after)
      task.cancel()
    }
  }

  @Test("a loop that hangs does not answer, and answers when it goes on")
  func hangingLoop() async throws {
    let loop = try EventLoop("hanging")
    let pulse = LoopPulse(of: loop)
    pulse.ask()
    #expect(!pulse.hasAnswered)
    try loop.start()
    await withCheckedContinuation { continuation in loop.post { continuation.resume() } }
    #expect(pulse.hasAnswered)
    loop.stop()
  }

  @Test("a slow loop hangs when it is met often in the same job, and not when the job says that it gets on")
  func slowLoop() async throws {
    let loop = try EventLoop("slow", mayBlock: true)
    let pulse = SlowLoopPulse(of: loop, most: 3)
    func ask(_ times: Int) { for _ in 0..<times { pulse.ask() } }
    // What has no thread yet has nothing to answer for.
    ask(10)
    #expect(pulse.hasAnswered)
    let (inside, goOn) = try (Bell(), Bell())
    try loop.start()
    loop.post {
      inside.ring()
      goOn.wait()
      loop.getsOn()
      inside.ring()
      goOn.wait()
    }
    inside.wait()
    ask(4)
    #expect(pulse.hasAnswered)
    ask(1)
    #expect(!pulse.hasAnswered)
    goOn.ring()
    inside.wait()
    ask(4)
    #expect(pulse.hasAnswered)
    ask(1)
    #expect(!pulse.hasAnswered)
    goOn.ring()
    // The job is over, and not only told to end.
    while loop.busyWith != nil { await Task.yield() }
    ask(10)
    #expect(pulse.hasAnswered)
    loop.stop()
  }
}
