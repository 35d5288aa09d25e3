import Runtime

/// What the panel calls the owner's settings, their sections and what can be chosen, in one language. The tables stand
/// beside it, by `section/key`; what is missing in one is said in English, and what is missing there is made of the key.
package struct SettingWords: Equatable, Sendable {
  let sections: [String: String]
  let names: [String: String]
  /// Of all settings alike (`auto`), or of one (`panel/dims_after/0s`), which comes first.
  let choices: [String: String]
  let units: [String: String]
  /// A sentence, where a name alone does not say it.
  let help: [String: String]

  init(
    sections: [String: String], names: [String: String], choices: [String: String], units: [String: String],
    help: [String: String]
  ) {
    (self.sections, self.names, self.choices, self.units) = (sections, names, choices, units)
    self.help = help
  }

  func name(ofSection section: String) -> String {
    sections[section] ?? Self.english.sections[section] ?? Self.madeUp(of: section)
  }

  func name(of setting: SettingName) -> String {
    names[setting.path] ?? Self.english.names[setting.path] ?? Self.madeUp(of: setting.key)
  }

  /// Nil for what is no choice, but text that somebody wrote.
  func choice(_ text: String, of entry: SettingEntry) -> String? {
    let own = "\(entry.name.path)/\(text)"
    if let word = choices[own] ?? Self.english.choices[own] { return word }
    guard entry.choices.contains(text) else { return nil }
    return choices[text] ?? Self.english.choices[text]
  }

  func unit(_ unit: String) -> String { units[unit] ?? Self.english.units[unit] ?? unit }

  /// In English each setting has its sentence; a foreign one is not shown to who reads another language.
  func help(of entry: SettingEntry) -> String? { self == .english ? entry.help : help[entry.name.path] }

  /// `max_volume` as a person says it.
  static func madeUp(of key: String) -> String {
    let text = String(key.map { $0 == "_" || $0 == "-" ? " " : $0 })
    return text.prefix(1).uppercased() + text.dropFirst()
  }
}

extension SettingName {
  fileprivate var path: String { "\(section)/\(key)" }
}
