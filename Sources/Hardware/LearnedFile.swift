import Glibc
import Runtime

/// A small file in the state folder for what was learned on the panel (keys, the knob's form). It has one section in the
/// format of board.conf. All calls wait for the disk, so they are not for the main loop.
struct LearnedFile: Sendable {
  let name: String
  let section: String
  /// Its first line.
  let comment: String

  func path(in state: FilePath) -> FilePath { state / name }
  func brokenPath(in state: FilePath) -> FilePath { state / "\(name).broken" }

  /// Without a file nothing was learned. One that makes no sense is put aside, and what became of it is said.
  func read(in state: FilePath) -> (learned: Settings?, trouble: (fault: Fault, instead: String)?) {
    let path = path(in: state)
    let bytes: [UInt8]
    do throws(Fault) { bytes = try AtomicFile.read(path, limit: SettingsFile.limit) } catch {
      if error.kind == .missing { return (nil, nil) }
      // A file that is too long was not written by us either.
      return (nil, (error, error.kind == .malformed ? putAside(in: state) : Self.stays))
    }
    do throws(Fault) { return (try Self.table.learned(section, from: bytes, shownAs: path.description), nil) } catch {
      return (nil, (error, putAside(in: state)))
    }
  }

  func keep(_ settings: Settings, in state: FilePath) throws(Fault) {
    let text = settings.fileText(.board, in: Self.table)
    try AtomicFile.replace(path(in: state), with: Array("# \(comment)\n\(text)".utf8))
  }

  private static let table = SettingsTable(HardwareSettings.settings)
  private static let stays = "it stays as it is"

  private func putAside(in state: FilePath) -> String {
    let (from, to) = (path(in: state), brokenPath(in: state))
    let isAside = from.withCString { old in to.withCString { rename(old, $0) } } == 0
    return isAside ? "it is kept as \(to)" : Self.stays
  }
}
