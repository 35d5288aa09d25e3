import Hardware
import Library
import Playback
import Runtime
import TestSupport
import Testing

@testable import Panel

/// The whole tree, gone through with what a board has.
@Suite("Every place and every action")
struct WalkTests {
  /// All that can be done at the panel, by the names of `MenuAction`.
  static let actions: Set<String> = [
    "play", "shuffleAll", "playNext", "addToQueue", "jump", "removeEntry", "putBack", "moveEntry",
    "clearQueue", "add",
    "makePlaylist", "playFormer", "playPlaylist", "playEntry", "addPlaylistToQueue", "renamePlaylist",
    "removeFromPlaylist", "moveInPlaylist", "deletePlaylist", "setShuffle", "setRepeat", "sleep", "setDial", "goTo",
    "equaliser", "normaliser", "choose", "startAnew", "erase", "keep", "stopKeeping", "keepPlaylist",
    "pauseDownload", "resumeDownload", "retryDownload",
    "dropDownload", "pauseAllDownloads", "resumeAllDownloads", "dismissSmartDownload", "check", "move", "renewLicences",
    "callOffSignIn", "copyStick", "ejectStick",
    "unbind", "forgetKey", "forgetKnob", "clearNotices", "lookForNetworks", "joinNetwork", "forgetNetwork",
    "startHotspot",
  ]

  @Test("are reached with a knob alone, and with keys alone", arguments: InputHand.Device.allCases)
  func all(device: InputHand.Device) async {
    let (places, found) = await aloneOnMainLoop { () async -> (Set<String>, Set<String>) in
      let world = MenuWorld(70)
      world.former = ShownFormerQueue("A song", count: 12)
      world.gone = QueuedTrack(.init(id: EntryID(number: 300), path: FilePath("/gone")), title: "Gone", artist: "")
      world.keepable = OfferDetails(
        ShownOffer(MenuWorld.track(1)), OfferSize(.high, bytes: 1, room: 2),
        kept: ShownDownload(DownloadID("", "Track 1"), .whole))
      world.waiting = [Setting<Bool>.resume.name]
      world.map.bind(KeyName.made(30), to: .button(.play))
      world.kept += [ShownDownload(DownloadID("3", "A third"), .paused)]
      world.storing.disks = [
        .init("board", "This device", isHome: true, isThere: true, free: 1),
        .init("ssd", "ssd", isHome: false, isThere: true, free: 2),
      ]
      let hand = InputHand(device, world)
      // What is looked at is not counted any more.
      hand.hand.notices.markSeen()
      var walk = Walk(hand)
      await hand.open()
      await walk.visit(depth: 0)
      #expect(hand.hand.desk.isOpen)
      await hand.back()
      #expect(!hand.hand.desk.isOpen)
      // Looking at it changes nothing; a letter wheel that is left, and a dial, neither.
      #expect(world.performed.isEmpty && hand.commands.isEmpty, "\(world.performed)")
      return (walk.places, walk.actions)
    }
    #expect(found.isSuperset(of: Self.actions), "missing: \(Self.actions.subtracting(found))")
    let words: [Word] = [
      .library, .goTo, .chapters, .search, .queue, .playlists, .sleepTimer, .sound, .equaliser, .normaliser, .bands,
      .crossfade, .volume, .keepOffline,
      .quality, .downloads,
      .smart, .licences, .storage, .sources, .sticks, .notices, .keys, .knob, .settings, .about, .forHelp, .rename,
      .artists,
      .albums, .songs, .genres, .books, .podcasts, .folders, .listPlaylists, .recentlyAdded, .recentlyPlayed,
      .oftenPlayed,
      .addToPlaylist, .clearQueue,
    ]
    for word in words { #expect(places.contains(word.rawValue), "\(word)") }
  }

  /// Goes into each row that leads on, once for each kind of place, and back.
  @MainLoop
  struct Walk {
    let hand: InputHand
    var places: Set<String> = []
    var actions: Set<String> = []
    private var seen: Set<String> = []

    init(_ hand: InputHand) { self.hand = hand }

    private var menu: MenuHand { hand.hand }

    mutating func visit(depth: Int) async {
      let title = menu.desk.shown?.title ?? ""
      places.insert(title)
      if case .dial? = menu.desk.shown?.content { actions.insert("setDial") }
      if case .place? = menu.desk.shown?.content { actions.insert("goTo") }
      if case .wheel(let wheel)? = menu.desk.shown?.content {
        if case .playlistName? = wheel.writing { actions.insert("renamePlaylist") }
        if case .newPlaylist? = wheel.writing { actions.insert("makePlaylist") }
      }
      guard depth < 7, !menu.rows.isEmpty else { return }
      await count()
      // Those two lead to lists that are gone through anyway, round and round.
      let round: Set<String> = [Word.goToArtist.rawValue, Word.goToAlbum.rawValue]
      for row in menu.rows.prefix(24) where !round.contains(row.title) {
        switch row.action {
        case .perform(let action): actions.insert(Self.kind("\(action)"))
        case .open(let place) where seen.insert(Self.name(place)).inserted:
          // Of a long list another part is shown wherever one is.
          await hand.turn(by: (menu.rows.firstIndex(of: row) ?? menu.focus) - menu.focus)
          await hand.press()
          await visit(depth: depth + 1)
          await hand.back()
          let isThere = menu.rows.indices.contains(menu.focus) && menu.rows[menu.focus] == row
          #expect(menu.desk.shown?.title == title && isThere, "it is where it was: \(title)")
        default: break
        }
        if let more = row.more, seen.insert(Self.name(more)).inserted {
          await hand.turn(by: (menu.rows.firstIndex(of: row) ?? menu.focus) - menu.focus)
          await hand.pressTwice()
          await visit(depth: depth + 1)
          await hand.back()
          #expect(menu.desk.shown?.title == title, "it is where it was: \(title)")
        }
      }
    }

    /// Of a page that is shown whole: each row that somebody chooses from has its number, and no other one has any.
    private func count() async {
      guard case .rows(let rows, let focus, false, false)? = menu.desk.shown?.content else { return }
      let isList = rows.contains { $0.key != nil }
      let counted = rows.map { row in
        isList ? row.key != nil : !row.isText && row.action != .back && !row.isBeside && row.head == nil
      }
      let all = counted.count { $0 }
      await hand.turn(by: -focus)
      for index in rows.indices {
        let wanted = counted[index] && all > 1 ? "\(counted[...index].count { $0 })/\(all)" : ""
        #expect(menu.desk.shown?.place == wanted, "\(menu.desk.shown?.title ?? ""): \(rows[index].title)")
        await hand.turn(by: index < rows.count - 1 ? 1 : focus - index)
      }
    }

    private static func kind(_ text: String) -> String { String(text.prefix { $0 != "(" }) }

    /// Of songs and settings one is as good as all; of lists each is another.
    private static func name(_ place: MenuPlace) -> String {
      switch place {
      case .list, .dial, .settingsOf, .source, .offers, .download, .sure, .playlists, .key, .keysOf: "\(place)"
      case .thing(let thing): "thing \(kind("\(thing.kind)"))"
      case .setting(let name), .settingIn(let name, _): "setting \(name.section)"
      case .write(let writing): "write \(kind("\(writing)"))"
      default: kind("\(place)")
      }
    }
  }
}

extension KeyName {
  fileprivate static func made(_ code: Int) -> KeyName {
    guard let key = KeyName(code: code) else { fatalError("the kernel has a key \(code)") }
    return key
  }
}
