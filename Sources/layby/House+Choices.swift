import Panel
import Runtime

/// What the owner chooses on the panel, and what shows it.
extension House {
  /// The panel as the settings and the light want it.
  func lookAgain() {
    guard let panel else { return }
    var look = panel.look
    look.words = PanelWords.of(settings[.language])
    look.style.profile = settings[.profile]
    look.style.takesCoverColours = settings[.coverColours]
    (daylight.colours, daylight.hours) = (settings[.colours], settings[.daylight])
    look.theme = daylight.theme
    panel.look = look
  }
}
