import Runtime

/// The board.conf of a card: what every board of its kind has, and what layby-board.conf says of this one.
package enum BoardFile {
  /// `base` is ours, and has sections [board], [panel] and [audio] with the lines `name`, `device` and `output`.
  package static func text(base: String, _ card: CardSettings, _ sounds: SoundCards) -> String {
    var lines: [String] = []
    var section = ""
    for line in base.split(separator: "\n", omittingEmptySubsequences: false) {
      let plain = trimmed(line)
      if plain.hasPrefix("[") { section = String(plain) }
      let key = trimmed(plain.prefix { $0 != "=" })
      switch (section, key) {
      case ("[board]", "name"):
        lines.append("name = \(card.name.map(quoted) ?? trimmedValue(plain))")
        if !card.eraseButtons.isEmpty { lines.append("erase_buttons = \(card.eraseButtons.joined(separator: ", "))") }
      case ("[panel]", "device"):
        lines.append("device = \(card.panel.device)")
        if let turned = card.turned { lines.append("rotate = \(turned)") }
        if let light = card.light { lines.append("backlight = line:\(light)") }
      case ("[audio]", "output"): lines.append("output = \(sounds.output(for: card.sound))")
      default: lines.append(String(line))
      }
    }
    // A finger is where the picture is.
    if let turned = card.turned { lines += ["[inputs]", "touch_rotate = \(turned)", ""] }
    if card.knob.count >= 2 {
      lines += ["[encoder]", "lines = \(card.knob[0]), \(card.knob[1])", ""]
    }
    var buttons = card.buttons.map { "\($0.name) = \($0.line)" }
    if card.knob.count == 3, !card.buttons.contains(where: { $0.name == "knob" }) {
      buttons.insert("knob = \(card.knob[2])", at: 0)
    }
    if !buttons.isEmpty { lines += ["[buttons]"] + buttons + [""] }
    // An optocoupler between car and board pulls its pin to ground while the ignition is on.
    if let ignition = card.ignition {
      lines += ["[power]", "ignition = \(ignition)", "ignition_active = low", "ignition_bias = pull-up", ""]
    }
    if let lamp = card.lamp { lines += ["[lights]", "power = line:\(lamp)", ""] }
    return lines.joined(separator: "\n")
  }

  private static func trimmedValue(_ line: Substring) -> String {
    String(trimmed(line.drop { $0 != "=" }.dropFirst()))
  }

  private static func quoted(_ text: String) -> String {
    var all = "\""
    for letter in text {
      if letter == "\"" || letter == "\\" { all.append("\\") }
      all.append(letter)
    }
    return all + "\""
  }

  /// The text of layby-errors.txt, which lists the mistakes in layby-board.conf; empty when there are none.
  package static func report(
    _ mistakes: [CardSettings.Mistake], file: String, _ others: String = "All other lines of it count."
  ) -> String {
    guard !mistakes.isEmpty else { return "" }
    let count = mistakes.count == 1 ? "one mistake" : "\(mistakes.count) mistakes"
    let rows = mistakes.map { one in
      let place = one.line == 0 ? "The file" : "Line \(one.line)"
      return "\(place): \(one.words)\(one.words.hasSuffix("?") ? "" : ".")"
    }
    return "\(file) has \(count). \(others)\n\n\(rows.joined(separator: "\n"))\n"
  }
}
