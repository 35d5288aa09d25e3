import Hardware
import Panel
import Runtime
import TestSupport
import Testing

@Suite("Hands, by the contacts' own clock", .serialized)
struct GestureInputTests {
  @MainLoop
  private final class Made {
    var gestures: [Gesture] = []
    nonisolated init() {}
  }

  private static let bindings = {
    var bindings = Bindings()
    bindings.long = [.play]
    bindings.double = [.play]
    return bindings
  }()

  /// Runs `body` with a hand, and gives what came of it.
  private func gestures(_ body: @escaping @MainLoop @Sendable (GestureInput) async -> Void) async -> [Gesture] {
    await aloneOnMainLoop {
      let made = Made()
      let hands = GestureInput(bindings: { Self.bindings }) { made.gestures.append($0) }
      await body(hands)
      await MainLoop.loop.advance(by: .seconds(5))
      return made.gestures
    }
  }

  @Test("a press that was read late is as long as it was")
  func late() async {
    let short = await gestures { hands in
      let down = MainLoop.loop.now
      await MainLoop.loop.advance(by: .milliseconds(900))
      // A main loop that was away: both come now.
      hands.take(.press(.play), at: down)
      hands.take(.release(.play), at: down + .milliseconds(100))
    }
    #expect(short == [.press(.play)])
    let long = await gestures { hands in
      let down = MainLoop.loop.now
      await MainLoop.loop.advance(by: .milliseconds(900))
      hands.take(.press(.play), at: down)
      hands.take(.release(.play), at: down + .milliseconds(700))
    }
    #expect(long == [.long(.play)])
  }

  @Test("a second press is a double by the contacts' time, not by when it is read")
  func double() async {
    let gestures = await gestures { hands in
      let down = MainLoop.loop.now
      await MainLoop.loop.advance(by: .milliseconds(250))
      hands.take(.press(.play), at: down)
      hands.take(.release(.play), at: down + .milliseconds(50))
      hands.take(.press(.play), at: down + .milliseconds(200))
      hands.take(.release(.play), at: down + .milliseconds(240))
    }
    #expect(gestures == [.double(.play)])
  }

  @Test("a moment from longer ago than the main loop is ever away is now: a tap stays a tap")
  func tooOld() async {
    let gestures = await gestures { hands in
      await MainLoop.loop.advance(by: .seconds(10))
      hands.take(.press(.play), at: MainLoop.loop.now - .milliseconds(2_001))
      await MainLoop.loop.advance(by: .milliseconds(100))
      hands.take(.release(.play), at: MainLoop.loop.now)
    }
    #expect(gestures == [.press(.play)])
  }

  @Test("a moment that is still to come is now: a long press is not kept waiting for it")
  func tooNew() async {
    let gestures = await gestures { hands in
      hands.take(.press(.play), at: MainLoop.loop.now + .milliseconds(500))
      await MainLoop.loop.advance(by: .milliseconds(700))
      hands.take(.release(.play), at: MainLoop.loop.now)
    }
    #expect(gestures == [.long(.play)])
  }

  @Test("a release that waits to be read when the time for a long press is up comes first")
  func inTheSameRound() async {
    let gestures = await gestures { hands in
      let down = MainLoop.loop.now
      hands.take(.press(.play), at: down)
      MainLoop.start {
        // As a part that reads devices, whose turn comes after the timer's.
        guard await MainLoop.loop.sleep(until: down + .milliseconds(600)) else { return }
        hands.take(.release(.play), at: down + .milliseconds(590))
      }
      await MainLoop.loop.advance(by: .milliseconds(600))
      await MainLoop.loop.nextRound()
    }
    #expect(gestures == [.press(.play)])
  }
}
