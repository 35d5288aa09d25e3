import Hardware
import Runtime
import TestSupport
import Testing

@testable import Panel

@Suite("Gestures")
struct GesturesTests {
  /// What a hand does and when, in milliseconds; nil: somebody looks whether time has made something of it.
  typealias Step = (at: Int64, input: Input?)

  static func play(_ steps: [Step], _ bound: Bindings, _ gestures: inout Gestures) -> [Gesture] {
    steps.flatMap { step -> [Gesture] in
      let now = Moment(nanoseconds: step.at * 1_000_000)
      return step.input.map { gestures.take($0, at: now, bound) } ?? gestures.settle(by: now, bound)
    }
  }

  static func play(_ steps: [Step], _ bound: Bindings) -> [Gesture] {
    var gestures = Gestures()
    return play(steps, bound, &gestures)
  }

  static let all = Bindings {
    ($0.long, $0.double, $0.turned, $0.repeating) = ([.knob, .back], [.back], [.knob], [.louder])
    $0.chords = [(.next, .previous)]
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [(Int64, Input?)]
    let expected: [Gesture]
    var testDescription: String { name }

    init(_ name: String, _ steps: [(Int64, Input?)], _ expected: [Gesture]) {
      (self.name, self.steps, self.expected) = (name, steps, expected)
    }
  }

  static let cases: [Case] = [
    Case("what is bound to nothing else is pressed as it goes down", [(0, .press(.play))], [.press(.play)]),
    Case("and only once", [(0, .press(.play)), (900, nil), (950, .release(.play)), (2_000, nil)], [.press(.play)]),
    Case("what may be long is pressed when it goes up", [(0, .press(.knob)), (599, nil)], []),
    Case("soon enough", [(0, .press(.knob)), (599, .release(.knob)), (2_000, nil)], [.press(.knob)]),
    Case("long is told while it is held", [(0, .press(.knob)), (600, nil)], [.long(.knob)]),
    Case(
      "and going up means nothing more", [(0, .press(.knob)), (600, nil), (601, nil), (900, .release(.knob))],
      [.long(.knob)]),
    Case("a late look finds it, too", [(0, .press(.knob)), (5_000, .release(.knob))], [.long(.knob)]),
    Case(
      "turned while held is no press", [(0, .press(.knob)), (50, .turn(2)), (90, .turn(-1)), (99, .release(.knob))],
      [
        .turnPressed(.knob, by: 2), .turnPressed(.knob, by: -1),
      ]),
    Case(
      "nor long", [(0, .press(.knob)), (50, .turn(2)), (5_000, nil), (5_001, .turn(1))],
      [
        .turnPressed(.knob, by: 2), .turnPressed(.knob, by: 1),
      ]),
    Case(
      "behind a long press a turn is one", [(0, .press(.knob)), (700, nil), (800, .turn(2))], [.long(.knob), .turn(2)]),
    Case("another button held is no held knob", [(0, .press(.mute)), (50, .turn(2))], [.press(.mute), .turn(2)]),
    Case(
      "twice soon is double",
      [
        (0, .press(.back)), (50, .release(.back)), (200, .press(.back)), (250, .release(.back)), (900, nil),
      ], [.double(.back)]),
    Case("once is once, when no second can come", [(0, .press(.back)), (50, .release(.back)), (349, nil)], []),
    Case("then", [(0, .press(.back)), (50, .release(.back)), (350, nil)], [.press(.back)]),
    Case(
      "too late is twice",
      [
        (0, .press(.back)), (50, .release(.back)), (400, .press(.back)), (450, .release(.back)), (900, nil),
      ], [.press(.back), .press(.back)]),
    Case(
      "a turn in between comes behind the press that waited",
      [
        (0, .press(.back)), (50, .release(.back)), (100, .turn(1)), (120, .press(.back)), (130, .release(.back)),
        (900, nil),
      ], [.press(.back), .turn(1), .press(.back)]),
    Case(
      "another button, too",
      [
        (0, .press(.back)), (50, .release(.back)), (100, .press(.play)), (120, .release(.play)),
      ], [.press(.back), .press(.play)]),
    Case(
      "two together are one",
      [
        (0, .press(.next)), (80, .press(.previous)), (200, .release(.next)), (220, .release(.previous)),
      ], [.chord(.next, .previous)]),
    Case("whichever is first", [(0, .press(.previous)), (80, .press(.next))], [.chord(.next, .previous)]),
    Case("alone each is itself", [(0, .press(.next)), (80, .release(.next))], [.press(.next)]),
    Case(
      "what is held goes on",
      [
        (0, .press(.louder)), (449, nil), (450, nil), (500, nil), (570, nil), (600, .release(.louder)), (900, nil),
      ], [.press(.louder), .press(.louder), .press(.louder)]),
    Case(
      "whoever looks late does not catch up", [(0, .press(.louder)), (9_000, nil), (9_001, nil)],
      [
        .press(.louder), .press(.louder),
      ]),
    Case(
      "a release that was missed is made up for", [(0, .press(.knob)), (300, .press(.knob)), (400, .release(.knob))],
      [
        .press(.knob), .press(.knob),
      ]),
    Case("a release of what was held from the start means nothing", [(0, .release(.knob))], []),
    Case("who has no finger says so", [(0, .longPress(.knob))], [.long(.knob)]),
    Case(
      "what is no hand's goes through", [(0, .otherSound(true)), (1, .quit)],
      [.other(.otherSound(true)), .other(.quit)]),
  ]

