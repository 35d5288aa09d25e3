import Runtime

/// A light that the board has, as board.conf names it.
package enum LightChoice: Hashable, Sendable {
  case none
  /// The first that the kernel knows.
  case auto
  /// One that the kernel has a driver for, by the name of its folder below /sys/class.
  case named(String)
  /// One that a GPIO line switches.
  case line(LineName)
  /// One that a channel of a PWM chip feeds, by their numbers below /sys/class/pwm.
  case pwm(chip: Int, channel: Int)

  private static let linePrefix = "line:"
  private static let pwmPrefix = "pwm:"
  /// More than any machine has.
  private static let highestNumber = 999
  /// As long as a file's name can be.
  private static let longestName = 255

  package init?(_ text: String) {
    if text.hasPrefix(Self.linePrefix) {
      guard let line = LineName(String(text.dropFirst(Self.linePrefix.count))) else { return nil }
      self = .line(line)
      return
    }
    if text.hasPrefix(Self.pwmPrefix) {
      let numbers = text.dropFirst(Self.pwmPrefix.count).split(separator: "/", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("pwmchip") ? $0.dropFirst("pwmchip".count) : $0 }.map { wholeNumber($0) }
      guard numbers.count == 2, let chip = numbers[0], let channel = numbers[1] else { return nil }
      guard 0...Self.highestNumber ~= chip, 0...Self.highestNumber ~= channel else { return nil }
      self = .pwm(chip: chip, channel: channel)
      return
    }
    // A folder's name and nothing that leads elsewhere.
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    guard isPlain, (1...Self.longestName).contains(text.utf8.count), text != ".", text != ".." else { return nil }
    self = .named(text)
  }
}

extension LightChoice: CustomStringConvertible {
  package var description: String {
    switch self {
    case .none: "none"
    case .auto: "auto"
    case .named(let name): name
    case .line(let line): "line:\(line)"
    case .pwm(let chip, let channel): "pwm:\(chip)/\(channel)"
    }
  }
}

extension SettingType<LightChoice> {
  static func light(hasAuto: Bool) -> Self {
    let words = hasAuto ? ["auto", "none"] : ["none"]
    return SettingType(
      expected:
        "the name of a light, a line such as line:LIGHT, a PWM channel such as pwm:0/1, or \(words.joined(separator: ", or "))",
      choices: words, form: ["type": "light", "choices": .list(words.map { JSON($0) })],
      parse: { text in
        if text == "none" { return LightChoice.none }
        if text == "auto" { return hasAuto ? .auto : nil }
        return LightChoice(text)
      },
      format: { $0.description })
  }
}
