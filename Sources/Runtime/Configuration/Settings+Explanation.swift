extension Settings {
  /// Every key with what it may be, for `layby config --explain`. A value that was set stands beside its default.
  package func explanation() -> String {
    var text = ""
    for file in SettingsFile.allCases {
      text += "\(text.isEmpty ? "" : "\n")\(file.rawValue)\n"
      for section in SettingsTable.sections(of: file) {
        text += "\n[\(section)]\n"
        for entry in SettingsTable.entries(of: file, section: section) {
          let (value, initial) = (shown(entry), SettingsText.written(entry.initial))
          text += "\(entry.name.key) = \(SettingsText.written(value))"
          text += value == entry.initial ? "\n" : "   # default: \(initial)\n"
          text += "    # \(entry.help)\n    # Expected: \(entry.expected).\n"
        }
      }
    }
    return text
  }

  /// Of a secret only that there is one.
  package func shown(_ entry: SettingEntry) -> String {
    let text = text(of: entry)
    return entry.isSecret && text != entry.initial ? "****" : text
  }

  package func explanationJSON() -> JSON {
    .list(
      SettingsTable.entries.map { entry in
        [
          "file": JSON(entry.file.rawValue), "section": JSON(entry.name.section), "key": JSON(entry.name.key),
          "value": JSON(shown(entry)), "default": JSON(entry.initial), "form": entry.form,
          "expected": JSON(entry.expected), "help": JSON(entry.help),
        ]
      })
  }
}
