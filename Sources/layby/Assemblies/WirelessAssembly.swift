import Application
import Glibc
import Hardware
import Panel
import Runtime

extension NetworkAssembly {
  /// Gives nil unless board.conf says that the system joins networks.
  func wireless(_ sticks: StickAssembly) -> WirelessSetup? {
    guard context.settings[.joinsWireless] else { return nil }
    return WirelessSetup(WirelessUnits(self), sticks.setups)
  }
}

/// By files in the run folder, which the units layby-look and layby-hotspot take; the hotspot's word and its page's
/// answer come the same way.
@MainLoop
private struct WirelessUnits: WirelessSystem {
  private let assembly: NetworkAssembly
  /// Wishes for the units: a hotspot, its end, and a look around.
  private let hotspot, end, search: FilePath

  init(_ assembly: NetworkAssembly) {
    self.assembly = assembly
    let folder = assembly.context.runFolder
    (hotspot, end) = (folder / HotspotWish.fileName, folder / HotspotWish.endName)
    search = folder / "look-for-networks"
    // One from before this start: nobody would see its name and its password.
    do throws(Fault) { try endHotspot() } catch {
      Log("hotspot").info("a hotspot from before cannot be ended", ["reason": error.message])
    }
  }

  var network: NetworkState { assembly.part?.state ?? NetworkState() }
  var language: String { assembly.context.settings[.language].rawValue }

  /// On a thread of its own: a driver may take its time.
  func seen() async throws(Fault) -> [SeenNetwork] {
    try await Errand.ownThread.perform { Result { () throws(Fault) in try NetworkSurroundings().seenNetworks() } }.get()
  }

  func look() throws(Fault) { try AtomicFile.replace(search, with: [], mode: 0o644) }

  func begin(_ wish: HotspotWish) throws(Fault) {
    _ = end.withCString { unlink($0) }
    try AtomicFile.replace(hotspot, with: wish.bytes)
  }

  func endHotspot() throws(Fault) {
    _ = hotspot.withCString { unlink($0) }
    try AtomicFile.replace(end, with: [], mode: 0o644)
  }

  var told: HotspotSession.Told? {
    // Not there, or being replaced: there is no word yet.
    do throws(Fault) { return HotspotSession.Told(try AtomicFile.read(Self.hotspotTold, limit: 4_096)) } catch {
      return nil
    }
  }

  var answer: StickSetup.Network? {
    // Mostly there is none.
    do throws(Fault) {
      let bytes = try PlainFile.read(Self.hotspotAnswer, limit: StickSetup.limit, code: "X-285")
      return try bytes.flatMap { bytes throws(Fault) in try StickSetup(parsing: bytes).network }
    } catch { return nil }
  }

  /// The unit's own folder, in memory, and that of its page's helper: nobody else writes there.
  private static let hotspotTold = FilePath("/run/layby-hotspot/state")
  private static let hotspotAnswer = FilePath("/run/layby-page/answer")
}
