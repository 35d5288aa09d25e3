import Application
import Library
import Playback
import Runtime
import TestSupport
import Testing

@testable import Panel
@testable import layby

@Suite("A kiosk")
struct KioskTests {
  private static func manner(_ set: (inout Settings) -> Void = { _ in }) -> Kiosk.Manner {
    var settings = Settings()
    (settings[.profile], settings[.kioskPIN]) = (.kiosk, "4711")
    set(&settings)
    return Kiosk.Manner(settings)
  }

  /// What somebody does who knows every row there may be.
  static let actions: [MenuAction] = [
    .play(Thing(.track(1, within: nil), "a")), .clearQueue, .deletePlaylist(1),
    .choose(Setting<Int>.maxVolume.name, "100"),
    .ejectStick("/x"), .startAnew, .erase(.all), .dropDownload(DownloadID("1", "a")), .makePlaylist("", with: nil),
    .move("ssd"), .removeEntry(3),
    .copyStick("/x"), .renamePlaylist(1, "b"), .pauseAllDownloads, .moveEntry(1, by: 1),
  ]

  @Test("who passes by may look, choose and turn, and nothing that takes something away")
  func initial() {
    let rights = AccessRights(only: KioskRight.initial, opensByPIN: true)
    for action in Self.actions { #expect(!rights.allows(action), "\(action)") }
    #expect(rights.allows(MenuAction.addToQueue(Thing(.track(1, within: nil), "a"))))
    #expect(rights.allows(Player.Command.turn(by: 2)) && !rights.allows(Player.Command.next))
    #expect(!rights.allows(Player.Command.toggle) && !rights.allows(Controls.Meaning.confirm))
    #expect(rights.allows(MenuPlace.write(.pin)) && !rights.allows(MenuPlace.settings))
    #expect(!AccessRights(only: [], opensByPIN: false).allows(MenuPlace.write(.pin)))
  }

  @Test("where everything is allowed nothing is missing")
  func all() {
    for action in Self.actions { #expect(AccessRights.all.allows(action)) }
    for place in [MenuPlace.settings, .sources, .about, .keys, .storage] { #expect(AccessRights.all.allows(place)) }
  }

  /// One of each kind that visitors can be allowed.
  private static let kinds: [MenuAction] =
    actions + [
      .addToQueue(Thing(.track(1, within: nil), "a")), .addToQueue(Thing(.all(.artists), "a")), .jump(1),
      .setShuffle(true),
      .setRepeat(.all), .sleep(nil), .equaliser("rock"), .normaliser(.track), .playPlaylist(1, shuffled: false),
      .playFormer, .putBack(1), .setDial(Dial(.volume, 3, in: 0...100)), .setDial(Dial(.crossfade, 3, in: 0...12)),
    ]
  private static let commands: [Player.Command] = [
    .toggle, .next, .seek(to: .zero), .turn(by: 1), .mute(true), .add([]), .playNext([]), .clear, .shuffle(true),
    .putBack(EntryID(number: 1)),
    .repeats(.one), .sleep(nil), .jump(to: EntryID(number: 1)), .replace(Replacement([])),
    .playAtOnce([]),
  ]

  @Test("a right more never takes anything away, and gives something", arguments: KioskRight.allCases)
  func grows(right: KioskRight) {
    var random = SeededGenerator(seed: 3)
    var gained = 0
    for _ in 0..<200 {
      let some = Set(KioskRight.allCases.filter { _ in Bool.random(using: &random) }).subtracting([right])
      let few = AccessRights(only: some, opensByPIN: false)
      let more = AccessRights(only: some.union([right]), opensByPIN: false)
      for action in Self.kinds {
        #expect(more.allows(action) || !few.allows(action), "\(action)")
        if more.allows(action) != few.allows(action) { gained += 1 }
      }
      for command in Self.commands {
        #expect(more.allows(command) || !few.allows(command), "\(command)")
        if more.allows(command) != few.allows(command) { gained += 1 }
      }
      for place in [MenuPlace.library, .search, .queue, .playlists, .sticks, .downloads, .about, .sound, .sleep] {
        #expect(more.allows(place) || !few.allows(place), "\(place)")
        if more.allows(place) != few.allows(place) { gained += 1 }
      }
    }
    #expect(gained > 0)
  }

  struct Ways: Sendable {
    let rights: Set<KioskRight>
    let reached: Set<String>
  }

  static let ways: [Ways] = [
    Ways(rights: [.library, .enqueue], reached: ["addToQueue"]),
    Ways(rights: [.library, .play], reached: ["play", "playNext", "addToQueue", "shuffleAll"]),
    Ways(rights: [.queue, .skip], reached: ["jump"]),
    Ways(
      rights: [.queue, .play],
      reached: ["jump", "removeEntry", "putBack", "moveEntry", "clearQueue", "playFormer"]),
    Ways(rights: [.playlists, .play], reached: ["playPlaylist", "playEntry", "addPlaylistToQueue"]),
    Ways(rights: [.order], reached: ["setShuffle", "setRepeat"]),
    Ways(rights: [.sleep], reached: ["sleep"]),
    Ways(rights: [.seek], reached: ["goTo"]),
    Ways(rights: [.sound, .volume], reached: ["equaliser", "night", "normaliser", "setDial"]),
  ]

  @Test("what is allowed is reached, and nothing else", arguments: ways)
  func leads(one: Ways) async {
    let found = await aloneOnMainLoop { () async -> Set<String> in
      let world = MenuWorld(70)
      world.kiosk = .locked(opensByPIN: true)
      world.former = ShownFormerQueue("A song", count: 12)
      world.gone = QueuedTrack(.init(id: EntryID(number: 300), path: FilePath("/gone")), title: "Gone", artist: "")
      let hand = InputHand(.knob, world)
      hand.hand.desk.manner = MenuContext(.english, .kiosk, rights: AccessRights(only: one.rights, opensByPIN: true))
      var walk = WalkTests.Walk(hand)
      await hand.open()
      await walk.visit(depth: 0)
      return walk.actions
    }
    #expect(found == one.reached)
  }

  @Test("twenty thousand gestures of somebody without rights lead to nothing that was not allowed")
  func random() async {
    await aloneOnMainLoop { () async in
      var random = SeededGenerator(seed: 11)
      let hand = MenuHand(MenuWorld(200))
      hand.world.kiosk = .locked(opensByPIN: true)
      let rights = AccessRights(only: [.library, .search, .queue, .enqueue], opensByPIN: true)
      hand.desk.manner = MenuContext(rights: rights)
      var places: Set<String> = []
      for step in 0..<20_000 {
        if step % 40 == 0 { hand.desk.move(.close) }
        let moves: [Controls.MenuMove] = [
          .open, .turn(Int.random(in: -9...9, using: &random)), .press, .press, .leap(1), .goTo, .slide(0.3),
          Int.random(in: 0..<5, using: &random) == 0 ? .back : .press,
        ]
        hand.desk.move(moves.randomElement(using: &random) ?? .open)
        await hand.desk.settled()
        if let title = hand.desk.shown?.title { places.insert(title) }
      }
      #expect(hand.world.performed.count > 100, "\(hand.world.performed.count)")
      #expect(hand.world.performed.allSatisfy { rights.allows($0) })
      for word in [Word.settings, .playlists, .sound, .sticks, .about, .keys] {
        #expect(!places.contains(word.rawValue), "\(word)")
      }
      #expect(places.contains(Word.library.rawValue) && places.contains(Word.search.rawValue))
    }
  }

  @Test("its keeper comes in by the PIN, digit by digit, and out by being away")
  func unlocking() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(10))
      var kept: [Int] = []
      let kiosk = Kiosk(
        Self.manner(),
        .init(
          changed: { kiosk in
            hand.world.kiosk = kiosk.lock
            hand.desk.manner = MenuContext(.english, .kiosk, rights: kiosk.rights)
          }, keepTries: { count async throws(Fault) in kept.append(count) }),
        clock: { nil })
      hand.world.unlocking = { await kiosk.unlock($0) }
      kiosk.begin()
      await hand.move(.open)
      #expect(hand.rows.allSatisfy { $0.title != "Settings" })
      #expect(await hand.choose("For staff"))
      for digit in ["4", "7", "1", "2"] { #expect(await hand.type(digit)) }
      #expect(hand.desk.shown?.title == "PIN: ••••")
      await hand.move(.turn(-(hand.wheel?.focus ?? 0)))
      await hand.move(.press)
      #expect(hand.wheel?.found.rows.map(\.title) == ["That is not it"] && hand.wheel?.typed == "")
      for digit in ["4", "7", "1", "1"] { #expect(await hand.type(digit)) }
      await hand.move(.turn(-(hand.wheel?.focus ?? 0)))
      await hand.move(.press)
      #expect(kiosk.lock == .open && kiosk.rights.isOwnerOrProgram && kept == [1, 2, 0])
      #expect(hand.rows.contains { $0.title == "Settings" } && hand.rows.first?.title == "Lock")
      await hand.move(.press)
      kiosk.close()
      #expect(kiosk.lock == .locked(opensByPIN: true) && !hand.desk.isOpen)
      kiosk.end()
    }
  }

  @Test("the lock waits for nothing, whatever a disk is slow with")
  func lock() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(10))
      hand.world.kiosk = .open
      let gate = Mailbox<Void>()
      hand.world.waitsBefore = gate
      hand.desk.manner = MenuContext(.english, .car)
      hand.desk.move(.open)
      await hand.settledLookups()
      #expect(await hand.chooseAtOnce("Shuffle"))
      #expect(await hand.chooseAtOnce("More"))
      await hand.settledLookups()
      #expect(await hand.chooseAtOnce("Lock"))
      #expect(hand.world.performed == [.lock] && !hand.desk.isOpen)
      gate.send(())
      await hand.desk.settled()
      #expect(hand.world.performed == [.lock, .setShuffle(true)])
    }
  }

  @Test("what its keeper had turned counts although the lock came first, and a visitor's hand is not asked")
  func turned() async {
    await aloneOnMainLoop { () async in
      let hand = MenuHand(MenuWorld(10))
      await hand.move(.open)
      for row in ["Sound", "Crossfade"] { #expect(await hand.choose(row)) }
      await hand.move(.turn(4))
      hand.desk.manner = MenuContext(rights: AccessRights(only: [], opensByPIN: true))
      await hand.desk.settled()
      guard case .setDial(let dial)? = hand.world.performed.first else { return #expect(Bool(false)) }
      #expect(dial.value == 4 && !hand.desk.isOpen)
    }
  }

  @Test("a try that cannot be counted is not judged")
  func uncounted() async {
    await aloneOnMainLoop { () async in
      let full = Fault(.full, "T-1", "the disk is full")
      let kiosk = Kiosk(
        Self.manner(), .init(keepTries: { _ async throws(Fault) in throw full }), clock: { nil })
      kiosk.begin()
      #expect(await kiosk.unlock("4711") == .uncounted)
      #expect(kiosk.lock == .locked(opensByPIN: true))
      kiosk.end()
    }
  }

  @Test("left alone it invites, the first touch only wakes it, and an open one is closed")
  func idleness() async {
    await TestMainLoop.alone {
      let kiosk = await onMainLoop { () async -> Kiosk in
        let kiosk = Kiosk(Self.manner { $0[.kioskAttractsAfter] = .seconds(90) }, clock: { nil })
        kiosk.begin()
        _ = await kiosk.unlock("4711")
        return kiosk
      }
      await MainLoop.loop.advance(by: .seconds(59))
      await onMainLoop { #expect(kiosk.face == .music && kiosk.lock == .open) }
      await MainLoop.loop.advance(by: .seconds(2))
      await onMainLoop { #expect(kiosk.face == .music && kiosk.lock == .locked(opensByPIN: true)) }
      await MainLoop.loop.advance(by: .seconds(30))
      await onMainLoop {
        #expect(kiosk.face == .inviting)
        let (first, second) = (kiosk.touch(), kiosk.touch())
        #expect(first && kiosk.face == .music && !second)
      }
      await MainLoop.loop.advance(by: .seconds(80))
      await onMainLoop { _ = kiosk.touch() }
      await MainLoop.loop.advance(by: .seconds(89))
      await onMainLoop { #expect(kiosk.face == .music) }
      await MainLoop.loop.advance(by: .seconds(2))
      await onMainLoop {
        #expect(kiosk.face == .inviting)
        kiosk.end()
      }
    }
  }

  @Test("who touched it just before it opened is invited again when they have gone")
  func openingAfterTouch() async {
    await TestMainLoop.alone {
      let (kiosk, watch) = await onMainLoop { () async -> (Kiosk, ShopClock) in
        let watch = ShopClock(minute: 8 * 60 + 59)
        let hours = OpeningHours([.init(first: 0, count: 7, DayHours(from: 540, to: 1_080))])
        let kiosk = Kiosk(
          Self.manner { ($0[.kioskHours], $0[.kioskAttractsAfter]) = (hours, .seconds(300)) },
          clock: { watch.minute.map { ($0, 0) } })
        kiosk.begin()
        _ = kiosk.touch()
        watch.minute = 9 * 60
        return (kiosk, watch)
      }
      await MainLoop.loop.advance(by: .seconds(61))
      await onMainLoop { #expect(kiosk.face == .music) }
      await MainLoop.loop.advance(by: .seconds(300))
      await onMainLoop {
        #expect(kiosk.face == .inviting && watch.minute != nil)
        kiosk.end()
      }
    }
  }

  @Test("a clock that is set is noticed within a minute")
  func clockIsSet() async {
    await TestMainLoop.alone {
      let (kiosk, watch) = await onMainLoop { () async -> (Kiosk, ShopClock) in
        let watch = ShopClock(minute: 18 * 60 + 30)
        let hours = OpeningHours([.init(first: 0, count: 6, DayHours(from: 540, to: 1_080))])
        let kiosk = Kiosk(Self.manner { $0[.kioskHours] = hours }) { watch.minute.map { ($0, 0) } }
        kiosk.begin()
        #expect(kiosk.face == .closed(.init(day: nil, clock: "9:00")))
        // Saturday evening: it opens on Monday.
        #expect(
          KioskHours(hours).state(at: 5 * 1_440 + 1_200) == .closed(.init(day: 0, clock: "9:00")))
        #expect(PanelWords.english.said(.init(day: 0, clock: "9:00")) == "Opens Mon 9:00")
        watch.minute = 10 * 60
        return (kiosk, watch)
      }
      await MainLoop.loop.advance(by: .seconds(61))
      await onMainLoop {
        #expect(kiosk.rights.allows(Player.Command.turn(by: 1)) && watch.minute != nil)
        kiosk.end()
      }
    }
  }

  @Test("outside the opening hours it says when it opens, allows nothing but the PIN, and rests until then")
  func closing() async {
    await TestMainLoop.alone {
      let (kiosk, watch) = await onMainLoop { () async -> (Kiosk, ShopClock) in
        let watch = ShopClock(minute: 8 * 60 + 58)
        let hours = OpeningHours([.init(first: 0, count: 7, DayHours(from: 540, to: 1_080))])
        let effects = Kiosk.Effects(closes: { watch.closed.append($0) })
        let kiosk = Kiosk(Self.manner { $0[.kioskHours] = hours }, effects) { watch.minute.map { ($0, 0) } }
        kiosk.begin()
        #expect(kiosk.face == .closed(.init(day: nil, clock: "9:00")))
        #expect(!kiosk.rights.allows(Player.Command.turn(by: 1)) && kiosk.rights.allows(MenuPlace.write(.pin)))
        watch.minute = 9 * 60
        return (kiosk, watch)
      }
      await MainLoop.loop.advance(by: .seconds(121))
      await onMainLoop {
        #expect(
          kiosk.face != .closed(.init(day: nil, clock: "9:00")) && kiosk.rights.allows(Player.Command.turn(by: 1)))
        watch.minute = 20 * 60
      }
      await MainLoop.loop.advance(by: .seconds(1_900))
      await onMainLoop {
        #expect(kiosk.face == .closed(.init(day: nil, clock: "9:00")) && watch.closed == [true, false, true])
        // A clock that is not to be believed any more leaves the music on.
        watch.minute = nil
      }
      await MainLoop.loop.advance(by: .seconds(1_900))
      await onMainLoop {
        #expect(watch.closed == [true, false, true, false])
        kiosk.end()
      }
    }
  }
}

@MainLoop
private final class ShopClock {
  var minute: Int?
  var closed: [Bool] = []

  init(minute: Int?) { self.minute = minute }
}

@Suite("What visitors may do, chosen at the panel")
struct KioskRightsPageTests {
  @Test("each row gives one right or takes it, and leaves the others")
  func toggles() {
    let setting = Setting<Set<KioskRight>>.kioskAllows
    var settings = Settings()
    for right in KioskRight.allCases {
      let before = settings[setting]
      let rows = MenuPages(MenuContext(.english), .all).setting(setting.name, settings)
      guard rows.count == KioskRight.allCases.count, let index = KioskRight.allCases.firstIndex(of: right),
        case .perform(.choose(setting.name, let text)) = rows[index].action, let after = setting.type.parse(text)
      else { return #expect(Bool(false), "\(rows)") }
      #expect(after.symmetricDifference(before) == [right])
      #expect(rows[index].value == (before.contains(right) ? "On" : "Off"))
      settings[setting] = after
    }
    #expect(settings[setting] == Set(KioskRight.allCases).subtracting(KioskRight.initial))
  }
}
