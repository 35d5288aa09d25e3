import Runtime

/// A GPIO line as board.conf names it: by its name in the device tree, or by chip and number.
package enum LineName: Hashable, Sendable {
  case named(String)
  case at(chip: String, offset: Int)

  package static let expected = "a line's name such as ENC_A, chip:line such as gpiochip0:17, or none"
  /// What the kernel keeps of a name, and far more lines than a chip has.
  private static let longestName = 31
  private static let highestOffset = 65_535

  /// Nil when it is neither.
  package init?(_ text: String) {
    let bytes = text.utf8
    let isPlain = bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "/") }
    guard !bytes.isEmpty, isPlain, text != "none" else { return nil }
    guard let colon = text.lastIndex(of: ":") else {
      guard bytes.count <= Self.longestName else { return nil }
      self = .named(text)
      return
    }
    let chip = text[..<colon]
    guard !chip.isEmpty, chip.utf8.count <= Self.longestName, !chip.contains(":"),
      let offset = wholeNumber(text[text.index(after: colon)...]), 0...Self.highestOffset ~= offset
    else { return nil }
    self = .at(chip: String(chip), offset: offset)
  }
}

extension LineName: CustomStringConvertible {
  package var description: String {
    switch self {
    case .named(let name): name
    case .at(let chip, let offset): "\(chip):\(offset)"
    }
  }
}

extension SettingType<LineName?> {
  static var line: Self {
    SettingType(
      expected: LineName.expected, choices: ["none"], form: ["type": "line"],
      parse: { text in
        if text == "none" { return .some(nil) }
        return LineName(text).map { .some($0) }
      },
      format: { $0?.description ?? "none" })
  }
}

/// The two lines of a knob, in the order in which they fall when it is turned clockwise.
package struct KnobLines: Hashable, Sendable {
  package let first: LineName
  package let second: LineName

  package init(_ first: LineName, _ second: LineName) {
    self.first = first
    self.second = second
  }
}

extension SettingType<KnobLines?> {
  static var knobLines: Self {
    SettingType(
      expected: "two lines such as ENC_A, ENC_B, or none", choices: ["none"], form: ["type": "lines", "count": 2],
      parse: { text in
        if text == "none" { return .some(nil) }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { LineName(String(trimmed($0))) }
        guard parts.count == 2, let first = parts[0], let second = parts[1], first != second else { return nil }
        return KnobLines(first, second)
      },
      format: { $0.map { "\($0.first), \($0.second)" } ?? "none" })
  }
}

/// The pull resistor of a line, which decides its level while nothing drives it.
package enum LineBias: Sendable {
  case pullUp, pullDown, none
}
