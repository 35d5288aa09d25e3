import Glibc
import Playback
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

/// A display that is busy with the frame before until the test rings.
private final class SlowDisplay: Display, @unchecked Sendable {  // touched on the main loop only
  let isInk = false
  let size = Size(width: 320, height: 240)
  let bell: Bell
  var isSlow = true
  var fault: Fault?
  private(set) var isBehind = false
  private(set) var frames = 0
  private(set) var asked = 0

  init() throws { bell = try Bell() }

  var number: Int32 { bell.number }

  func show(_ canvas: Canvas, changed: [Rect]) throws(Fault) {
    if isSlow { isBehind = true } else { frames += 1 }
  }

  func catchUp() throws(Fault) {
    asked += 1
    if let fault { throw fault }
    if isSlow { return }
    (isBehind, frames) = (false, frames + 1)
  }
}

@Suite("A display that is slow")
struct SlowDisplayTests {
  @Test("it is caught up with when it tells, and one that never tells is asked once a second")
  func catchesUp() async throws {
    try await TestMainLoop.alone {
      let (display, desk) = try #require(await onMainLoop { try? Self.desk() })
      await onMainLoop { await desk.start() }
      await settle()
      #expect(await onMainLoop { display.isBehind && display.asked == 0 })
      await MainLoop.loop.advance(by: .milliseconds(2_500))
      await settle()
      #expect(await onMainLoop { (1...3).contains(display.asked) && display.frames == 0 })
      await onMainLoop {
        display.isSlow = false
        display.bell.ring()
      }
      await MainLoop.loop.advance(by: .milliseconds(1_100))
      await settle()
      #expect(await onMainLoop { !display.isBehind && display.frames == 1 })
      await Self.stop(desk)
    }
  }

  @Test("one that goes while it is waited for is told of, and looked for again")
  func goes() async throws {
    try await TestMainLoop.alone {
      let (display, desk) = try #require(await onMainLoop { try? Self.desk() })
      await onMainLoop { await desk.start() }
      await settle()
      await onMainLoop {
        display.fault = Fault(.missing, "K-153", "no display is plugged in")
        display.bell.ring()
      }
      await MainLoop.loop.advance(by: .milliseconds(100))
      await settle()
      #expect(await onMainLoop { desk.notices.posted.map(\.notice.code) } == ["K-153"])
      await onMainLoop {
        display.fault = nil
        display.isSlow = false
      }
      await MainLoop.loop.advance(by: .seconds(3))
      await settle()
      #expect(await onMainLoop { display.frames > 0 })
      await Self.stop(desk)
    }
  }

  @MainLoop private static func desk() throws -> (SlowDisplay, Desk) {
    let display = try SlowDisplay()
    return (display, try Desk(showingOn: nil, and: PanelDevice { () throws(Fault) in display }))
  }

  private static func stop(_ desk: Desk) async {
    await onMainLoop { desk.stop() }
    for _ in 0..<10_000 {
      if await onMainLoop({ desk.ended == 2 }) { return }
      await MainLoop.loop.advance(by: .zero)
    }
    Issue.record("the parts did not end")
  }
}
