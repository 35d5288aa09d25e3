import Application
import Hardware
import Runtime
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
      (.joining("Home"), "Joining \"Home\"…", ""), (.refused("Home", .password), "\"Home\" refuses the password", ""),
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
