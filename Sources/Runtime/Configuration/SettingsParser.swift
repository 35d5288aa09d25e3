/// Reads one file and collects the good settings and the mistakes. All mistakes are counted and 20 are kept: whoever
/// wrote the file wants to correct all of them at once, but a picture given as a settings file has thousands.
struct SettingsParser {
  static let mostMistakes = 20

  private(set) var values: [SettingName: String] = [:]
  private(set) var mistakes: [SettingsMistake] = []
  private(set) var mistakeCount = 0
  /// Keys that the file tries to set with a mistake: a bad value, or a mistyped name.
  private(set) var doubtful: Set<SettingName> = []
  private let file: SettingsFile
  private let table: SettingsTable
  private let shownName: String
  private var section: String?
  private var isSectionKnown = false
  private var linesOfKeys: [SettingName: Int] = [:]

  init(_ bytes: [UInt8], as file: SettingsFile, shownAs name: String, in table: SettingsTable) {
    (self.file, self.table) = (file, table)
    shownName = name
    guard bytes.count <= SettingsFile.limit else {
      note(1, "\(bytes.count) bytes", .tooLong)
      return
    }
    for (place, line) in SettingsText.lines(of: bytes).enumerated() { take(line, number: place + 1) }
  }

  /// Nil when the file is right.
  var allMistakes: SettingsMistakes? { mistakeCount > 0 ? SettingsMistakes(mistakes, count: mistakeCount) : nil }

  private mutating func note(_ line: Int, _ found: String, _ reason: SettingsMistake.Reason) {
    mistakeCount += 1
    guard mistakes.count < Self.mostMistakes else { return }
    mistakes.append(SettingsMistake(file: shownName, line: line, found: found, reason: reason))
  }

  private mutating func take(_ line: [UInt8], number: Int) {
    do throws(SettingsText.Wrong) {
      switch try SettingsText.read(line) {
      case .blank: break
      case .section(let name): enter(name, number)
      case .value(let key, let text): set(key, text, number)
      }
    } catch {
      let text = String(decoding: line, as: UTF8.self)
      let shown = file == .owner ? Self.beginning(of: text) : Self.shown(text)
      note(number, section.map { "[\($0)] \(shown)" } ?? shown, .unreadable(error.reason))
    }
  }

  private mutating func enter(_ name: String, _ line: Int) {
    section = name
    let known = table.sections(of: file)
    let isSource = SourceSection.name(in: name) != nil
    isSectionKnown = isSource ? !table.entries(of: file, section: name).isEmpty : known.contains(name)
    if isSectionKnown { return }
    let shown = Self.shown(name)
    let reason: SettingsMistake.Reason
    if let other = SettingsFile.allCases.first(where: { !table.entries(of: $0, section: name).isEmpty }) {
      reason = .unknownSection(shown, .belongsIn(other.rawValue))
    } else if file == .owner, name.split(separator: " ").first == Substring(SourceSection.word) {
      reason = .nameOfSource
    } else {
      reason = .unknownSection(shown, .among(known, nearest: Spelling.nearest(to: name, among: known)))
    }
    note(line, "[\(shown)]", reason)
  }

  private mutating func set(_ key: String, _ text: String, _ line: Int) {
    guard let section else { return note(line, found(key, text), .beforeSections) }
    // The unknown section has been reported; its keys would only repeat that.
    guard isSectionKnown else { return }
    let entries = table.entries(of: file, section: section)
    guard let entry = entries.first(where: { $0.name.key == key }) else {
      return note(line, found(key, text), unknown(key, in: section, among: entries))
    }
    let name = SettingName(section: section, key: key)
    if let first = linesOfKeys[name] { return note(line, found(key, text), .twice(key, first: first)) }
    linesOfKeys[name] = line
    guard let canonical = entry.canonical(text) else {
      doubtful.insert(name)
      return note(line, found(key, text), .value(entry, nearest: entry.nearest(text)))
    }
    values[name] = canonical
  }

  /// The line in its section, for a mistake that is in it.
  private func found(_ key: String, _ text: String) -> String {
    let line = "\(Self.shown(key)) = \(mayBeShown(text, of: key) ? Self.shown(text) : "...")"
    return section.map { "[\($0)] \(line)" } ?? line
  }

  /// Whether the line's value may be shown, since mistakes are shown on a panel that anybody can read. A line with an
  /// unknown key may be a secret with a mistyped key, or in the wrong section; and a value may contain a secret.
  private func mayBeShown(_ text: String, of key: String) -> Bool {
    let isOfSource = section.map { SourceSection.name(in: $0) != nil } ?? false
    let entries = table.entries.filter { $0.name.key == key && !(isOfSource && $0.isSecret) }
    guard !entries.contains(where: \.isSecret) else { return false }
    // The board's file has no secrets.
    guard file == .owner else { return true }
    guard !entries.isEmpty, !text.contains("@") else { return false }
    let words = text.lowercased().split { !$0.isLetter && $0 != "_" }
    return !table.entries.contains { entry in entry.isSecret && words.contains { $0 == entry.name.key } }
  }

  /// The beginning of an unreadable line, without its value, which may be a secret.
  private static func beginning(of line: String) -> String {
    let key = line.prefix { $0 != "=" && $0 != ":" && !$0.isWhitespace }
    return key.count == line.count ? shown(line) : shown(String(key)) + " ..."
  }

  private mutating func unknown(
    _ key: String, in section: String, among entries: [SettingEntry]
  ) -> SettingsMistake.Reason {
    let shown = Self.shown(key)
    let keys = entries.map(\.name.key)
    if let other = table.entries.first(where: { $0.name.key == key }) {
      doubtful.insert(other.name)
      let elsewhere = other.file == file ? "" : " of \(other.file.rawValue)"
      return .unknownKey(shown, section: section, .belongsIn("[\(other.name.section)]\(elsewhere)"))
    }
    let near = Spelling.nearest(to: key, among: keys)
    if let near { doubtful.insert(SettingName(section: section, key: near)) }
    return .unknownKey(shown, section: section, .among(keys, nearest: near))
  }

  /// The text as one line without control characters, and without passwords in addresses.
  private static func shown(_ text: String) -> String {
    let plain = withoutSecrets(text).unicodeScalars.map { scalar in
      scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? "\u{FFFD}" : scalar
    }
    let head = String(String.UnicodeScalarView(plain.prefix(60)))
    return plain.count > 60 ? head + "..." : head
  }
}
