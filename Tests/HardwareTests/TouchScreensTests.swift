import Glibc
import Hardware
import Runtime
import TestSupport
import Testing

/// What libinput would say, said by a test.
final class MadeUpFingers: FingerSource {
  let bell: Bell
  var descriptor: Int32 { bell.number }
  private(set) var screens: [Int32: FilePath] = [:]
  private var waiting: [FingerEvent] = []
  private(set) var mostTaken = 0
  var refusal: Fault?
  var fault: Fault?

  init() throws(Fault) { bell = try Bell() }

  func add(_ path: FilePath, as screen: Int32) throws(Fault) {
    if let refusal { throw refusal }
    screens[screen] = path
  }

  func remove(screen: Int32) { screens[screen] = nil }

  func events(most: Int, shift: Duration) throws(Fault) -> (events: [FingerEvent], isAll: Bool) {
    bell.hush()
    if let fault { throw fault }
    let taken = Array(waiting.prefix(most))
    waiting.removeFirst(taken.count)
    mostTaken = max(mostTaken, taken.count)
    return (taken, waiting.isEmpty)
  }

  func send(_ changes: FingerEvent.Change..., screen: Int32? = nil, at moment: Moment) {
    let number = screen ?? screens.keys.min() ?? 0
    waiting += changes.map { FingerEvent(screen: number, $0, at: moment) }
    bell.ring()
  }
}

@Suite("Touch screens", .serialized)
struct TouchScreensTests {
  /// Runs the part on pipes, with fingers that `make` gives.
  private static func run(
    _ names: [String], rotation: TouchRotation = .none,
    fingers make: @escaping @Sendable @MainLoop () throws(Fault) -> MadeUpFingers = { () throws(Fault) in
      try MadeUpFingers()
    },
    _ body: @escaping @MainLoop @Sendable (Pipes, Bench) async -> Void
  ) async -> (inputs: [Input], codes: [String], fault: Fault?) {
    let pipes = Pipes()
    for name in names { pipes.make(name) }
    return await aloneOnMainLoop {
      let bench = Bench()
      let part = EventDevices(
        folder: pipes.path, open: { path throws(Fault) in try Pipes.device(path) }, rotation: rotation,
        fingers: { () throws(Fault) in
          bench.tries += 1
          let fingers = try make()
          bench.fingers = fingers
          return fingers
        }, shift: { .zero }, tell: { bench.received.take($0) }, deliver: { bench.received.take($0, at: $1) })
      let running = await RunningPart(part)
      await body(pipes, bench)
      let fault = await running.end()
      return (bench.received.inputs, bench.received.codes, fault)
    }
  }

  @MainLoop
  final class Bench {
    let received = Received()
    var fingers: MadeUpFingers?
    var tries = 0

    var now: Moment { MainLoop.loop.now }

    func send(_ changes: FingerEvent.Change..., screen: Int32? = nil, after pause: Duration = .zero) async {
      await wait(pause)
      for change in changes { fingers?.send(change, screen: screen, at: now) }
      await settled()
    }

    func wait(_ pause: Duration) async {
      await settled()
      if pause > .zero { await MainLoop.loop.advance(by: pause) }
      await settled()
    }
  }

  private static let place = TouchPoint(x: 0.25, y: 0.5)

  @Test("libinput is asked for only when there is a touch screen, and for that alone")
  func late() async {
    let none = await Self.run(["event1", "event8", "event9"]) { _, bench in #expect(bench.tries == 0) }
    #expect(none.codes == [])
    _ = await Self.run(["event1", "event7"]) { pipes, bench in
      #expect(bench.tries == 1)
      #expect(bench.fingers.map { Array($0.screens.values) } == [pipes.path / "event7"])
    }
  }

  @Test("a tap, a hold and a swipe are delivered")
  func delivered() async {
    let result = await Self.run(["event7"]) { _, bench in
      await bench.send(.down(Self.place))
      await bench.send(.up, after: .milliseconds(50))
      await bench.send(.down(Self.place))
      await bench.wait(.milliseconds(599))
      #expect(bench.received.inputs == [.touch(.tap(Self.place))])
      await bench.wait(.milliseconds(1))
      #expect(bench.received.inputs.last == .touch(.hold(Self.place)))
      await bench.send(.up, .down(Self.place))
      await bench.send(.move(TouchPoint(x: 0.75, y: 0.5)), .up, after: .milliseconds(100))
    }
    #expect(
      result.inputs == [
        .touch(.tap(Self.place)), .touch(.hold(Self.place)), .touch(.swipe(.right, from: Self.place)),
      ])
    #expect(result.codes == [] && result.fault == nil)
  }

  @Test("a touch screen that is mounted turned is turned back")
  func turned() async {
    let result = await Self.run(["event7"], rotation: .half) { _, bench in
      await bench.send(.down(TouchPoint(x: 0.75, y: 0.5)), .move(TouchPoint(x: 0.25, y: 0.5)), .up)
    }
    guard case .touch(.swipe(let swipe, let from))? = result.inputs.first else {
      Issue.record("\(result.inputs)")
      return
    }
    #expect(swipe == .right && abs(from.x - 0.25) < 1e-9 && abs(from.y - 0.5) < 1e-9)
  }

  @Test("a screen that is pulled while it is touched ends in nothing, and the next one works")
  func pulled() async {
    let result = await Self.run(["event7"]) { pipes, bench in
      await bench.send(.down(Self.place))
      _ = (pipes.path / "event7").withCString { unlink($0) }
      await bench.wait(.seconds(2))
      #expect(bench.fingers?.screens.isEmpty == true)
      // What libinput had read of it before is nobody's.
      await bench.send(.down(Self.place), .up, screen: 1)
      pipes.make("event17")
      await bench.wait(EventDevices.settling)
      #expect(bench.fingers?.screens.count == 1)
      await bench.send(.down(Self.place), .up)
    }
    #expect(result.inputs == [.touch(.tap(Self.place))])
  }

