import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("How Wi-Fi stands")
struct WirelessStateTests {
  private static func state(
    _ addresses: [String]? = nil, _ reach: Reachability.Reach = .none, isProven: Bool = false, byCable: Bool = false
  ) -> NetworkState {
    let radio = NetworkLink(
      name: "wlan0", kind: .wifi, isUp: addresses != nil, addresses: addresses ?? [],
      ssid: addresses == nil ? nil : Array("Home".utf8))
    let cable = NetworkLink(name: "eth0", kind: .wired, isUp: true, addresses: ["10.1.0.1"])
    return NetworkState(
      links: byCable ? [cable, radio] : [radio],
      activeName: byCable ? "eth0" : addresses?.isEmpty == false ? "wlan0" : nil, reach: reach, isProven: isProven)
  }

  @Test("is told from the link, how far it reaches, and what became of the last attempt")
  func table() {
    let v4 = ["10.0.0.2"], v6 = ["2001:db8::2"]
    let table: [(NetworkState, SetupOutcome?, WirelessState)] = [
      (NetworkState(), nil, .noRadio), (NetworkState(), .joining, .noRadio), (Self.state(), nil, .unset),
      (Self.state(), .joining, .joining("Home")), (Self.state(), .password, .refused("Home", .password)),
      (Self.state(), .unseen, .refused("Home", .unseen)), (Self.state(), .silent, .refused("Home", .silent)),
      (Self.state(), .leaving, .unset), (Self.state(), .joined, .unset), (Self.state([]), .joined, .noAddress("Home")),
      (Self.state(v4, .internet), nil, .joined("Home", address: "10.0.0.2")),
      (Self.state(v4, .internet, isProven: true), nil, .online("Home", address: "10.0.0.2")),
      (Self.state(v6, .internet, isProven: true), nil, .online("Home", address: "2001:db8::2")),
      (Self.state(v4, .local), .joined, .noInternet("Home", address: "10.0.0.2")),
      (Self.state(v4, .portal), .joined, .portal("Home", address: "10.0.0.2")),
      // How far the cable reaches says nothing of it.
      (Self.state(v4, .portal, byCable: true), .joined, .joined("Home", address: "10.0.0.2")),
      // A link that is up again says more than the word of an attempt before.
      (Self.state(v4, .internet), .password, .joined("Home", address: "10.0.0.2")),
    ]
    for (network, outcome, expected) in table {
      let found = WirelessState(network, attempt: outcome.map { ("Home", $0) })
      #expect(found == expected, "\(network) \(String(describing: outcome)): \(found)")
    }
  }
}

@Suite("Networks that radios have seen")
struct SeenNetworksTests {
  private static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] { NetlinkRequest.attribute(type, value) }

  /// One message of an answer, as nl80211 makes it.
  private static func message(_ elements: [UInt8], hundredths: Int32, capability: UInt16 = 0) -> [UInt8] {
    var (signal, flags): ([UInt8], [UInt8]) = ([], [])
    signal.write(UInt32(bitPattern: hundredths))
    flags.write(capability)
    let seen = attribute(6, elements) + attribute(7, signal) + attribute(5, flags)
    var bytes: [UInt8] = []
    let body = [UInt8](repeating: 0, count: 4) + attribute(47, seen)
    bytes.write(UInt32(16 + body.count))
    bytes.write(UInt16(0x1C))
    bytes.write(UInt16(0))
    bytes.write(UInt32(1))
    bytes.write(UInt32(0))
    return bytes + body
  }

  private static func named(_ name: String) -> [UInt8] { [0, UInt8(name.utf8.count)] + Array(name.utf8) }

  private static func networks(_ all: [[UInt8]]) -> [SeenNetwork] {
    Wireless.networks(in: Canned.messages(all.flatMap { $0 }))
  }

  @Test("the strongest of each name, the strongest first, and whether it wants a password")
  func order() {
    let rsn: [UInt8] = [48, 2, 1, 0], wpa: [UInt8] = [221, 5, 0x00, 0x50, 0xF2, 0x01, 1],
      other: [UInt8] = [221, 4, 0, 0x50, 0xF2, 2]
    let found = Self.networks([
      Self.message(Self.named("Far"), hundredths: -8_000), Self.message(Self.named("Near") + rsn, hundredths: -7_000),
      Self.message(Self.named("Near") + rsn, hundredths: -4_000),
      Self.message(Self.named("Old") + wpa, hundredths: -5_000),
      Self.message(Self.named("WEP") + other, hundredths: -6_000, capability: 0x11),
      Self.message(Self.named("Open") + other, hundredths: -6_500, capability: 1),
    ])
    #expect(found.map { String(decoding: $0.ssid, as: UTF8.self) } == ["Near", "Old", "WEP", "Open", "Far"])
    #expect(found.map(\.isLocked) == [true, true, true, false, false])
    #expect(found.first?.dBm == -40 && found.first?.bars == 4 && found.last?.bars == 1)
  }

  @Test("names that are hidden, cut short or too long are left out, and no more than sixty are taken")
  func bounds() {
    let wrong: [[UInt8]] = [
      [], [0], [0, 0], [0, 3, 0, 0, 0], [0, 9, 65], [0, 33] + [UInt8](repeating: 65, count: 33), [48, 250, 1],
    ]
    #expect(Self.networks(wrong.map { Self.message($0, hundredths: -5_000) }).isEmpty)
    let many = (0..<300).map { Self.message(Self.named("N\($0)"), hundredths: -3_000 - Int32($0)) }
    let found = Self.networks(many)
    #expect(found.count == 60 && found.first?.ssid == Array("N0".utf8))
    #expect(Self.networks([Self.message(Self.named("A") + [48], hundredths: .min)]).first?.isLocked == false)
  }

  @Test("a kernel that knows nothing of radios has seen no network; one that does not answer is told")
  func withoutRadios() throws {
    var surroundings = NetworkSurroundings()
    surroundings.ask = { (_, _) throws(Fault) in throw Fault(.missing, "H-1", "no such family") }
    #expect(try surroundings.seenNetworks().isEmpty)
    surroundings.ask = { (_, _) throws(Fault) in throw Fault(.denied, "H-1", "not by you") }
    #expect(try faultOf { try surroundings.seenNetworks() }.kind == .denied)
  }

  @Test("any bytes make no more than a list of names", arguments: [UInt64](0..<20))
  func nonsense(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let elements = (0..<Int.random(in: 0...80, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
      for network in Self.networks([Self.message(elements, hundredths: -1)]) {
        #expect((1...32).contains(network.ssid.count))
      }
    }
  }

  @Test("what a radio is asked to do is what nl80211 understands")
  func requests() {
    let country = RadioCommand.country(0x1C, "DE")
    #expect(country.type == 0x1C && country.body == [27, 1, 0, 0, 7, 0, 33, 0, 0x44, 0x45, 0, 0])
    let scan = RadioCommand.scan(0x1C, by: 3)
    #expect(scan.body == [33, 1, 0, 0, 8, 0, 3, 0, 3, 0, 0, 0, 8, 0, 45, 0, 4, 0, 1, 0])
  }
}
