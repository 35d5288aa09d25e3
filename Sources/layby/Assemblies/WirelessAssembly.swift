import Application
import Glibc
import Hardware
import Panel
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
      network: { self.part?.state ?? NetworkState() }, hotspot: hotspot(context))
    return WirelessSetup(means, sticks.setups)
  }

  /// By files in the run folder, which the unit layby-hotspot takes; its word and its page's answer come the same way.
  private func hotspot(_ context: ProgramContext) -> WirelessSetup.HotspotMeans {
    let (wish, end) = (context.runFolder / HotspotWish.fileName, context.runFolder / HotspotWish.endName)
    // One from before this start: nobody would see its name and its password.
    do throws(Fault) { try Self.end(wish, end) } catch {
      Log("hotspot").info("a hotspot from before cannot be ended", ["reason": error.message])
    }
    return WirelessSetup.HotspotMeans(
      begin: { new throws(Fault) in
        _ = end.withCString { unlink($0) }
        try AtomicFile.replace(wish, with: new.bytes)
      },
      end: { () throws(Fault) in try Self.end(wish, end) },
      told: {
        // Not there, or being replaced: there is no word yet.
        do throws(Fault) { return HotspotSession.Told(try AtomicFile.read(Self.hotspotTold, limit: 4_096)) } catch {
          return nil
        }
      },
      answer: {
        // Mostly there is none.
        do throws(Fault) {
          let bytes = try PlainFile.read(Self.hotspotAnswer, limit: StickSetup.limit, code: "X-285")
          return try bytes.flatMap { bytes throws(Fault) in try StickSetup(parsing: bytes).network }
        } catch { return nil }
      },
      language: { context.settings[.language].rawValue })
  }

  private static func end(_ wish: FilePath, _ end: FilePath) throws(Fault) {
    _ = wish.withCString { unlink($0) }
    try AtomicFile.replace(end, with: [], mode: 0o644)
  }

  /// The unit's own folder, in memory, and that of its page's helper: nobody else writes there.
  private static let hotspotTold = FilePath("/run/layby-hotspot/state")
  private static let hotspotAnswer = FilePath("/run/layby-page/answer")

  /// On a thread of its own: a driver may take its time.
  private static func seen() async throws(Fault) -> [SeenNetwork] {
    try await Errand.ownThread.perform { Result { () throws(Fault) in try NetworkSurroundings().seenNetworks() } }.get()
  }
}
