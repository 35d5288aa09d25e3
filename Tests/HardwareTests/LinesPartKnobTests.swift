import Glibc
import Hardware
import Runtime
import TestSupport
import Testing

@Suite("The part that reads lines, and its knob", .serialized)
struct LinesPartKnobTests {
  @Test(
    "where each edge is a detent, whichever edges of a turn are lost, no step is the other way if the levels tell of it",
    arguments: [false, true])
  func lostDetents(counts: Bool) async {
    for lost in [[0], [1], [2], [3], [0, 1], [0, 2], [1, 2], [0, 1, 2], [1, 2, 3]] as [Set<Int>] {
      var dash = Dash(lines: MadeUpLines(countsAndDebounces: counts))
      dash.plan = LinePlan(encoder: [.named("ENC_A"), .named("ENC_B")], knob: KnobForm(edges: .one))
      let result = await dash.run { dash, _ in
        await dash.turn(4, each: .milliseconds(12), losing: lost)
        await dash.wait(.milliseconds(60))
        // And on it goes.
        await dash.turn(4, each: .milliseconds(12))
      }
      #expect(result.inputs.allSatisfy { $0 == .turn(1) }, "lost \(lost): \(result.inputs)")
      #expect(result.inputs.count >= 3, "lost \(lost): \(result.inputs)")
    }
  }

  @Test("where each edge is a detent, a single one counts once it has lasted, with its own moment")
  func singleDetents() async {
    var dash = Dash(lines: MadeUpLines())
    dash.plan = LinePlan(encoder: [.named("ENC_A"), .named("ENC_B")], knob: KnobForm(edges: .one))
    let result = await dash.run { dash, _ in
      let moved = dash.now
      dash.turn(1)
      await dash.wait(.microseconds(1_499))
      #expect(await onMainLoop { dash.received.inputs } == [])
      await dash.wait(.microseconds(1))
      #expect(await onMainLoop { dash.received.moments } == [moved])
    }
    #expect(result.inputs == [.turn(1)])
  }

  @Test("a burst that waited for a late main loop is as slow as it was turned; a spin is a spin, and counts detents")
  func spun() async {
    for (pace, expected) in [(Duration.milliseconds(20), Input.turn(6)), (.milliseconds(4), .turn(6, far: 12))] {
      var dash = Dash(lines: MadeUpLines())
      dash.plan = LinePlan(encoder: [.named("ENC_A"), .named("ENC_B")], acceleration: .gentle)
      let result = await dash.run { dash, _ in
        await dash.turn(24, each: pace, toldLate: true)
        await dash.wait(.seconds(1))
      }
      #expect(result.inputs == [expected])
    }
  }

  /// What the panel was told.
  @MainLoop
  private final class Told {
    var progress: [KnobCalibration.Progress] = []
    var results: [Result<KnobForm, Fault>] = []
    var kept: [KnobForm?] = []
    nonisolated init() {}
  }

  private static func begin(_ part: LinesPart, _ told: Told) async {
    await onMainLoop {
      part.knobHasChanged = { told.kept.append($0) }
      part.calibrate(5, progress: { told.progress.append($0) }, done: { told.results.append($0) })
    }
  }

  @Test(
    "a knob that is turned for calibration turns nothing; what is found counts at once, and buttons work all the while",
    arguments: [false, true])
  func calibrated(counts: Bool) async {
    let (dash, told) = (Dash(lines: MadeUpLines(countsAndDebounces: counts)), Told())
    let form = KnobForm(edges: .two, isReversed: true)
    let result = await dash.run { dash, part in
      await dash.turn(4, each: .milliseconds(30))
      await Self.begin(part, told)
      #expect(await onMainLoop { part.isCalibrating })
      // That nothing has been turned yet is told before the first edge is there, and not together with it.
      await dash.wait(.zero)
      #expect(await onMainLoop { told.progress.map(\.edges) } == [0])
      for _ in 0..<5 {
        await dash.turn(-2, each: .milliseconds(20))
        await dash.wait(.milliseconds(200))
      }
      dash.button("BTN_PLAY", true, number: counts ? 1 : 0)
      await dash.wait(.milliseconds(50))
      dash.button("BTN_PLAY", false, number: counts ? 2 : 0)
      await dash.wait(.seconds(2))
      #expect(await onMainLoop { !part.isCalibrating && part.knob == form })
      // Two edges back are a detent clockwise now.
      await dash.turn(-4, each: .milliseconds(30))
      await dash.wait(.seconds(1))
    }
    #expect(result.inputs == [.turn(1), .press(.play), .release(.play), .turn(1), .turn(1)])
    #expect(result.codes == [])
    #expect(await onMainLoop { told.results.map(Self.code) } == [""])
    #expect(await onMainLoop { told.kept } == [form])
    let edges = await onMainLoop { told.progress.map(\.edges) }
    #expect(edges == edges.sorted() && Set(edges) == Set(0...10))
    #expect(await onMainLoop { told.progress.last?.clicks } == 5)
  }

  @Test("what cannot be found out is told, and the knob is what it was")
  func notCalibrated() async {
    let (dash, told) = (Dash(lines: MadeUpLines()), Told())
    let result = await dash.run { dash, part in
      await Self.begin(part, told)
      await dash.wait(.seconds(21))
      await dash.turn(4, each: .milliseconds(30))
    }
    #expect(result.inputs == [.turn(1)])
    #expect(await onMainLoop { told.results.map(Self.code) } == ["H-250"])
    #expect(await onMainLoop { told.kept } == [])
  }

