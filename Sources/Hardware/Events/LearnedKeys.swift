import Glibc
import Runtime

/// What keys were taught to mean, in a small file of the state folder that a person can read: the section [keys] as
/// board.conf has it. All of this waits for the disk, and is not for the deck.
package enum LearnedKeys {
  package static func path(in state: FilePath) -> FilePath { state / "keys" }
  package static func brokenPath(in state: FilePath) -> FilePath { state / "keys.broken" }

  /// Without a file nothing was learned. One that makes no sense is put aside, and what the board says counts.
  package static func read(in state: FilePath) -> (learned: Settings, notice: Notice?) {
    let path = path(in: state)
    let bytes: [UInt8]
    do throws(Fault) { bytes = try AtomicFile.read(path, limit: SettingsFile.limit) } catch {
      if error.kind == .missing { return (Settings(), nil) }
      // Too long is not ours either.
      return (Settings(), error.kind == .malformed ? putAside(error, in: state) : notice(error, "it stays as it is"))
    }
    do throws(Fault) { return (try Settings.ofKeys(bytes, shownAs: path.description), nil) } catch {
      return (Settings(), putAside(error, in: state))
    }
  }

  package static func keep(_ map: KeyMap, in state: FilePath) throws(Fault) {
    let text = "# What keys were taught on the panel; each has its name in linux/input-event-codes.h.\n"
    try AtomicFile.replace(path(in: state), with: Array((text + map.learned.fileText(.board)).utf8))
  }

  private static func putAside(_ fault: Fault, in state: FilePath) -> Notice {
    let (from, to) = (path(in: state), brokenPath(in: state))
    guard from.withCString({ old in to.withCString { rename(old, $0) } }) == 0 else {
      return notice(fault, "it stays as it is")
    }
    return notice(fault, "it is kept as \(to)")
  }

  private static func notice(_ fault: Fault, _ instead: String) -> Notice {
    Notice("H-240", "\(fault.message); the keys mean what they did before any was learned, and \(instead)")
  }
}
