import Panel
import Runtime

/// What the owner chooses on the panel, and what shows it.
extension House {
  /// The panel as the settings want it; its theme is the subject of `LightAssembly`.
  func lookAgain() {
    guard let panel else { return }
    var look = panel.look
    look.words = PanelWords.of(settings[.language])
    look.style.profile = settings[.profile]
    look.style.takesCoverColours = settings[.coverColours]
    panel.look = look
  }
}
