import Runtime

/// A battery or a mains adapter of this machine, read from the kernel once. Batteries of attached devices (a mouse, a
/// headset) are left out.
package struct PowerSupply: Equatable, Sendable {
  package enum Status: String, CaseIterable, Sendable {
    case charging = "Charging"
    case discharging = "Discharging"
    /// On a line that does not charge it.
    case notCharging = "Not charging"
    case full = "Full"
    case unknown = "Unknown"
  }

  package enum Kind: Equatable, Sendable {
    /// Per cent, and how much it holds when full, in whatever the driver counts; nil for what it does not say.
    case battery(level: Int?, holds: Int64?, Status)
    case line(isOnline: Bool)
  }

  package let name: String
  package let kind: Kind

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// `attribute` reads one of the supply's files. Nil for what does not feed this machine, or is not there.
  package init?(name: String, _ attribute: (String) -> String?) {
    guard attribute("scope") != "Device", let type = attribute("type") else { return nil }
    self.name = name
    switch type {
    case "Battery", "UPS":
      guard attribute("present") != "0" else { return nil }
      let status = attribute("status").flatMap { Status(rawValue: $0) } ?? .unknown
      kind = .battery(level: Self.level(attribute), holds: Self.holds(attribute), status)
    case "BMS": return nil
    default:
      // Each kind of USB charger has a word of its own. One that does not say whether it is there tells nothing.
      guard let online = attribute("online") else { return nil }
      kind = .line(isOnline: online != "0")
    }
  }

  /// What drivers tell differs: per cent, energy, charge, or a word.
  private static func level(_ attribute: (String) -> String?) -> Int? {
    if let capacity = whole(attribute("capacity")) { return min(max(Int(capacity), 0), 100) }
    for what in ["energy", "charge"] {
      if let now = whole(attribute("\(what)_now")), let full = whole(attribute("\(what)_full")), full > 0 {
        return Int(min(max(now, 0), full) * 100 / full)
      }
    }
    // The kernel's words, at the lower ends of what they mean; Critical and Low are low, the others are not.
    return switch attribute("capacity_level") {
    case "Critical": 5
    case "Low": 15
    case "Normal": 50
    case "High": 80
    case "Full": 100
    default: nil
    }
  }

  private static func holds(_ attribute: (String) -> String?) -> Int64? {
    for what in ["energy_full", "charge_full"] {
      if let full = whole(attribute(what)), full > 0 { return full }
    }
    return nil
  }

  /// Nothing that would overflow when it is multiplied by a hundred.
  private static func whole(_ text: String?) -> Int64? {
    guard let text, text.utf8.count <= 16 else { return nil }
    return Int64(text)
  }
}

extension PowerSupply {
  package var json: JSON {
    switch kind {
    case .battery(let level, _, let status):
      let percent: JSON = level.map { JSON($0) } ?? .null
      return ["name": JSON(name), "kind": "battery", "percent": percent, "status": JSON(status.rawValue)]
    case .line(let isOnline): return ["name": JSON(name), "kind": "line", "online": JSON(isOnline)]
    }
  }
}
