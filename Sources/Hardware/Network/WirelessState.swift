import Runtime

/// How Wi-Fi stands, as a person is told.
package enum WirelessState: Equatable, Sendable {
  case noRadio
  /// There is a radio, and it has joined nothing.
  case unset
  /// It is an access point itself.
  case hotspot(String)
  case joining(String)
  /// What was confirmed could not be joined, and why.
  case refused(String, SetupOutcome)
  /// Joined; whoever gives addresses there does not answer.
  case noAddress(String)
  /// Joined, and it is not known how far that reaches.
  case joined(String, address: String)
  case noInternet(String, address: String)
  case portal(String, address: String)
  case online(String, address: String)

  /// `attempt`: the network that was chosen last, and what has become of it. A link that is up says more.
  package init(_ network: NetworkState, attempt: (name: String, outcome: SetupOutcome)? = nil) {
    let radios = network.links.filter { $0.kind == .wifi }
    if let link = radios.first(where: { $0.isUp }) {
      let name = link.ssid.map { shownPlain(String(decoding: $0, as: UTF8.self)) } ?? attempt?.name ?? ""
      guard let address = link.addresses.first else {
        self = .noAddress(name)
        return
      }
      // What is known of the internet is known of the link in use, which may be a cable.
      let reach = network.activeName == link.name ? network.reach : nil
      self =
        switch reach {
        case .internet? where network.isProven: .online(name, address: address)
        case .local?: .noInternet(name, address: address)
        case .portal?: .portal(name, address: address)
        case .internet?, .some(.none), nil: .joined(name, address: address)
        }
      return
    }
    guard !radios.isEmpty else {
      self = .noRadio
      return
    }
    self =
      switch attempt?.outcome {
      case .joining?: .joining(attempt?.name ?? "")
      case .password?, .unseen?, .silent?, .service?, .failed?, .refused?:
        .refused(attempt?.name ?? "", attempt?.outcome ?? .failed)
      case .joined?, .done?, .radio?, .leaving?, nil: .unset
      }
  }
}
