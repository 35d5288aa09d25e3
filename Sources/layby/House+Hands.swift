import Glibc
import Hardware
import Panel
import Playback
import Remote
import Runtime

/// What a hand did, and what it means: the menu, the question that stands, or the music.
extension House {
  func keepMenu(_ storage: Storage, _ transport: Transport, _ panel: PanelPart, _ carriers: Carriers?) {
    let words = PanelWords.of(settings[.language])
    let desk = PanelDesk(self, storage, transport, playlists(storage, transport), words: words)
    (desk.imports, desk.copies) = (carriers?.imports, carriers?.copies)
    let notices = notices
    panel.menu = MenuDesk(
      desk, words: words, status: { transport.status },
      posted: {
        notices.standing.reversed().map { ($0.notice, true) } + notices.posted.reversed().map { ($0.notice, false) }
      },
      tell: { notices.post(Notice($0, instead: "the music goes on")) })
  }

  func makeHands(_ transport: Transport, _ panel: PanelPart?) -> Hands {
    Hands(bindings: { self.controls(panel).bindings(self.holder(panel)) }) { gesture in
      Deck.start {
        do throws(Fault) { try await self.perform(gesture, transport, panel) } catch {
          self.log.warning("not saved", ["reason": error.message])
        }
      }
    }
  }

  private func controls(_ panel: PanelPart?) -> Controls {
    Controls(
      volumeStep: settings[.volumeStep], givesWay: settings[.givesWayByPausing] ? .pause : .duck,
      hasMenu: panel?.menu != nil)
  }

  private func holder(_ panel: PanelPart?) -> Controls.Holder {
    if questions.current != nil { return .question }
    return panel?.menu?.isOpen == true ? .menu : .music
  }

  func perform(
    _ gesture: Gesture, _ transport: Transport, _ panel: PanelPart?, fromAfar: Bool = false
  ) async throws(Fault) {
    if case .other(.touch(let touch)) = gesture {
      for meaning in panel?.meanings(of: touch) ?? [] {
        try await perform(meaning, transport, panel, fromAfar: fromAfar)
      }
      return
    }
    let elapsed = transport.status.place.elapsed
    let meaning = controls(panel).meaning(of: gesture, elapsed: elapsed, holder(panel))
    try await perform(meaning, transport, panel, fromAfar: fromAfar)
  }

  private func perform(
    _ meaning: Controls.Meaning?, _ transport: Transport, _ panel: PanelPart?, fromAfar: Bool
  ) async throws(Fault) {
    speech?.touch()
    switch meaning {
    case .command(let command): try await transport.perform(fromAfar ? command.fromAfar : command)
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