  @Test("whoever stops it hears nothing more, and the knob is what it was")
  func stopped() async {
    let (dash, told) = (Dash(lines: MadeUpLines()), Told())
    let result = await dash.run { dash, part in
      await Self.begin(part, told)
      await dash.turn(8, each: .milliseconds(30))
      await onMainLoop { part.stopCalibrating() }
      await dash.turn(4, each: .milliseconds(30))
      await dash.wait(.seconds(30))
    }
    #expect(result.inputs == [.turn(1)])
    #expect(await onMainLoop { told.results.isEmpty && told.kept.isEmpty })
  }

  @Test("a knob that is not there, or goes meanwhile, is told at once; a second asking ends the first")
  func gone() async {
    var (dash, told) = (Dash(lines: MadeUpLines()), Told())
    dash.plan = LinePlan(buttons: [(.play, .named("BTN_PLAY"))])
    _ = await dash.run { [told] _, part in
      await Self.begin(part, told)
      #expect(await onMainLoop { told.results.map(Self.code) } == ["H-258"])
    }
    (dash, told) = (Dash(lines: MadeUpLines()), Told())
    _ = (dash.folder.path / "gpiochip0").withCString { mkdir($0, 0o700) }
    _ = await dash.run { [told] dash, part in
      await Self.begin(part, told)
      await Self.begin(part, told)
      dash.lines.change { $0.directory.chips = [] }
      _ = (dash.folder.path / "gpiochip0").withCString { rmdir($0) }
      await dash.wait(.seconds(1))
      #expect(await onMainLoop { !part.isCalibrating })
    }
    #expect(await onMainLoop { told.results.map(Self.code) } == ["H-258"])
  }

  @Test("what was found is forgotten at once, and then the board's file counts")
  func forgotten() async {
    let told = Told()
    let dash = Dash(lines: MadeUpLines())
    let form = KnobForm(isReversed: true)
    let result = await dash.run { dash, part in
      await onMainLoop {
        part.knobHasChanged = { told.kept.append($0) }
        part.shape(form)
      }
      #expect(await onMainLoop { part.knobIsLearned })
      await dash.turn(4, each: .milliseconds(10))
      await onMainLoop { part.forgetKnob() }
      #expect(await onMainLoop { !part.knobIsLearned })
      await dash.turn(4, each: .milliseconds(10))
    }
    #expect(result.inputs == [.turn(-1), .turn(1)])
    #expect(await onMainLoop { told.kept } == [nil])
  }

  @Test("the part's end is told to whoever waits")
  func ended() async {
    let (dash, told) = (Dash(lines: MadeUpLines()), Told())
    _ = await dash.run { _, part in await Self.begin(part, told) }
    #expect(await onMainLoop { told.results.map(Self.code) } == ["H-258"])
  }

  private static func code(_ result: Result<KnobForm, Fault>) -> String {
    switch result {
    case .success: ""
    case .failure(let fault): fault.code
    }
  }
}

@Suite("How a knob was found to be built, on the disk")
struct LearnedKnobTests {
  private let folder = TempFolder()
  private let lines = KnobLines(.named("ENC_A"), .named("ENC_B"))

  @Test("is there after the next start, for the same lines and no others, until it is forgotten")
  func kept() throws {
    let none = LearnedKnob.read(in: folder.path, for: lines)
    #expect(none.form == nil && none.notice == nil, "no file is no fault")
    for form in KnobCalibrationTests.forms {
      try LearnedKnob.keep(form, for: lines, in: folder.path)
      let kept = LearnedKnob.read(in: folder.path, for: lines)
      #expect(kept.form == form && kept.notice == nil)
    }
    #expect(LearnedKnob.read(in: folder.path, for: KnobLines(lines.second, lines.first)).form == nil)
    #expect(LearnedKnob.read(in: folder.path, for: nil).form == nil)
    let text = String(decoding: try AtomicFile.read(LearnedKnob.path(in: folder.path), limit: 9_999), as: UTF8.self)
    #expect(text.contains("[encoder]\nlines = ENC_A, ENC_B\nedges = 4\nrests = second\nreverse = yes\n"), "\(text)")
    try LearnedKnob.keep(nil, for: lines, in: folder.path)
    let forgotten = LearnedKnob.read(in: folder.path, for: lines)
    #expect(forgotten.form == nil && forgotten.notice == nil)
  }

  static let broken: [[UInt8]] = [
    Array("[encoder]\nedges = 3\n".utf8), Array("[board]\nname = x\n".utf8), [0x5B, 0x00, 0xFF],
    [UInt8](repeating: 0x23, count: SettingsFile.limit + 1),
  ]

  @Test("a broken file is put aside and told of, and board.conf counts", arguments: broken)
  func brokenFile(_ bytes: [UInt8]) throws {
    try AtomicFile.replace(LearnedKnob.path(in: folder.path), with: bytes)
    let (form, notice) = LearnedKnob.read(in: folder.path, for: lines)
    #expect(form == nil)
    #expect(notice?.code == "H-243" && notice?.message.contains("knob.broken") == true, "\(String(describing: notice))")
    #expect(LearnedKnob.read(in: folder.path, for: lines).notice == nil, "told once")
  }
}
