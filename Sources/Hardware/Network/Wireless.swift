/// What the kernel knows of one radio's connection.
package struct WirelessFacts: Equatable, Sendable {
  /// Any bytes, as whoever set up the access point liked.
  package var ssid: [UInt8]?
  /// -30 is beside it, -90 is nearly gone.
  package var dBm: Int?
  package var bitsPerSecond: Int64?

  package init(ssid: [UInt8]? = nil, dBm: Int? = nil, bitsPerSecond: Int64? = nil) {
    self.ssid = ssid
    self.dBm = dBm
    self.bitsPerSecond = bitsPerSecond
  }
}

/// Reads the state of radios from nl80211, by generic netlink. The kernel gives the family's number for its name.
package enum Wireless {
  /// Command and version stand in front.
  private static func command(_ number: UInt8) -> [UInt8] { [number, 1, 0, 0] }

  package static let family = NetlinkRequest(
    type: NetlinkNumber.control, listsAll: false,
    body: command(3) + NetlinkRequest.attribute(2, Array("nl80211".utf8) + [0]))

  package static func interfaces(_ family: UInt16) -> NetlinkRequest {
    NetlinkRequest(type: family, listsAll: true, body: command(5))
  }

  package static func stations(_ family: UInt16, of index: UInt32) -> NetlinkRequest {
    NetlinkRequest(type: family, listsAll: true, body: command(17) + device(index))
  }

  /// What was seen when it was scanned last; nothing is scanned for it.
  package static func seen(_ family: UInt16, by index: UInt32) -> NetlinkRequest {
    NetlinkRequest(type: family, listsAll: true, body: command(32) + device(index))
  }

  private static func device(_ index: UInt32) -> [UInt8] {
    var value: [UInt8] = []
    value.write(index)
    return NetlinkRequest.attribute(Attribute.device, value)
  }

  // MARK: Answers

  package static func familyNumber(in messages: [NetlinkMessage]) -> UInt16? {
    for message in messages where message.type == NetlinkNumber.control {
      if let number = attributes(message).number(1), let family = UInt16(exactly: number), family > 16 { return family }
    }
    return nil
  }

  /// Radios that join others' networks, with the name if the driver tells it; an access point of our own is none.
  package static func clients(in messages: [NetlinkMessage]) -> [UInt32: [UInt8]?] {
    var clients: [UInt32: [UInt8]?] = [:]
    for message in messages {
      let facts = attributes(message)
      guard let index = facts.number(Attribute.device), facts.number(Attribute.kind) == clientKind else { continue }
      clients[index] = .some(facts[Attribute.ssid].flatMap { isName($0) ? Array($0) : nil })
    }
    return clients
  }

  /// The access point that it is joined with; nil when there is none.
  package static func connection(in messages: [NetlinkMessage]) -> WirelessFacts? {
    for message in messages {
      guard let station = attributes(message).inside(Attribute.station) else { continue }
      let signal = station.number(Station.average) ?? station.number(Station.signal)
      let rate = station.inside(Station.rate)
      // In units of 100 kbit/s; the older form has too few bits for the newer radios.
      let units = rate?.number(5) ?? rate?.number(1)
      return WirelessFacts(
        dBm: signal.map { Int(Int8(truncatingIfNeeded: $0)) }, bitsPerSecond: units.map { Int64($0) * 100_000 })
    }
    return nil
  }

  /// Of all that were seen, the one that it is joined with.
  package static func joined(in messages: [NetlinkMessage]) -> WirelessFacts? {
    for message in messages {
      guard let seen = attributes(message).inside(Attribute.seen), seen.number(Seen.state) == Seen.isJoined else {
        continue
      }
      let hundredths = seen.number(Seen.signal).map { Int(Int32(bitPattern: $0)) }
      let name = ssid(in: seen[Seen.elements] ?? []) ?? ssid(in: seen[Seen.beacon] ?? [])
      return WirelessFacts(ssid: name, dBm: hundredths.map { $0 / 100 })
    }
    return nil
  }

  /// From what an access point sends about itself: number, length, value, one after the other. The name is number 0;
  /// some send an empty one, or zeros, in its place.
  static func ssid(in elements: ArraySlice<UInt8>) -> [UInt8]? {
    var rest = elements
    while let number = rest.number(at: 0, UInt8.self), let length = rest.number(at: 1, UInt8.self),
      Int(length) + 2 <= rest.count
    {
      let value = rest.dropFirst(2).prefix(Int(length))
      if number == 0 { return isName(value) ? Array(value) : nil }
      rest = rest.dropFirst(2 + Int(length))
    }
    return nil
  }

  private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    (1...32).contains(bytes.count) && bytes.contains { $0 != 0 }
  }

  private static func attributes(_ message: NetlinkMessage) -> NetlinkAttributes {
    NetlinkAttributes(message.body.dropFirst(4))
  }

  private static let clientKind: UInt32 = 2

  private enum Attribute { static let (device, kind, station, seen, ssid) = (3, 5, 21, 47, 52) }
  private enum Station { static let (signal, rate, average) = (7, 8, 13) }
  private enum Seen {
    static let (elements, signal, state, beacon) = (6, 7, 9, 11)
    static let isJoined: UInt32 = 1
  }
}

/// A signal strength as up to four bars. It varies all the time, so a bar changes only when the signal is clearly above or
/// below the bar's limit.
package struct SignalBars: Equatable, Sendable {
  /// The least for one bar more.
  private static let steps = [-85, -75, -65, -55]
  private static let margin = 3

  package private(set) var bars = 0
  private var isFirst = true

  package init() {}

  package mutating func hear(_ dBm: Int) {
    let isAbove = Self.bars(dBm - Self.margin) > bars
    let isBelow = Self.bars(dBm + Self.margin) < bars
    if isFirst || isAbove || isBelow { bars = Self.bars(dBm) }
    isFirst = false
  }

  private static func bars(_ dBm: Int) -> Int { steps.filter { dBm >= $0 }.count }
}
