import Runtime

/// A wireless network that a radio has seen when it looked around last.
package struct SeenNetwork: Hashable, Sendable {
  /// Any bytes, as whoever set up the access point liked.
  package let ssid: [UInt8]
  package let dBm: Int
  /// It wants a password.
  package let isLocked: Bool

  package init(ssid: [UInt8], dBm: Int, isLocked: Bool) {
    (self.ssid, self.dBm, self.isLocked) = (ssid, dBm, isLocked)
  }

  /// How well it is heard, from 0 to 4.
  package var bars: Int {
    var bars = SignalBars()
    bars.hear(dBm)
    return bars.bars
  }
}

extension Wireless {
  /// More of them are nobody's choice, and an attacker can make up as many as they like.
  private static let mostNetworks = 60

  /// The strongest access point of each network, the strongest network first. What has no name is left out.
  package static func networks(in messages: [NetlinkMessage]) -> [SeenNetwork] {
    var best: [[UInt8]: SeenNetwork] = [:]
    for message in messages {
      guard let seen = NetlinkAttributes(message.body.dropFirst(4)).inside(47) else { continue }
      let elements = seen[6] ?? seen[11] ?? []
      guard let name = ssid(in: elements) ?? seen[11].flatMap({ ssid(in: $0) }) else { continue }
      let dBm = seen.number(7).map { Int(Int32(bitPattern: $0)) / 100 } ?? -100
      let wantsKey = (seen.number(5) ?? 0) & wantsPrivacy != 0
      let found = SeenNetwork(ssid: name, dBm: dBm, isLocked: wantsKey || isLocked(elements))
      if let other = best[name], other.dBm >= dBm { continue }
      best[name] = found
    }
    let all = best.values.sorted { $0.dBm != $1.dBm ? $0.dBm > $1.dBm : $0.ssid.lexicographicallyPrecedes($1.ssid) }
    return Array(all.prefix(mostNetworks))
  }

  /// Elements of WPA2 and later, and the one of a maker that WPA began as.
  private static func isLocked(_ elements: ArraySlice<UInt8>) -> Bool {
    var rest = elements
    while let number = rest.number(at: 0, UInt8.self), let length = rest.number(at: 1, UInt8.self),
      Int(length) + 2 <= rest.count
    {
      let value = rest.dropFirst(2).prefix(Int(length))
      if number == 48 || number == 221 && value.starts(with: [0x00, 0x50, 0xF2, 0x01]) { return true }
      rest = rest.dropFirst(2 + Int(length))
    }
    return false
  }

  private static let wantsPrivacy: UInt32 = 0x10
}

extension NetworkSurroundings {
  /// What all radios have seen. Waits for the kernel, so never on the main loop; nothing is looked for anew.
  package func seenNetworks() throws(Fault) -> [SeenNetwork] {
    guard let family = try wirelessFamily() else { return [] }
    var messages: [NetlinkMessage] = []
    for index in Wireless.clients(in: try ask(.generic, Wireless.interfaces(family))).keys.sorted().prefix(4) {
      // A radio that is switched off has seen nothing.
      do throws(Fault) { messages += try ask(.generic, Wireless.seen(family, by: index)) } catch { continue }
    }
    return Wireless.networks(in: messages)
  }
}
