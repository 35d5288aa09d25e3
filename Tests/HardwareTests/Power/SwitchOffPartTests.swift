import Hardware
import Runtime
import TestSupport
import Testing

/// What the house is asked to do, in order; a save may be slow.
@MainLoop
private final class Doing {
  var done: [String] = []
  var saveTakes = Duration.zero
  var refusesToSwitchOff = false
  let notices = NoticeBoard()
  nonisolated init() {}

  var standing: [String] { notices.active.map(\.notice.code) }
  var posted: [String] { notices.posted.map(\.notice.code) }

  func part(offAfter: Duration = .seconds(60)) -> SwitchOffPart {
    let duties = SwitchOffPart.Duties(
      save: { () async throws(Fault) in
        self.done.append("save begins")
        if self.saveTakes > .zero { await MainLoop.loop.sleep(for: self.saveTakes) }
        self.done.append("saved")
      },
      rest: { () async throws(Fault) in self.done.append("rest") },
      wake: { () async throws(Fault) in self.done.append("wake") },
      holdWrites: { self.done.append($0 ? "hold" : "write") },
      powerOff: { () async throws(Fault) in
        if self.refusesToSwitchOff { throw Fault(.denied, "T-1", "no") }
        self.done.append("off")
      },
      takeBack: { self.done.append("taken back") })
    return SwitchOffPart(
      .init(debounce: .seconds(4), offAfter: offAfter), isWired: true, duties, notices,
      unheard: OffSwitch(in: FilePath("/run/x")).unheard)
  }
}

