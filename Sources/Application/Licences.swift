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
  private let device: Result<DeviceRights, Fault>?
  /// Who fetches licences; nil until sources can be asked.
  package weak var source: (any LicenceSource)?

  package init(_ device: Result<DeviceRights, Fault>?) { self.device = device }

  package var rights: DeviceRights {
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
    guard let source else { throw Fault(.busy, "X-231", "licences cannot be fetched yet; sources are being opened") }
    return await source.askAll(rights)
  }
}

/// Asks every source that gives licences for them.
@MainLoop
package protocol LicenceSource: AnyObject {
  func askAll(_ rights: DeviceRights) async -> [Licences.Renewal]
}
