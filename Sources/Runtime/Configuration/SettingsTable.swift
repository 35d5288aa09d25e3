/// A section of a settings file: what its settings have in common, and in which order they are explained.
package struct SettingsSection: Sendable {
  let file: SettingsFile
  let name: String
  /// One sentence or two for its heading.
  let help: String
  /// The keys of a section to which several rooms add; those that are not named stand behind them.
  let order: [String]

  package init(_ file: SettingsFile, _ name: String, _ help: String, order: [String] = []) {
    (self.file, self.name, self.help, self.order) = (file, name, help, order)
  }
}

/// All settings that a program knows, in the order in which they are explained. Files are read and written by it, and
/// what people choose on the panel is checked by it. Each room lists its own settings, and the program joins the lists.
package struct SettingsTable: Sendable {
  package let entries: [SettingEntry]
  private let sections: [SettingsSection]

  /// Sections stand in the order of `sections`; those that are not there stand behind them, as they come in `settings`.
  package init(_ settings: [SettingEntry], sections described: [SettingsSection] = []) {
    var sections = described
    for entry in settings where !sections.contains(where: { $0.file == entry.file && $0.name == entry.name.section }) {
      sections.append(SettingsSection(entry.file, entry.name.section, ""))
    }
    var entries: [SettingEntry] = []
    for section in sections {
      let own = settings.filter { $0.file == section.file && $0.name.section == section.name }
      let ordered = section.order.compactMap { key in own.first { $0.name.key == key } }
      entries += ordered + own.filter { !section.order.contains($0.name.key) }
    }
    self.entries = entries
    self.sections = sections.filter { section in
      entries.contains { $0.file == section.file && $0.name.section == section.name }
    }
  }

  package func sections(of file: SettingsFile) -> [String] { sections.filter { $0.file == file }.map(\.name) }

  /// What the settings of a section have in common, for its heading.
  package func help(ofSection name: String, of file: SettingsFile) -> String {
    sections.first { $0.file == file && $0.name == name }?.help ?? ""
  }

  /// Which keys the section puts first.
  func order(ofSection name: String, of file: SettingsFile) -> [String] {
    sections.first { $0.file == file && $0.name == name }?.order ?? []
  }

  package func entries(of file: SettingsFile, section: String) -> [SettingEntry] {
    let described = SourceSection.name(in: section) == nil ? section : SourceSection.section(of: SourceSection.example)
    return entries.filter { $0.file == file && $0.name.section == described }
  }

  // MARK: On the panel

  /// What can be chosen: the owner's keys that are there for everybody, and not for files alone.
  package func choosable(_ name: SettingName) -> SettingEntry? { entries.first { $0.name == name && $0.isChoosable } }

  package func choosable(in section: String) -> [SettingEntry] {
    entries(of: .owner, section: section).filter(\.isChoosable)
  }

  /// Where they stand. Those of sources have names and secrets of their own.
  package var choosableSections: [String] { sections(of: .owner).filter { !choosable(in: $0).isEmpty } }

  // MARK: On a command line

  /// The settings and sections that `layby config` can be asked for.
  package var words: [String] {
    var seen: Set<String> = []
    return entries.flatMap { [Self.section(of: $0.name.word), $0.name.word] }.filter { seen.insert($0).inserted }
  }

  package func entries(named word: String) -> [SettingEntry] {
    entries.filter { $0.name.word == word || Self.section(of: $0.name.word) == word }
  }

  private static func section(of word: String) -> String { String(word.prefix { $0 != "." }) }
}

extension SettingEntry {
  fileprivate var isChoosable: Bool { file == .owner && !isTemplate && !isForFiles }
}