@Suite("The part that has the board switched off", .serialized)
struct SwitchOffPartTests {
  private func with(
    offAfter: Duration = .seconds(60), _ body: @escaping @Sendable (SwitchOffPart, Doing) async -> Void
  ) async {
    let doing = Doing()
    await TestMainLoop.alone {
      let part = await onMainLoop { doing.part(offAfter: offAfter) }
      let running = await onMainLoop { await RunningPart(part) }
      await onMainLoop { part.take(true, at: MainLoop.loop.now) }
      await Self.pass(.seconds(1))
      await body(part, doing)
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  private static func pass(_ time: Duration) async {
    await onMainLoop { await settled() }
    await MainLoop.loop.advance(by: time)
    await onMainLoop { await settled() }
  }

  @Test("at the first falling edge the session is durable before anything else begins")
  func order() async {
    await with(offAfter: .zero) { part, doing in
      await onMainLoop {
        doing.saveTakes = .seconds(4)
        part.take(false, at: MainLoop.loop.now)
        await settled()
      }
      #expect(await onMainLoop { doing.done } == ["save begins"])
      await Self.pass(.milliseconds(4_100))
      await Self.pass(.milliseconds(4_100))
      #expect(await onMainLoop { doing.done } == ["save begins", "saved", "rest", "save begins", "saved", "off"])
    }
  }

  @Test("cranking saves and does nothing else; back before the switching off undoes it once")
  func back() async {
    await with { part, doing in
      await onMainLoop { part.take(false, at: MainLoop.loop.now) }
      await Self.pass(.milliseconds(3_900))
      await onMainLoop { part.take(true, at: MainLoop.loop.now) }
      await Self.pass(.seconds(20))
      #expect(await onMainLoop { doing.done } == ["save begins", "saved"])
      await onMainLoop { part.take(false, at: MainLoop.loop.now) }
      await Self.pass(.seconds(10))
      #expect(await onMainLoop { doing.standing } == ["H-602"])
      #expect(await onMainLoop { part.outlook.ignition } == .resting)
      #expect(await onMainLoop { part.outlook.next } == .powerOff)
      #expect(await onMainLoop { part.outlook.left } == .seconds(54))
      await onMainLoop { part.take(true, at: MainLoop.loop.now) }
      await Self.pass(.seconds(200))
      #expect(await onMainLoop { doing.done } == ["save begins", "saved", "save begins", "saved", "rest", "wake"])
      #expect(await onMainLoop { doing.standing } == [])
      #expect(await onMainLoop { part.outlook.next } == nil)
    }
  }

  @Test("an edge that is read a moment after the decision was due still counts")
  func justInTime() async {
    await with { part, doing in
      let fell = await onMainLoop { MainLoop.loop.now }
      await onMainLoop { part.take(false, at: fell) }
      await Self.pass(.milliseconds(64_010))
      await onMainLoop { part.take(true, at: fell + .milliseconds(63_999)) }
      await Self.pass(.seconds(100))
      #expect(await onMainLoop { doing.done.suffix(2) } == ["rest", "wake"])
    }
  }

  @Test("a save that hangs keeps the board on for some seconds, and not for ever")
  func hangs() async {
    await with(offAfter: .zero) { part, doing in
      await onMainLoop {
        doing.saveTakes = .seconds(100_000)
        part.take(false, at: MainLoop.loop.now)
      }
      for _ in 0..<4 { await Self.pass(.seconds(6)) }
      #expect(await onMainLoop { doing.done } == ["save begins", "rest", "save begins", "off"])
    }
  }

  @Test("what nobody switches off is told, taken back and tried again; the line's return wakes it all the same")
  func unheard() async {
    await with { part, doing in
      await onMainLoop { part.take(false, at: MainLoop.loop.now) }
      await Self.pass(.seconds(65))
      await Self.pass(.seconds(31))
      #expect(await onMainLoop { doing.posted.contains("H-603") && doing.done.suffix(2) == ["off", "taken back"] })
      await Self.pass(.seconds(601))
      #expect(await onMainLoop { doing.done.suffix(3) } == ["save begins", "saved", "off"])
      await Self.pass(.seconds(31))
      await onMainLoop { part.take(true, at: MainLoop.loop.now) }
      await Self.pass(.seconds(2))
      #expect(await onMainLoop { doing.done.last } == "wake")
    }
  }

  @Test("a battery that runs out is told of, held, saved and switched off; a charger undoes what was begun")
  func battery() async {
    await with { part, doing in
      func level(_ level: Int, plugged: Bool = false) async {
        await onMainLoop { part.take(PowerState(hasBattery: true, level: level, isPlugged: plugged)) }
        await Self.pass(.milliseconds(10))
      }
      await level(4)
      #expect(await onMainLoop { doing.done } == ["hold", "save begins", "saved"])
      #expect(await onMainLoop { doing.standing } == ["H-610"])
      await level(2)
      #expect(await onMainLoop { doing.standing } == ["H-610", "H-611"])
      #expect(await onMainLoop { part.outlook.next } == .powerOff)
      await level(2, plugged: true)
      #expect(await onMainLoop { doing.standing } == [])
      #expect(await onMainLoop { doing.posted.suffix(2) } == ["H-612", "H-613"])
      await Self.pass(.seconds(100))
      await level(1)
      await Self.pass(.seconds(31))
      #expect(
        await onMainLoop { doing.done.dropFirst(3) }
          == ["write", "hold", "save begins", "saved", "save begins", "saved", "off"])
    }
  }

  @Test("a board that refuses to be switched off says why")
  func refused() async {
    await with(offAfter: .zero) { part, doing in
      await onMainLoop {
        doing.refusesToSwitchOff = true
        part.take(false, at: MainLoop.loop.now)
      }
      await Self.pass(.seconds(6))
      #expect(await onMainLoop { doing.posted } == ["T-1"])
    }
  }

  @Test("the wish is a file of its own, and can be taken back")
  func wish() async throws {
    let folder = TempFolder()
    let off = OffSwitch(in: folder.path)
    let results = await aloneOnMainLoop { () -> [Bool] in
      var there: [Bool] = []
      do throws(Fault) {
        try await off.press(by: .onLoop(MainLoop.loop))
        there.append((try? AtomicFile.read(folder.path / "power-off", limit: 10)) != nil)
        try await off.takeBack(by: .onLoop(MainLoop.loop))
        there.append((try? AtomicFile.read(folder.path / "power-off", limit: 10)) != nil)
      } catch { Issue.record("\(error)") }
      do throws(Fault) {
        try await OffSwitch(in: folder.path / "none").press(by: .onLoop(MainLoop.loop))
      } catch { there.append(error.code == "H-604") }
      return there
    }
    #expect(results == [true, false, true])
  }
}
