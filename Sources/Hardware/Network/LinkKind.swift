import Runtime

/// What a link costs and how it behaves depends on what it is made of.
package enum LinkKind: String, CaseIterable, Sendable {
  case wired
  case wifi = "wi-fi"
  /// A modem, or a telephone that shares its own.
  case mobile
  /// Made of software: a tunnel, a bridge, a container's.
  case other
}

/// What the device's folder below /sys/class/net says, beside what netlink does.
package struct LinkMarks: Equatable, Sendable {
  package var isWireless = false
  /// The kernel's word for some: wlan, wwan, bridge, bluetooth.
  package var deviceType = ""
  package var driver = ""
  /// There is a real device behind it.
  package var hasDevice = false

  package init() {}
}

extension LinkKind {
  /// Telephones on a USB cable.
  private static let telephones: Set = ["rndis_host", "ipheth"]
  /// These serve telephones, modems and plain USB adapters; the latter have an address of their maker's.
  private static let anything: Set = ["cdc_ether", "cdc_ncm", "cdc_eem", "cdc_subset"]
  /// Point-to-point, raw IP.
  private static let modems: Set<UInt16> = [512, 519]

  package init(_ facts: LinkFacts, _ marks: LinkMarks) {
    if marks.isWireless || marks.deviceType == "wlan" {
      self = .wifi
    } else if marks.deviceType == "wwan" || marks.deviceType == "bluetooth" || Self.modems.contains(facts.hardware) {
      self = .mobile
    } else if Self.telephones.contains(marks.driver) {
      self = .mobile
    } else if Self.anything.contains(marks.driver), facts.hasMadeUpAddress {
      self = .mobile
    } else {
      self = marks.hasDevice ? .wired : .other
    }
  }
}

/// Which traffic costs money or is limited, as the owner has said.
package struct MeteredRule: Equatable, Sendable {
  package var kinds: Set<LinkKind> = [.mobile]
  /// By name, whatever their kind; the second goes before the first.
  package var names: Set<String> = []
  package var exceptions: Set<String> = []

  package init() {}

  package init(_ settings: Settings) {
    kinds = settings[.mobileIsMetered] ? [.mobile] : []
    names = Set(settings[.meteredNetworks])
    exceptions = Set(settings[.unmeteredNetworks])
  }

  package func isMetered(_ kind: LinkKind, ssid: [UInt8]?) -> Bool {
    guard let ssid else { return kinds.contains(kind) }
    let name = String(decoding: ssid, as: UTF8.self)
    if exceptions.contains(name) { return false }
    return names.contains(name) || kinds.contains(kind)
  }
}
