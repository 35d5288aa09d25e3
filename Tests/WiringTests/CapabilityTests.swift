import Application
import Hardware
import Library
import Playback
import Runtime
import Testing

@testable import Panel
@testable import Remote

@Suite("What can be asked")
struct CapabilityTests {
  /// What only the panel offers, and why.
  static let onlyOnThePanel: [Capability: String] = [
    .ejectStick: "whoever pulls it stands in front of it",
    .seeNotices: "programs get notices as events",
    .seeReport: "a code for a helper's telephone; programs ask for the log and for health",
    .changeSettings: "what is to last stands in the owner's file, which programs can write",
    .restart: "systemd restarts it for whoever has a shell",
    .teachKeys: "the key that is taught must be pressed",
    .unlock: "a PIN opens the panel alone; the socket asks no PIN",
    .lock: "it locks the panel alone",
    .quit: "a key of a terminal; a signal ends a service",
  ]

  /// What only the socket offers, and why.
  static let onlyByTheSocket: [Capability: String] = [
    .seeStatus: "the panel shows it without being asked",
    .seeHistory: "the panel has lists of what was played lately and often",
    .seeBookmarks: "a piece that was left goes on where it was left, without being asked",
    .forgetBookmark: "they are not shown on the panel",
    .seeLibrary: "the panel tells the counts in About; what cannot be read is a helper's work",
    .importMusic: "folders are named by paths; sticks are taken in by themselves",
    .mendLibrary: "sources and encodings are named by paths",
    .refineDownloads: "what may cost money is for whoever has a keyboard; here a track is kept, or kept no longer",
    .acceptDisk: "the panel has no row for it yet",
    .observe: "for programs",
    .gesture: "hands need nobody to turn the knob for them",
  ]

  /// A sample of whatever rows, places and hands ask.
  private static let byPanel: Set<Capability> = {
    let (song, album) = (Thing(.track(1, within: nil), "a"), Thing(.all(.albums(.music)), "a"))
    let wishes: [MenuAction] = [
      .play(song), .playNext(song), .addToQueue(song), .addToQueue(album), .shuffleAll(album), .jump(1),
      .removeEntry(1),
      .putBack(1), .moveEntry(1, by: 1), .clearQueue, .playFormer, .add(song, toPlaylist: 1),
      .playPlaylist(1, shuffled: false), .setShuffle(true), .sleep(nil), .setDial(Dial(.volume, 3, in: 0...100)),
      .equaliser("rock"), .startAnew, .erase(.all), .choose(Setting<Int>.maxVolume.name, "1"),
      .pauseAllDownloads, .dismissSmartDownload("a"),
      .check(true), .move("a"), .copyStick("/a"), .ejectStick("/a"), .lock, .keepPlaylist(1, true),
      .renewLicences, .signIn("a"), .lookForNetworks, .joinNetwork("a", password: nil), .startHotspot,
      .keep(OfferID(source: "a", kind: .album, id: "1", title: "a"), .high, isAnyway: false),
    ]
    let places: [MenuPlace] = [
      .queue, .library, .chapters, .search, .playlists, .sound, .downloads, .sources, .sticks, .notices, .about, .code,
      .settings,
      .keys, .write(.pin), .licences,
    ]
    let meanings: [Controls.Meaning] = [
      .command(.toggle), .command(.next), .command(.seek(to: .zero)), .command(.giveWay(to: "call", .duck)), .confirm,
      .quit,
    ]
    return Set(wishes.map(\.capability) + places.flatMap(\.capabilities) + meanings.flatMap(\.capabilities))
  }()

  private static let bySocket = VerbName.allCases.reduce(into: Set<Capability>()) { $0.formUnion($1.capabilities) }

  @Test("each can be asked on the panel and by the socket, or the list says why not", arguments: Capability.allCases)
  func faces(capability: Capability) {
    let (isOnPanel, isOnSocket) = (Self.byPanel.contains(capability), Self.bySocket.contains(capability))
    #expect(isOnPanel || isOnSocket, "nobody can ask it")
    #expect((Self.onlyOnThePanel[capability] != nil) == (isOnPanel && !isOnSocket))
    #expect((Self.onlyByTheSocket[capability] != nil) == (isOnSocket && !isOnPanel))
  }

  @Test("each right of a kiosk opens something, and the rest is its keeper's")
  func rights() {
    let nobody = AccessRights(only: [], opensByPIN: false)
    let everybodys = Capability.allCases.filter { nobody.allows($0) }
    #expect(everybodys == [.seeStatus, .giveWay, .gesture, .lock])
    var opened = Set(everybodys)
    for right in KioskRight.allCases {
      let gained = Capability.allCases.filter { AccessRights(only: [right], opensByPIN: false).allows($0) }
      #expect(gained.count > everybodys.count, "\(right)")
      opened.formUnion(gained)
    }
    let visitor = AccessRights(only: Set(KioskRight.allCases), opensByPIN: true)
    #expect(Set(Capability.allCases.filter { visitor.allows($0) }) == opened.union([.unlock]))
    #expect(Capability.allCases.allSatisfy { AccessRights.all.allows($0) || $0 == .unlock })
  }

  @Test("outside the opening hours a visitor may do only what everybody may, and open the panel by its PIN")
  func closed() {
    let closed = AccessRights(only: Set(KioskRight.allCases), opensByPIN: true, isClosed: true)
    let opened = Capability.allCases.filter { closed.allows($0) }
    #expect(opened == [.seeStatus, .giveWay, .gesture, .unlock, .lock] && !closed.isOwnerOrProgram)
  }

  @Test("in safe mode the program does not begin imports, copies and downloads by itself, and else it does all")
  func safeMode() {
    let (safe, other) = (AccessRights.program(inSafeMode: true), AccessRights.program(inSafeMode: false))
    #expect(Capability.allCases.filter { other.allows($0) && !safe.allows($0) } == [.importMusic, .copyMusic, .want])
    #expect(other == .all)
  }
}
