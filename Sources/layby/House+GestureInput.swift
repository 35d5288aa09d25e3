import Application
import Glibc
import Hardware
import Panel
import Playback
import Remote
import Runtime

/// What a hand did, and what it means: the menu, the question that stands, or the music.
extension House {
  func keepMenu(
    _ transport: Transport, _ panel: PanelPart, _ library: LibraryAssembly
  ) {
    let desk = ProgramMenuActions(library.application, notices, kiosk)
    library.follow { [weak desk] in desk?.music.forgetNames() }
    let notices = notices
    let menu = MenuController(
      desk, settings: .all, status: { transport.status },
      posted: {
        notices.standing.reversed().map { ($0.notice, true) } + notices.posted.reversed().map { ($0.notice, false) }
      },
      tell: { notices.post(Notice($0, instead: "the music goes on")) })
    desk.menu = menu
    desk.hasNoConnection = { [weak panel] in panel?.isOffline ?? false }
    panel.menu = menu
  }

  func makeHands(_ gestures: GesturePerformer) -> GestureInput {
    GestureInput(Gestures.Times(settings), bindings: { gestures.bindings }) { gesture in
      MainLoop.start {
        do throws(Fault) { try await gestures.perform(gesture) } catch {
          self.log.warning("not saved", ["reason": error.message])
        }
      }
    }
  }
}
