import Rights
import Runtime

/// The licences of this device for sealed music.
@MainLoop
package final class Licences {
  /// What came of asking a source for its licences.
  package struct Renewal: Sendable {
    package let source: String
    /// How many are new.
    package let outcome: Result<Int, Fault>

    package init(_ source: String, _ outcome: Result<Int, Fault>) { (self.source, self.outcome) = (source, outcome) }
  }

  /// The device's rights, or why they cannot be had; nil when no source of the owner's file gives licences.
  private let device: Result<any RightsKeeper, Fault>?
  /// Who fetches licences; nil until sources can be asked.
  package weak var source: (any LicenceSource)?

  package init(_ device: Result<any RightsKeeper, Fault>?) { self.device = device }

  package var rights: any RightsKeeper {
    get throws(Fault) {
      guard let device else {
        throw Fault(
          .missing, "X-230",
          "no source gives licences; a line trust in its [source NAME] of layby.conf names its root key")
      }
      return try device.get()
    }
  }

  package func renew() async throws(Fault) -> [Renewal] {
    let rights = try rights
    return try await reachable().askAll(rights)
  }

  /// From now on this is another device: its services are to know it by its new card before they give it licences.
  package func rotate() async throws(Fault) {
    let rights = try rights
    try await reachable().rotate(rights)
  }

  private func reachable() throws(Fault) -> any LicenceSource {
    guard let source else { throw Fault(.busy, "X-231", "licences cannot be fetched yet; sources are being opened") }
    return source
  }
}

/// Asks every source that gives licences for them.
@MainLoop
package protocol LicenceSource: AnyObject {
  func askAll(_ rights: any RightsKeeper) async -> [Licences.Renewal]
  /// Has it done where a disk may be waited for.
  func rotate(_ rights: any RightsKeeper) async throws(Fault)
}
