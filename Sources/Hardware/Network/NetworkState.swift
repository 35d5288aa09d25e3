import Runtime

/// A network connection, with what decides whether music may be fetched over it.
package struct NetworkLink: Hashable, Sendable {
  package let name: String
  package let kind: LinkKind
  package let isUp: Bool
  /// Those that others can reach.
  package let addresses: [String]
  /// Of the wireless network it has joined; any bytes.
  package let ssid: [UInt8]?
  /// How well it is heard, 0 to 4; nil when it is not wireless.
  package let bars: Int?
  package let isMetered: Bool

  package init(
    name: String, kind: LinkKind, isUp: Bool, addresses: [String] = [], ssid: [UInt8]? = nil, bars: Int? = nil,
    isMetered: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.isUp = isUp
    self.addresses = addresses
    self.ssid = ssid
    self.bars = bars
    self.isMetered = isMetered
  }
}

/// The state of the network. Followers are told whenever it changes, so it contains nothing that changes all the time: the
/// signal strength as bars, and no bit rate.
package struct NetworkState: Hashable, Sendable {
  /// Links with a real device, and the one that is used, sorted by name.
  package var links: [NetworkLink]
  /// The name of the link of the default route.
  package var activeName: String?
  package var reach: Reachability.Reach
  /// A probe or a transfer has proved `reach`; otherwise it is only assumed from the link.
  package var isProven: Bool

  package init(
    links: [NetworkLink] = [], activeName: String? = nil, reach: Reachability.Reach = .none, isProven: Bool = false
  ) {
    self.links = links
    self.activeName = activeName
    self.reach = reach
    self.isProven = isProven
  }

  package var active: NetworkLink? { links.first { $0.name == activeName } }
  package var kind: LinkKind? { active?.kind }
  package var isMetered: Bool { active?.isMetered ?? false }
}

extension NetworkState {
  /// `radios`: what wavers, by the names of their links.
  package func json(_ radios: [String: WirelessFacts] = [:]) -> JSON {
    let shown = links.map { link -> JSON in
      let radio = radios[link.name]
      let ssid: JSON = link.ssid.map { JSON(textBytes: $0) } ?? .null
      let bars: JSON = link.bars.map { JSON($0) } ?? .null
      let signal: JSON = radio?.dBm.map { JSON($0) } ?? .null
      let rate: JSON = radio?.bitsPerSecond.map { JSON($0) } ?? .null
      let addresses = link.addresses.map { JSON($0) }
      return [
        "name": JSON(link.name), "kind": JSON(link.kind.rawValue), "up": JSON(link.isUp),
        "addresses": .list(addresses), "ssid": ssid, "bars": bars, "signal_dbm": signal, "bit_rate": rate,
        "metered": JSON(link.isMetered),
      ]
    }
    return [
      "reach": JSON(reach.rawValue), "active": activeName.map { JSON($0) } ?? .null,
      "kind": kind.map { JSON($0.rawValue) } ?? .null, "metered": JSON(isMetered), "links": .list(shown),
    ]
  }
}
