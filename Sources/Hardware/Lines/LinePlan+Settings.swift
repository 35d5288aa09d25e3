import Runtime

extension LinePlan {
  /// As the board's file has it.
  package init(_ settings: Settings) {
    let buttons = Button.allCases.compactMap { button in settings[.button(button.name)].map { (button, $0) } }
    self.init(
      encoder: settings[.knobLines].map { [$0.first, $0.second] } ?? [], knob: settings.knobForm,
      acceleration: settings[.knobAcceleration], buttons: buttons, otherSound: settings[.giveWayLine],
      bias: settings[.linesBias],
      activeLow: settings[.linesActiveLow],
      debounce: settings[.linesDebounce], ignition: settings[.ignitionLine], ignitionBias: settings[.ignitionBias],
      ignitionActiveLow: settings[.ignitionActiveLow], headlights: settings[.headlightsLine])
  }
}
