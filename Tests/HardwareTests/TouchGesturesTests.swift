import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Fingers as touches")
struct TouchGesturesTests {
  /// One line of a script: what a finger does, when (in milliseconds), and what comes of it.
  struct Step: Sendable {
    let at: Int
    let change: FingerEvent.Change?
    var finger: Int32 = 0
    var screen: Int32 = 0
    var gives: [Touch] = []
  }

  struct Script: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [Step]
    var testDescription: String { name }
  }

  static func point(_ x: Double, _ y: Double) -> TouchPoint { TouchPoint(x: x, y: y) }
  static func at(_ milliseconds: Int) -> Moment { Moment(nanoseconds: Int64(milliseconds) * 1_000_000) }

  private static func down(_ at: Int, _ x: Double, _ y: Double, finger: Int32 = 0) -> Step {
    Step(at: at, change: .down(point(x, y)), finger: finger)
  }

  private static func move(_ at: Int, _ x: Double, _ y: Double, finger: Int32 = 0, _ gives: Touch...) -> Step {
    Step(at: at, change: .move(point(x, y)), finger: finger, gives: gives)
  }

  private static func up(_ at: Int, finger: Int32 = 0, _ gives: Touch...) -> Step {
    Step(at: at, change: .up, finger: finger, gives: gives)
  }

  private static func wait(_ at: Int, _ gives: Touch...) -> Step { Step(at: at, change: nil, gives: gives) }

  private static let middle = point(0.5, 0.5)

  static let scripts = [
    Script(name: "a tap", steps: [down(0, 0.5, 0.5), up(80, .tap(middle))]),
    Script(
      name: "a finger that rolls within its slop is a tap where it came down",
      steps: [down(0, 0.5, 0.5), move(20, 0.525, 0.48), move(40, 0.5, 0.529), up(80, .tap(middle))]),
    Script(
      name: "a hold comes while the finger is down, and then nothing, wherever it goes",
      steps: [
        down(0, 0.5, 0.5), wait(599), wait(600, .hold(middle)), wait(2_000), move(2_100, 0.9, 0.5), up(2_200),
        wait(9_000),
      ]),
    Script(
      name: "held long enough by the kernel's clock, although read only when it was up",
      steps: [down(0, 0.5, 0.5), up(700, .hold(middle))]),
    Script(
      name: "two taps are two",
      steps: [down(0, 0.5, 0.5), up(50, .tap(middle)), down(90, 0.25, 0.5), up(130, .tap(point(0.25, 0.5)))]),
    Script(
      name: "a slow drag tells how far it went beyond its slop, and is no swipe",
      steps: [
        down(0, 0.25, 0.5), move(100, 0.5, 0.5), move(300, 0.75, 0.5, .drag(point(0.25, 0.5), across: 0.25, down: 0)),
        move(900, 0.75, 0.25, .drag(point(0.25, 0.5), across: 0, down: -0.25)), up(1_000),
      ]),
    Script(
      name: "a drag that stays is no hold", steps: [down(0, 0.25, 0.5), move(100, 0.5, 0.5), wait(2_000), up(2_100)]),
    Script(
      name: "drags within one picture are told together, and the rest when the next is drawn",
      steps: [
        down(0, 0, 0.5), move(10, 0.125, 0.5), move(20, 0.25, 0.5, .drag(point(0, 0.5), across: 0.125, down: 0)),
        move(24, 0.375, 0.5), move(28, 0.5, 0.5), wait(35),
        wait(36, .drag(point(0, 0.5), across: 0.25, down: 0)), wait(60), up(900),
      ]),
    Script(
      name: "lifted quickly and far away it is a swipe, behind the rest of its drags",
      steps: [
        down(0, 0.75, 0.5), move(20, 0.5, 0.5), move(40, 0.375, 0.5, .drag(point(0.75, 0.5), across: -0.125, down: 0)),
        move(44, 0.25, 0.5),
        up(50, .drag(point(0.75, 0.5), across: -0.125, down: 0), .swipe(.left, from: point(0.75, 0.5))),
      ]),
    Script(
      name: "down is down, and up is up",
      steps: [
        down(0, 0.5, 0.25), move(20, 0.5, 0.75), up(40, .swipe(.down, from: point(0.5, 0.25))), down(100, 0.5, 0.75),
        move(120, 0.5, 0.25), up(140, .swipe(.up, from: point(0.5, 0.75))), down(200, 0.25, 0.5), move(220, 0.75, 0.5),
        up(240, .swipe(.right, from: point(0.25, 0.5))),
      ]),
    Script(
      name: "too short, too slow, and too slanted are no swipes",
      steps: [
        down(0, 0.5, 0.5), move(20, 0.625, 0.5), up(40), down(1_000, 0.25, 0.5), move(1_100, 0.75, 0.5), up(1_501),
        down(2_000, 0.25, 0.25), move(2_020, 0.75, 0.625), up(2_040),
      ]),
    Script(
      name: "a second finger means nothing, neither while the first is down nor afterwards",
      steps: [
        down(0, 0.5, 0.5), down(10, 0.125, 0.125, finger: 1), move(20, 0.75, 0.75, finger: 1), up(50, .tap(middle)),
        move(60, 0.125, 0.125, finger: 1), up(70, finger: 1), down(100, 0.5, 0.5), up(120, .tap(middle)),
      ]),
    Script(
      name: "a palm ends it with nothing",
      steps: [
        down(0, 0.5, 0.5), Step(at: 20, change: .cancel), wait(900), move(950, 0.9, 0.9), up(1_000),
        down(1_100, 0.25, 0.5),
        move(1_110, 0.75, 0.5), Step(at: 1_120, change: .cancel), wait(2_000), up(2_100),
      ]),
    Script(
      name: "another screen's finger is a second one",
      steps: [
        down(0, 0.5, 0.5), Step(at: 10, change: .down(middle), screen: 1), Step(at: 20, change: .up, screen: 1),
        up(50, .tap(middle)),
      ]),
    Script(
      name: "down twice: the first is forgotten",
      steps: [down(0, 0.25, 0.25), down(500, 0.5, 0.5), wait(700), up(800, .tap(middle))]),
    Script(name: "what was never down is nothing", steps: [move(0, 0.5, 0.5), up(10), wait(900)]),
    Script(
      name: "a clock that goes back makes no hold", steps: [down(5_000, 0.5, 0.5), up(100, .tap(middle))]),
  ]

  @Test("a script of fingers gives its touches, each when it is due", arguments: scripts)
  func script(_ script: Script) {
    var gestures = TouchGestures()
    for (index, step) in script.steps.enumerated() {
      let moment = Self.at(step.at)
      let given =
        if let change = step.change {
          gestures.take([FingerEvent(screen: step.screen, finger: step.finger, change, at: moment)], at: moment)
        } else { gestures.settle(by: moment) }
      #expect(given == step.gives, "step \(index)")
    }
  }

  @Test("it says when it has to be asked again, and not before")
  func due() {
    var gestures = TouchGestures()
    #expect(gestures.due == nil)
    _ = gestures.take([FingerEvent(.down(Self.middle), at: Self.at(0))], at: Self.at(5))
    #expect(gestures.due == Self.at(600))
    _ = gestures.take([FingerEvent(.move(Self.point(0.7, 0.5)), at: Self.at(10))], at: Self.at(10))
    #expect(gestures.due == nil)
    _ = gestures.take([FingerEvent(.move(Self.point(0.8, 0.5)), at: Self.at(12))], at: Self.at(12))
    #expect(gestures.due == nil, "told at once")
    _ = gestures.take([FingerEvent(.move(Self.point(0.9, 0.5)), at: Self.at(13))], at: Self.at(13))
    #expect(gestures.due == Self.at(28))
    gestures.lose(screen: 0)
    #expect(gestures.due == nil)
    #expect(gestures.settle(by: Self.at(9_000)) == [])
  }

  @Test("a finger of a screen that is gone ends in nothing; another screen's goes on")
  func lost() {
    var gestures = TouchGestures()
    _ = gestures.take([FingerEvent(screen: 3, .down(Self.middle), at: Self.at(0))], at: Self.at(0))
    gestures.lose(screen: 4)
    #expect(gestures.take([FingerEvent(screen: 3, .up, at: Self.at(9))], at: Self.at(9)) == [.tap(Self.middle)])
    _ = gestures.take([FingerEvent(screen: 3, .down(Self.middle), at: Self.at(20))], at: Self.at(20))
    gestures.lose(screen: 3)
    #expect(gestures.take([FingerEvent(screen: 3, .up, at: Self.at(29))], at: Self.at(29)) == [])
  }

  @Test("ten thousand frames in one go are one drag, and nothing is lost at their end")
  func flood() {
    var gestures = TouchGestures()
    var events = [FingerEvent(.down(Self.point(0, 0.5)), at: Self.at(0))]
    for frame in 1...10_000 {
      events.append(FingerEvent(.move(Self.point(Double(frame) / 16_384, 0.5)), at: Self.at(frame / 50)))
    }
    let touches = gestures.take(events, at: Self.at(200))
    // From the first frame beyond the slop to the last.
    #expect(touches == [.drag(Self.point(0, 0.5), across: Double(10_000 - 492) / 16_384, down: 0)])
    #expect(
      gestures.take([FingerEvent(.up, at: Self.at(201))], at: Self.at(201)) == [
        .swipe(.right, from: Self.point(0, 0.5))
      ])
  }

  @Test("random fingers: one end for each, drags add up to the way, and what is cut differently is the same way")
  func walk() {
    for seed in UInt64(1)...300 {
      var generator = SeededGenerator(seed: seed)
      var gestures = TouchGestures()
      var now = 0
      for _ in 0..<20 {
        let count = Int.random(in: 0...30, using: &generator)
        let isCancelled = Int.random(in: 0..<5, using: &generator) == 0
        let spread = Bool.random(using: &generator) ? 0.02 : 1.0
        var place = Self.point(Double.random(in: 0..<1, using: &generator), Double.random(in: 0..<1, using: &generator))
        let start = place
        var left: TouchPoint?
        let since = now
        var (ends, drags, across, down) = (0, 0, 0.0, 0.0)
        func take(_ touches: [Touch]) {
          #expect(touches.count <= 2, "seed \(seed)")
          for touch in touches {
            switch touch {
            case .tap(let from), .hold(let from), .swipe(_, let from):
              #expect(from == start, "seed \(seed)")
              ends += 1
            case .drag(let from, let x, let y):
              #expect(from == start && ends == 0 && (x != 0 || y != 0), "seed \(seed)")
              (drags, across, down) = (drags + 1, across + x, down + y)
            }
          }
        }
        take(gestures.take([FingerEvent(.down(start), at: Self.at(now))], at: Self.at(now)))
        var batch: [FingerEvent] = []
        var holdsBefore = false
        for _ in 0..<count {
          now += Int.random(in: 1...60, using: &generator)
          if left == nil, now - since >= 600 { holdsBefore = true }
          func near(_ value: Double) -> Double {
            min(max(value + Double.random(in: -spread...spread, using: &generator), 0), 0.999)
          }
          place = Self.point(near(start.x), near(start.y))
          if left == nil, !holdsBefore, max(abs(place.x - start.x), abs(place.y - start.y)) > 0.03 { left = place }
          batch.append(FingerEvent(.move(place), at: Self.at(now)))
          if Bool.random(using: &generator) {
            take(gestures.take(batch, at: Self.at(now)))
            batch = []
          }
          // A second finger changes nothing.
          batch.append(FingerEvent(finger: 7, .move(Self.point(0.1, 0.1)), at: Self.at(now)))
        }
        take(gestures.take(batch, at: Self.at(now)))
        let before = (ends, drags)
        now += 5
        take(gestures.take([FingerEvent(isCancelled ? .cancel : .up, at: Self.at(now))], at: Self.at(now)))
        if isCancelled {
          #expect((ends, drags) == before || holdsBefore || now - since >= 600, "seed \(seed)")
        } else if let left {
          #expect(abs(across - (place.x - left.x)) < 1e-9 && abs(down - (place.y - left.y)) < 1e-9, "seed \(seed)")
          #expect(ends <= 1, "seed \(seed)")
        } else {
          #expect(ends == 1 && drags == 0, "seed \(seed)")
        }
        #expect(gestures.due == nil, "seed \(seed)")
        now += Int.random(in: 1...900, using: &generator)
        #expect(gestures.settle(by: Self.at(now)) == [], "seed \(seed)")
      }
    }
  }

  @Test("a point is on the surface, or no point at all; four quarter turns lead back")
  func points() throws {
    #expect(TouchPoint(within: .nan, 0) == nil && TouchPoint(within: 0, .infinity) == nil)
    for (x, y) in [(-5.0, 2.0), (0, 0), (1, 1), (0.25, 0.75), (0.999, 1e300)] {
      let point = try #require(TouchPoint(within: x, y))
      for rotation in TouchRotation.allCases {
        let turned = point.turned(rotation)
        #expect(0..<1 ~= turned.x && 0..<1 ~= turned.y)
      }
      func isNear(_ other: TouchPoint) -> Bool { abs(other.x - point.x) + abs(other.y - point.y) < 1e-9 }
      #expect(isNear(point.turned(.quarter).turned(.quarter).turned(.quarter).turned(.quarter)))
      #expect(isNear(point.turned(.quarter).turned(.threeQuarters)) && isNear(point.turned(.half).turned(.half)))
    }
    // What is touched at the right, turned clockwise, is at the bottom.
    let right = Self.point(1.0.nextDown, 0.5).turned(.quarter)
    #expect(right.y > 0.9 && abs(right.x - 0.5) < 1e-9)
  }
}
