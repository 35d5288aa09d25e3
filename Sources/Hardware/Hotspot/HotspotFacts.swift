import Runtime

/// What the hotspot's page is made of: a file that root writes and the page's helper reads. No secret is in it.
package struct HotspotFacts: Equatable, Sendable {
  package struct Network: Equatable, Sendable {
    package let name: String
    package let bars: Int
    package let isLocked: Bool

    package init(name: String, bars: Int, isLocked: Bool) {
      (self.name, self.bars, self.isLocked) = (name, bars, isLocked)
    }
  }

  package static let fileName = "page.json"
  /// In which the board's access point lies: root/etc/systemd/network and the sockets of the page say the same.
  package static let address = "10.86.86.1"
  /// More of them are nobody's choice on a telephone.
  private static let mostNetworks = 24
  private static let limit = 65_536

  package let name: String
  package let language: String
  /// The strongest first, as they were seen before the radio became an access point: it cannot look around meanwhile.
  package let networks: [Network]
  package let failure: HotspotWish.Failure?

  package init(name: String, language: String, networks: [Network], failure: HotspotWish.Failure? = nil) {
    (self.name, self.language, self.networks, self.failure) = (name, language, networks, failure)
  }

  /// A network whose name is no text cannot be joined, so it is not offered.
  init(_ wish: HotspotWish, seen: [SeenNetwork]) {
    let networks = seen.compactMap { network -> Network? in
      guard let name = String(validating: network.ssid, as: UTF8.self),
        StickSetup.Network.mistake(name, password: nil, country: nil) == nil
      else { return nil }
      return Network(name: name, bars: network.bars, isLocked: network.isLocked)
    }
    self.init(
      name: wish.name, language: wish.language, networks: Array(networks.prefix(Self.mostNetworks)),
      failure: wish.failure)
  }

  var bytes: [UInt8] {
    let networks = self.networks.map { network -> JSON in
      ["name": JSON(network.name), "bars": JSON(network.bars), "locked": JSON(network.isLocked)]
    }
    var members: [(String, JSON)] = [
      ("name", JSON(name)), ("language", JSON(language)), ("networks", .list(networks)),
    ]
    if let failure {
      members += [("network", JSON(failure.network)), ("outcome", JSON(failure.outcome.rawValue))]
    }
    return JSON.object(JSON.Object(members)).bytes
  }

  package init(parsing bytes: [UInt8]) throws(Fault) {
    let json = try JSON(parsing: bytes, limits: .init(depth: 4, size: Self.limit, values: 1_000))
    guard let name = json["name"]?.string, let language = json["language"]?.string else {
      throw Fault(.malformed, "X-281", "the facts of the hotspot's page name no access point")
    }
    let networks = (json["networks"]?.items ?? []).compactMap { item -> Network? in
      guard let name = item["name"]?.string else { return nil }
      return Network(name: name, bars: Int(item["bars"]?.whole ?? 0), isLocked: item["locked"] != false)
    }
    var failure: HotspotWish.Failure?
    if let network = json["network"]?.string, let word = json["outcome"]?.string,
      let outcome = SetupOutcome(rawValue: word)
    {
      failure = HotspotWish.Failure(network, outcome)
    }
    self.init(name: name, language: language, networks: networks, failure: failure)
  }

  package static func read(_ file: FilePath) throws(Fault) -> HotspotFacts {
    try HotspotFacts(parsing: try AtomicFile.read(file, limit: limit))
  }
}
