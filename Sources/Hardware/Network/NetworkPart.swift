import Runtime

/// Knows the network. The kernel tells when a link, an address or a route has changed; then, and once a minute because
/// such news can get lost, the state is read on a thread that may wait for the kernel. Followers are told only when the
/// state has changed.
@MainLoop
package final class NetworkPart: Part {
  /// Requests the probe's address, and gives the result.
  package typealias Probe = @MainLoop @Sendable () async -> Reachability.ProbeResult

  nonisolated package let name = "network"
  /// Changes seldom come alone.
  nonisolated package static let settling: Duration = .milliseconds(200)
  nonisolated package static let pollsAfter: Duration = .seconds(60)

  private let surroundings: NetworkSurroundings
  private let errand: Errand
  private let rule: MeteredRule
  private let probe: Probe?
  private let tell: @MainLoop (NetworkState) -> Void
  private let bell: Bell
  private var reading: NetworkReading?
  private var reachability: Reachability
  private var bars: [String: SignalBars] = [:]
  private var followers: [Mailbox<NetworkState>] = []
  private var lastFault: Fault?
  private let log = Log("network")

  package private(set) var state = NetworkState()
  /// Signal strength and bit rate, by the names of links. They change all the time, so followers are not told of them.
  package private(set) var radios: [String: WirelessFacts] = [:]
  /// How fast the line in use is; whoever transfers over it says how much came.
  package var bandwidth = BandwidthEstimate()

  package init(
    _ surroundings: NetworkSurroundings = NetworkSurroundings(), by errand: Errand = .ownThread,
    metered rule: MeteredRule, tell: @escaping @MainLoop (NetworkState) -> Void = { _ in }, probe: Probe? = nil
  ) throws(Fault) {
    self.surroundings = surroundings
    self.errand = errand
    self.rule = rule
    self.probe = probe
    self.tell = tell
    bell = try Bell()
    reachability = Reachability(canAsk: probe != nil)
  }

  /// Sends the present state, and each new one from now on.
  package func follow(_ box: Mailbox<NetworkState>) {
    if reading != nil { box.send(state) }
    followers.append(box)
  }

  /// A server is asked whether the internet is there. If not, the link alone says how far it reaches.
  package var isProbed: Bool { probe != nil }

  // MARK: What transfers have found out

  /// Call it when a transfer got a web page in place of music: there may be a captive portal.
  package func suspectPortal() { hear(.suspected) }

  package func proveInternet() { hear(.proved) }

  private func hear(_ event: Reachability.Event) {
    reachability.hear(event, at: MainLoop.loop.now)
    settle()
    bell.ring()
  }

  // MARK: Living

  package func run() async throws(Fault) {
    let news = try surroundings.news()
    let group = try DescriptorGroup(code: "H-745")
    try group.add(news.number, code: "H-745")
    try group.add(bell.number, code: "H-745")
    defer { MainLoop.loop.forget(group.number) }
    // The kernel's messages are received from before the first reading on, so that no change is missed.
    await readKernel()
    var nextLook = MainLoop.loop.now + Self.pollsAfter
    while !Task.isCancelled {
      askIfDue()
      let next = min(nextLook, reachability.due ?? nextLook)
      _ = await MainLoop.loop.readable(group.number, within: max(next - MainLoop.loop.now, .zero))
      if Task.isCancelled { return }
      bell.hush()
      let isNews = news.take()
      guard isNews || nextLook <= MainLoop.loop.now else { continue }
      if isNews, await MainLoop.loop.sleep(for: Self.settling) { _ = news.take() }
      await readKernel()
      nextLook = MainLoop.loop.now + Self.pollsAfter
    }
  }

  private func readKernel() async {
    let surroundings = surroundings
    do throws(Fault) {
      let found = try await errand.perform { Result { () throws(Fault) in try surroundings.read() } }
      reading = try found.get()
      lastFault = nil
      settle()
    } catch {
      // What was known stays. It is logged once, because it may fail every minute.
      if error != lastFault { log.warning("cannot see the network", ["reason": error.message]) }
      lastFault = error
    }
  }

  /// Makes one state of all that is known, and tells it when it is another.
  private func settle() {
    guard let reading else { return }
    let active = reading.active
    let line = active.map { link in
      Reachability.Route(name: link.facts.name, ssid: link.wireless?.ssid, address: link.addresses.first)
    }
    reachability.hear(.line(line), at: MainLoop.loop.now)
    radios = [:]
    for link in reading.links { if let radio = link.wireless { radios[link.facts.name] = radio } }
    bars = bars.filter { radios[$0.key] != nil }
    for (name, radio) in radios { if let dBm = radio.dBm { bars[name, default: SignalBars()].hear(dBm) } }
    let shown = reading.links.filter { $0.kind != .other || $0.facts.name == active?.facts.name }
    let next = NetworkState(
      links: shown.map { link($0) }, activeName: active?.facts.name, reach: reachability.reach,
      isProven: reachability.isProven)
    if next.activeName != state.activeName || next.active?.ssid != state.active?.ssid { bandwidth.forget() }
    guard next != state else { return }
    state = next
    log.notice("the network", ["state": next.json()])
    tell(next)
    followers.removeAll(where: \.isClosed)
    for box in followers { box.send(next) }
  }

  private func link(_ found: NetworkReading.Link) -> NetworkLink {
    let ssid = found.wireless?.ssid
    return NetworkLink(
      name: found.facts.name, kind: found.kind, isUp: found.facts.isUp, addresses: found.addresses, ssid: ssid,
      bars: bars[found.facts.name]?.bars, isMetered: rule.isMetered(found.kind, ssid: ssid))
  }

  private func askIfDue() {
    guard let number = reachability.comeDue(at: MainLoop.loop.now) else { return settle() }
    guard let probe else { return }
    MainLoop.start { self.hear(.answered(number, await probe())) }
  }
}
