import Runtime

/// The file with the meanings of keys that were learned on the panel.
package enum LearnedKeys {
  private static let file = LearnedFile(
    name: "keys", section: "keys",
    comment: "What keys were taught on the panel; each has its name in linux/input-event-codes.h.")

  package static func path(in state: FilePath) -> FilePath { file.path(in: state) }
  package static func brokenPath(in state: FilePath) -> FilePath { file.brokenPath(in: state) }

  package static func read(in state: FilePath) -> (learned: Settings, notice: Notice?) {
    let (learned, trouble) = file.read(in: state)
    let notice = trouble.map {
      Notice("H-240", "\($0.fault.message); the keys mean what they did before any was learned, and \($0.instead)")
    }
    return (learned ?? Settings(), notice)
  }

  package static func keep(_ map: KeyMap, in state: FilePath) throws(Fault) { try file.keep(map.learned, in: state) }
}
