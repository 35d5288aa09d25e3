import Canvas
import CountedHeap
import Glibc
import Panel
import Runtime

/// What a picture costs the main loop: processor time from a value to the parts of the frame that have to be written,
/// and from there to the panel's memory; what a second asks of the heap, and how many bytes of a minute go to the
/// panel. How long a panel's own wires take is another figure. No peer has a panel.
struct PanelBench {
  static let name = "panel"
  static let about = "processor time of a full frame, a changed second, a step in a list; bytes of a minute"

  let rounds: Int

  private static let turns = 50
  private static let small = Size(width: 320, height: 240)
  private static let large = Size(width: 800, height: 480)

  func run() throws(Fault) -> [Row] {
    let screens = try PanelScreens()
    let cases = try Self.cases(screens)
    let contenders = cases.map { one -> Contender in
      Contender(name: one.name) { () throws(Fault) in try one.measure() }
    }
    let spreads = try Rounds.run(contenders, rounds: rounds, unit: .microseconds)
    let times = zip(cases, spreads).compactMap { one, spread in
      spread.map { Row(bench: Self.name, name: one.name, value: $0, unit: .microseconds, goal: one.goal) }
    }
    return times + (try counts(screens))
  }

  /// Microseconds of the processor's time.
  private struct Case {
    let name: String
    var goal = Goal.none
    let measure: () throws(Fault) -> Double

    init(_ name: String, goal: Goal = .none, _ measure: @escaping () throws(Fault) -> Double) {
      (self.name, self.goal, self.measure) = (name, goal, measure)
    }

    /// Another picture each time, drawn by its number. With `isWhole` nothing of the frame before is of use.
    init(_ name: String, _ size: Size, goal: Double, isWhole: Bool = false, draw: @escaping (Int, Canvas) -> Void) {
      let canvas = Canvas(size: size)
      var number = 0
      self.init(name, goal: .below(goal)) { () throws(Fault) in
        try PanelBench.time(of: PanelBench.turns) { () throws(Fault) in
          number += 1
          if isWhole { canvas.forgetShown() }
          draw(number, canvas)
          canvas.markShown(canvas.changes())
        }
      }
    }
  }

  private static func cases(_ screens: PanelScreens) throws(Fault) -> [Case] {
    let (smallCover, largeCover) = (PanelScreens.cover(128), PanelScreens.cover(320))
    let covers = PanelScreens.covers
    var cases = [
      Case("full frame with its cover, 320x240", small, goal: 300, isWhole: true) {
        screens.play($0, cover: smallCover, on: $1)
      },
      Case("full frame with its cover, 800x480", large, goal: 1_000, isWhole: true) {
        screens.play($0, cover: largeCover, on: $1)
      },
      Case("another second with its cover, 320x240", small, goal: 300) { screens.play($0, cover: smallCover, on: $1) },
      Case("another second with its cover, 800x480", large, goal: 300) { screens.play($0, cover: largeCover, on: $1) },
      Case("a step in a list, 320x240", small, goal: 1_000) { screens.list($0, on: $1) },
      Case("a step in a list of covers, 800x480", large, goal: 1_000) { screens.list($0, covers: covers, on: $1) },
      Case("a state that has the screen, 320x240", small, goal: 300, isWhole: true) { screens.state($0, on: $1) },
      // Letters that were never drawn before, in as many scripts as there are, and ten thousand of them.
      Case("a made-up name for the first time, 320x240", goal: .below(5_000)) { () throws(Fault) in
        let fresh = try PanelScreens()
        let canvas = Canvas(size: small)
        fresh.play(1, on: canvas)
        return try time(of: 1) { () throws(Fault) in fresh.play(2, title: PanelScreens.madeUp, on: canvas) }
      },
      Case("another second of it, 320x240", small, goal: 600) {
        screens.play($0, title: PanelScreens.madeUp, on: $1)
      },
    ]
    // The first picture waits for that.
    cases.append(
      Case("opening the fonts") { () throws(Fault) in
        try time(of: 1) { () throws(Fault) in _ = try PanelScreens() }
      })
    for bits in [32, 16, 1] {
      let panel = try MemoryPanel(size: small, bitsPerPixel: bits)
      let canvas = Canvas(size: small)
      screens.play(1, on: canvas)
      cases.append(
        Case("writing all of it, \(bits) bits a pixel, 320x240") { () throws(Fault) in
          try time(of: turns) { () throws(Fault) in try panel.show(canvas, changed: [canvas.bounds]) }
        })
    }
    return cases
  }

  private static func time(of turns: Int, _ body: () throws(Fault) -> Void) throws(Fault) -> Double {
    let began = ProcessorTime.ofThread
    for _ in 0..<turns { try body() }
    return Double((ProcessorTime.ofThread - began).nanoseconds) / 1_000 / Double(turns)
  }

  /// What is the same in each round.
  private func counts(_ screens: PanelScreens) throws(Fault) -> [Row] {
    let canvas = Canvas(size: Self.small)
    let panel = try MemoryPanel(size: Self.small, bitsPerPixel: 16)
    let cover = PanelScreens.cover(128)
    func second(_ number: Int) throws(Fault) {
      screens.play(number, cover: cover, on: canvas)
      let changed = canvas.changes()
      try panel.show(canvas, changed: changed)
      canvas.markShown(changed)
    }
    func calls(_ body: () throws(Fault) -> Void) throws(Fault) -> Double {
      let before = counted_heap_calls()
      try body()
      return Double(counted_heap_calls() - before)
    }
    // All digits in all places were seen.
    for number in 0..<700 { try second(number) }
    let steady = try calls { () throws(Fault) in for _ in 0..<60 { try second(699) } }
    let changing = try calls { () throws(Fault) in for number in 0..<60 { try second(number) } }
    try second(0)
    let before = panel.written
    for number in 1...60 { try second(number) }
    func row(_ name: String, _ value: Double, _ unit: Unit, _ goal: Goal) -> Row {
      Row(bench: Self.name, name: name, value: Spread(value), unit: unit, goal: goal)
    }
    let frame = Double(Self.small.width * Self.small.height * 2)
    return [
      row("the heap is asked in a minute of the same frame", steady, .times, .nothing),
      row("the heap is asked in a minute of seconds", changing, .times, .nothing),
      row("written in a played minute, 16 bits, 320x240", Double(panel.written - before), .bytes, .below(frame)),
    ]
  }
}
