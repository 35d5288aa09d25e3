import Application
import Hardware
import Runtime

extension PlayerService {
  func wifi(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    guard let wireless = application.wireless else {
      throw Fault(.unsupported, "X-258", "this board joins no Wi-Fi by itself: its [board] wifi is not set")
    }
    let words = arguments.compactMap(\.word)
    switch words.first {
    case "look": try wireless.look()
    case "forget": wireless.forget()
    case "join":
      guard words.count > 1 else { throw verb.wrong("no network was named") }
      try wireless.join(words[1], password: words.count > 2 ? words[2] : nil, country: nil)
    case "hotspot":
      switch words.dropFirst().first {
      case "on": wireless.startHotspot()
      case "off": wireless.stopHotspot()
      default: break
      }
    default: break
    }
    let shown = try await wireless.shown()
    let networks = shown.networks.map { network -> JSON in
      [
        "name": JSON(textBytes: network.ssid), "signal_dbm": JSON(network.dBm), "bars": JSON(network.bars),
        "locked": JSON(network.isLocked),
      ]
    }
    return Response.done([
      ("wifi", shown.state.json), ("hotspot", shown.hotspot.json), ("looking", JSON(shown.isLooking)),
      ("networks", .list(networks)),
    ])
  }
}

extension WirelessSetup.Hotspot {
  fileprivate var json: JSON {
    let state =
      switch phase {
      case .off: "off"
      case .starting: "starting"
      case .on: "on"
      case .leaving: "ending"
      case .joining: "joining"
      case .failed(let trouble): "failed: \(trouble.rawValue)"
      }
    return [
      "state": JSON(state), "name": wish.map { JSON($0.name) } ?? .null,
      "password": wish.map { JSON($0.password) } ?? .null, "minutes_left": minutesLeft.map { JSON($0) } ?? .null,
    ]
  }
}

extension WirelessState {
  var json: JSON {
    func told(_ state: String, _ name: String? = nil, _ address: String? = nil) -> JSON {
      [
        "state": JSON(state), "network": name.map { JSON($0) } ?? .null, "address": address.map { JSON($0) } ?? .null,
      ]
    }
    return switch self {
    case .noRadio: told("no radio")
    case .unset: told("not joined")
    case .hotspot(let name): told("hotspot", name)
    case .joining(let name): told("joining", name)
    case .refused(let name, let outcome): told("refused: \(outcome.rawValue)", name)
    case .noAddress(let name): told("no address", name)
    case .joined(let name, let address): told("joined", name, address)
    case .noInternet(let name, let address): told("no internet", name, address)
    case .portal(let name, let address): told("portal", name, address)
    case .online(let name, let address): told("online", name, address)
    }
  }
}
