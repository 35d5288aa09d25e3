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
    _ storage: Storage, _ transport: Transport, _ panel: PanelPart, _ application: Application
  ) {
    let desk = ProgramMenuActions(self, storage, application)
    library?.follow { [weak desk] in desk?.music.forgetNames() }
    let notices = notices
    panel.menu = MenuController(
      desk, status: { transport.status },
      posted: {
        notices.standing.reversed().map { ($0.notice, true) } + notices.posted.reversed().map { ($0.notice, false) }
      },
      tell: { notices.post(Notice($0, instead: "the music goes on")) })
  }

  func makeHands(_ transport: Transport, _ panel: PanelPart?) -> GestureInput {
    GestureInput(Gestures.Times(settings), bindings: { self.controls(panel).bindings(self.holder(panel)) }) { gesture in
      MainLoop.start {
        do throws(Fault) { try await self.perform(gesture, transport, panel) } catch {
          self.log.warning("not saved", ["reason": error.message])
        }
      }
    }
  }

  private func controls(_ panel: PanelPart?) -> Controls {
    var controls = Controls(
      volumeStep: settings[.volumeStep], givesWay: settings[.givesWayByPausing] ? .pause : .duck,
      hasMenu: panel?.menu != nil)
    controls.map = gestureMap
    // Who may not pause finds the menu by a press.
    controls.pressOpensMenu = kiosk?.rights.allows(Player.Command.toggle) == false
    return controls
  }

  private func holder(_ panel: PanelPart?) -> Controls.Holder {
    guard let panel else { return questions.current == nil ? .music : .question }
    return switch panel.front {
    case .question: .question
    case .menu: .menu
    case .music, .invitation: .music
    }
  }

  func perform(
    _ gesture: Gesture, _ transport: Transport, _ panel: PanelPart?, fromAfar: Bool = false
  ) async throws(Fault) {
    if fromAfar, kiosk?.touch() == true { return }
    if case .other(.touch(let touch)) = gesture {
      for meaning in panel?.meanings(of: touch) ?? [] {
        try await perform(meaning, transport, panel, fromAfar: fromAfar)
      }
      return
    }
    let elapsed = transport.status.place.elapsed
    var controls = controls(panel)
    if case .turn(_, .some) = gesture { controls.listIsLong = panel?.menu?.shown?.isLong ?? false }
    let meaning = controls.meaning(of: gesture, elapsed: elapsed, holder(panel))
    try await perform(meaning, transport, panel, fromAfar: fromAfar)
  }

  private func perform(
    _ meaning: Controls.Meaning?, _ transport: Transport, _ panel: PanelPart?, fromAfar: Bool
  ) async throws(Fault) {
    if let meaning, let kiosk, !kiosk.rights.allows(meaning) { return log.debug("not allowed to passers-by") }
    speech?.touch()
    switch meaning {
    case .command(let command):
      if command == .toggle || command == .play, try await playLibrary(transport, panel) { return }
      try await transport.perform(fromAfar ? command.fromAfar : command)
    case .choose(let steps): moved(meaning) { questions.turn(by: steps) }
    case .confirm: moved(meaning) { questions.press() }
    case .menu(let move):
      moved(meaning) { panel?.menu?.move(move) }
      // Who asks from afar sees with the next picture what came of it.
      if fromAfar { await panel?.menu?.settled() }
    case .help: panel?.showHelp(DeskKeys.brief)
    case .quit: supervisor.wantStop(because: "the desk asked for it")
    case nil: log.debug("a gesture without a meaning here")
    }
  }
}
