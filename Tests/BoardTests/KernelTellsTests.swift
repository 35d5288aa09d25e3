import Runtime
import TestSupport
import Testing
import VirtualBoard

/// What the kernel tells of power and network goes all its way, to a player without rights and to who asks it.
@Suite(
  "What the kernel tells", .enabled(if: Board.isWanted, Board.whyNot),
  .enabled(if: Board.isLong, Board.whyNotLong))
struct KernelTellsTests {
  @Test("a battery that runs low with the charger pulled is in the status, and what costs power is given up")
  func power() async throws {
    try await Board.with(.playing) { board in
      func waitUntil(_ what: String, _ isSo: (JSON, JSON) -> Bool) throws {
        try board.waitUntil(what, within: .seconds(60)) { () throws(Fault) in
          let answer = try board.layby("status")
          return isSo(answer["power"] ?? .null, answer["status"] ?? .null)
        }
      }
      try board.setBattery(percent: 80, charging: true)
      try board.setCharger(on: true)
      try waitUntil("it is plugged in") { power, status in
        power["battery"] == true && power["plugged"] == true && status["power"] == "high"
      }
      try board.setBattery(percent: 9)
      try board.setCharger(on: false)
      // The third of the supplies, which is one of the module's own.
      try board.says("echo off > /sys/module/test_power/parameters/usb_online")
      try waitUntil("it is low") { power, status in
        power["percent"] == 9 && power["plugged"] == false && status["power"] == "low"
      }
      #expect(try board.plays)
      try board.setCharger(on: true)
      try waitUntil("it is plugged in again") { power, status in power["plugged"] == true && status["power"] == "high" }
    }
  }

  @Test("a network that appears is in the status with its name, and gone when it is gone")
  func network() async throws {
    try await Board.with(.playing) { board in
      func waitUntil(_ what: String, _ isSo: (JSON) -> Bool) throws {
        try board.waitUntil(what, within: .seconds(90)) { () throws(Fault) in
          let answer = try board.layby("status")
          return isSo(answer["network"] ?? .null)
        }
      }
      try waitUntil("there is no way out") { $0["reach"] == "none" }
      try board.accessPointUp(name: "Roadside")
      let radio = try board.radio()
      try board.says("ip link set \(radio) up; iw dev \(radio) connect Roadside")
      try waitUntil("it has joined") { network in
        let link = network["links"]?.items?.first { $0["name"]?.string == radio }
        return link?["up"] == true && link?["kind"] == "wi-fi" && link?["ssid"] == "Roadside"
      }
      try board.says("ip addr add 192.0.2.2/24 dev \(radio); ip route add default via 192.0.2.1")
      try waitUntil("it leads to everywhere") { network in
        network["active"]?.string == radio && network["kind"] == "wi-fi" && network["metered"] == false
      }
      try board.accessPointDown()
      try waitUntil("it is gone") { $0["reach"] == "none" }
    }
  }
}
