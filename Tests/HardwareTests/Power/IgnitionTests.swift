import Hardware
import Runtime
import TestSupport
import Testing

@Suite("What the ignition means for the board")
struct IgnitionTests {
  /// A line's history in seconds, and what is to be done of it, each with the second in which it is.
  struct History: Sendable, CustomTestStringConvertible {
    let name: String
    var offAfter = 60.0
    let edges: [(at: Double, isOn: Bool)]
    var until = 200.0
    let expected: [String]

    var testDescription: String { name }
  }

  static func moment(_ seconds: Double) -> Moment {
    Moment(nanoseconds: Int64((seconds * 1_000).rounded()) * 1_000_000)
  }

  /// Looks whenever the value asks for it.
  static func live(_ history: History) -> [String] {
    var ignition = Ignition(.init(debounce: .seconds(4), offAfter: .milliseconds(Int64(history.offAfter * 1_000))))
    var said: [String] = []
    func say(_ actions: [Ignition.Action], at moment: Moment) {
      said += actions.map { "\($0.rawValue) \((Double(moment.nanoseconds) / 1e9 * 10).rounded() / 10)" }
    }
    func pass(to end: Moment) {
      while let due = ignition.due, due < end {
        let actions = ignition.settle(by: due)
        say(actions, at: due)
        if ignition.due == due, actions.isEmpty { return }
      }
    }
    for edge in history.edges {
      pass(to: moment(edge.at))
      say(ignition.hear(edge.isOn, at: moment(edge.at)), at: moment(edge.at))
    }
    pass(to: moment(history.until))
    return said
  }

  static let histories: [History] = [
    History(name: "on for ever", edges: [(0, true)], expected: []),
    History(
      name: "off and stays", edges: [(0, true), (10, false)],
      expected: ["save 10.0", "rest 14.0", "save 74.0", "powerOff 74.0"]),
    History(name: "cranking for 1 s", edges: [(0, true), (10, false), (11, true)], expected: ["save 10.0"]),
    History(name: "cranking for 2.5 s", edges: [(0, true), (10, false), (12.5, true)], expected: ["save 10.0"]),
    History(name: "cranking for 3.9 s", edges: [(0, true), (10, false), (13.9, true)], expected: ["save 10.0"]),
    History(
      name: "a pulse while cranking begins its time anew",
      edges: [(0, true), (10, false), (13, true), (13.1, false), (16, true)], expected: ["save 10.0", "save 13.1"]),
    History(
      name: "back before the power-off", edges: [(0, true), (10, false), (70, true)],
      expected: ["save 10.0", "rest 14.0", "wake 70.3"]),
    History(
      name: "back and away again", edges: [(0, true), (10, false), (30, true), (40, false), (50, true)],
      expected: ["save 10.0", "rest 14.0", "wake 30.3", "save 40.0", "rest 44.0", "wake 50.3"]),
    History(
      name: "noise while it rests wakes nobody, and begins the delay anew",
      edges: [(0, true), (10, false), (50, true), (50.1, false)],
      expected: ["save 10.0", "rest 14.0", "save 50.1", "save 114.1", "powerOff 114.1"]),
    History(
      name: "no delay", offAfter: 0, edges: [(0, true), (10, false)],
      expected: ["save 10.0", "rest 14.0", "save 14.0", "powerOff 14.0"]),
    History(
      name: "two hours", offAfter: 7_200, edges: [(0, true), (10, false)], until: 8_000,
      expected: ["save 10.0", "rest 14.0", "save 7214.0", "powerOff 7214.0"]),
    History(
      name: "too late", edges: [(0, true), (10, false), (75, true), (76, false), (77, true)],
      expected: ["save 10.0", "rest 14.0", "save 74.0", "powerOff 74.0", "tooLate 75.0"]),
    History(
      name: "off from the start: rests, and stays on for half an hour", edges: [(0, false)], until: 3_000,
      expected: ["rest 4.0", "save 1800.0", "powerOff 1800.0"]),
    History(
      name: "off from the start, then on, then off", edges: [(0, false), (100, true), (110, false)],
      expected: ["rest 4.0", "wake 100.3", "save 110.0", "rest 114.0", "save 174.0", "powerOff 174.0"]),
    History(
      name: "noise on a bench is no ignition", edges: [(0, false), (100, true), (100.1, false)], until: 3_000,
      expected: ["rest 4.0", "save 100.1", "save 1900.1", "powerOff 1900.1"]),
    History(
      name: "the same told twice", edges: [(0, true), (1, true), (10, false), (12, false)],
      expected: ["save 10.0", "rest 14.0", "save 74.0", "powerOff 74.0"]),
  ]

  @Test("a line's history leads to what it should, in order", arguments: histories)
  func lives(history: History) {
    #expect(Self.live(history) == history.expected)
  }

  @Test("who reads late has all edges first, and does nothing that was undone meanwhile")
  func late() {
    var ignition = Ignition()
    _ = ignition.hear(true, at: Self.moment(0))
    _ = ignition.settle(by: Self.moment(1))
    // Nobody looked for two minutes, in which it was off for one and a half.
    #expect(ignition.hear(false, at: Self.moment(10)) == [.save])
    #expect(ignition.hear(true, at: Self.moment(100)) == [])
    #expect(ignition.settle(by: Self.moment(130)) == [])
    #expect(ignition.state == .on)
    // And with a line that is still off it is done all at once, in its order.
    #expect(ignition.hear(false, at: Self.moment(200)) == [.save])
    #expect(ignition.settle(by: Self.moment(900)) == [.rest, .save, .powerOff])
    #expect(ignition.due == nil && ignition.state == .leaving)
  }

