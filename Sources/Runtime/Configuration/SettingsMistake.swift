/// A mistake in a settings file: the line, what it says, what was expected. The log has it in English, and the panel in
/// its own language.
package struct SettingsMistake: Equatable, Sendable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    /// The file is longer than `SettingsFile.limit`.
    case tooLong
    /// The line is no section, no key with its value and no comment; why, for the log.
    case unreadable(String)
    /// A key stands before the first section.
    case beforeSections
    /// `[source ...]` without a name of letters and digits.
    case nameOfSource
    case unknownSection(String, Instead)
    case unknownKey(String, section: String, Instead)
    /// The key stands in another line, too.
    case twice(String, first: Int)
    /// The value is none of this setting.
    case value(SettingEntry, nearest: String?)
  }

  /// What was probably meant by a name that is not known.
  package enum Instead: Equatable, Sendable {
    /// It is known in another section or file.
    case belongsIn(String)
    case among([String], nearest: String?)
  }

  package let file: String
  package let line: Int
  /// The line's text with its section: `[audio] bufer = 150ms`.
  package let found: String
  package let reason: Reason

  package init(file: String, line: Int, found: String, reason: Reason) {
    (self.file, self.line, self.found, self.reason) = (file, line, found, reason)
  }

  package var description: String { "\(file):\(line): \(found): \(reason)" }
}

extension SettingsMistake.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong: "expected at most \(SettingsFile.limit)"
    case .unreadable(let why): why
    case .beforeSections: "expected a [section] before the first key"
    case .nameOfSource: "expected a name of letters and digits, such as [source kiosk]"
    case .unknownSection(let name, .belongsIn(let other)):
      "there is no section \"\(name)\" here; it belongs in \(other)"
    case .unknownSection(let name, let instead): "there is no section \"\(name)\"\(instead)"
    case .unknownKey(let key, let section, let instead): "there is no key \"\(key)\" in [\(section)]\(instead)"
    case .twice(let key, let first): "\"\(key)\" stands already in line \(first)"
    case .value(let entry, let nearest):
      "expected \(entry.expected)\(nearest.map { "; did you mean \"\($0)\"?" } ?? "")"
    }
  }
}

extension SettingsMistake.Instead: CustomStringConvertible {
  package var description: String {
    switch self {
    case .belongsIn(let other): "; it belongs in \(other)"
    case .among(_, let nearest?): "; did you mean \"\(nearest)\"?"
    case .among(let known, nil): "; expected one of \(known.joined(separator: ", "))"
    }
  }
}

/// All of one file: as many as are kept, and how many there are.
package struct SettingsMistakes: Equatable, Sendable {
  package let kept: [SettingsMistake]
  package let count: Int

  package init(_ kept: [SettingsMistake], count: Int) { (self.kept, self.count) = (kept, count) }

  /// Those that are counted and not kept.
  package var more: Int { count - kept.count }

  func fault(_ code: String) -> Fault {
    let lines = kept.map(\.description) + (more > 0 ? ["and \(more) more"] : [])
    return Fault(.malformed, code, lines.joined(separator: "\n"))
  }
}
