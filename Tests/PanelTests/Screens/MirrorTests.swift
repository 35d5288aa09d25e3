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
        let turns = [Sign.chevron, .back, .silent, .quiet, .middling, .loud].contains(sign)
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
    let measure = NowPlayingLayout(size, PanelStyle(isTouched: true))
    let (english, arabic) = (
      NowPlayingScreen(look(.english, isTouched: true)), NowPlayingScreen(look(.arabic, isTouched: true))
    )
    let (left, right) = (
      drawn(size) { english.draw(Sheet.playing, on: $0) }, drawn(size) { arabic.draw(Sheet.playing, on: $0) }
    )
    for rect in [measure.progress, measure.times, measure.keys] {
      // Keys that stand beside the cover are on the other side of it, in the same order.
      let other = arabic.placed(rect, size)
      let isSame = rect.rows.allSatisfy { y in
        (0..<rect.width).allSatisfy { left[rect.x + $0, y] == right[other.x + $0, y] }
      }
      #expect(isSame, "\(rect)")
    }
    // What a finger means there is the same.
    for x in stride(from: measure.progress.x, to: measure.progress.right, by: 5) {
      let meant = [english, arabic].map { $0.targets(Sheet.playing, size).meanings(x: x, y: measure.progress.y) }
      #expect(meant[0] == meant[1] && !meant[0].isEmpty)
    }
    let keys = [english, arabic].map { $0.keys(measure, size) }
    for (one, other) in zip(keys[0], keys[1]) {
      let meant = [(english, one.rect), (arabic, other.rect)].map { screen, rect in
        screen.targets(Sheet.playing, size).meanings(x: rect.x + rect.width / 2, y: rect.y + rect.height / 2)
      }
      #expect(one.key == other.key && meant[0] == meant[1] && !meant[0].isEmpty)
    }
    #expect(arabic.ground(Sheet.playing, size).isMirrored == false)
  }

  @Test("names begin at the right, what is switched on stands there and the clock at the left", arguments: sizes)
  func names(size: Size) {
    let layout = NowPlayingLayout(size)
    let screen = NowPlayingScreen(look(.arabic))
    var now = Sheet.playing
    now.clock = "14:05"
    let texts = texts(size) { screen.draw(now, on: $0) }
    guard layout.screen.isLandscape else { return }
    let right = size.width - layout.names.x
    for name in ["So What", "Miles Davis", "Kind of Blue"] {
      let ink = texts.first { $0.text == name }?.ink ?? .nothing
      #expect(
        abs(size.width - layout.names.x - ink.right - (size.width - right - layout.names.x)) <= 2 + size.height / 60)
      #expect(!ink.isEmpty && ink.width < layout.names.width)
    }
    // The time of day is at the left, its digits in the order that they have everywhere.
    let digits = texts.filter { $0.ink.bottom <= layout.top.bottom && "0123456789:".contains($0.text) }
    #expect(digits.map(\.text).joined() == "14:05" && digits.allSatisfy { $0.ink.right < size.width / 3 })
  }

  @Test("a question and its answers begin at the right, and a finger finds each where it stands", arguments: sizes)
  func question(size: Size) {
    let screen = QuestionScreen(look(.arabic))
    let measure = screen.layout(Sheet.question, size)
    let texts = texts(size) { screen.draw(Sheet.question, on: $0) }
    for answer in Sheet.question.answers {
      let ink = texts.first { $0.text == answer }?.ink ?? .nothing
      #expect(measure.room.right - ink.right <= 2 * measure.unit + 5 + size.height / 60, "\(answer): \(ink)")
    }
    let (english, arabic) = (
      QuestionScreen(look(.english)).targets(Sheet.question, size), screen.targets(Sheet.question, size)
    )
    #expect(english.map(\.rect) == arabic.map(\.rect))
    // All of a row is its answer, from whichever side.
    for target in arabic { #expect(target.rect.x + target.rect.right == size.width) }
  }

  @Test("the cover is at the right, and is not turned round")
  func cover() throws {
    let size = Size(width: 480, height: 320)
    let side = try #require(NowPlayingLayout(size).cover).width
    let pixels = (0..<side * side).map { UInt32($0 % side < side / 2 ? 0xFF0000 : 0x0000FF) }
    var now = Sheet.playing
    now.cover = Picture(size: Size(width: side, height: side), pixels: pixels)
    let canvas = drawn(size) { NowPlayingScreen(look(.arabic)).draw(now, on: $0) }
    let place = try #require(NowPlayingLayout(size).cover)
    let (x, y) = (size.width - place.right, place.bottom - 2)
    #expect(canvas[x + 2, y] == Pixel(0xFF0000) && canvas[x + side - 3, y] == Pixel(0x0000FF))
  }
}
