import Hardware
import Runtime

/// Wi-Fi: which networks there are, how the board stands with them, and which it joins. The player has no rights to
/// change any of it: it asks the system's units, by the means it is given.
@MainLoop
package final class WirelessSetup {
  package struct Shown: Equatable, Sendable {
    package var state: WirelessState
    /// The strongest first.
    package var networks: [SeenNetwork]
    /// They are being looked for.
    package var isLooking: Bool
    /// The board has joined a network, or has tried to since the start.
    package var isSet: Bool

    package init(_ state: WirelessState, _ networks: [SeenNetwork] = [], isLooking: Bool = false, isSet: Bool = false) {
      (self.state, self.networks, self.isLooking, self.isSet) = (state, networks, isLooking, isSet)
    }
  }

  package struct Means: Sendable {
    /// What the radios have seen.
    package var seen: @MainLoop @Sendable () async throws(Fault) -> [SeenNetwork]
    /// Asks the system to have the radios look around.
    package var look: @MainLoop @Sendable () throws(Fault) -> Void
    package var network: @MainLoop @Sendable () -> NetworkState

    package init(
      seen: @escaping @MainLoop @Sendable () async throws(Fault) -> [SeenNetwork],
      look: @escaping @MainLoop @Sendable () throws(Fault) -> Void,
      network: @escaping @MainLoop @Sendable () -> NetworkState
    ) {
      (self.seen, self.look, self.network) = (seen, look, network)
    }
  }

  /// How long radios take to look around, at most.
  package static let lookingTakes: Duration = .seconds(8)
  /// What was seen is as good as new for so long.
  private static let lasts: Duration = .seconds(30)

  private let means: Means
  private let setups: StickSetupDesk
  private var lookedAt: Moment?
  /// Something of it is otherwise than it was shown.
  package var changed: @MainLoop () -> Void = {}

  package init(_ means: Means, _ setups: StickSetupDesk) { (self.means, self.setups) = (means, setups) }

  /// Looks around when that was not done lately, and gives what is known now.
  package func shown() async throws(Fault) -> Shown {
    if lookedAt.map({ MainLoop.loop.now - $0 > Self.lasts }) ?? true { try look() }
    return Shown(
      state, try await means.seen(), isLooking: lookedAt.map { MainLoop.loop.now - $0 < Self.lookingTakes } ?? false,
      isSet: isSet)
  }

  package var state: WirelessState {
    let attempt = setups.outcome.map { (name: setups.last?.network?.ssid ?? "", outcome: $0) }
    return WirelessState(means.network(), attempt: attempt)
  }

  private var isSet: Bool {
    switch state {
    case .noRadio, .unset: false
    case .joining, .refused, .noAddress, .joined, .noInternet, .portal, .online: true
    }
  }

  package func look() throws(Fault) {
    lookedAt = MainLoop.loop.now
    try means.look()
    MainLoop.start {
      // They come one after the other.
      for _ in 0..<4 {
        guard await MainLoop.loop.sleep(for: Self.lookingTakes / 4) else { return }
        self.changed()
      }
    }
  }

  /// What comes of it is told by a notice.
  package func join(_ ssid: String, password: String?, country: String?) throws(Fault) {
    if let (_, expected) = StickSetup.Network.mistake(ssid, password: password, country: country) {
      throw Fault(.malformed, "X-257", expected)
    }
    setups.confirm(StickSetup(joining: .init(ssid: ssid, password: password, country: country)))
    changed()
  }

  package func forget() {
    setups.forget()
    changed()
  }
}
