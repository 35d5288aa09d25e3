import Runtime

/// Who makes the sound softer: the sound card's own control, or the player.
package enum MixerChoice: Equatable, Sendable {
  case none
  /// The first control of the card that says how many decibels it is at.
  case auto
  case named(String)
}

extension SettingType<MixerChoice> {
  static var mixer: Self {
    SettingType(
      expected: "none, auto or the name of a control", choices: ["none", "auto"], form: ["type": "mixer"],
      parse: { text in
        switch text {
        case "none": MixerChoice.none
        case "auto": .auto
        default: text.isEmpty || text.utf8.count > 44 ? nil : .named(text)
        }
      },
      format: { choice in
        switch choice {
        case .none: "none"
        case .auto: "auto"
        case .named(let name): name
        }
      })
  }
}
