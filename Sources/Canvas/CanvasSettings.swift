import Runtime

/// What can be set of the device that shows the panel.
package enum CanvasSettings {
  package static let settings: [SettingEntry] = [
    SettingEntry(.panelDevice),
    SettingEntry(.panelSize),
    SettingEntry(.panelRotation),
  ]
}

extension Setting<PanelDisplay> {
  package static var panelDevice: Self {
    Setting(
      .board, "panel", "device", .panelDisplay, .none,
      "The framebuffer or graphics card that shows the panel; auto is the first framebuffer, else the first card.",
      example: "/dev/fb0")
  }
}

extension Setting<PanelSize> {
  package static var panelSize: Self {
    Setting(
      .board, "panel", "size", .size(16...4096), PanelSize(width: 320, height: 240),
      "How many pixels wide and high the panel is, as you look at it. A device with one fixed size has that instead.",
      example: "800x480")
  }
}

extension Setting<Int> {
  package static var panelRotation: Self {
    Setting(
      .board, "panel", "rotate", .choice(["0": 0, "90": 90, "180": 180, "270": 270]), 0,
      "By how many degrees the picture is turned clockwise on the panel's device, so that it is seen upright.")
  }
}
