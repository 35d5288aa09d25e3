import Runtime
import TestSupport
import Testing

@testable import Hardware

private let table = SettingsTable(HardwareSettings.settings)

@Suite("What the kernel says of the network, made one")
struct NetworkReadingTests {
  private static let home: [UInt8] = [10, 0, 0, 2]

  private func reading(
    _ links: [UInt8]..., addresses: [[UInt8]], routes: [[UInt8]], marks: [UInt32: LinkMarks] = [:],
    wireless: [UInt32: WirelessFacts] = [:]
  ) -> NetworkReading {
    NetworkReading(
      links: Canned.messages(links.flatMap { $0 }).compactMap { LinkFacts($0) },
      addresses: Canned.messages(addresses.flatMap { $0 }).compactMap { AddressFacts($0) },
      routes: Canned.messages(routes.flatMap { $0 }).compactMap { DefaultRoute($0) }, marks: marks,
      wireless: wireless)
  }

  private static func marks(wireless: Bool = false, type: String = "", driver: String = "") -> LinkMarks {
    var marks = LinkMarks()
    (marks.isWireless, marks.deviceType, marks.driver, marks.hasDevice) = (wireless, type, driver, true)
    return marks
  }

  @Test(
    "a link is up when it is switched on and something answers, or its driver cannot tell and it runs",
    arguments: [
      (0x1043 as UInt32, 6 as UInt8, true), (0x1003, 2, false), (0x1043, 5, false), (0x1042, 6, false),
      (0x43, 0, true), (0x3, 0, false),
    ])
  func up(flags: UInt32, state: UInt8, isUp: Bool) throws {
    let link = try #require(Canned.messages(Canned.link(2, "eth0", flags: flags, state: state)).first)
    #expect(LinkFacts(link)?.isUp == isUp)
  }

  @Test("names that could be a way out of a folder or steer a terminal are no links")
  func names() throws {
    for name in ["", ".", "..", "a/b", "a b", "a\u{1B}[2J", "sixteen-letters-"] {
      let link = try #require(Canned.messages(Canned.link(2, name)).first)
      #expect(LinkFacts(link) == nil, "\(name)")
    }
  }

  @Test(
    "each kind is known by its marks",
    arguments: [
      (marks(wireless: true), 1, LinkKind.wifi), (marks(type: "wlan"), 1, .wifi), (marks(type: "wwan"), 1, .mobile),
      (marks(driver: "rndis_host"), 1, .mobile), (marks(driver: "ipheth"), 1, .mobile),
      (marks(driver: "r8169"), 1, .wired), (marks(driver: "cdc_ncm"), 1, .wired),
      (marks(type: "bluetooth"), 1, .mobile),
      (LinkMarks(), 1, .other), (LinkMarks(), 512, .mobile),
      (LinkMarks(), 519, .mobile), (LinkMarks(), 65_534, .other),
    ] as [(LinkMarks, UInt16, LinkKind)])
  func kinds(marks: LinkMarks, hardware: UInt16, kind: LinkKind) throws {
    let link = try #require(Canned.messages(Canned.link(2, "x0", hardware: hardware)).first)
    #expect(LinkKind(try #require(LinkFacts(link)), marks) == kind)
  }

  @Test("an adapter that serves telephones too is one when its address is made up")
  func telephones() throws {
    let link = try #require(Canned.messages(Canned.link(2, "usb0", address: [2, 1, 2, 3, 4, 5])).first)
    let facts = try #require(LinkFacts(link))
    #expect(LinkKind(facts, Self.marks(driver: "cdc_ether")) == .mobile)
    #expect(LinkKind(facts, Self.marks(driver: "r8152")) == .wired)
  }

  @Test("the cheapest way to everywhere counts, of links that are up and have an address")
  func active() {
    let (eth, wlan) = (Canned.link(2, "eth0"), Canned.link(3, "wlan0"))
    let both = [Canned.address(2, Self.home), Canned.address(3, [10, 0, 0, 3])]
    let ways = [Canned.route(2, cost: 100), Canned.route(3, cost: 600)]
    #expect(reading(eth, wlan, addresses: both, routes: ways).active?.facts.name == "eth0")
    let down = Canned.link(2, "eth0", state: 2)
    #expect(reading(down, wlan, addresses: both, routes: ways).active?.facts.name == "wlan0")
    #expect(reading(eth, wlan, addresses: [both[1]], routes: ways).active?.facts.name == "wlan0")
    #expect(reading(eth, wlan, addresses: both, routes: []).active == nil)
    let six: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    let newer = reading(
      eth, wlan, addresses: [Canned.address(2, six), both[1]], routes: [Canned.route(2, family: 10), ways[1]])
    #expect(newer.active?.facts.name == "wlan0")
    let alone = reading(eth, addresses: [Canned.address(2, six)], routes: [Canned.route(2, family: 10)])
    #expect(alone.active?.addresses == ["2001:db8::1"])
  }

  @Test("other routes lead nowhere: to one place, refusals, other tables, ways that are dead")
  func routes() {
    let others = [
      Canned.route(2, length: 24), Canned.route(2, kind: 7), Canned.route(2, table: 100), Canned.route(2, family: 7),
    ]
    #expect(others.flatMap { Canned.messages($0) }.compactMap { DefaultRoute($0) }.isEmpty)
    func way(_ flags: UInt8, _ device: UInt32) -> [UInt8] { Canned.row([8, 0, flags, 0], Canned.number(device)) }
    let ways = Canned.piece(9, Canned.row(way(1, 5), way(0, 6)))
    let several = Canned.message(24, Canned.row([2, 0, 0, 0, 254, 3, 0, 1, 0, 0, 0, 0], ways))
    #expect(Canned.messages(several).compactMap { DefaultRoute($0) }.map(\.index) == [6])
  }

