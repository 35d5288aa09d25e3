/// The settings of both files (the board's and the owner's), with a default for each missing key. Values are kept in
/// their canonical text, so two files that mean the same give equal settings, and settings can be written back to a
/// file.
package struct Settings: Equatable, Sendable {
  private var written: [SettingName: String]

  /// All defaults.
  package init() { written = [:] }

  init(_ written: [SettingName: String]) { self.written = written }

  package subscript<Value>(_ setting: Setting<Value>) -> Value {
    get {
      // The stored text always parses, since `parse` made it; the default is only for the compiler.
      written[setting.name].flatMap { setting.type.parse($0) } ?? setting.initial
    }
    set { written[setting.name] = setting.type.format(newValue) }
  }

  /// Whether a file or a choice sets it, even to its default.
  package func says<Value>(_ setting: Setting<Value>) -> Bool { written[setting.name] != nil }

  func speaks(onlyOf section: String) -> Bool { written.keys.allSatisfy { $0.section == section } }

  package func text(of entry: SettingEntry) -> String { written[entry.name] ?? entry.initial }

  /// `canonical` is the value's text in the entry's own format.
  mutating func write(_ canonical: String, to entry: SettingEntry) { written[entry.name] = canonical }

  /// The text of a file with all keys that are set, each in its section, in the order of `table`.
  package func fileText(_ file: SettingsFile, in table: SettingsTable) -> String {
    var text = ""
    for described in table.sections(of: file) {
      let isOfSources = SourceSection.name(in: described) != nil
      for section in isOfSources ? sourceSections.map({ SourceSection.section(of: $0) }) : [described] {
        let lines = table.entries(of: file, section: section).compactMap { entry in
          let name = SettingName(section: section, key: entry.name.key)
          return written[name].map { "\(name.key) = \(SettingsText.written($0))\n" }
        }
        if !lines.isEmpty { text += "[\(section)]\n" + lines.joined() }
      }
    }
    return text
  }

  /// The names of the `[source NAME]` sections.
  package var sourceSections: [String] { Set(written.keys.compactMap { SourceSection.name(in: $0.section) }).sorted() }
}

/// Settings that were read, and where they came from.
package struct SettingsReading: Sendable {
  package enum Owner: Equatable, Sendable {
    /// There is no usable owner's file: all defaults.
    case defaults
    /// The owner's file is good. The caller keeps its bytes for the next time that it is not.
    case file([UInt8])
    /// The owner's file has mistakes: its good keys count, and the others are as they were last time, or a default.
    case partly
    case lastGood
  }

  package let settings: Settings
  package let owner: Owner
  package let notices: [Notice]

  package init(settings: Settings, owner: Owner, notices: [Notice]) {
    (self.settings, self.owner, self.notices) = (settings, owner, notices)
  }

  /// The same settings, but with the guarding ones (greatest volume, kiosk ...) of `other`: a damaged file must not
  /// make the device louder or open a kiosk.
  package func asGuarded(as other: Settings, in table: SettingsTable) -> SettingsReading {
    var settings = settings
    for entry in table.entries where entry.guards {
      settings.write(other.text(of: entry), to: entry)
    }
    return SettingsReading(settings: settings, owner: owner, notices: notices)
  }
}
