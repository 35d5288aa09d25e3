import Runtime

/// The last owner's file that was right, kept beside the state, for the start after a mistake.
enum OwnersFile {
  static func path(in state: FilePath) -> FilePath { state / "layby.conf.good" }

  static func lastGood(in state: FilePath) -> [UInt8]? {
    do throws(Fault) { return try AtomicFile.read(path(in: state), limit: SettingsFile.limit) } catch {
      return nil
    }
  }

  static func keep(_ bytes: [UInt8], in state: FilePath) throws(Fault) {
    guard lastGood(in: state) != bytes else { return }
    try AtomicFile.replace(path(in: state), with: bytes)
  }
}
