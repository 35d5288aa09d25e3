import Glibc
import Runtime

/// How the player, which is not root, switches the board off: it makes a file in a folder of its own, and a unit that runs
/// as root and watches for that file (`layby-off.path`) does it. Nobody reads the file's content, so it cannot ask for
/// anything else.
package struct OffSwitch: Sendable {
  package static let name = FilePath("power-off")
  /// How long to wait for the shutdown. Where the unit that performs it is installed, the program is stopped long
  /// before.
  package static let patience: Duration = .seconds(30)

  private let wish: FilePath

  package init(in folder: FilePath) { wish = folder / Self.name.description }

  @MainLoop
  package func press(by errand: Errand = .ownThread) async throws(Fault) {
    try await errand.perform { Result { () throws(Fault) in try self.ask() } }.get()
  }

  /// Nobody has taken it up: left there it would switch the board off some day.
  @MainLoop
  package func takeBack(by errand: Errand = .ownThread) async throws(Fault) {
    try await errand.perform { _ = wish.withCString { unlink($0) } }
  }

  private func ask() throws(Fault) {
    do throws(Fault) { try AtomicFile.replace(wish, with: Array("off\n".utf8)) } catch {
      throw Fault(error.kind, "H-604", "the board cannot be asked to switch off: \(error.message)")
    }
  }

  package var unheard: Fault {
    Fault(
      .missing, "H-603",
      "the board has not switched off \(Self.patience.components.seconds) s after \(wish) was written; "
        + "the unit layby-off.path has to wait for that file")
  }
}