  @Test("a press that does not wait is told as it goes up, and a second one soon after it is no press")
  func doubleAfterPress() {
    let bound = Bindings { ($0.long, $0.doubleAfterPress, $0.turned) = ([.knob], [.knob], [.knob]) }
    func press(_ at: Int64) -> [Step] { [(at, .press(.knob)), (at + 50, .release(.knob))] }
    #expect(Self.play(press(0), bound) == [.press(.knob)])
    #expect(Self.play(press(0) + press(200) + [(900, nil)], bound) == [.press(.knob), .pressAgain(.knob)])
    #expect(Self.play(press(0) + press(351), bound) == [.press(.knob), .press(.knob)], "too late")
    #expect(Self.play(press(0) + [(100, .turn(1))] + press(200), bound) == [.press(.knob), .turn(1), .press(.knob)])
    // A third one is the first of others; and what is held behind one is no menu.
    let three = press(0) + press(150) + press(300)
    #expect(Self.play(three, bound) == [.press(.knob), .pressAgain(.knob), .press(.knob)])
    #expect(Self.play(press(0) + [(200, .press(.knob)), (2_000, nil)], bound) == [.press(.knob), .pressAgain(.knob)])
    var gestures = Gestures()
    #expect(Self.play(press(0), bound, &gestures) == [.press(.knob)] && gestures.due(bound) == nil, "nothing is due")
    // Somebody else has the knob by then.
    gestures.spend()
    #expect(Self.play(press(200), bound, &gestures) == [.press(.knob)])
  }

  @Test("each means what a hand meant", arguments: cases)
  func table(_ one: Case) {
    #expect(Self.play(one.steps.map { (at: $0.0, input: $0.1) }, Self.all) == one.expected)
  }

  @Test("a button that sticks comes to an end")
  func stuck() {
    let looks: [Step] = (1...2_000).map { (at: Int64($0) * 100, input: nil) }
    let given = Self.play([(at: 0, input: .press(.louder))] + looks, Self.all)
    #expect(given.count == 1 + Gestures.mostRepeats && given.allSatisfy { $0 == .press(.louder) })
  }

  @Test("what was held for somebody else who had the knob means nothing when it goes up")
  func spent() {
    var gestures = Gestures()
    func now(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000) }
    #expect(gestures.take(.press(.knob), at: now(0), Self.all) == [])
    #expect(gestures.take(.turn(1), at: now(50), Self.all) == [.turnPressed(.knob, by: 1)])
    #expect(gestures.take(.press(.louder), at: now(60), Self.all) == [.press(.louder)])
    gestures.spend()
    #expect(gestures.due(Bindings()) == nil)
    #expect(gestures.take(.turn(1), at: now(5_000), Self.all) == [.turn(1)])
    #expect(gestures.take(.release(.knob), at: now(5_100), Bindings()) == [])
    #expect(gestures.take(.press(.knob), at: now(5_200), Bindings()) == [.press(.knob)])
  }

  @Test("nothing is lost and nothing made up, however a hand moves; when nothing is held nothing is due")
  func walk() {
    let buttons: [Button] = [.knob, .back, .next, .previous, .louder, .play]
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var gestures = Gestures()
      var (held, now): (Set<Button>, Int64) = ([], 0)
      var (turned, told, downs, ends) = (0, 0, 0, 0)
      func count(_ all: [Gesture]) {
        for gesture in all {
          switch gesture {
          case .turn(let steps, _), .turnPressed(_, let steps): told += steps
          case .chord, .double: ends += 2
          case .press(.louder): break
          case .press, .pressAgain, .long: ends += 1
          case .other, .longAgain: break
          }
        }
      }
      for _ in 0..<300 {
        now += Int64.random(in: 1...400, using: &random)
        let moment = Moment(nanoseconds: now * 1_000_000)
        switch Int.random(in: 0...3, using: &random) {
        case 0:
          let steps = Int.random(in: -3...3, using: &random)
          turned += steps
          count(gestures.take(.turn(steps), at: moment, Self.all))
        case 1: count(gestures.settle(by: moment, Self.all))
        default:
          guard let button = buttons.randomElement(using: &random) else { break }
          if held.insert(button).inserted {
            if button != .louder { downs += 1 }
            count(gestures.take(.press(button), at: moment, Self.all))
          } else {
            held.remove(button)
            count(gestures.take(.release(button), at: moment, Self.all))
          }
        }
      }
      for button in held { count(gestures.take(.release(button), at: Moment(nanoseconds: now * 1_000_000), Self.all)) }
      count(gestures.settle(by: Moment(nanoseconds: (now + 1_000) * 1_000_000), Self.all))
      #expect(told == turned, "seed \(seed)")
      // What was turned while held was no press.
      #expect(ends <= downs, "seed \(seed)")
      #expect(gestures.due(Self.all) == nil, "seed \(seed)")
    }
  }

  @Test(
    "gestures are written as they are said",
    arguments: [
      ("knob", Gesture.press(.knob)), ("long knob", .long(.knob)), ("double back", .double(.back)),
      ("turn -3", .turn(-3)), ("turn 2 with knob", .turnPressed(.knob, by: 2)), ("Knob", .press(.knob)),
    ])
  func words(text: String, gesture: Gesture) { #expect(Gesture(words: text) == gesture) }

  @Test(
    "what is no gesture is none", arguments: ["", "long", "long long", "turn", "turn x", "turn 1 with", "a b c", "nob"])
  func noGesture(text: String) { #expect(Gesture(words: text) == nil) }
}
