import Runtime

/// Which sensor measures the light around the board, as board.conf names it.
package enum AmbientChoice: Hashable, Sendable {
  case none
  /// The first that the kernel knows.
  case auto
  /// By the name of its chip, or of its folder in the kernel's.
  case named(String)
}

extension SettingType<AmbientChoice> {
  static var ambient: Self {
    SettingType(
      expected: "the name of a light sensor, or auto, or none", choices: ["auto", "none"],
      form: ["type": "sensor", "choices": ["auto", "none"]],
      parse: { text in
        switch text {
        case "none": return AmbientChoice.none
        case "auto": return .auto
        default:
          // A name and nothing that leads elsewhere.
          let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
          return isPlain && (1...64).contains(text.utf8.count) && !text.hasPrefix(".") ? .named(text) : nil
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
