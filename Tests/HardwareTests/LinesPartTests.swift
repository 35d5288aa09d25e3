import Glibc
import Hardware
import Runtime
import TestSupport
import Testing

@Suite("The part that reads lines", .serialized)
struct LinesPartTests {
  @Test("detents and presses are delivered, in order, with either version of the library", arguments: [false, true])
  func delivered(counts: Bool) async {
    let dash = Dash(lines: MadeUpLines(countsAndDebounces: counts))
    let result = await dash.run { dash, _ in
      dash.turn(8)
      await dash.wait(.milliseconds(1))
      dash.button("BTN_PLAY", true, number: counts ? 1 : 0)
      await dash.wait(.milliseconds(5))
      dash.button("BTN_PLAY", false, number: counts ? 2 : 0)
      await dash.wait(.milliseconds(100))
    }
    #expect(result.inputs == [.turn(2), .press(.play), .release(.play)])
    #expect(result.codes == [])
    #expect(result.fault == nil)
    #expect(dash.lines.holders == [:], "given back at the end")
  }

  @Test("a press that bounces is one press, and counts when it has lasted; the kernel's own debounce is believed")
  func bouncing() async {
    let dash = Dash(lines: MadeUpLines())
    let result = await dash.run { dash, _ in
      for level in [true, false, true] { dash.button("ENC_SW", level) }
      await dash.wait(.microseconds(4_999))
      #expect(await onMainLoop { dash.received.inputs } == [])
      await dash.wait(.microseconds(1))
      #expect(await onMainLoop { dash.received.inputs } == [.press(.knob)])
      await dash.wait(.seconds(1))
    }
    #expect(result.inputs == [.press(.knob)])
  }

  @Test("a button does not count by a time up to which its edges have not been read")
  func unread() async {
    let dash = Dash(lines: MadeUpLines())
    let result = await dash.run { dash, _ in
      dash.button("BTN_PLAY", true)
      await dash.wait(.milliseconds(4))
      dash.lines.change { state in
        // Read when the press would be due, but for a bounce that had happened just before.
        state.whileRead = (.milliseconds(1), { dash.lines.edge("BTN_PLAY", false, at: dash.now - .microseconds(500)) })
      }
      await dash.wait(.milliseconds(1))
      await dash.wait(.milliseconds(100))
    }
    #expect(result.inputs == [])
  }

  @Test("all lines of one chip are asked for in one request, the knob's without debounce")
  func oneRequest() async {
    var dash = Dash(lines: MadeUpLines())
    dash.plan = LinePlan(
      encoder: [.named("ENC_A"), .named("ENC_B")], buttons: [(.play, .at(chip: "dash", offset: 3))], bias: .pullDown,
      activeLow: false, debounce: .milliseconds(7))
    _ = await dash.run { dash, _ in
      #expect(dash.lines.holders == ["ENC_A": "layby", "ENC_B": "layby", "BTN_PLAY": "layby"])
    }
    #expect(dash.lines.wishes.count == 1)
    #expect(dash.lines.wishes.first?.offsets == [0, 1, 3])
    #expect(dash.lines.wishes.first?.debounce == [.zero, .zero, .milliseconds(7)])
    #expect(dash.lines.wishes.first?.activeLow == false)
  }

  @Test("the ignition is asked for by itself, wired in its own way and never debounced; both edges are told at once")
  func ignition() async {
    var dash = Dash(lines: MadeUpLines())
    dash.plan = LinePlan(
      buttons: [(.play, .named("BTN_PLAY"))], debounce: .milliseconds(7), ignition: .named("BTN_NEXT"),
      ignitionBias: .none, ignitionActiveLow: false)
    let result = await dash.run { dash, _ in
      await dash.wait(.milliseconds(1))
      dash.button("BTN_NEXT", true)
      await dash.wait(.zero)
      dash.button("BTN_NEXT", false)
      await dash.wait(.zero)
    }
    let wishes = dash.lines.wishes.sorted { $0.offsets[0] < $1.offsets[0] }
    #expect(wishes.map(\.offsets) == [[3], [4]])
    #expect(wishes.map(\.debounce) == [[.milliseconds(7)], [.zero]])
    #expect(wishes.map(\.bias) == [.pullUp, .none] && wishes.map(\.activeLow) == [true, false])
    let levels = result.inputs.map { if case .ignition(let isOn) = $0 { isOn } else { Bool?.none } }
    #expect(levels == [false, true, false])
  }

