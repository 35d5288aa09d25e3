import Runtime

/// The last owner's file that was right, kept beside the state, for the start after a mistake.
enum OwnersFile {
  static func lastGood(in state: FilePath) -> [UInt8]? {
    do throws(Fault) { return try AtomicFile.read(state / "layby.conf.good", limit: SettingsFile.limit) } catch {
      return nil
    }
  }

  static func keep(_ bytes: [UInt8], in state: FilePath) throws(Fault) {
    guard lastGood(in: state) != bytes else { return }
    try AtomicFile.replace(state / "layby.conf.good", with: bytes)
  }
}
