/// What the owner chose on the panel. Their file is theirs and may not even be writable, so it stays as it is; a choice
/// counts until the file says something else about its key than it did when the choice was made.
package struct Choices: Equatable, Sendable {
  struct Choice: Equatable, Sendable {
    let value: String
    /// What the files said then.
    let over: String
  }

  private var choices: [SettingName: Choice] = [:]
  package let table: SettingsTable

  /// A file of choices is longer only when it is broken.
  package static let limit = 65_536

  package init(in table: SettingsTable) { self.table = table }

  package static func == (left: Choices, right: Choices) -> Bool { left.choices == right.choices }

  package var isEmpty: Bool { choices.isEmpty }

  /// False when such a key cannot be chosen, or not so.
  package mutating func choose(_ name: SettingName, _ text: String, over base: Settings) -> Bool {
    guard let entry = table.choosable(name), let value = entry.canonical(text) else { return false }
    let old = base.text(of: entry)
    choices[name] = value == old ? nil : Choice(value: value, over: old)
    return true
  }

  package func isChosen(_ name: SettingName) -> Bool { choices[name] != nil }

  /// The files' settings with the choices that still count.
  package func applied(to base: Settings) -> Settings {
    var settings = base
    for (name, choice) in choices {
      guard let entry = table.choosable(name), base.text(of: entry) == choice.over else { continue }
      settings.write(choice.value, to: entry)
    }
    return settings
  }

  /// One of them, whatever the others are.
  package func apply(_ name: SettingName, to settings: inout Settings, over base: Settings) {
    guard let entry = table.choosable(name) else { return }
    settings.write(choices[name]?.value ?? base.text(of: entry), to: entry)
  }

  /// Only the choices that protect somebody, which count even in safe mode: the loudest volume, and what a kiosk forbids.
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

  /// What is not understood, or no longer accepted, is left out.
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
