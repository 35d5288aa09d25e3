import Synchronization

/// The two files that people write.
package enum SettingsFile: String, CaseIterable, Sendable {
  /// Describes the hardware. Whoever builds the board writes it; with a mistake in it the program does not start.
  case board = "board.conf"
  /// The owner's wishes. A mistake in it never stops the music.
  case owner = "layby.conf"

  /// A longer file is refused.
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
  package let initial: Value
  /// One sentence for the person who edits the file.
  package let help: String
  /// A value other than the default, for documentation; nil where the type's own example is good.
  let example: String?
  /// It protects something (greatest volume, kiosk), so it also counts in safe mode.
  let guards: Bool
  /// The value that is used when the owner's file has a mistake here and the last good value is unknown.
  let cautious: Value?
  /// A choice on the panel takes effect immediately; else at the next start.
  let appliesAtOnce: Bool
  /// It is set in the file only, because nobody could choose it on a panel without the manual.
  let isForFiles: Bool
  /// The panel shows it on another page, where it belongs (*Sound*, say), and so not on the page of its section.
  let hasRowElsewhere: Bool
  private let makeType: @Sendable () -> SettingType<Value>

  package init(
    _ file: SettingsFile, _ section: String, _ key: String,
    _ type: @autoclosure @escaping @Sendable () -> SettingType<Value>, _ initial: Value,
    _ help: String, example: String? = nil, guards: Bool = false, cautious: Value? = nil, appliesAtOnce: Bool = false,
    isForFiles: Bool = false, hasRowElsewhere: Bool = false
  ) {
    self.file = file
    self.section = section
    self.key = key
    makeType = type
    self.initial = initial
    self.help = help
    self.example = example
    (self.guards, self.cautious, self.appliesAtOnce) = (guards, cautious, appliesAtOnce)
    (self.isForFiles, self.hasRowElsewhere) = (isForFiles, hasRowElsewhere)
  }

  package var name: SettingName { SettingName(section: section, key: key) }

  /// It is made when somebody needs it: most settings are read for their default, as no file says anything of them.
  package var type: SettingType<Value> { makeType() }
}

/// Section and key. A name occurs in only one of the two files, so a key in the wrong file can be told where it
/// belongs.
package struct SettingName: Hashable, Sendable, CustomStringConvertible {
  package let section: String
  package let key: String

  package init(section: String, key: String) {
    self.section = section
    self.key = key
  }

  /// As one word on the command line: `panel.size`. For all sources it is the same: `source.url`.
  package var word: String { "\(section.prefix { $0 != " " }).\(key)" }

  package var description: String { "[\(section)] \(key)" }
}

/// A setting without the type of its value, for tables: values are text. A start makes all entries, puts them in order,
/// and looks most of them up by nothing but their names; what else there is to say is made when it is first asked for.
package final class SettingEntry: Sendable {
  package let file: SettingsFile
  package let name: SettingName
  package let help: String
  /// It describes this key for the section of each source.
  let isTemplate: Bool
  /// The next four are as in `Setting`.
  let guards: Bool
  package let appliesAtOnce: Bool
  let isForFiles: Bool
  package let hasRowElsewhere: Bool
  private let makeDetails: @Sendable () -> Details
  private let known = Mutex<Details?>(nil)

  /// What the setting's type and its values say.
  private struct Details {
    let expected: String
    let choices: [String]
    let form: JSON
    let initial: String
    let example: String
    let isSecret: Bool
    let cautious: String?
    let canonical: @Sendable (String) -> String?
    let nearest: @Sendable (String) -> String?

    init<Value>(_ setting: Setting<Value>) {
      let type = setting.type
      expected = type.expected
      choices = type.choices
      form = type.form
      let initial = type.format(setting.initial)
      self.initial = initial
      example = setting.example ?? type.example ?? type.choices.first { $0 != initial } ?? initial
      isSecret = type.isSecret
      cautious = setting.cautious.map(type.format)
      canonical = { text in type.parse(text).map(type.format) }
      nearest = type.nearest
    }
  }

  package init<Value>(_ setting: Setting<Value>) {
    file = setting.file
    name = setting.name
    help = setting.help
    isTemplate = SourceSection.name(in: setting.section) != nil
    guards = setting.guards
    appliesAtOnce = setting.appliesAtOnce
    (isForFiles, hasRowElsewhere) = (setting.isForFiles, setting.hasRowElsewhere)
    makeDetails = { Details(setting) }
  }

  private var details: Details {
    known.withLock { known in
      let details = known ?? makeDetails()
      known = details
      return details
    }
  }

  /// Completes the sentence "expected ...".
  package var expected: String { details.expected }
  package var choices: [String] { details.choices }
  package var form: JSON { details.form }
  package var initial: String { details.initial }
  /// An accepted value. It differs from the default wherever the setting has more than one value.
  package var example: String { details.example }
  /// Its value is never shown.
  package var isSecret: Bool { details.isSecret }
  /// As in `Setting`.
  var cautious: String? { details.cautious }

  /// The canonical text of a value; nil when it is not accepted.
  package func canonical(_ text: String) -> String? { details.canonical(text) }

  /// The word that was probably meant by a text that is not accepted.
  func nearest(_ text: String) -> String? { details.nearest(text) }
}

extension SettingEntry: Equatable {
  /// Entries are equal when their names are, since a table has one setting of each name.
  package static func == (left: SettingEntry, right: SettingEntry) -> Bool { left.name == right.name }
}
