import Panel
import Playback
import Runtime

/// What parts do when the owner chooses something on the panel.
extension House {
  func followChoices(_ transport: Transport) {
    chosen.follow { [chosen] _ in LogBook.shared.show(upTo: chosen.settings[.logLevel]) }
    chosen.follow { name in
      if name.section == Setting<String>.equaliser.section { transport.sounding = self.sounding }
      self.limitVolume(transport)
    }
  }

  /// Applies a value until the next start, without storing it.
  func sound(as name: SettingName, _ text: String) {
    guard name.section == Setting<String>.equaliser.section, let settings = chosen.trying(name, text) else { return }
    transport?.sounding = sounding(of: settings)
  }

  private func limitVolume(_ transport: Transport) {
    guard transport.status.loudest != settings.loudest else { return }
    let loudest = settings.loudest
    MainLoop.start {
      do throws(Fault) { try await transport.perform(.limitVolume(loudest)) } catch {
        self.log.warning("not saved", ["reason": error.message])
      }
    }
  }

  /// The panel as the settings and the light want it.
  func lookAgain() {
    guard let panel else { return }
    var look = panel.look
    look.words = PanelWords.of(settings[.language])
    look.style.profile = settings[.profile]
    (daylight.colours, daylight.hours) = (settings[.colours], settings[.daylight])
    look.theme = daylight.theme
    panel.look = look
  }

  /// What was chosen counts then; the music goes on where it is.
  func startAnew() {
    supervisor.wantStop(because: "what was chosen on the panel counts from the next start")
  }
}
