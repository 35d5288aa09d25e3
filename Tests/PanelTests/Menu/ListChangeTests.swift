import Library
import Runtime
import TestSupport
import Testing

@testable import Panel

/// A list that is open shows what is there now, and whoever looks at it stays where they were.
@Suite("A list that changes while somebody looks at it")
struct ListChangeTests {
  /// At a song of the library, by its number.
  @MainLoop
  private static func at(_ song: Int, of count: Int, in row: String = "Songs") async -> MenuHand {
    let hand = MenuHand(MenuWorld(count))
    await hand.move(.open)
    for row in ["Music", row] { #expect(await hand.choose(row)) }
    // No further between two looks than is held of the list.
    for _ in 0..<song / 20 { await hand.move(.turn(20)) }
    await hand.move(.turn(song % 20))
    #expect(hand.rows[hand.focus].title == hand.world.songs[song].title)
    return hand
  }

  /// Until what has changed is shown.
  @MainLoop
  private static func look(_ hand: MenuHand) async {
    hand.desk.musicHasChanged()
    await MainLoop.loop.advance(by: MenuController.liveEvery)
    await hand.desk.settled()
  }

  @Test("what is gone leaves it, what was looked at stays, and where that is gone it is what stood behind it")
  func gone() async {
    await aloneOnMainLoop { () async in
      // Near its beginning, and where all of the list is far longer than what is held.
      for (song, count) in [(3, 10), (40, 200), (700, 1_000)] {
        let hand = await Self.at(song, of: count)
        let titles = hand.world.songs.map(\.title)
        hand.world.lost = [song - 2, song + 2]
        await Self.look(hand)
        #expect(hand.rows[hand.focus].title == titles[song], "of \(count)")
        let others = [-3, -1, 0, 1, 3].map { titles[song + $0] }
        #expect(hand.rows.map(\.title).filter { others.contains($0) } == others, "of \(count)")
        // With some of those before it.
        hand.world.lost.formUnion([song - 1, song, song + 1])
        await Self.look(hand)
        #expect(hand.rows[hand.focus].title == titles[song + 3], "of \(count)")
        // It goes on both ways as if all of it had been looked up now.
        for step in [-30, 60] { await hand.move(.turn(step)) }
        #expect(!hand.rows.contains { [titles[song], titles[song + 1]].contains($0.title) })
        #expect(hand.world.performed.isEmpty)
      }
    }
  }

  @Test("of the last one that is gone it is what stood before it, and of all there is nothing")
  func last() async {
    await aloneOnMainLoop { () async in
      let hand = await Self.at(9, of: 10)
      hand.world.lost = [8, 9]
      await Self.look(hand)
      #expect(hand.rows.count == 8 && hand.rows[hand.focus].title == hand.world.songs[7].title)
      hand.world.lost = Set(0..<10)
      await Self.look(hand)
      #expect(hand.desk.shown?.content == .words("Nothing here"))
      hand.world.lost = [0]
      await Self.look(hand)
      #expect(hand.rows.count == 9 && hand.focus == 0)
    }
  }

  @Test("signs change at the rows of the library, and at those of a source")
  func signs() async {
    await aloneOnMainLoop { () async in
      let hand = await Self.at(1, of: 10, in: "Albums")
      #expect(hand.rows[1].mark == nil)
      hand.world.marks = [nil, .waits]
      await Self.look(hand)
      #expect(hand.rows.prefix(3).map(\.mark) == [nil, .waits, nil] && hand.focus == 1)
      hand.world.marks = [nil, .stored]
      await Self.look(hand)
      #expect(hand.rows[1].mark == .stored && hand.focus == 1)
      await hand.move(.close)
      await hand.move(.open)
      for row in ["Keep offline", "kitchen", "Albums"] { #expect(await hand.choose(row)) }
      await hand.move(.turn(4))
      hand.world.offerStates = [4: .running, 5: .whole]
      await Self.look(hand)
      #expect(hand.rows[3...6].map(\.mark) == [nil, .coming, .stored, nil] && hand.focus == 4)
      hand.world.offerStates = [:]
      await Self.look(hand)
      #expect(hand.rows.allSatisfy { $0.mark == nil } && hand.focus == 4)
    }
  }

  @Test("is looked up again only when music has changed, once a second at most, and also when one comes back to it")
  func seldom() async {
    await aloneOnMainLoop { () async in
      let hand = await Self.at(5, of: 30, in: "Artists")
      let before = hand.world.lookups
      var drawn = 0
      hand.desk.changed = { drawn += 1 }
      // Time goes by, and the player tells of this and that.
      for _ in 0..<10 {
        hand.desk.refresh()
        await MainLoop.loop.advance(by: MenuController.liveEvery)
      }
      await hand.desk.settled()
      #expect(hand.world.lookups == before && drawn == 0)
      for _ in 0..<50 { hand.desk.musicHasChanged() }
      await MainLoop.loop.advance(by: MenuController.liveEvery)
      await hand.desk.settled()
      #expect(hand.world.lookups == before + 1)
      // Into one and back: nothing of it has changed, and then something has.
      await hand.move(.press)
      let inside = hand.world.lookups
      await hand.move(.back)
      #expect(hand.world.lookups == inside)
      await hand.move(.press)
      let again = hand.world.lookups
      hand.desk.musicHasChanged()
      hand.world.lost = [5]
      await hand.move(.back)
      #expect(hand.world.lookups == again + 1 && hand.rows[hand.focus].title == hand.world.songs[6].title)
    }
  }
}
