import Testing

@testable import Hardware

@Suite("Survey of network and power")
struct SurveyNetworkTests {
  private func reading(isUp: Bool) -> NetworkReading {
    var marks = LinkMarks()
    marks.isWireless = true
    let link = Canned.messages(Canned.link(3, "wlan0", state: isUp ? 6 : 2)).compactMap { LinkFacts($0) }
    let address = Canned.messages(Canned.address(3, [10, 0, 0, 2])).compactMap { AddressFacts($0) }
    let way = Canned.messages(Canned.route(3)).compactMap { DefaultRoute($0) }
    let radio = WirelessFacts(ssid: Array("Home\u{1B}".utf8), dBm: -50)
    return NetworkReading(links: link, addresses: address, routes: way, marks: [3: marks], wireless: [3: radio])
  }

  @Test("what leads out of here is named with all that is known of it, and nothing that steers a terminal")
  func network() {
    let machine = MadeUpMachine.goodBoard()
    #expect(machine.survey()["network"] == nil)
    #expect(
      machine.survey(network: reading(isUp: true))["network"]?.seen
        == "wlan0 (wi-fi, \"Home\u{FFFD}\", -50 dBm, 10.0.0.2)")
    let none = machine.survey(network: reading(isUp: false))["network"]
    #expect(none?.verdict == .missing && none?.advice != nil && none?.isNeeded == false)
  }

  @Test("a mouse's battery is none of the machine's")
  func mouse() {
    let machine = MadeUpMachine.goodBoard()
    machine.write("sys/class/power_supply/hidpp_battery_0/type", "Battery\n")
    machine.write("sys/class/power_supply/hidpp_battery_0/scope", "Device\n")
    #expect(machine.survey()["battery"]?.seen == "BAT (71 %, Discharging)")
  }
}
