import Hardware
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Library
@testable import Panel

@Suite("A long list by its letters")
struct ByLettersTests {
  @MainLoop
  private static func atAlbums(of count: Int) async -> MenuHand {
    let hand = MenuHand(MenuWorld(30))
    hand.world.offeredCount = count
    await hand.move(.open)
    for row in ["Keep offline", "kitchen", "Albums"] { #expect(await hand.choose(row)) }
    return hand
  }

  @Test("a knob that is spun goes from letter to letter, and the one that it is at is shown until it rests")
  func spun() async {
    await aloneOnMainLoop { () async in
      let hand = await Self.atAlbums(of: 1_000)
      #expect(hand.desk.shown?.letter == nil && hand.desk.shown?.hasLetters == true)
      await hand.move(.spin(1, rows: 5))
      #expect(hand.rows[hand.focus].title == MenuWorld.offered(100) && hand.desk.shown?.letter == "D")
      // The last of ten letters, with as many detents.
      await hand.move(.spin(8, rows: 128))
      #expect(hand.rows[hand.focus].title == MenuWorld.offered(900) && hand.desk.shown?.letter == "T")
      await hand.move(.spin(-1, rows: -3))
      #expect(hand.desk.shown?.letter == "R")
      // Not so quick it goes by rows, and says where that is.
      await MainLoop.loop.advance(by: .seconds(2))
      #expect(hand.desk.shown?.letter == nil)
      let before = hand.rows[hand.focus].title
      await hand.move(.spin(1, rows: 2))
      #expect(hand.rows[hand.focus - 2].title == before && hand.desk.shown?.letter == "R")
      // What is looked at is not covered when something else is done with it.
      await hand.move(.more)
      #expect(hand.desk.shown?.letter == nil)
    }
  }

  @Test("the letter is drawn only for as long as it is shown, without anybody touching the panel")
  func fading() async {
    await aloneOnMainLoop { () async in
      let hand = await Self.atAlbums(of: 1_000)
      await hand.move(.spin(1, rows: 5))
      var drawn = 0
      hand.desk.changed = { drawn += 1 }
      await MainLoop.loop.advance(by: MenuController.letterStays - .milliseconds(10))
      #expect(drawn == 0)
      await MainLoop.loop.advance(by: .milliseconds(20))
      #expect(drawn == 1 && hand.desk.shown?.letter == nil)
    }
  }

  @Test("a row stands under the letter of its sort key, and where a list has no letters under that of its name")
  func keys() async {
    await aloneOnMainLoop { () async in
      let world = MenuWorld(200)
      let hand = MenuHand(world)
      await hand.move(.open)
      for row in ["Music", "Genres"] { #expect(await hand.choose(row)) }
      #expect(hand.rows.allSatisfy { $0.letter == $0.title.prefix(1).uppercased() })
      world.letters = ["b", "m", "t"].map {
        Letter(letter: $0.uppercased(), count: 1, start: PageKey(sort: Array($0.utf8)))
      }
      await hand.move(.back)
      #expect(await hand.choose("Songs"))
      for row in hand.rows {
        let wanted = ["B", "M", "T"].last { row.title >= $0.lowercased() }
        #expect(row.letter == wanted, "\(row.title)")
      }
    }
  }

  @Test("each of few letters is gone to; of the thousands of some scripts a part is gone by at once")
  func ways() {
    typealias Way = MenuDataSource.Way
    func goal(_ way: Way, of count: Int, from current: Int = 0) -> Int? { way.goal(of: count) { _ in current } }
    #expect(goal(.by(1, from: nil), of: 26) == 1 && goal(.by(-1, from: nil), of: 26, from: 9) == 8)
    #expect(goal(.by(40, from: nil), of: 26) == 25 && goal(.by(.min, from: nil), of: 26, from: 9) == 0)
    #expect(goal(.by(1, from: nil), of: 3_000) == 100 && goal(.by(0, from: nil), of: 26) == nil)
    #expect(goal(.by(1, from: nil), of: 0) == nil && goal(.to(0.5), of: 0) == nil)
    #expect(goal(.to(0), of: 26) == 0 && goal(.to(0.5), of: 26) == 13 && goal(.to(1), of: 26) == 25)
  }

  @Test("a finger at the edge goes from letter to letter, and elsewhere from row to row", arguments: [false, true])
  func touch(isMirrored: Bool) async throws {
    let type = try PanelType()
    await aloneOnMainLoop { () async in
      let size = Size(width: 320, height: 240)
      let words = isMirrored ? PanelWords.arabic : .english
      let screen = MenuScreen(PanelLook(type: type, words: words, style: PanelStyle(isTouched: true)))
      let hand = await Self.atAlbums(of: 1_000)
      guard let shown = hand.desk.shown else { return #expect(Bool(false)) }
      let ground = screen.ground(shown, size)
      let room = screen.layout(shown, size).room
      func point(_ x: Double, _ y: Double) -> TouchPoint {
        TouchPoint(x: isMirrored ? 1 - x : x, y: (Double(room.y) + y * Double(room.height)) / Double(size.height))
      }
      let half = Double(room.height) / 2 / Double(size.height)
      var reading = TouchReading()
      // Put down at the top of the edge, and taken to the middle in two steps.
      _ = reading.meanings(of: .drag(point(0.98, 0.01), across: 0, down: half / 2), on: ground)
      let second = reading.meanings(of: .drag(point(0.98, 0.01), across: 0, down: half / 2), on: ground)
      guard case .menu(.slide(let part))? = second.first else { return #expect(Bool(false), "\(second)") }
      #expect(abs(part - 0.51) < 0.02, "\(part)")
      for case .menu(let move) in second { await hand.move(move) }
      #expect(hand.rows[hand.focus].title == MenuWorld.offered(500) && hand.desk.shown?.letter == "L")
      let elsewhere = reading.meanings(of: .drag(point(0.5, 0.5), across: 0, down: -half), on: ground)
      guard case .menu(.turn)? = elsewhere.first else { return #expect(Bool(false), "\(elsewhere)") }
      // A short list has no such edge.
      let short = await Self.atAlbums(of: 5)
      guard let few = short.desk.shown else { return #expect(Bool(false)) }
      #expect(!few.hasLetters && screen.ground(few, size).letters == nil)
    }
  }
}