  @Test("a line that is not there is told once; the others work, and it is opened when it comes")
  func absent() async {
    var dash = Dash(lines: MadeUpLines())
    dash.plan = LinePlan(buttons: [(.play, .named("BTN_PLAY")), (.mute, .named("BTN_MUTE"))])
    let result = await dash.run { dash, _ in
      #expect(await onMainLoop { dash.received.faults.first?.message.contains("BTN_MUTE") } == true)
      dash.button("BTN_PLAY", true)
      await dash.wait(.seconds(40))
      dash.lines.change { $0.directory.chips[0].lines.append(LineDirectory.Line(name: "BTN_MUTE")) }
      await dash.wait(LinesPart.longestPause)
      dash.button("BTN_MUTE", true)
      await dash.wait(.seconds(1))
    }
    #expect(result.inputs == [.press(.play), .press(.mute)])
    #expect(result.codes == ["H-203"])
  }

  @Test("a line that somebody else has is told with the holder's name, and opened when it is free")
  func taken() async {
    let dash = Dash(lines: MadeUpLines())
    dash.lines.change { $0.directory.chips[0].lines[1].holder = "sound card" }
    let result = await dash.run { dash, _ in
      let message = await onMainLoop { dash.received.faults.first?.message ?? "" }
      #expect(message.contains("ENC_B") && message.contains("sound card"), "\(message)")
      // Not half a knob.
      #expect(dash.lines.holders["ENC_A"] == nil)
      #expect(dash.lines.holders["BTN_PLAY"] == "layby")
      dash.lines.change { $0.directory.chips[0].lines[1].holder = nil }
      await dash.wait(LinesPart.firstPause)
      dash.turn(-4)
      await dash.wait(.milliseconds(1))
    }
    #expect(result.inputs == [.turn(-1)])
    #expect(result.codes == ["H-209"])
  }

  @Test("a line that the kernel refuses does not keep the others closed")
  func refused() async {
    let dash = Dash(lines: MadeUpLines())
    dash.lines.change { $0.refused[3] = Fault(.unsupported, "H-205", "cannot open line 3") }
    let result = await dash.run { dash, _ in
      dash.turn(4)
      dash.button("BTN_NEXT", true)
      await dash.wait(.milliseconds(10))
    }
    #expect(result.inputs == [.turn(1), .press(.next)])
    #expect(result.codes == ["H-205"])
    #expect(dash.lines.holders == [:])
  }