  @Test("one that was pulled and plugged in by the same name before anybody looked is opened anew")
  func replugged() async {
    let result = await Self.run(["event7"]) { pipes, bench in
      let old = pipes.path / "event7"
      let kept = (pipes.path / "kept")
      _ = old.withCString { from in kept.withCString { rename(from, $0) } }
      pipes.make("event7")
      await bench.wait(EventDevices.settling)
      #expect(bench.fingers.map { Array($0.screens.keys) } == [2])
      await bench.send(.down(Self.place), .up)
    }
    #expect(result.inputs == [.touch(.tap(Self.place))])
  }

  @Test("ten thousand frames in one go are taken bit by bit, others have their turn, and nothing is lost at the end")
  func flood() async {
    let result = await Self.run(["event7", "event1"]) { pipes, bench in
      let end = pipes.plug("event1")
      bench.fingers?.send(.down(TouchPoint(x: 0, y: 0.5)), at: bench.now)
      for frame in 1...10_000 {
        bench.fingers?.send(.move(TouchPoint(x: Double(frame) / 16_384, y: 0.5)), at: bench.now)
      }
      bench.fingers?.send(.up, at: bench.now)
      Pipes.press(164, on: end)
      for _ in 0..<60 { await settled() }
      #expect((bench.fingers?.mostTaken ?? .max) <= 256)
    }
    let touches = result.inputs.compactMap { if case .touch(let touch) = $0 { touch } else { nil } }
    #expect(touches.count <= 3, "virtual time stands still, so one picture is drawn")
    let across = touches.reduce(0.0) { if case .drag(_, let across, _) = $1 { $0 + across } else { $0 } }
    #expect(abs(across - Double(10_000 - 492) / 16_384) < 1e-9)
    #expect(touches.last == .swipe(.right, from: TouchPoint(x: 0, y: 0.5)))
    // The key was not kept waiting until the flood was over.
    let pressed = result.inputs.firstIndex(of: .press(.play)) ?? .max
    #expect(pressed < (result.inputs.firstIndex(of: .touch(.swipe(.right, from: TouchPoint(x: 0, y: 0.5)))) ?? 0))
  }

  @Test("while fingers wait to be read, a hold is not decided by the time now")
  func unread() async {
    let result = await Self.run(["event7"]) { _, bench in
      // The main loop was away for a second: all of it comes now, in two goes.
      let start = bench.now
      await MainLoop.loop.advance(by: .seconds(1))
      bench.fingers?.send(.down(Self.place), at: start)
      for _ in 0..<300 { bench.fingers?.send(.move(Self.place), at: start + .milliseconds(10)) }
      bench.fingers?.send(.up, at: start + .milliseconds(20))
      await bench.wait(.seconds(1))
    }
    #expect(result.inputs == [.touch(.tap(Self.place))])
  }

  @Test("without libinput it is told once with the package's name, and keys of that very device go on")
  func noLibrary() async {
    let result = await Self.run(
      ["event6", "event7"],
      fingers: { () throws(Fault) in throw Fault(.unsupported, "H-230", "it comes with the package libinput10") }
    ) { pipes, bench in
      let end = pipes.plug("event6")
      pipes.make("event17")
      await bench.wait(.seconds(30))
      #expect(bench.tries == 1)
      Pipes.press(164, on: end)
      await bench.received.wait(for: 1)
    }
    #expect(result.codes == ["H-230"])
    #expect(result.inputs == [.press(.play)])
  }

  @Test("one that libinput does not take yet is tried again, then told once; its keys are read all the while")
  func refused() async {
    let result = await Self.run(
      ["event6"],
      fingers: { () throws(Fault) in
        let fingers = try MadeUpFingers()
        fingers.refusal = Fault(.passing, "H-232", "not tagged")
        return fingers
      }
    ) { pipes, bench in
      let end = pipes.plug("event6")
      await bench.wait(EventDevices.patience - .milliseconds(1))
      #expect(bench.received.codes == [])
      await bench.wait(.milliseconds(1))
      #expect(bench.received.codes == ["H-232"])
      Pipes.press(164, on: end)
      await bench.received.wait(for: 1)
      // udev has had its say: the name's attributes change.
      bench.fingers?.refusal = nil
      pipes.setMode("event6", 0o640)
      await bench.wait(EventDevices.settling)
      await bench.send(.down(Self.place), .up)
    }
    #expect(result.codes == ["H-232"])
    #expect(result.inputs == [.press(.play), .touch(.tap(Self.place))])
  }

  @Test("a libinput that fails is told once and let go; keys go on")
  func fails() async {
    let result = await Self.run(["event7", "event1"]) { pipes, bench in
      let end = pipes.plug("event1")
      bench.fingers?.fault = Fault(.passing, "H-233", "no")
      await bench.send(.down(Self.place))
      await bench.wait(.seconds(10))
      Pipes.press(164, on: end)
      await bench.received.wait(for: 1)
      #expect(bench.tries == 1)
    }
    #expect(result.codes == ["H-233"])
    #expect(result.inputs == [.press(.play)])
  }

  /// The library itself, with a device that is none: what it says comes through.
  @Test("the real one refuses what is no touch screen, and says why")
  func real() throws {
    let fingers = try LibinputFingers()
    #expect(fingers.descriptor >= 0)
    let fault = try faultOf { try fingers.add(FilePath("/dev/null"), as: 1) }
    #expect(fault.code == "H-232" && fault.message.contains("/dev/null"))
    let (events, isAll) = try fingers.events(most: 10, shift: .zero)
    #expect(events == [] && isAll)
  }
}
