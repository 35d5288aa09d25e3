import Library
import Runtime
import TestSupport
import Testing

@testable import Panel

@Suite("Menus")
struct MenuTests {
  @Test("every place is reached with the knob alone, and left again")
  func tree() async throws {
    let (places, wishes) = await aloneOnMainLoop { () async -> (Set<String>, Int) in
      let hand = MenuHand(MenuWorld(70))
      await hand.move(.open)
      var seen: Set<String> = []
      await Self.visit(hand, depth: 0, &seen)
      #expect(hand.desk.isOpen)
      await hand.move(.back)
      #expect(!hand.desk.isOpen)
      return (seen, hand.world.performed.count)
    }
    let expected: [Word] = [
      .menu, .library, .queue, .search, .playlists, .sleepTimer, .sound, .equaliser, .crossfade, .keepOffline,
      .downloads, .sticks,
      .notices, .about, .artists, .albums, .songs, .genres, .books, .podcasts, .folders, .recentlyAdded,
      .recentlyPlayed,
      .oftenPlayed, .listPlaylists, .addToPlaylist, .clearQueue, .volume, .storage, .smart, .sources, .keys, .settings,
      .rename, .knob, .nextTrack, .forHelp,
    ]
    for word in expected { #expect(places.contains(word.rawValue), "\(word.rawValue)") }
    #expect(wishes == 0, "looking at all of it changes nothing")
  }

  /// Into each row that leads on, and back; of the same title once.
  @MainLoop
  private static func visit(_ hand: MenuHand, depth: Int, _ seen: inout Set<String>) async {
    let title = hand.desk.shown?.title ?? ""
    guard depth < 6, seen.insert(title).inserted else { return }
    if !hand.rows.isEmpty { await hand.move(.turn(-1_000)) }
    // Of songs some are as good as all.
    for turn in 0..<min(hand.rows.count, 18) {
      if turn > 0 { await hand.move(.turn(1)) }
      guard hand.rows.indices.contains(hand.focus), case .open = hand.rows[hand.focus].action else { continue }
      let row = hand.rows[hand.focus]
      await hand.move(.press)
      await visit(hand, depth: depth + 1, &seen)
      await hand.move(.back)
      #expect(hand.desk.shown?.title == title)
      #expect(hand.rows[hand.focus] == row, "it is where it was: \(title)")
    }
  }

  @Test("twenty thousand gestures at random lead nowhere that back does not leave")
  func random() async {
    await aloneOnMainLoop { () async in
      for seed in 1...4 as ClosedRange<UInt64> {
        var random = SeededGenerator(seed: seed)
        let hand = MenuHand(MenuWorld(500, seed: seed))
        for step in 0..<5_000 {
          hand.world.fails = step % 500 > 480
          let moves: [Controls.MenuMove] = [
            .open, .turn(Int.random(in: -9...9, using: &random)), .press, .press, .press,
            .goTo, .slide(Double.random(in: -1...2, using: &random)),
            .leap(Int.random(in: -3...3, using: &random)), Int.random(in: 0..<6, using: &random) == 0 ? .back : .press,
          ]
          hand.desk.move(moves.randomElement(using: &random) ?? .open)
          // Not everything was looked up before the hand goes on.
          if Int.random(in: 0..<3, using: &random) > 0 { await hand.desk.settled() }
          if step % 100 == 99 {
            for _ in 0..<Menu.deepest { hand.desk.move(.back) }
            #expect(!hand.desk.isOpen, "seed \(seed), step \(step)")
          }
        }
        await hand.desk.settled()
      }
    }
  }

  @Test("a song among a hundred thousand is playing within sixty detents and presses")
  func song() async {
    await aloneOnMainLoop { () async in
      let world = MenuWorld(100_000)
      var (random, spent) = (SeededGenerator(seed: 5), [Int]())
      for _ in 0..<30 {
        let hand = MenuHand(world)
        let index = Int.random(in: 0..<world.songs.count, using: &random)
        let title = world.songs[index].title
        await hand.move(.open)
        #expect(await hand.choose("Search"))
        // As somebody does: the letters of the title, until it is to be seen.
        for letter in title {
          if hand.wheel?.found.contains(where: { $0.title == title }) == true { break }
          if letter == " " {
            guard let wheel = hand.wheel, let space = wheel.choices.firstIndex(of: .space) else { break }
            await hand.move(.turn(space > wheel.choices.count / 2 ? space - wheel.choices.count : space))
            await hand.move(.press)
          } else {
            #expect(await hand.type("\(letter)"), "\(title): \(letter)")
          }
        }
        await hand.move(.turn(-(hand.wheel?.focus ?? 0)))
        await hand.move(.press)
        #expect(await hand.choose(title), "\(title)")
        await hand.move(.press)
        guard case .play(let thing)? = world.performed.last else { return #expect(Bool(false), "\(title)") }
        #expect(thing.title == title && !hand.desk.isOpen)
        spent.append(hand.detents + hand.presses)
      }
      #expect(spent.max() ?? 100 <= 60, "\(spent.sorted())")
    }
  }

  @Test("the sleep timer is set within twelve")
  func sleep() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(10))
      await hand.move(.open)
      #expect(await hand.choose("Sleep timer"))
      #expect(await hand.choose("30 min"))
      #expect(hand.world.performed == [.sleep(.time(.seconds(1_800)))])
      #expect(hand.detents + hand.presses <= 12, "\(hand.detents) and \(hand.presses)")
    }
  }

  @Test("music that is chosen is looked at; what is put away is not, and the list is where it was")
  func afterwards() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(200))
      await hand.move(.open)
      for title in ["Music", "Songs"] { #expect(await hand.choose(title)) }
      await hand.move(.turn(17))
      let title = hand.rows[hand.focus].title
      await hand.move(.press)
      #expect(await hand.choose("Add to the queue"))
      #expect(hand.rows[hand.focus].title == title && hand.desk.shown?.title == "Songs")
      await hand.move(.press)
      #expect(await hand.choose("Add to a playlist"))
      #expect(await hand.choose("Mine"))
      #expect(hand.rows[hand.focus].title == title && hand.desk.shown?.title == "Songs")
      await hand.move(.press)
      #expect(await hand.choose("Play now"))
      #expect(!hand.desk.isOpen && hand.world.performed.count == 3)
    }
  }

  @Test("what is gone for good is asked for once more, and the first answer is no")
  func sure() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(10))
      await hand.move(.open)
      for title in ["Playlists", "Mine", "Delete"] { #expect(await hand.choose(title)) }
      #expect(hand.rows.map(\.title) == ["Cancel", "Delete"] && hand.focus == 0)
      await hand.move(.press)
      #expect(hand.world.performed.isEmpty && hand.desk.shown?.title == "Mine")
      for title in ["Delete", "Delete"] { #expect(await hand.choose(title)) }
      #expect(hand.world.performed == [.deletePlaylist(1)] && hand.desk.shown?.title == "Playlists")
    }
  }

  @Test("a library that does not answer is said in the list's place, and looked for again when it is gone to again")
  func broken() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(10))
      await hand.move(.open)
      hand.world.fails = true
      for title in ["Music", "Songs"] { #expect(await hand.choose(title)) }
      #expect(hand.desk.shown?.content == .words("the library does not answer"))
      await hand.move(.turn(3))
      await hand.move(.press)
      hand.world.fails = false
      await hand.move(.back)
      #expect(await hand.choose("Songs"))
      #expect(hand.rows.count == 10)
    }
  }

  @Test("a list of any length is gone through to its end and back with little of it held")
  func long() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(3_000))
      await hand.move(.open)
      for title in ["Music", "Songs"] { #expect(await hand.choose(title)) }
      for _ in 0..<200 { await hand.move(.turn(20)) }
      #expect(hand.rows.last?.key == .page(PageKey(sort: Array(hand.world.songs[2_999].title.utf8), id: 2_999)))
      for _ in 0..<200 { await hand.move(.turn(-20)) }
      #expect(hand.rows.first?.key == .page(PageKey(sort: Array(hand.world.songs[0].title.utf8), id: 0)))
    }
  }
}
