import Application
import Hardware
import Runtime

extension NetworkAssembly {
  /// Gives nil unless board.conf says that the system joins networks.
  func wireless(_ context: ProgramContext, _ sticks: StickAssembly) -> WirelessSetup? {
    guard context.settings[.joinsWireless] else { return nil }
    let wish = context.runFolder / "look-for-networks"
    let means = WirelessSetup.Means(
      seen: { () async throws(Fault) in try await Self.seen() },
      // The unit layby-look takes it away.
      look: { () throws(Fault) in try AtomicFile.replace(wish, with: [], mode: 0o644) },
      network: { self.part?.state ?? NetworkState() })
    return WirelessSetup(means, sticks.setups)
  }

  /// On a thread of its own: a driver may take its time.
  private static func seen() async throws(Fault) -> [SeenNetwork] {
    try await Errand.ownThread.perform { Result { () throws(Fault) in try NetworkSurroundings().seenNetworks() } }.get()
  }
}
