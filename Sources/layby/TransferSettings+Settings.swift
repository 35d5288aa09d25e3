import HTTP
import Hardware
import Offline
import Runtime
import Services

extension TransferSettings {
  /// What the owner says of all transfers. A source whose keys are pinned is fetched from by those, or nothing is.
  init(_ settings: Settings, _ flags: Flags = Flags()) throws(Fault) {
    self.init()
    bytesASecond = TransferRules.cap(settings)
    speaksHTTP2 = flags.isOn(.http2)
    proxy = settings[.offlineProxy]
    let direct = settings[.offlineDirect]
    withoutProxy = direct.isEmpty ? nil : direct.joined(separator: ",")
    for name in settings.sources {
      do throws(Fault) { try pin(name, by: settings) } catch {
        throw Fault(error.kind, error.code, "[source \(name)]: \(error.message)")
      }
    }
  }

  private mutating func pin(_ name: String, by settings: Settings) throws(Fault) {
    let (key, backup) = (settings[.sourcePin(name)], settings[.sourceBackupPin(name)])
    guard key != nil || backup != nil else { return }
    guard let key, let backup else {
      throw Fault(.malformed, "C-110", "pin and backup_pin stand together: with one key alone a lost one is the end")
    }
    // What is no folder is told of elsewhere, and nothing is fetched from it.
    guard let folder = settings[.sourceURL(name)].flatMap({ FolderAddress($0) }) else { return }
    try pin(folder.text, to: PinnedKeys(key, backup: backup))
  }
}

extension ProbeExpectation {
  /// `204`, or the text with which an answer begins.
  init(text: String) {
    if text.utf8.count == 3, let status = Int(text), (100...599).contains(status) {
      self.init(status: status)
    } else {
      self.init(status: 200, body: Array(text.utf8))
    }
  }
}
