extension SettingsTable {
  /// Settings with what they may be, for `layby config`. A value that was set stands beside its default.
  package func explanation(of settings: Settings, only some: [SettingEntry]? = nil) -> String {
    let wanted = Set((some ?? entries).map(\.name))
    var text = ""
    for file in SettingsFile.allCases {
      var isFirst = true
      for section in sections(of: file) {
        let entries = self.entries(of: file, section: section).filter { wanted.contains($0.name) }
        guard !entries.isEmpty else { continue }
        if isFirst { text += "\(text.isEmpty ? "" : "\n")\(file.rawValue)\n" }
        isFirst = false
        text += "\n[\(section)]\n# \(help(ofSection: section, of: file))\n"
        for entry in entries { text += settings.explanation(of: entry) }
      }
    }
    return text
  }

  package func explanationJSON(of settings: Settings, only some: [SettingEntry]? = nil) -> JSON {
    .list(
      (some ?? entries).map { entry in
        [
          "file": JSON(entry.file.rawValue), "section": JSON(entry.name.section), "key": JSON(entry.name.key),
          "value": JSON(settings.shown(entry)), "default": JSON(entry.initial), "form": entry.form,
          "expected": JSON(entry.expected), "help": JSON(entry.help),
          "example": JSON(entry.example),
        ]
      })
  }
}

extension Settings {
  fileprivate func explanation(of entry: SettingEntry) -> String {
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
}
