/// The two files that people write.
package enum SettingsFile: String, CaseIterable, Sendable {
  /// What hardware there is. Written by whoever built the board; a mistake in it stops the start.
  case board = "board.conf"
  /// What the owner wants. A mistake in it never stops the music.
  case owner = "layby.conf"

  /// Longer files are no settings.
  package static let limit = 65_536

  package var help: String {
    switch self {
    case .board:
      "What hardware there is. Whoever builds the board writes it; with a mistake in it the player does not start."
    case .owner:
      """
      What the owner wants. A mistake in it is told on the panel, costs only the setting that it is in, and never stops \
      the music.
      """
    }
  }
}

/// One key of a settings file, described once: parsing, default, range, explanation and the settings screen all come
/// from here. Each room declares the settings that it obeys.
package struct Setting<Value: Equatable & Sendable>: Sendable {
  package let file: SettingsFile
  package let section: String
  package let key: String
  package let type: SettingType<Value>
  package let initial: Value
  /// One sentence for the person who edits the file.
  package let help: String
  /// A value that somebody might choose instead of the default; where it is nil, the type has one.
  let example: String?
  /// Somebody in front of the panel could gain by losing it, so it counts in safe mode too.
  let guards: Bool
  /// What counts when the owner's file says it wrongly and nobody knows what it was before.
  let cautious: Value?
  /// A choice on the panel counts at once; without this it counts from the next start on.
  let appliesAtOnce: Bool

  package init(
    _ file: SettingsFile, _ section: String, _ key: String, _ type: SettingType<Value>, _ initial: Value,
    _ help: String, example: String? = nil, guards: Bool = false, cautious: Value? = nil, appliesAtOnce: Bool = false
  ) {
    self.file = file
    self.section = section
    self.key = key
    self.type = type
    self.initial = initial
    self.help = help
    self.example = example
    (self.guards, self.cautious, self.appliesAtOnce) = (guards, cautious, appliesAtOnce)
  }

  package var name: SettingName { SettingName(section: section, key: key) }
}

/// Names are unique in both files together, so that a key in the wrong file can be pointed to the right one.
package struct SettingName: Hashable, Sendable, CustomStringConvertible {
  package let section: String
  package let key: String

  package init(section: String, key: String) {
    self.section = section
    self.key = key
  }

  /// As one word of a command line: `panel.size`. All sources have the same settings: `source.url`.
  package var word: String { "\(section.prefix { $0 != " " }).\(key)" }

  package var description: String { "[\(section)] \(key)" }
}

/// A setting whose value's type is forgotten, for tables: everything about it as text.
package struct SettingEntry: Sendable {
  package let file: SettingsFile
  package let name: SettingName
  /// Completes the sentence "expected ...".
  package let expected: String
  package let choices: [String]
  package let form: JSON
  package let initial: String
  package let help: String
  /// A value that is accepted, and differs from the default wherever there is more than one.
  package let example: String
  /// It is shown to nobody.
  package let isSecret: Bool
  /// It stands for the same key in the section of every source.
  let isTemplate: Bool
  /// The next three are those of the setting.
  let guards: Bool
  let cautious: String?
  package let appliesAtOnce: Bool
  /// The one way in which this value is written; nil when it is not accepted.
  package let canonical: @Sendable (String) -> String?
  let nearest: @Sendable (String) -> String?

  package init<Value>(_ setting: Setting<Value>) {
    let type = setting.type
    file = setting.file
    name = setting.name
    expected = type.expected
    choices = type.choices
    form = type.form
    let initial = type.format(setting.initial)
    self.initial = initial
    help = setting.help
    example = setting.example ?? type.example ?? type.choices.first { $0 != initial } ?? initial
    isSecret = type.isSecret
    isTemplate = SourceSection.name(in: setting.section) != nil
    guards = setting.guards
    cautious = setting.cautious.map(type.format)
    appliesAtOnce = setting.appliesAtOnce
    canonical = { text in type.parse(text).map(type.format) }
    nearest = type.nearest
  }
}

extension SettingEntry: Equatable {
  /// A table has one setting of a name.
  package static func == (left: SettingEntry, right: SettingEntry) -> Bool { left.name == right.name }
}
