import Pictures
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

@Suite("Read from the right")
struct MirrorTests {
  static let sizes = NowPlayingScreenTests.sizes
  let type: PanelType

  init() throws { type = try PanelType() }

  private func look(_ words: PanelWords, isTouched: Bool = false) -> PanelLook {
    PanelLook(type: type, words: words, style: PanelStyle(isTouched: isTouched))
  }

  private func drawn(_ size: Size, _ draw: (Canvas) -> Void) -> Canvas {
    let canvas = Canvas(size: size)
    draw(canvas)
    return canvas
  }

  /// What is said, and where.
  private func texts(_ size: Size, _ draw: (Canvas) -> Void) -> [DrawnText] {
    let canvas = Canvas(size: size)
    var texts: [DrawnText] = []
    canvas.heard = { texts.append($0) }
    draw(canvas)
    return texts
  }

  private static let all: [Sign] = (1...).lazy.prefix { Sign(rawValue: $0) != nil }.compactMap { Sign(rawValue: $0) }

  @Test("signs stand at the other place and look as they do everywhere, but for those that point along the line")
  func signs() {
    let size = Size(width: 90, height: 40)
    #expect(Self.all.count > 20)
    for sign in Self.all {
      for rect in [Rect(x: 7, y: 6, width: 24, height: 24), Rect(x: 7, y: 6, width: 25, height: 28)] {
        let plain = drawn(size) { sign.draw(in: rect, on: $0, .white) }
        let other = drawn(size) { canvas in
          canvas.isMirrored = true
          sign.draw(in: rect, on: canvas, .white)
        }
        let away = size.width - rect.right - rect.x
        let turns = [Sign.chevron, .silent, .quiet, .middling, .loud].contains(sign)
        for y in 0..<size.height {
          for x in 0..<size.width {
            let expected = turns ? plain[size.width - 1 - x, y] : plain[x - away, y]
            guard turns || plain.bounds.contains(x: x - away, y: y) else { continue }
            let (a, b) = (Int(other[x, y].red), Int(expected.red))
            if abs(a - b) > 2 { return #expect(Bool(false), "\(sign) in \(rect) at \(x), \(y): \(a), \(b)") }
          }
        }
      }
    }
  }

  @Test("the time runs to the right, and a player's keys are where they are everywhere", arguments: sizes)
  func time(size: Size) {
    let measure = Measure(size, PanelStyle(isTouched: true))
    let (english, arabic) = (
      NowPlayingScreen(look(.english, isTouched: true)), NowPlayingScreen(look(.arabic, isTouched: true))
    )
    let (left, right) = (
      drawn(size) { english.draw(Sheet.playing, on: $0) }, drawn(size) { arabic.draw(Sheet.playing, on: $0) }
    )
    for rect in [measure.progress, measure.times, measure.keys] {
      #expect(rect.rows.allSatisfy { y in rect.columns.allSatisfy { left[$0, y] == right[$0, y] } }, "\(rect)")
    }
    // What a finger means there is the same.
    for x in stride(from: measure.progress.x, to: measure.progress.right, by: 5) {
      for y in [measure.progress.y, measure.keys.y + measure.keys.height / 2] {
        let meant = [english, arabic].map { $0.targets(Sheet.playing, size).meanings(x: x, y: y) }
        #expect(meant[0] == meant[1] && !meant[0].isEmpty)
      }
    }
    #expect(arabic.ground(Sheet.playing, size).isMirrored == false)
  }

  @Test("names begin at the right, the state stands there and the volume at the left", arguments: sizes)
  func names(size: Size) {
    let measure = Measure(size)
    let screen = NowPlayingScreen(look(.arabic))
    let texts = texts(size) { screen.draw(Sheet.playing, on: $0) }
    for name in ["So What", "Miles Davis", "Kind of Blue", PanelWords.arabic[.next]] {
      let ink = texts.first { $0.text == name }?.ink ?? .nothing
      #expect(measure.middle.right - ink.right <= 2 + size.height / 60, "\(name): \(ink)")
      #expect(ink.width < measure.middle.width)
    }
    let volume = texts.first { $0.text == "42" }?.ink ?? .nothing
    #expect(!volume.isEmpty && volume.right < size.width / 3)
    let place = texts.first { $0.text.hasPrefix("3") }?.ink ?? .nothing
    #expect(place.isEmpty || place.x > size.width / 3)
    let elapsed = texts.first { $0.text == "1:23" }?.ink ?? .nothing
    #expect(!elapsed.isEmpty && elapsed.x < size.width / 4)
  }

  @Test("a question and its answers begin at the right, and a finger finds each where it stands", arguments: sizes)
  func question(size: Size) {
    let screen = QuestionScreen(look(.arabic))
    let measure = screen.measure(Sheet.question, size)
    let texts = texts(size) { screen.draw(Sheet.question, on: $0) }
    for answer in Sheet.question.answers {
      let ink = texts.first { $0.text == answer }?.ink ?? .nothing
      #expect(measure.foot.right - ink.right <= measure.length(10) + 3 + size.height / 60, "\(answer): \(ink)")
    }
    let (english, arabic) = (
      QuestionScreen(look(.english)).targets(Sheet.question, size), screen.targets(Sheet.question, size)
    )
    #expect(english.map(\.rect) == arabic.map(\.rect))
    // All of a row is its answer, from whichever side.
    for target in arabic { #expect(target.rect.x + target.rect.right == size.width) }
  }

  @Test("the cover is at the left, and is not turned round")
  func cover() throws {
    let size = Size(width: 480, height: 320)
    let side = try #require(Measure(size).cover).width
    let pixels = (0..<side * side).map { UInt32($0 % side < side / 2 ? 0xFF0000 : 0x0000FF) }
    var now = Sheet.playing
    now.cover = Picture(size: Size(width: side, height: side), pixels: pixels)
    let canvas = drawn(size) { NowPlayingScreen(look(.arabic)).draw(now, on: $0) }
    let place = try #require(Measure(size).cover)
    let (x, y) = (size.width - place.right, place.bottom - 2)
    #expect(canvas[x + 2, y] == Pixel(0xFF0000) && canvas[x + side - 3, y] == Pixel(0x0000FF))
  }
}
