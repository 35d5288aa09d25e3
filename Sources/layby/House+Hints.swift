import Glibc
import Hardware
import Library
import Panel
import Playback
import Runtime

/// The music that is there, offered where nothing is in the queue.
extension House {
  /// After each import, and when the library is open. A kiosk's visitor chooses in the menu.
  func offerLibrary() {
    guard let panel, library?.application.playlists != nil, let browsing = library?.application.browsing,
      !settings.isKiosk
    else {
      return
    }
    MainLoop.start {
      do throws(Fault) { panel.offersLibrary = try await browsing.survey().tracks > 0 } catch {
        self.log.info("nobody knows whether there is music", ["reason": error.message])
      }
    }
  }
}

/// What nobody can guess who has a knob and no manual: told at each start until it was done once.
extension House {
  nonisolated private static func path(in state: FilePath) -> FilePath { state / "menu-is-known" }

  func hintAtMenu(_ storage: Storage) async {
    guard settings[.knobLines] != nil, panel?.menu != nil, !settings.isKiosk else { return }
    let state = storage.path
    let isKnown = await storage.loop.perform { () -> Bool in
      var status = stat()
      return Self.path(in: state).withCString { stat($0, &status) } == 0
    }
    guard !isKnown else { return }
    notices.post(Notice("N-126", PanelWords.of(settings[.language])[.holdForMenu]))
    panel?.menu?.wasOpened = {
      storage.loop.post {
        // Told once more is no harm.
        do throws(Fault) { try AtomicFile.replace(Self.path(in: state), with: []) } catch {
          Log("layby").info("that the menu is known is not kept", ["reason": error.message])
        }
      }
    }
  }
}
