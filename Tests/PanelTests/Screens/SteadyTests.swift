import CountedHeap
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

/// What a panel that is left alone costs: nothing of the heap, and few bytes.
@Suite("A steady panel")
struct SteadyTests {
  let type: PanelType
  init() throws { type = try SheetTests.type() }

  private static let size = Size(width: 320, height: 240)

  private var playing: NowPlaying {
    NowPlaying {
      ($0.title, $0.artist, $0.album) = ("Goodbye Pork Pie Hat", "أم كلثوم", "交響曲第九番")
      ($0.position, $0.duration, $0.volume) = (.seconds(83), .seconds(562), 42)
      ($0.state, $0.index, $0.count, $0.upNext) = (.playing, 2, 12, "Freddie Freeloader")
      ($0.isShuffled, $0.repeatMode, $0.sleep) = (true, .one, .minutes(28))
      $0.battery = .init(level: 9, isPlugged: true)
    }
  }

  /// Draws, finds what changed and writes it, as the panel at work does.
  private struct Work {
    let canvas = Canvas(size: SteadyTests.size)
    let panel: MemoryPanel
    let draw: (NowPlaying, Canvas) -> Void

    func turn(_ now: NowPlaying) {
      draw(now, canvas)
      let changed = canvas.changes()
      do throws(Fault) { try panel.show(canvas, changed: changed) } catch { Issue.record("\(error)") }
      canvas.markShown(changed)
    }
  }

  private func work(_ bitsPerPixel: Int = 16, _ words: PanelWords = .english) throws -> Work {
    let screen = NowPlayingScreen(PanelLook(type: type, words: words))
    return Work(panel: try MemoryPanel(size: Self.size, bitsPerPixel: bitsPerPixel)) { screen.draw($0, on: $1) }
  }

  @Test(
    "a minute of the same, and a minute of seconds, ask the heap for nothing", arguments: [PanelWords.english, .arabic])
  func heap(words: PanelWords) throws {
    let work = try work(16, words)
    var now = playing
    for second in 0..<700 {
      now.position = .seconds(second % 500)
      work.turn(now)
    }
    let before = counted_heap_calls()
    for _ in 0..<60 { work.turn(now) }
    #expect(counted_heap_calls() == before, "\(counted_heap_calls() - before) times for the same frame")
    let again = counted_heap_calls()
    for second in 0..<60 {
      now.position = .seconds(second)
      work.turn(now)
    }
    #expect(counted_heap_calls() == again, "\(counted_heap_calls() - again) times for sixty seconds")
    // The count counts.
    let canvas = Canvas(size: Self.size)
    #expect(before < 0 || counted_heap_calls() > again, "\(canvas.size)")
  }

  @Test("a played minute writes less to the panel than one frame", arguments: [1, 16, 32])
  func bytes(bitsPerPixel: Int) throws {
    let work = try work(bitsPerPixel)
    var now = playing
    // Over a full minute and the tens of it: the most digits that change.
    now.position = .seconds(95)
    work.turn(now)
    let frame = work.panel.written
    for second in 96..<156 {
      now.position = .seconds(second)
      work.turn(now)
    }
    let minute = work.panel.written - frame
    #expect(frame == (Self.size.width * bitsPerPixel + 7) / 8 * Self.size.height)
    #expect(minute > 0 && minute < frame, "\(minute) of \(frame)")
    // And the same again is nothing at all.
    work.turn(now)
    #expect(work.panel.written == frame + minute)
  }

  /// What the panel at work writes, with all that is around it.
  private final class CountingDisplay: Display, @unchecked Sendable {  // touched on the main loop only
    let isInk = false
    let size = SteadyTests.size
    private(set) var written = 0
    private(set) var frames = 0
    var number: Int32 { -1 }
    var isBehind: Bool { false }
    func catchUp() throws(Fault) {}
    func show(_ canvas: Canvas, changed: [Rect]) throws(Fault) {
      frames += 1
      written += changed.reduce(0) { $0 + $1.area }
    }
  }

  @Test("so does the panel at work, and paused it writes nothing")
  func part() async throws {
    try await TestMainLoop.alone {
      let display = CountingDisplay()
      let desk = try #require(
        await onMainLoop { try? Desk(showingOn: nil, and: PanelDevice { () throws(Fault) in display }) })
      await onMainLoop {
        await desk.start()
        await desk.perform(.play)
      }
      await MainLoop.loop.advance(by: .seconds(10))
      await settle()
      let (frames, written) = await onMainLoop { (display.frames, display.written) }
      for _ in 0..<120 {
        await MainLoop.loop.advance(by: .milliseconds(500))
        await settle()
      }
      let minute = await onMainLoop { display.written } - written
      #expect(minute > 0 && minute < Self.size.width * Self.size.height, "\(minute) pixels")
      #expect((59...62).contains(await onMainLoop { display.frames } - frames))
      await onMainLoop { await desk.perform(.pause) }
      await MainLoop.loop.advance(by: .seconds(5))
      await settle()
      let paused = await onMainLoop { display.written }
      await MainLoop.loop.advance(by: .seconds(3_600))
      await settle()
      #expect(await onMainLoop { display.written } == paused)
      await onMainLoop { desk.stop() }
      for _ in 0..<10_000 {
        if await onMainLoop({ desk.ended == 2 }) { return }
        await MainLoop.loop.advance(by: .zero)
      }
      Issue.record("the parts did not end")
    }
  }
}