  @Test("a knob on two chips, a knob's line that is a button's too: told, and the rest works")
  func badPlans() async {
    let two = MadeUpLines(chips: [
      LineDirectory.Chip(
        path: MadeUpLines.chip, name: "gpiochip0", lines: [.init(name: "ENC_A"), .init(name: "BTN_PLAY")]),
      LineDirectory.Chip(path: FilePath("/dev/gpiochip1"), name: "gpiochip1", lines: [.init(name: "ENC_B")]),
    ])
    var dash = Dash(lines: two)
    dash.plan = LinePlan(encoder: [.named("ENC_A"), .named("ENC_B")], buttons: [(.play, .named("BTN_PLAY"))])
    let apart = await dash.run { dash, _ in #expect(dash.lines.holders.count == 1) }
    #expect(apart.codes == ["H-214"])

    var twice = Dash(lines: MadeUpLines())
    twice.plan = LinePlan(
      encoder: [.named("ENC_A"), .named("ENC_B")], buttons: [(.play, .at(chip: "gpiochip0", offset: 1))])
    let shared = await twice.run { dash, _ in #expect(dash.lines.holders.count == 2) }
    #expect(shared.codes == ["H-213"])
  }

  @Test("without a chip one thing is told, and looking for it grows seldom")
  func noChip() async {
    let dash = Dash(lines: MadeUpLines(chips: []))
    let result = await dash.run { dash, _ in await dash.wait(.seconds(600)) }
    #expect(result.codes == ["H-202"])
    #expect((10...30).contains(dash.lines.looks), "\(dash.lines.looks) looks in ten minutes")
  }

  @Test("a chip that comes is opened at once, however long nothing was there")
  func chipComes() async {
    let dash = Dash(lines: MadeUpLines(chips: []))
    let result = await dash.run { dash, _ in
      await dash.wait(.seconds(300))
      dash.lines.change { $0.directory.chips = [MadeUpLines.dash] }
      _ = (dash.folder.path / "gpiochip0").withCString { mkdir($0, 0o700) }
      await dash.wait(.milliseconds(100))
      dash.button("BTN_PLAY", true)
      await dash.wait(.milliseconds(5))
    }
    #expect(result.inputs == [.press(.play)])
    #expect(result.codes == ["H-202"])
  }

  @Test("a chip that goes is told, its lines are let go, and are read again when it is back")
  func chipGoes() async {
    let dash = Dash(lines: MadeUpLines())
    _ = (dash.folder.path / "gpiochip0").withCString { mkdir($0, 0o700) }
    let result = await dash.run { dash, _ in
      dash.lines.change { $0.directory.chips = [] }
      // The old kernel wakes nobody: only the name goes.
      _ = (dash.folder.path / "gpiochip0").withCString { rmdir($0) }
      await dash.wait(.seconds(10))
      #expect(dash.lines.state.withLock { $0.bells[MadeUpLines.chip] } == [])
      dash.lines.change { $0.directory.chips = [MadeUpLines.dash] }
      await dash.wait(LinesPart.longestPause)
      dash.turn(4)
      await dash.wait(.milliseconds(1))
    }
    #expect(result.inputs == [.turn(1)])
    #expect(result.codes == ["H-210", "H-202"])
  }

  @Test("a button that is held when its chip goes is released, and may be pressed again when it is back")
  func chipGoesWhileHeld() async {
    let dash = Dash(lines: MadeUpLines())
    _ = (dash.folder.path / "gpiochip0").withCString { mkdir($0, 0o700) }
    let result = await dash.run { dash, _ in
      dash.button("BTN_PLAY", true)
      await dash.wait(.milliseconds(10))
      dash.lines.change { $0.directory.chips = [] }
      _ = (dash.folder.path / "gpiochip0").withCString { rmdir($0) }
      await dash.wait(.seconds(1))
      #expect(await onMainLoop { dash.received.inputs } == [.press(.play), .release(.play)])
      // Held all the while: it was not pressed anew, and is let go once more, which harms nobody.
      dash.lines.change { $0.directory.chips = [MadeUpLines.dash] }
      await dash.wait(LinesPart.longestPause)
      for isDown in [false, true] {
        dash.button("BTN_PLAY", isDown)
        await dash.wait(.milliseconds(10))
      }
    }
    #expect(result.inputs == [.press(.play), .release(.play), .release(.play), .press(.play)])
  }

  @Test("inputs have the moment at which the contact moved, however late the main loop is")
  func moments() async {
    let dash = Dash(lines: MadeUpLines(countsAndDebounces: true))
    let result = await dash.run { dash, _ in
      let pressed = dash.now
      dash.lines.edge("BTN_PLAY", true, at: pressed, number: 1)
      await dash.wait(.milliseconds(300))
      dash.lines.ring()
      await dash.wait(.milliseconds(1))
      #expect(await onMainLoop { dash.received.moments } == [pressed])
    }
    #expect(result.inputs == [.press(.play)])
  }

  @Test(
    "edges that were lost are noticed by numbers or levels; no step is wrong, and the next are right",
    arguments: [false, true])
  func lost(counts: Bool) async {
    let dash = Dash(lines: MadeUpLines(countsAndDebounces: counts))
    let result = await dash.run { dash, _ in
      dash.turn(7, losing: counts ? [2, 3, 4, 5] : [6])
      await dash.wait(.milliseconds(20))
      let after = await onMainLoop { dash.received.inputs }
      #expect(after == (counts ? [] : [.turn(1)]))
      // On to the detent, which nobody can count, and one more.
      dash.lines.edge("ENC_B", false, at: dash.now, number: counts ? 5 : 0)
      dash.lines.ring()
      await dash.wait(.milliseconds(20))
    }
    #expect(!result.inputs.contains(.turn(-1)))
  }

  @Test("a press whose edge was lost is seen by its level, once")
  func lostPress() async {
    let dash = Dash(lines: MadeUpLines())
    let result = await dash.run { dash, _ in
      dash.lines.edge("BTN_PLAY", true, at: dash.now, isLost: true)
      dash.lines.change { $0.hasLost = true }
      dash.lines.ring()
      await dash.wait(.milliseconds(100))
    }
    #expect(result.inputs == [.press(.play)])
  }

  @Test("an edge that is only late is no loss: the step counts")
  func late() async {
    let dash = Dash(lines: MadeUpLines())
    let result = await dash.run { dash, _ in
      dash.turn(4, losing: [3])
      await dash.wait(.milliseconds(4))
      dash.lines.edge("ENC_B", false, at: dash.now)
      dash.lines.ring()
      await dash.wait(.milliseconds(100))
    }
    #expect(result.inputs == [.turn(1)])
  }

  @Test("an end in the middle gives everything back, and the part can run again")
  func again() async {
    let dash = Dash(lines: MadeUpLines())
    for _ in 0..<2 {
      let result = await dash.run { dash, _ in
        #expect(dash.lines.holders.count == 5)
        dash.turn(4)
        dash.button("BTN_PLAY", true)
        await onMainLoop { await settled() }
      }
      #expect(result.fault == nil)
      #expect(dash.lines.holders == [:])
    }
  }
}
