import Application
import Hardware
import Runtime
import TestSupport
import Testing

@testable import Panel

@Suite("The page of Wi-Fi networks")
struct WirelessPageTests {
  private static func rows(_ state: WirelessState, _ seen: [SeenNetwork] = [], isSet: Bool = true) -> [MenuRow] {
    let pages = MenuPages(MenuContext(.english), SettingsTable([]))
    return pages.wireless(WirelessSetup.Shown(state, seen, isSet: isSet), Settings())
  }

  @Test("says in words how it stands")
  func states() {
    let address = "10.0.0.2"
    let table: [(WirelessState, String, String)] = [
      (.noRadio, "No Wi-Fi on this board", ""), (.unset, "Not joined to a network", ""),
      (.hotspot("Layby-AB12"), "Waits for a phone as \"Layby-AB12\"", ""), (.joining("Home"), "Joining \"Home\"…", ""),
      (.refused("Home", .password), "\"Home\" refuses the password", ""),
      (.refused("Home", .unseen), "\"Home\" is not in reach", ""),
      (.refused("Home", .silent), "\"Home\" does not let this in", ""),
      (.noAddress("Home"), "\"Home\" gives no address yet", ""),
      (.joined("Home", address: address), "Joined to \"Home\"", address),
      (.noInternet("Home", address: address), "Joined to \"Home\"", "No internet behind it"),
      (
        .portal("Home", address: address), "Joined to \"Home\"",
        "It wants a page seen first, which this panel cannot show"
      ),
      (.online("Home", address: "fd00::2"), "Joined to \"Home\"", "fd00::2"),
    ]
    for (state, title, detail) in table {
      let first = Self.rows(state).first
      #expect(first?.title == title && first?.detail == detail, "\(state): \(first?.title ?? "nothing")")
    }
  }

  @Test("a locked network asks for its password, an open one once more, and a name that is no text cannot be joined")
  func networks() {
    let rows = Self.rows(
      .joined("Home", address: "10.0.0.2"),
      [
        SeenNetwork(ssid: Array("Home".utf8), dBm: -40, isLocked: true),
        SeenNetwork(ssid: Array("Garage".utf8), dBm: -60, isLocked: true),
        SeenNetwork(ssid: Array("Station".utf8), dBm: -70, isLocked: false),
        SeenNetwork(ssid: [0xFF, 0x41], dBm: -90, isLocked: true),
        SeenNetwork(ssid: Array("a\nb".utf8), dBm: -90, isLocked: true),
      ])
    #expect(rows[1].sign == .current && rows[1].action == MenuRow.Action.none)
    #expect(rows[2].action == .open(.write(.wirelessPassword("Garage"))) && rows[2].detail.isEmpty)
    guard case .open(.sure(let question)) = rows[3].action else {
      Issue.record("an open network is joined without being asked")
      return
    }
    #expect(question.action == .joinNetwork("Station", password: nil) && rows[3].detail == "Open to everybody")
    #expect(rows[4].action == MenuRow.Action.none && rows[5].action == MenuRow.Action.none)
    #expect(!rows[5].title.contains("\n"))
  }

  @Test("offers to be set up by a phone: first of all where nothing was ever joined, last where something was")
  func byPhone() {
    let seen = [SeenNetwork(ssid: Array("Garage".utf8), dBm: -60, isLocked: true)]
    let new = Self.rows(.unset, seen, isSet: false).map(\.title)
    #expect(new.prefix(3) == ["Not joined to a network", "Set up by phone", "Garage"])
    let known = Self.rows(.joined("Home", address: "10.0.0.2"), seen).map(\.title)
    let order = known.filter { ["Garage", "Look again", "Set up by phone", "Forget the network"].contains($0) }
    #expect(order == ["Garage", "Look again", "Set up by phone", "Forget the network"])
    // An access point can neither look around nor join.
    #expect(Self.rows(.hotspot("Layby-AB12"), seen).map(\.title).dropFirst() == ["Set up by phone"])
    #expect(!Self.rows(.noRadio, isSet: false).contains { $0.title == "Set up by phone" })
  }

  private static let wish = HotspotWish(
    id: "0123456789abcdef", name: "Layby-AB12", password: "abcdefghjk", language: "en")

  @Test("the hotspot's page says how it stands, its name and its password, and what can be done")
  func hotspot() {
    func rows(_ phase: HotspotSession.Phase, minutesLeft: Int? = nil) -> [MenuRow] {
      let hotspot = WirelessSetup.Hotspot(phase, Self.wish, minutesLeft: minutesLeft)
      let pages = MenuPages(MenuContext(.english), SettingsTable([]))
      return pages.hotspot(WirelessSetup.Shown(.unset, hotspot: hotspot))
    }
    #expect(rows(.off).first?.action == .perform(.startHotspot))
    #expect(rows(.starting).contains { $0.action == .perform(.stopHotspot) })
    let on = rows(.on(until: Moment(nanoseconds: 0)), minutesLeft: 9)
    #expect(on.first?.action == .open(.hotspotCode))
    #expect(on.contains { $0.title == "Layby-AB12" } && on.contains { $0.title == "Password: abcdefghjk" })
    #expect(on.contains { $0.action == .perform(.stopHotspot) && $0.value == "9 min" })
    #expect(rows(.failed(.failed)).contains { $0.title.contains("could not be made") })
    #expect(rows(.failed(.failed)).first?.action == .perform(.startHotspot))
    #expect(rows(.joining).allSatisfy { $0.action == .back || $0.action == MenuRow.Action.none })
  }

  @Test("starting it shows its code as soon as there is one, and words until then and afterwards")
  func code() async {
    let (performed, shown) = await aloneOnMainLoop { () async -> ([MenuAction], [ShownMenu.Content?]) in
      let world = MenuWorld(3)
      let hand = MenuHand(world)
      await hand.move(.open)
      for row in ["Settings", "Wi-Fi", "Set up by phone", "Start"] {
        guard await hand.choose(row) else {
          Issue.record("there is no \(row) among \(hand.rows.map(\.title))")
          return ([], [])
        }
      }
      var shown: [ShownMenu.Content?] = []
      for phase in [HotspotSession.Phase.starting, .on(until: Moment(nanoseconds: 0)), .failed(.failed)] {
        world.hotspot = WirelessSetup.Hotspot(phase, Self.wish)
        hand.desk.refresh()
        await hand.desk.settled()
        shown.append(hand.desk.shown?.content)
      }
      await hand.move(.back)
      #expect(hand.rows.first?.title == "Start")
      return (world.performed, shown)
    }
    #expect(performed == [.startHotspot])
    #expect(shown.first == .words("Starting…") && shown.last == .words("The phone network could not be made"))
    guard shown.count == 3, case .code(let code, let lines)? = shown[1] else {
      Issue.record("it shows no code: \(shown)")
      return
    }
    #expect(code.text == Self.wish.code && lines == ["Layby-AB12", "Password", "abcdefghjk"])
  }

  @Test("the wheel has every character of a password, and takes no password that cannot be one")
  func password() {
    let writing = Writing.wirelessPassword("Garage")
    let letters = Set(writing.letters(.arabic))
    for byte in UInt8(0x21)...0x7E { #expect(letters.contains(String(UnicodeScalar(byte)))) }
    #expect(!writing.accepts("") && !writing.accepts("1234567") && writing.accepts("12345678"))
    #expect(writing.accepts("a \"good\" one") && !writing.accepts(String(repeating: "x", count: 64)))
    #expect(writing.accepts(String(repeating: "a", count: 64)) && !writing.isSecret)
  }
}
