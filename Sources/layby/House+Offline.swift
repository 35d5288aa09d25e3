import Application
import Formats
import Glibc
import Hardware
import Library
import Offline
import Playback
import Runtime
import Services

/// What is fetched and kept, wired. Where the owner's file names no source there is nothing of it: no thread, no file.
extension House {
  /// Disks that all can be moved to.
  var volumes: [MediaVolume] {
    let others = settings[.mediaVolumes].filter { $0.path != context.mediaPath }
    return others.map { MediaVolume($0.name, at: $0.path) }
  }

  /// Before anybody can ask.
  func announceOffline(_ storage: Storage) {
    guard !settings.sources.isEmpty else { return }
    offline.standing =
      storage.session == nil || storage.catalogue == nil
      ? .broken(Fault(.missing, "X-195", "nothing can be remembered, so nothing is fetched")) : .opening
  }

  /// When the library is open: what is whole is to be found in it.
  func keepOffline(_ storage: Storage, _ imports: ImportPart) async {
    guard case .opening = offline.standing, let session = storage.session else { return }
    if outset.isSafe {
      let fault = Fault(.busy, "X-196", "nothing is fetched in safe mode")
      offline.standing = .broken(fault)
      return
    }
    do throws(Fault) {
      let desk = OfflineAssembly(self, storage, session, imports, try await openWire(storage))
      await supervisor.keep(desk, when: .restart)
    } catch {
      offline.standing = .broken(error)
      notices.post(Notice(error, instead: "nothing is fetched"))
    }
  }
}

/// `state.db` belongs to the session; Offline has tables of its own in it.
extension SessionStore: ConnectionLending {}
