import Application
import Runtime

extension SettingType<Set<KioskRight>> {
  static var kioskRights: Self {
    let words = KioskRight.allCases.map(\.rawValue)
    return SettingType(
      expected: "some of \(words.joined(separator: ", ")), with commas between them, or none",
      choices: ["none"], form: ["type": "rights", "choices": .list(words.map { JSON($0) })],
      parse: { text in
        if text == "none" { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let rights = parts.map { KioskRight(rawValue: String(trimmed($0))) }
        return rights.contains(nil) ? nil : Set(rights.compactMap(\.self))
      },
      format: { rights in
        rights.isEmpty
          ? "none" : KioskRight.allCases.filter(rights.contains).map(\.rawValue).joined(separator: ", ")
      },
      nearest: { text in
        let parts = text.split(separator: ",").map { String(trimmed($0)) }
        return parts.first { KioskRight(rawValue: $0) == nil }.flatMap { Spelling.nearest(to: $0, among: words) }
      })
  }
}

extension SettingType<String?> {
  /// Digits that nobody is shown. All that can be typed with a knob, and enough for what waits after wrong ones.
  static var pin: Self {
    SettingType(
      expected: "4 to 12 digits, or none", choices: ["none"],
      form: ["type": "secret", "minimum": 4, "maximum": 12, "choices": ["none"]],
      parse: { text in
        if text == "none" { return .some(nil) }
        let areDigits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return areDigits && (4...12).contains(text.utf8.count) ? .some(text) : nil
      },
      format: { $0 ?? "none" },
      // Near to a secret is a secret.
      nearest: { _ in nil })
  }
}