  @Test(
    "an address counts that others can reach and that is sure",
    arguments: [(0, 0x80, true), (253, 0x80, false), (254, 0x80, false), (0, 0x40, false), (0, 0x20, false)]
      as [(UInt8, UInt32, Bool)])
  func addresses(scope: UInt8, flags: UInt32, counts: Bool) {
    let messages = Canned.messages(Canned.address(2, Self.home, scope: scope, flags: flags))
    let found = messages.compactMap { AddressFacts($0) }
    #expect(found.map(\.text) == (counts ? ["10.0.0.2"] : []))
  }

  @Test("what is made of others is what they are, the dearest of them")
  func made() {
    let marks: [UInt32: LinkMarks] = [
      2: Self.marks(driver: "r8169"), 3: Self.marks(wireless: true), 4: Self.marks(type: "wwan"),
    ]
    let links = [
      Canned.link(2, "eth0", master: 5), Canned.link(3, "wlan0", master: 5), Canned.link(4, "wwan0"),
      Canned.link(5, "br0"), Canned.link(6, "br0.7", lower: 5), Canned.link(7, "wwan0.7", lower: 4),
      Canned.link(8, "tun0"),
    ]
    let all = NetworkReading(
      links: links.flatMap { Canned.messages($0) }.compactMap { LinkFacts($0) }, addresses: [], routes: [],
      marks: marks, wireless: [:])
    let kinds = Dictionary(uniqueKeysWithValues: all.links.map { ($0.facts.name, $0.kind) })
    #expect(
      kinds == [
        "eth0": .wired, "wlan0": .wifi, "wwan0": .mobile, "br0": .wifi, "br0.7": .wifi, "wwan0.7": .mobile,
        "tun0": .other,
      ])
  }

  @Test("what costs money is said by kind and by name, and the exception by name goes first")
  func metered() throws {
    var rule = MeteredRule()
    #expect(LinkKind.allCases.filter { rule.isMetered($0, ssid: nil) } == [.mobile])
    rule.names = ["Phone", "Both"]
    rule.exceptions = ["Both"]
    #expect(rule.isMetered(.wifi, ssid: Array("Phone".utf8)) && !rule.isMetered(.wifi, ssid: Array("Home".utf8)))
    #expect(!rule.isMetered(.wifi, ssid: Array("Both".utf8)) && !rule.isMetered(.wifi, ssid: [0xFF, 0xFE]))
    let owner = Array("[network]\nmobile_is_metered = no\nmetered = Phone, Café 2\n".utf8)
    let settings = try table.read(board: [], owner: .success(owner), lastGood: { _ in nil }).settings
    let read = MeteredRule(settings)
    #expect(!read.isMetered(.mobile, ssid: nil) && read.isMetered(.wifi, ssid: Array("Café 2".utf8)))
  }
}

@Suite("The wireless part of the kernel")
struct WirelessTests {
  @Test("its number, our own radios, the access point's signal and rate, and its name are read")
  func whole() {
    #expect(Wireless.familyNumber(in: Canned.messages(Canned.family)) == 0x1C)
    #expect(Wireless.familyNumber(in: Canned.messages(Canned.refusal(2))) == nil)
    let radios = Wireless.clients(
      in: Canned.messages(Canned.interface(3) + Canned.interface(4, kind: 3) + Canned.interface(5, ssid: "Full")))
    #expect(radios.keys.sorted() == [3, 5] && radios[3] == .some(nil) && radios[5] == Array("Full".utf8))
    let station = Wireless.connection(in: Canned.messages(Canned.station(3, dBm: -47, rate: 1_300)))
    #expect(station == WirelessFacts(dBm: -47, bitsPerSecond: 130_000_000))
    let seen = Canned.seen(ssid: [1, 2], isJoined: false) + Canned.seen(ssid: Array("Café".utf8), isJoined: true)
    #expect(Wireless.joined(in: Canned.messages(seen)) == WirelessFacts(ssid: Array("Café".utf8), dBm: -45))
    #expect(Wireless.joined(in: Canned.messages(Canned.seen(ssid: [65], isJoined: false))) == nil)
  }

  @Test(
    "the name is the first of what an access point says of itself, if it is one",
    arguments: [
      ([0, 1, 65], [65]), ([1, 1, 9, 0, 2, 65, 66], [65, 66]), ([0, 0, 0, 1, 65], nil), ([0, 2, 0, 0], nil),
      ([0, 5, 65], nil), ([0], nil), ([], nil), ([0, 33] + [UInt8](repeating: 65, count: 33), nil),
    ] as [([UInt8], [UInt8]?)])
  func names(elements: [UInt8], name: [UInt8]?) { #expect(Wireless.ssid(in: elements[...]) == name) }

  @Test("bars follow the signal, and a signal that wavers at a border moves none")
  func bars() {
    var bars = SignalBars()
    bars.hear(-60)
    #expect(bars.bars == 3)
    for dBm in [-64, -66, -65, -67, -64, -55, -56, -53] {
      bars.hear(dBm)
      #expect(bars.bars == 3, "\(dBm)")
    }
    bars.hear(-52)
    #expect(bars.bars == 4)
    bars.hear(-90)
    #expect(bars.bars == 0)
  }
}
