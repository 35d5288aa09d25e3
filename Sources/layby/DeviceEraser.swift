import Application
import Glibc
import Hardware
import Runtime

/// Has the system make the device as it was on its first day: it leaves a wish, which `layby-erase` of the image takes up
/// as root. What goes does so before the program starts again (see `layby-data`), so a power cut leaves nothing half-done.
@MainLoop
final class DeviceEraser: DeviceErasing {
  private let storage: Storage
  private let system: FilePath

  nonisolated private static let patience: Duration = .seconds(10)

  /// `system`: the image's program that takes such wishes.
  init(_ storage: Storage, by system: FilePath = FilePath("/usr/lib/layby/layby-erase")) {
    (self.storage, self.system) = (storage, system)
  }

  nonisolated static func wish(in state: FilePath) -> FilePath { state / SetupTaker.folderName / "layby-erase" }

  /// On any thread that may wait for the disk.
  nonisolated static func lay(_ extent: EraseExtent, in state: FilePath) throws(Fault) {
    let wish = wish(in: state)
    try Folder.make(wish.folder)
    try AtomicFile.replace(wish, with: Array("\(extent.rawValue)\n".utf8))
  }

  nonisolated private static let hold: Duration = .seconds(10)

  /// Before anything is read that was saved: whoever holds the buttons may do so because that ends the program. What
  /// happens then is the same as when somebody asks for it on the panel.
  nonisolated static func look(at board: Settings, state: FilePath) {
    let buttons = board[.eraseButtons]
    guard !buttons.isEmpty, let held = HeldButtons(buttons, LinePlan(board), KernelLines()), held.areDown else {
      return
    }
    let log = Log("erase")
    let names = buttons.map(\.name).joined(separator: ", ")
    log.notice("buttons are held; after ten seconds this device is erased", ["buttons": names])
    guard held.stayDown(for: hold, looking: .milliseconds(50), { usleep(UInt32($0.milliseconds) * 1_000) }) else {
      return log.notice("they were let go, so nothing is erased")
    }
    do throws(Fault) {
      try lay(.keepingMusic, in: state)
      log.notice("the device is to be as on its first day", ["buttons": names])
    } catch { log.error("nothing is erased", ["reason": error.message]) }
  }

  var canErase: Bool { system.withCString { access($0, X_OK) } == 0 }

  func erase(_ extent: EraseExtent) async throws(Fault) {
    guard canErase else {
      throw Fault(
        .unsupported, "X-255",
        "this system does not erase the device; end layby, and remove what is in \(storage.path)")
    }
    try await storage.lay(extent)
    Log("erase").notice("the device is to be as on its first day", ["extent": extent.rawValue])
    let wish = storage.eraseWish
    let end = MainLoop.loop.now + Self.patience
    while wish.withCString({ access($0, F_OK) }) == 0 {
      guard MainLoop.loop.now < end, await MainLoop.loop.sleep(for: .milliseconds(100)) else {
        await storage.takeBackEraseWish()
        throw Fault(.passing, "X-256", "the system did not answer, so nothing is erased")
      }
    }
  }
}
