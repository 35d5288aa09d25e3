import Playback
import Runtime

extension PanelPart {
  /// The states that hold now, the one that matters most first.
  var states: [PanelState] { states(playing.status) }

  func states(_ status: PlayerStatus) -> [PanelState] {
    var facts = facts()
    facts.now = MainLoop.loop.now
    facts.isEmpty = status.count == 0
    facts.offersLibrary = offersLibrary && facts.isEmpty
    facts.isSafe = status.isSafe
    facts.isSilent = status.isSafe && status.count > 0 && status.wish != .playing
    if !status.waitsForDevice { facts.missingDevice = nil }
    facts.isOffline = isOffline
    facts.menuIsHeld = !look.isTouched
    if let kiosk {
      facts.lock = kiosk.lock
      if case .closed(let opening) = kiosk.face { facts.hours = .closed(opening) }
    }
    return PanelState.all(of: facts, by: look.style.rights, look.words)
  }

  /// Something of `facts` is otherwise.
  package func factsChanged() {
    menu?.refresh()
    show()
  }

  /// What a press does while a state has the screen; nil where the music has it.
  var offered: PanelState.Action? {
    let status = playing.status
    guard front == .music, status.count == 0 else { return nil }
    return states(status).first { !$0.isWarning && $0.kind != .closed }?.action
  }
}