  @Test("a board that was not switched off tries again later, and wakes when the line is back")
  func stayed() {
    var ignition = Ignition()
    _ = ignition.hear(true, at: Self.moment(0))
    _ = ignition.settle(by: Self.moment(5))
    _ = ignition.hear(false, at: Self.moment(10))
    #expect(ignition.settle(by: Self.moment(74)) == [.rest, .save, .powerOff])
    ignition.stayed(at: Self.moment(104))
    #expect(ignition.offDue == Self.moment(704) && ignition.settle(by: Self.moment(703)) == [])
    var other = ignition
    #expect(ignition.settle(by: Self.moment(704)) == [.save, .powerOff])
    #expect(other.hear(true, at: Self.moment(300)) == [])
    #expect(other.settle(by: Self.moment(301)) == [.wake])
  }

  @Test("a line that swings for an hour is saved seldom and told of once; after it the first edge is saved at once")
  func storm() {
    var ignition = Ignition()
    var (saves, told): ([Moment], Int) = ([], 0)
    func note(_ actions: [Ignition.Action], _ at: Moment) {
      saves += actions.filter { $0 == .save }.map { _ in at }
      told += actions.count { $0 == .bounces }
      #expect(!actions.contains(.rest) && !actions.contains(.powerOff))
    }
    note(ignition.hear(true, at: Self.moment(0)), Self.moment(0))
    for step in 1...72_000 {
      let at = Self.moment(Double(step) * 0.05)
      note(ignition.settle(by: at), at)
      note(ignition.hear(step % 2 == 0, at: at), at)
    }
    #expect(zip(saves, saves.dropFirst()).allSatisfy { $1 - $0 >= Ignition.savesApart })
    #expect(saves.count < 80, "\(saves.count)")
    #expect(saves.first == Self.moment(0.05) && told == 1)
    _ = ignition.hear(true, at: Self.moment(3_601))
    _ = ignition.settle(by: Self.moment(3_900))
    #expect(ignition.hear(false, at: Self.moment(3_901)) == [.save])
  }

  @Test("whatever the line does: never off while it was on within the delay, each rest undone once, saves apart")
  func laws() {
    for seed in UInt64(1)...300 {
      var random = SeededGenerator(seed: seed)
      let rules = Ignition.Rules(
        debounce: .milliseconds(Int64.random(in: 0...8_000, using: &random)),
        offAfter: .milliseconds(Int64.random(in: 0...90_000, using: &random)))
      var ignition = Ignition(rules)
      var now = Self.moment(1)
      var (isOn, lastHigh, wasHigh): (Bool?, Moment, Bool) = (nil, now, false)
      var (rests, isLeaving): (Bool, Bool) = (false, false)
      var lastSave: Moment?
      func check(_ actions: [Ignition.Action], _ at: Moment) {
        for action in actions {
          switch action {
          case .save:
            let isApart = lastSave.map { at - $0 >= Ignition.savesApart } ?? true
            #expect(isApart || actions.contains(.powerOff), "seed \(seed)")
            lastSave = at
          case .rest:
            #expect(!rests && isOn == false && at - lastHigh >= rules.debounce, "seed \(seed)")
            rests = true
          case .wake:
            #expect(rests && isOn == true, "seed \(seed)")
            rests = false
          case .powerOff:
            #expect(rests && isOn == false && at - lastHigh >= rules.debounce + rules.offAfter, "seed \(seed)")
            #expect(wasHigh || at - Self.moment(1) >= Ignition.benchDelay, "seed \(seed)")
            isLeaving = true
          case .tooLate: #expect(isLeaving, "seed \(seed)")
          case .bounces: break
          }
        }
      }
      for _ in 0..<200 {
        let pause = ([0.001, 0.02, 0.5, 3, 30, 120] as [Double]).randomElement(using: &random) ?? 1
        let end = now + .milliseconds(Int64(Double.random(in: 0...pause, using: &random) * 1_000))
        // Sometimes punctual, sometimes after the next edge.
        if Bool.random(using: &random) {
          while let due = ignition.due, due < end, !isLeaving {
            let at = max(due, now)
            check(ignition.settle(by: at), at)
          }
        }
        now = end
        let level = Bool.random(using: &random)
        if isOn == true { lastHigh = now }
        if level && isOn == nil { lastHigh = now }
        let before = isOn
        isOn = level
        if level { (lastHigh, wasHigh) = (now, true) }
        let actions = ignition.hear(level, at: now)
        if before == true, !level, lastSave == nil { #expect(actions.first == .save, "seed \(seed)") }
        check(actions, now)
        if isLeaving {
          ignition.stayed(at: now)
          isLeaving = false
        }
      }
    }
  }

  @Test("what happens next is told, and when")
  func next() {
    var ignition = Ignition()
    #expect(ignition.state == .unknown && ignition.next == nil)
    _ = ignition.hear(true, at: Self.moment(0))
    _ = ignition.settle(by: Self.moment(1))
    #expect(ignition.state == .on && ignition.next == nil && ignition.due == nil)
    _ = ignition.hear(false, at: Self.moment(10))
    #expect(ignition.state == .falling && ignition.next?.action == .rest && ignition.next?.at == Self.moment(14))
    _ = ignition.settle(by: Self.moment(14))
    #expect(ignition.state == .resting && ignition.next?.action == .powerOff && ignition.next?.at == Self.moment(74))
  }
}
