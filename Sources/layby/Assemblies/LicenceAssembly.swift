import Application
import Ciphers
import Offline
import Rights
import Runtime
import Seals

/// Sealed music: the device's licences, where a source in the owner's file gives any, and the keys for whoever decodes. It
/// lives on the main loop. After a power cut what was stored counts.
@MainLoop
final class LicenceAssembly {
  let licences: Licences
  /// Nil where the sound goes into a file: sealed music is not copied.
  let keys: (any TrackKeys)?

  init(_ context: ProgramContext, playingTo output: SoundOutput) {
    var roots: [String: SigningKey.PublicKey] = [:]
    for name in context.settings.sources {
      guard let text = context.settings[.sourceTrust(name)], let bytes = Base64.decode(text) else { continue }
      roots[name] = SigningKey.PublicKey(bytes: bytes)
    }
    guard !roots.isEmpty else {
      (licences, keys) = (Licences(nil), nil)
      return
    }
    let (settings, folder, trusted) = (context.settings, context.statePath / "rights", roots)
    let keeper = Result { () throws(Fault) in try LicenceAssembly.keeper(settings, in: folder, trusted) }
    licences = Licences(keeper)
    switch keeper {
    case .success(let keeper):
      if case .file = output { keys = nil } else { keys = keeper }
    case .failure(let fault):
      keys = nil
      context.notices.post(Notice(fault, instead: "sealed music is not played"))
    }
  }

  /// Where the board names a broker it need not answer yet; nothing else has the keys then.
  private static func keeper(
    _ settings: Settings, in folder: FilePath, _ roots: [String: SigningKey.PublicKey]
  ) throws(Fault) -> any RightsKeeper {
    if let socket = settings[.keysBroker] { return try KeysClient(at: socket, roots: roots) }
    let tpm = try settings.tpmAddress.map { address throws(Fault) in try TPM(address) }
    return try DeviceRights(in: folder, board: settings[.boundTo], tpm: tpm, roots: roots) { .now }
  }
}
