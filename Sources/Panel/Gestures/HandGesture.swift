import Hardware
import Runtime

/// What fingers do beside a press, as board.conf names it: `long back`, `double play`, `next with previous`. Buttons are
/// meant by their names.
package enum HandGesture: Hashable, Sendable {
  case long(String)
  case double(String)
  /// Both are held, in the order of their names.
  case chord(String, String)

  static let expected =
    "gestures such as long back, double play or next with previous, each once, with commas between them"

  /// Nil when no hand does that.
  package init?(_ text: String) {
    let words = text.lowercased().split(separator: " ").map(String.init)
    func isButton(_ place: Int) -> Bool { Setting<LineName?>.buttonNames.contains(words[place]) }
    switch (words.first, words.count) {
    case ("long", 2) where isButton(1): self = .long(words[1])
    case ("double", 2) where isButton(1): self = .double(words[1])
    case (_, 3) where words[1] == "with" && isButton(0) && isButton(2) && words[0] != words[2]:
      self = .chord(min(words[0], words[2]), max(words[0], words[2]))
    default: return nil
    }
  }
}

extension HandGesture: CustomStringConvertible {
  package var description: String {
    switch self {
    case .long(let button): "long \(button)"
    case .double(let button): "double \(button)"
    case .chord(let one, let other): "\(one) with \(other)"
    }
  }
}

extension SettingType<[HandGesture]> {
  static var handGestures: Self {
    SettingType(
      expected: HandGesture.expected, form: ["type": "gestures", "maximum": JSON(most)],
      parse: { text in
        if trimmed(text).isEmpty { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let gestures = parts.compactMap { HandGesture(String(trimmed($0))) }
        let areFit = gestures.count == parts.count && Set(gestures).count == gestures.count
        return areFit && gestures.count <= most ? gestures : nil
      },
      format: { $0.map(\.description).joined(separator: ", ") })
  }

  private static var most: Int { 16 }
}
