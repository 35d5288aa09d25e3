/// What both files say, with a default for each key they leave out. Values are kept as the canonical text that their
/// file would have; so two files that say the same give equal settings, and what was read can be written again.
package struct Settings: Equatable, Sendable {
  private var written: [SettingName: String]

  /// Nothing but defaults.
  package init() { written = [:] }

  init(_ written: [SettingName: String]) { self.written = written }

  package subscript<Value>(_ setting: Setting<Value>) -> Value {
    get {
      // Only what `parse` gave is ever kept, so the second default is never needed.
      written[setting.name].flatMap { setting.type.parse($0) } ?? setting.initial
    }
    set { written[setting.name] = setting.type.format(newValue) }
  }

  /// Somebody has set it, be it to its default.
  package func says<Value>(_ setting: Setting<Value>) -> Bool { written[setting.name] != nil }

  func speaks(onlyOf section: String) -> Bool { written.keys.allSatisfy { $0.section == section } }

  package func text(of entry: SettingEntry) -> String { written[entry.name] ?? entry.initial }

  /// `canonical` is what the entry made of it.
  mutating func write(_ canonical: String, to entry: SettingEntry) { written[entry.name] = canonical }

  /// The file as it could have been written: all keys that it sets, each in its section, as `table` knows them.
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

  /// The names of those that say anything.
  package var sourceSections: [String] { Set(written.keys.compactMap { SourceSection.name(in: $0.section) }).sorted() }
}

/// Settings, and what a person must be told about how they came to be.
package struct SettingsReading: Sendable {
  package enum Owner: Equatable, Sendable {
    /// There is no owner's file, or none that can be used.
    case defaults
    /// The caller keeps these bytes as the last good ones.
    case file([UInt8])
    /// There are mistakes in it: what it says rightly counts, and all else is as it was last time, or a default.
    case partly
    case lastGood
  }

  package let settings: Settings
  package let owner: Owner
  package let notices: [Notice]

  package init(settings: Settings, owner: Owner, notices: [Notice]) {
    (self.settings, self.owner, self.notices) = (settings, owner, notices)
  }

  /// Whatever else is left aside, it gets no louder than it was allowed to, and what was closed stays closed.
  package func asGuarded(as other: Settings, in table: SettingsTable) -> SettingsReading {
    var settings = settings
    for entry in table.entries where entry.guards {
      settings.write(other.text(of: entry), to: entry)
    }
    return SettingsReading(settings: settings, owner: owner, notices: notices)
  }
}
