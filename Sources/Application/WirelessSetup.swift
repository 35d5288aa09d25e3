import Hardware
import Runtime

/// What the board's system does for Wi-Fi. The player has no rights to change any of it: it asks the system's units.
@MainLoop
package protocol WirelessSystem {
  var network: NetworkState { get }
  /// What the radios have seen.
  func seen() async throws(Fault) -> [SeenNetwork]
  /// Asks that the radios look around.
  func look() throws(Fault)
  /// Asks for a hotspot, and for its end.
  func begin(_ wish: HotspotWish) throws(Fault)
  func endHotspot() throws(Fault)
  /// What was last told of the hotspot.
  var told: HotspotSession.Told? { get }
  /// What was chosen on the hotspot's page.
  var answer: StickSetup.Network? { get }
  /// What the panel speaks, and so that page.
  var language: String { get }
}

/// Wi-Fi: which networks there are, how the board stands with them, and which it joins.
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
    package var hotspot: Hotspot

    package init(
      _ state: WirelessState, _ networks: [SeenNetwork] = [], isLooking: Bool = false, isSet: Bool = false,
      hotspot: Hotspot = Hotspot()
    ) {
      (self.state, self.networks, self.isLooking, self.isSet) = (state, networks, isLooking, isSet)
      self.hotspot = hotspot
    }
  }

  /// The board's own access point, for a telephone that tells it which network to join.
  package struct Hotspot: Equatable, Sendable {
    package var phase: HotspotSession.Phase
    /// Its name and its password, and the code for a camera; nil when there is none.
    package var wish: HotspotWish?
    package var minutesLeft: Int?

    package init(_ phase: HotspotSession.Phase = .off, _ wish: HotspotWish? = nil, minutesLeft: Int? = nil) {
      (self.phase, self.wish, self.minutesLeft) = (phase, wish, minutesLeft)
    }
  }

  /// How long radios take to look around, at most.
  package static let lookingTakes: Duration = .seconds(8)
  /// What was seen is as good as new for so long.
  private static let lasts: Duration = .seconds(30)

  private let system: any WirelessSystem
  private let setups: SetupDesk
  private var lookedAt: Moment?
  private var session = HotspotSession()
  private var isWatching = false
  private let log = Log("hotspot")
  private var followers: [Mailbox<Void>] = []

  package init(_ system: any WirelessSystem, _ setups: SetupDesk) { (self.system, self.setups) = (system, setups) }

  /// Reports that something of it is otherwise than it was shown.
  package func follow(_ changes: Mailbox<Void>) { followers.append(changes) }

  private func changed() {
    followers.removeAll(where: \.isClosed)
    for box in followers { box.send(()) }
  }

  /// Looks around when that was not done lately, and gives what is known now.
  package func shown() async throws(Fault) -> Shown {
    // An access point cannot look around.
    if !session.hasRadio, lookedAt.map({ MainLoop.loop.now - $0 > Self.lasts }) ?? true { try look() }
    return Shown(state, try await system.seen(), isLooking: isLooking, isSet: isSet, hotspot: hotspot)
  }

  package var state: WirelessState {
    if session.hasRadio, let name = session.wish?.name { return .hotspot(name) }
    let attempt = setups.outcome.map { (name: setups.last?.network?.ssid ?? "", outcome: $0) }
    return WirelessState(system.network, attempt: attempt)
  }

  private var isSet: Bool {
    switch state {
    case .noRadio, .unset, .hotspot: false
    case .joining, .refused, .noAddress, .joined, .noInternet, .portal, .online: true
    }
  }

  private var isLooking: Bool { lookedAt.map { MainLoop.loop.now - $0 < Self.lookingTakes } ?? false }

  package func look() throws(Fault) {
    // They are at it; and systemd gives the unit up for a while when it is started too often in a minute.
    guard !isLooking else { return }
    lookedAt = MainLoop.loop.now
    try system.look()
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
    join(.init(ssid: ssid, password: password, country: country))
  }

  /// Joining a network by other means ends the hotspot. The system frees the radio before it joins.
  private func join(_ network: StickSetup.Network) {
    if session.phase != .joining { perform(session.stop(at: MainLoop.loop.now)) }
    setups.confirm(StickSetup(joining: network)) { outcome in
      self.perform(self.session.joined(outcome, at: MainLoop.loop.now))
      self.changed()
    }
    changed()
  }

  package func forget() {
    setups.forget()
    changed()
  }

  // MARK: The hotspot

  package var hotspot: Hotspot {
    let wish = session.hasRadio ? session.wish : nil
    guard case .on(let until) = session.phase else { return Hotspot(session.phase, wish) }
    let left = max(until - MainLoop.loop.now, .zero)
    return Hotspot(session.phase, wish, minutesLeft: Int((left.components.seconds + 59) / 60))
  }

  /// The board leaves its network for so long. One that is there already stays.
  package func startHotspot() {
    perform(session.start(.random(language: system.language), at: MainLoop.loop.now))
    changed()
  }

  package func stopHotspot() {
    perform(session.stop(at: MainLoop.loop.now))
    changed()
  }

  private func perform(_ actions: [HotspotSession.Action]) {
    for action in actions {
      switch action {
      case .write(let wish):
        do throws(Fault) { try system.begin(wish) } catch {
          log.error("no hotspot can be asked for", ["reason": error.message])
        }
        watch()
      case .end:
        do throws(Fault) { try system.endHotspot() } catch {
          log.error("the hotspot cannot be ended; it ends by itself", ["reason": error.message])
        }
      case .join(let network): join(network)
      }
    }
  }

  /// Looked at once a second, and only while there is one: ten minutes of that cost nothing.
  private func watch() {
    guard !isWatching else { return }
    isWatching = true
    MainLoop.start {
      while self.session.isUnderWay, await MainLoop.loop.sleep(for: .seconds(1)) {
        let before = self.hotspot
        let answer = self.session.hasRadio ? self.system.answer : nil
        self.perform(self.session.hear(self.system.told, answer: answer, at: MainLoop.loop.now))
        if self.hotspot != before { self.changed() }
      }
      self.isWatching = false
    }
  }
}
