import Glibc
import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Keys of the terminal", .serialized)
struct TerminalKeysTests {
  /// One terminal a process: these tests take turns.
  private func desk<Result: Sendable>(
    _ body: @escaping @MainLoop @Sendable (PseudoTerminal, Received) async -> Result
  ) async -> Result {
    let terminal = PseudoTerminal()
    return await TestMainLoop.alone { await onMainLoop { await body(terminal, Received()) } }
  }

  @Test("the modes are as they were once the owner is gone")
  func restored() async throws {
    try await TestMainLoop.alone {
      let terminal = PseudoTerminal()
      let before = terminal.modes
      do {
        let raw = try RawTerminal(terminal.screen)
        #expect(terminal.modes != before)
        #expect(raw.read() == [])
        terminal.type("\u{03}")
        #expect(poll(raw.number))
        #expect(raw.read() == [0x03])
      }
      #expect(terminal.modes == before)
    }
  }

  @Test("giving back twice, or with nothing to give, does nothing; a second owner is refused")
  func givenBack() async throws {
    try await TestMainLoop.alone {
      let terminal = PseudoTerminal()
      let before = terminal.modes
      RawTerminal.giveBack()
      let raw = try RawTerminal(terminal.screen)
      #expect(throws: Fault.self) { _ = try RawTerminal(terminal.screen) }
      #expect(terminal.modes != before, "the refused one must not give back what it does not have")
      RawTerminal.giveBack()
      #expect(terminal.modes == before)
      #expect(raw.number == terminal.screen)
    }
  }

  @Test("keys are delivered in order, and cancelling gives the terminal back")
  func delivered() async {
    let (inputs, isRaw, isRestored) = await desk { terminal, received in
      let before = terminal.modes
      let keys = TerminalKeys(from: terminal.screen) { received.take($0) }
      let task = await begin(keys)
      terminal.type("\u{1B}[C")
      await received.wait(for: 1)
      let isRaw = terminal.modes != before
      terminal.type("\u{1B}[6~ zn\u{03}")
      await received.wait(for: 5)
      await end(task)
      return (received.inputs, isRaw, terminal.modes == before)
    }
    let pressed: [Input] = [Button.pageDown, .play, .next].flatMap { [.press($0), .release($0)] }
    #expect(inputs == [.turn(1)] + pressed + [.quit])
    #expect(isRaw && isRestored)
  }

  @Test("ESC becomes a key when its time is up, and not before")
  func escape() async {
    let terminal = PseudoTerminal()
    await TestMainLoop.alone {
      let received = Received()
      let keys = await onMainLoop { TerminalKeys(from: terminal.screen) { received.take($0) } }
      let task = await begin(keys)
      // The space comes first, in the same read, so ESC has been read once it is there.
      terminal.type(" \u{1B}")
      await onMainLoop { await received.wait(for: 1) }
      await MainLoop.loop.advance(by: TerminalKeys.patience - .milliseconds(1))
      #expect(await onMainLoop { received.inputs } == [.press(.play), .release(.play)])
      await MainLoop.loop.advance(by: .milliseconds(1))
      #expect(await onMainLoop { received.inputs } == [.press(.play), .release(.play), .press(.back), .release(.back)])
      await onMainLoop { await end(task) }
    }
  }

  @Test("a window that is closed is a wish to quit, and ends the part without a fault")
  func hungUp() async {
    let (inputs, isFree) = await desk { terminal, received in
      let keys = TerminalKeys(from: terminal.screen) { received.take($0) }
      let task = await begin(keys)
      terminal.type("n")
      await received.wait(for: 1)
      terminal.hangUp()
      await task.value
      // Whoever reads keys next is not refused.
      let other = PseudoTerminal()
      do throws(Fault) { _ = try RawTerminal(other.screen) } catch { return (received.inputs, false) }
      return (received.inputs, true)
    }
    #expect(inputs == [.press(.next), .release(.next), .quit])
    #expect(isFree)
  }

  @Test("without a terminal it ends at once, without a fault, and delivers nothing")
  func noTerminal() async {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let number = ends[0]
    let inputs = await desk { _, received in
      let keys = TerminalKeys(from: number) { received.take($0) }
      do throws(Fault) { try await keys.run() } catch { Issue.record("\(error)") }
      return received.inputs
    }
    #expect(inputs == [])
  }
}

/// True once there is something to read; a terminal passes keys on in its own time.
private func poll(_ number: Int32) -> Bool {
  var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
  return Glibc.poll(&request, 1, 5000) == 1
}

/// Starts the part, and returns when it has the terminal and waits for the first key.
@MainLoop
private func begin(_ keys: TerminalKeys) async -> Task<Void, Never> {
  let task = MainLoop.start { do throws(Fault) { try await keys.run() } catch { Issue.record("\(error)") } }
  // Jobs of the main loop run in order: behind this one, the part has run up to its first wait.
  await onMainLoop {}
  return task
}

/// Cancels, and suspends until the part has ended.
@MainLoop
private func end(_ task: Task<Void, Never>) async {
  task.cancel()
  await task.value
}
