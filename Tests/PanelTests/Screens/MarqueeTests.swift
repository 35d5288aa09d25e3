import Playback
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

@Suite("A line that goes by")
struct MarqueeTests {
  private static let start = Moment(nanoseconds: 5_000_000_000)

  private func gone(_ overrun: Marquee.Overrun?, after milliseconds: Int64) -> Int {
    var marquee = Marquee()
    marquee.follow(overrun, at: Self.start)
    return marquee.gone(at: Self.start + .milliseconds(milliseconds))
  }

  @Test("it waits, goes to its end, stays there, and is back for ever")
  func once() {
    // Steps of five pixels: four of them, the last a short one.
    let overrun = Marquee.Overrun("a title", pixels: 18, letters: 20)
    let table: [(Int64, Int)] = [
      (0, 0), (1_999, 0), (2_000, 5), (2_124, 5), (2_125, 10), (2_250, 15), (2_375, 18), (2_500, 18), (4_499, 18),
      (4_500, 0), (60_000, 0), (86_400_000, 0),
    ]
    for (time, pixels) in table { #expect(gone(overrun, after: time) == pixels, "\(time)") }
    #expect(gone(nil, after: 3_000) == 0)
    #expect(gone(Marquee.Overrun("it fits", pixels: 0, letters: 20), after: 3_000) == 0)
  }

  @Test("it is looked at when it is another, and at no other time; that ends", arguments: 1...20)
  func moments(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var marquee = Marquee()
    let pixels = Int.random(in: 0...4_000, using: &random)
    marquee.follow(.init("x", pixels: pixels, letters: .random(in: 1...90, using: &random)), at: Self.start)
    var now = Self.start
    var (looks, most, before) = (0, 0, 0)
    while let next = marquee.nextChange(after: now) {
      #expect(next > now, "seed \(seed)")
      // Nothing happens in between.
      let pause = Int64.random(in: 0..<(next - now).nanoseconds, using: &random)
      #expect(marquee.gone(at: now + .nanoseconds(pause)) == before, "seed \(seed)")
      #expect(marquee.gone(at: next) != before, "seed \(seed)")
      now = next
      before = marquee.gone(at: now)
      most = max(most, before)
      looks += 1
      if looks > Marquee.mostSteps + 2 { break }
    }
    #expect(looks <= Marquee.mostSteps + 1, "seed \(seed)")
    #expect(before == 0 && most <= pixels, "seed \(seed)")
    #expect(most == pixels || looks == Marquee.mostSteps + 1, "seed \(seed)")
    #expect(marquee.gone(at: now + .seconds(86_400)) == 0)
  }

  @Test("the same line does not begin anew, another does, and so does one that was another meanwhile")
  func follows() {
    let (one, other) = (
      Marquee.Overrun("one", pixels: 50, letters: 20), Marquee.Overrun("two", pixels: 50, letters: 20)
    )
    var marquee = Marquee()
    var now = Self.start
    marquee.follow(one, at: now)
    now = now + .seconds(20)
    marquee.follow(one, at: now)
    #expect(marquee.nextChange(after: now) == nil)
    marquee.follow(other, at: now)
    #expect(marquee.nextChange(after: now) == now + Marquee.pause)
    marquee.follow(nil, at: now)
    #expect(marquee.nextChange(after: now) == nil)
  }

  private static let endless = String(repeating: "Donaudampfschifffahrtsgesellschaft ", count: 8)

  private static func playing(_ title: String) -> NowPlaying {
    NowPlaying {
      ($0.title, $0.artist, $0.state, $0.count) = (title, "Bach", .playing, 3)
      $0.duration = .seconds(200)
    }
  }

  @Test("only a title that has no room goes by, and none in a car")
  func title() throws {
    let type = try PanelType()
    let size = Size(width: 320, height: 240)
    let home = NowPlayingScreen(PanelLook(type: type))
    #expect(home.overrun(Self.playing("Air"), size) == nil)
    #expect(home.overrun(Self.playing("A title that needs two of the lines it has"), size) == nil)
    #expect(home.overrun(NowPlaying { $0.title = Self.endless }, size) == nil)
    let overrun = home.overrun(Self.playing(Self.endless), size)
    #expect((overrun?.pixels ?? 0) > 100)
    // Where the music is does not matter.
    var later = Self.playing(Self.endless)
    (later.position, later.volume) = (.seconds(50), 7)
    #expect(home.overrun(later, size) == overrun)
    let car = NowPlayingScreen(PanelLook(type: type, style: PanelStyle(.car)))
    #expect(car.overrun(Self.playing(Self.endless), size) == nil)
  }

  @Test("what goes by changes its own line and no other")
  func rectangle() throws {
    let type = try PanelType()
    let size = Size(width: 320, height: 240)
    let music = NowPlayingScreen(PanelLook(type: type))
    let menu = MenuScreen(PanelLook(type: type))
    let rows = ["Air", Self.endless, "Gavotte"].map { MenuRow($0) }
    let shown = ShownMenu {
      $0.content = .rows(rows, focus: 1, goesOn: false, goesBack: false)
      $0.title = "Songs"
    }
    #expect(menu.overrun(shown, size) != nil)
    var other = shown
    other.content = .rows(rows, focus: 0, goesOn: false, goesBack: false)
    #expect(menu.overrun(other, size) == nil)
    for draw in [
      { (gone: Int, canvas: Canvas) in music.draw(Self.playing(Self.endless), gone: gone, on: canvas) },
      { (gone: Int, canvas: Canvas) in menu.draw(shown, gone: gone, on: canvas) },
    ] {
      let canvas = Canvas(size: size)
      draw(0, canvas)
      canvas.markShown([canvas.bounds])
      draw(12, canvas)
      let changed = canvas.changes().reduce(Rect.nothing) { $0.union($1) }
      #expect(!changed.isEmpty && changed.height < 36, "\(changed)")
    }
  }

  @Test("a panel that is left alone moves for a while, and then never again")
  func part() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen, playing: "/\(Self.endless.filter { $0 != " " }).flac") { desk in
      await onMainLoop {
        await desk.perform(.play)
        await desk.perform(.pause)
      }
      var drawn = 0
      for _ in 0..<400 {
        await MainLoop.loop.advance(by: .milliseconds(125))
        await settle()
        if !screen.take().isEmpty { drawn += 1 }
      }
      #expect((20...Marquee.mostSteps + 8).contains(drawn), "\(drawn)")
      await MainLoop.loop.advance(by: .seconds(3_600))
      await settle()
      #expect(screen.take().isEmpty)
      // What is another beginning of the same line is nothing new.
      await onMainLoop { desk.notices.post(Notice("T-1", "Seven geese")) }
      await MainLoop.loop.advance(by: Notice.shortestReading)
      await settle()
      _ = screen.take()
      await MainLoop.loop.advance(by: .seconds(60))
      await settle()
      #expect(screen.take().isEmpty)
    }
  }
}
