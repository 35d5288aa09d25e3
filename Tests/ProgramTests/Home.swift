import Glibc
import Runtime
import TestSupport

/// A folder in which one player lives, with everything it needs: its board's file, state, socket, and music.
final class Home: Sendable {
  private let temp = TempFolder()
  var folder: FilePath { temp.path }
  var board: FilePath { folder / "board.conf" }
  var owner: FilePath { folder / "layby.conf" }
  var state: FilePath { folder / "state" }
  var run: FilePath { folder / "run" }
  var notify: FilePath { folder / "notify" }
  var log: FilePath { folder / "log" }

  /// At full volume, where the bytes of a file reach the output untouched.
  init(owner text: String = "[sound]\nstart_volume = 100\n") throws {
    try write("[board]\nname = test\n[panel]\nsize = 64x48\n", to: board)
    try write(text, to: owner)
  }

  deinit { _ = state.withCString { chmod($0, 0o700) } }

  func write(_ text: String, to path: FilePath) throws { try AtomicFile.replace(path, with: Array(text.utf8)) }

  func names(in folder: FilePath) -> [String] {
    do throws(Fault) { return try Folder.names(in: folder).map(\.description) } catch { return [] }
  }

  static func exists(_ path: FilePath) -> Bool {
    var found = stat()
    return path.withCString { lstat($0, &found) } == 0
  }

  /// What a save would leave if it were not cleaned up, and the socket of a player that runs.
  var leftovers: [String] {
    let unfinished = (names(in: folder) + names(in: state)).filter { $0.hasPrefix(".") || $0.hasSuffix(".new") }
    return unfinished + (Self.exists(run / "control") ? ["control"] : [])
  }
}
