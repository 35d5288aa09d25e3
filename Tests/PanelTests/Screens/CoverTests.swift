import Canvas
import Glibc
import Library
import Pictures
import Runtime
import TestSupport
import Testing

@testable import Panel

@Suite("Cover")
struct CoverTests {
  let screen: NowPlayingScreen

  init() throws { screen = NowPlayingScreen(PanelLook(type: try PanelType())) }

  private func now(_ title: String, cover: Picture?) -> NowPlaying {
    NowPlaying {
      $0.title = title
      $0.artist = "Johann Sebastian Bach"
      $0.album = "Suite Nr. 3"
      $0.duration = .seconds(200)
      $0.state = .playing
      $0.count = 3
      $0.cover = cover
    }
  }

  private func flat(_ side: Int, _ colour: UInt32) throws -> Picture {
    try #require(
      Picture(size: Size(width: side, height: side), pixels: Array(repeating: colour, count: side * side)))
  }

  @Test("a cover changes nothing but its own place, and no text is drawn there", arguments: NowPlayingScreenTests.sizes)
  func place(size: Size) throws {
    let layout = NowPlayingLayout(size)
    let place = try #require(layout.cover)
    #expect(place.width == place.height && place.intersection(layout.names).isEmpty)
    for title in ["Air", String(repeating: "Long words of a title ", count: 9)] {
      let canvas = Canvas(size: size)
      screen.draw(now(title, cover: nil), on: canvas)
      canvas.markShown([canvas.bounds])
      let white = try flat(place.width, 0xFFFFFF)
      screen.draw(now(title, cover: white), on: canvas)
      let changed = canvas.changes().reduce(Rect.nothing) { $0.union($1) }
      #expect(!changed.isEmpty && place.contains(changed))
      #expect(place.rows.allSatisfy { y in place.columns.allSatisfy { canvas[$0, y] == .white } })
      // And nothing is left of it.
      screen.draw(now(title, cover: nil), on: canvas)
      #expect(canvas.changes().isEmpty)
    }
  }

  @Test("there is none where it would be a stamp, nor one that is larger than its place")
  func small() throws {
    for size in [Size(width: 1, height: 1), Size(width: 120, height: 100), Size(width: 400, height: 60)] {
      #expect(NowPlayingLayout(size).cover == nil)
      let canvas = Canvas(size: size)
      screen.draw(now("Air", cover: nil), on: canvas)
      canvas.markShown([canvas.bounds])
      screen.draw(now("Air", cover: try flat(30, 0xFF0000)), on: canvas)
      #expect(canvas.changes().isEmpty)
    }
    let canvas = Canvas(size: Size(width: 320, height: 240))
    screen.draw(now("Air", cover: nil), on: canvas)
    canvas.markShown([canvas.bounds])
    screen.draw(now("Air", cover: try flat(200, 0xFF0000)), on: canvas)
    #expect(canvas.changes().isEmpty)
  }

  /// What a cover is waited for in: real time on the worker's thread, so looked at again until it is there.
  private static func wait(_ isThere: @escaping @MainLoop @Sendable () -> Bool) async {
    while await !onMainLoop({ isThere() }) { await MainLoop.loop.advance(by: .zero) }
  }

  @Test("it is taken when it comes, stays within an album, and goes with it")
  func follows() async throws {
    let folder = TempFolder()
    let bright = Canvas(size: Size(width: 40, height: 40))
    bright.fill(bright.bounds, Pixel(0x40E0D0))
    let bytes = try PNG.encode(bright)
    try Folder.make(folder.path / "one")
    try AtomicFile.replace(folder.path / "one" / "cover.png", with: bytes)
    await TestMainLoop.alone {
      let cover = await onMainLoop { PanelCover(ArtShelf(storing: nil, decoding: .here)) }
      let come = await onMainLoop { Count() }
      await onMainLoop {
        cover.hasCome = { come.value += 1 }
        cover.follow(folder.path / "one" / "a.mp3", side: 80)
        #expect(cover.picture == nil)
      }
      await Self.wait { cover.picture != nil }
      await onMainLoop {
        #expect(cover.picture?.size == Size(width: 80, height: 80) && come.value == 1)
        for _ in 0..<5 { cover.follow(folder.path / "one" / "a.mp3", side: 80) }
        // The next of the album: nothing blinks.
        cover.follow(folder.path / "one" / "b.mp3", side: 80)
        #expect(cover.picture != nil)
        // Another folder: what is not its own goes at once.
        cover.follow(folder.path / "two" / "a.mp3", side: 80)
        #expect(cover.picture == nil)
        // Back: it is there in the same moment.
        cover.follow(folder.path / "one" / "a.mp3", side: 80)
        #expect(cover.picture != nil && come.value == 1)
        cover.stop()
        #expect(cover.picture == nil)
      }
    }
  }

  private static let row = Size(width: 800, height: 480)

  private func list(_ count: Int, focus: Int) -> ShownMenu {
    let rows = (0..<count).map { index in MenuRow("Album \(index)") { $0.art = .album(Int64(index)) } }
    return ShownMenu { $0.content = .rows(rows, focus: focus, goesOn: false, goesBack: false) }
  }

  @Test("in a list those that are shown are wanted first, then what comes next; none on a small panel or of one bit")
  func order() throws {
    let type = try PanelType()
    let screen = MenuScreen(PanelLook(type: type))
    let wanted = screen.covers(of: list(40, focus: 20), Self.row)
    #expect(wanted.allSatisfy { $0.side == 56 } && Set(wanted).count == wanted.count)
    let numbers = wanted.compactMap { wish in if case .album(let id) = wish.art { id } else { nil } }
    let shown = numbers.prefix { $0 >= numbers[0] && $0 < numbers[0] + 6 }
    #expect(shown.contains(20) && shown.count == 6 && Array(shown) == shown.sorted())
    #expect(numbers[6] == numbers[5] + 1 && numbers.last == numbers[0] - 1 && numbers.count <= 18)
    #expect(screen.covers(of: list(40, focus: 20), Size(width: 320, height: 240)).isEmpty)
    #expect(MenuScreen(PanelLook(type: type, theme: .ink)).covers(of: list(40, focus: 20), Self.row).isEmpty)
  }

  @Test("a cover in a list changes nothing but its own place, so no row moves when it comes")
  func steady() throws {
    let screen = MenuScreen(PanelLook(type: try PanelType()))
    var shown = list(40, focus: 20)
    let canvas = Canvas(size: Self.row)
    screen.draw(shown, on: canvas)
    canvas.markShown([canvas.bounds])
    shown.covers = [.album(20): try flat(56, 0xFF0000)]
    screen.draw(shown, on: canvas)
    let changed = canvas.changes().reduce(Rect.nothing) { $0.union($1) }
    #expect(changed.x == 24 && changed.width == 56 && changed.height == 56)
  }

  @Test("covers of a list come from the shelf, are kept while their rows are near, and what is gone is not waited for")
  func listed() async throws {
    let folder = TempFolder()
    let bright = Canvas(size: Size(width: 40, height: 40))
    bright.fill(bright.bounds, Pixel(0x40E0D0))
    let bytes = try PNG.encode(bright)
    for name in ["0", "1", "2"] {
      try Folder.make(folder.path / name)
      try AtomicFile.replace(folder.path / name / "cover.png", with: bytes)
    }
    await TestMainLoop.alone {
      let covers = await onMainLoop { ListCovers(ArtShelf(storing: nil, decoding: .here)) }
      @Sendable func wishes(_ ids: [Int64]) -> [ListCovers.Wish] {
        ids.map { ListCovers.Wish(art: .album($0), side: 56) }
      }
      let asked = await onMainLoop { Count() }
      await onMainLoop {
        covers.find = { art in
          asked.value += 1
          if case .album(let id) = art, id < 4 { return folder.path / "\(id)" / "a.mp3" }
          return nil
        }
        #expect(covers.follow(wishes([0, 1, 9])).isEmpty)
      }
      // The third has none, and that is no reason to wait.
      await Self.wait { covers.follow(wishes([0, 1, 9])).count == 2 }
      await onMainLoop {
        #expect(covers.follow(wishes([0, 1, 9]))[.album(0)]?.size == Size(width: 56, height: 56))
        #expect(asked.value == 3)
        // Further down: what is still near is there at once, and nothing is looked up twice.
        #expect(covers.follow(wishes([1, 2]))[.album(1)] != nil)
      }
      await Self.wait { covers.follow(wishes([1, 2])).count == 2 }
      await onMainLoop {
        #expect(asked.value == 4 && covers.follow(wishes([0]))[.album(0)] != nil)
        covers.stop()
        #expect(covers.follow([]).isEmpty)
      }
    }
  }

  @MainLoop private final class Count { var value = 0 }
}
