import Application
import Canvas
import Formats
import Glibc
import Hardware
import Library
import Offline
import Panel
import Pictures
import Playback
import Runtime

/// What the house is shown on.
extension House {
  func makePanel(_ playing: Playing) -> PanelPart? {
    let type: PanelType
    do throws(Fault) { type = try PanelType(regular: settings[.panelFont], bold: settings[.panelBoldFont]) } catch {
      notices.post(Notice(error, instead: "there is no picture, but the music plays"))
      return nil
    }
    let size = settings[.panelSize]
    var style = PanelStyle(settings[.profile])
    style.takesCoverColours = settings[.coverColours]
    let look = PanelLook(
      type: type, words: PanelWords.of(settings[.language]), theme: LightAssembly.daylight(settings).theme, style: style
    )
    let made = PanelPart(
      size: Size(width: size.width, height: size.height), look: look, playing: playing, notices: notices,
      terminal: makeTerminal(), device: makePanelDevice(),
      art: outset.isSafe ? nil : ArtShelf(storing: context.statePath / "art", decoding: .process(PictureProcess.words)),
      questions: questions, isReady: false, emptyHint: emptyHint, timeOfDay: { LocalTime.ofDay() })
    made.coverOf = { [covers = streaming.covers] music in covers.place(of: music.ofFile) }
    streaming.covers.changed = { [weak made] in made?.coversHaveChanged() }
    panel = made
    chosen.follow { _ in self.lookAgain() }
    return made
  }

  /// What plays without a connection says so, where something is fetched at all.
  func showConnection(_ network: NetworkAssembly, _ keeping: Keeping, on panel: PanelPart) {
    let needsInternet = settings[.offlineNeedsInternet]
    panel.fetches = { keeping.fetches }
    network.told = { [weak panel] state in
      var conditions = TransferConditions()
      conditions.hear(state, needsInternet: needsInternet)
      panel?.isReached = conditions.internet != .none
    }
  }

  private func makePanelDevice() -> PanelDevice? {
    let device: DisplayPlace.Device
    switch settings[.panelDevice] {
    case .none: return nil
    case .automatic: device = .automatic
    case .device(let path): device = .named(path)
    }
    let size = settings[.panelSize]
    return PanelDevice(
      DisplayPlace(
        device, turn: Turn(rawValue: settings[.panelRotation]) ?? .none,
        wanted: Size(width: size.width, height: size.height)))
  }

  private var emptyHint: String? { settings[.firstMusic].map { "Put music into \($0) and start again." } }

  private func makeTerminal() -> Terminal? {
    guard options.inTerminal else { return nil }
    guard isatty(STDOUT_FILENO) == 1 else {
      log.notice("no terminal, so the panel is not shown; layby screen OUT.png draws it")
      return nil
    }
    let colours = TerminalColours(
      colorTerm: EnvironmentVariable.colours.text, term: EnvironmentVariable.terminal.text)
    do throws(Fault) {
      let terminal = try Terminal.onStandardOutput(colours: colours)
      // The picture and the log cannot share the terminal; `layby log` shows it.
      if isatty(STDERR_FILENO) == 1 { LogBook.shared.redirect(to: -1) }
      return terminal
    } catch {
      notices.post(Notice(error, instead: "the panel is not shown, but the music plays"))
      return nil
    }
  }
}
