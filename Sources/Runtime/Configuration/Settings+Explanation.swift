extension Settings {
  /// Settings with what they may be, for `layby config`. A value that was set stands beside its default.
  package func explanation(of entries: [SettingEntry] = SettingsTable.entries) -> String {
    let wanted = Set(entries.map(\.name))
    var text = ""
    for file in SettingsFile.allCases {
      var isFirst = true
      for section in SettingsTable.sections(of: file) {
        let entries = SettingsTable.entries(of: file, section: section).filter { wanted.contains($0.name) }
        guard !entries.isEmpty else { continue }
        if isFirst { text += "\(text.isEmpty ? "" : "\n")\(file.rawValue)\n" }
        isFirst = false
        text += "\n[\(section)]\n# \(SettingsTable.help(ofSection: section, of: file))\n"
        for entry in entries { text += explanation(of: entry) }
      }
    }
    return text
  }

  private func explanation(of entry: SettingEntry) -> String {
    let value = shown(entry)
    let line = SettingsText.line(entry.name.key, value)
    let beside = value == entry.initial ? "" : "   # default: \(SettingsText.written(entry.initial))"
    return """
      \(line)\(beside)
          # \(entry.help)
          # Expected: \(entry.expected).
          # Example: \(SettingsText.line(entry.name.key, entry.example))

      """
  }

  /// Of a secret only that there is one.
  package func shown(_ entry: SettingEntry) -> String {
    let text = text(of: entry)
    return entry.isSecret && text != entry.initial ? "****" : text
  }

  package func explanationJSON(of entries: [SettingEntry] = SettingsTable.entries) -> JSON {
    .list(
      entries.map { entry in
        [
          "file": JSON(entry.file.rawValue), "section": JSON(entry.name.section), "key": JSON(entry.name.key),
          "value": JSON(shown(entry)), "default": JSON(entry.initial), "form": entry.form,
          "expected": JSON(entry.expected), "help": JSON(entry.help),
          "example": JSON(entry.example),
        ]
      })
  }
}
