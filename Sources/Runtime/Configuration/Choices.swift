/// What the owner chose on the panel. The owner's file is never changed (it may not be writable). A choice counts until
/// the file's value for its key is another one than when the choice was made.
package struct Choices: Equatable, Sendable {
  struct Choice: Equatable, Sendable {
    let value: String
    /// The files' value when the choice was made.
    let over: String
  }

  private var choices: [SettingName: Choice] = [:]
  package let table: SettingsTable

  /// A longer file of choices is damaged.
  package static let limit = 65_536

  package init(in table: SettingsTable) { self.table = table }

  package static func == (left: Choices, right: Choices) -> Bool { left.choices == right.choices }

  package var isEmpty: Bool { choices.isEmpty }

  /// False when the key cannot be chosen, or the value is not accepted.
  package mutating func choose(_ name: SettingName, _ text: String, over base: Settings) -> Bool {
    guard let entry = table.choosable(name), let value = entry.canonical(text) else { return false }
    let old = base.text(of: entry)
    choices[name] = value == old ? nil : Choice(value: value, over: old)
    return true
  }

  package func isChosen(_ name: SettingName) -> Bool { choices[name] != nil }

  /// The settings of the files, with the choices that still count.
  package func applied(to base: Settings) -> Settings {
    var settings = base
    for (name, choice) in choices {
      guard let entry = table.choosable(name), base.text(of: entry) == choice.over else { continue }
      settings.write(choice.value, to: entry)
    }
    return settings
  }

  /// Applies the choice of one key.
  package func apply(_ name: SettingName, to settings: inout Settings, over base: Settings) {
    guard let entry = table.choosable(name) else { return }
    settings.write(choices[name]?.value ?? base.text(of: entry), to: entry)
  }

  /// Only the choices that guard something (greatest volume, kiosk): they count in safe mode too.
  package func onlyGuarding() -> Choices {
    var some = Choices(in: table)
    some.choices = choices.filter { table.choosable($0.key)?.guards == true }
    return some
  }

  // MARK: As a file

  package var bytes: [UInt8] {
    let rows = choices.sorted { "\($0.key)" < "\($1.key)" }.map { name, choice -> JSON in
      [
        "section": JSON(name.section), "key": JSON(name.key), "value": JSON(choice.value), "over": JSON(choice.over),
      ]
    }
    return Array(JSON.list(rows).description.utf8)
  }

  /// Reads a file of choices. Rows that are not understood, or are no longer accepted, are left out.
  package init(_ bytes: [UInt8], in table: SettingsTable) throws(Fault) {
    self.init(in: table)
    guard case .list(let rows) = try JSON(parsing: bytes) else {
      throw Fault(.malformed, "C-126", "what was chosen on the panel is no list")
    }
    for case .object(let row) in rows.prefix(table.entries.count) {
      guard case .text(let section)? = row["section"], case .text(let key)? = row["key"],
        case .text(let value)? = row["value"], case .text(let over)? = row["over"],
        let entry = table.choosable(SettingName(section: section, key: key)), let known = entry.canonical(value)
      else { continue }
      choices[entry.name] = Choice(value: known, over: over)
    }
  }
}
