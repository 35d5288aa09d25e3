/// All settings as a page to read, made from their table: what each is for, what it may be, its default, and in each
/// section an example that the parser accepts. `layby manual settings` prints it; board/SETTINGS.md is what it printed.
package enum SettingsReference {
  private static let width = 120

  package static func page(of table: SettingsTable) -> String {
    let files = SettingsFile.allCases.map { file in
      let sections = table.sections(of: file).map { text(ofSection: $0, of: file, in: table) }
      return "## \(file.rawValue)\n\n\(wrapped(file.help))\n\n\(sections.joined(separator: "\n\n"))"
    }
    return "\(introduction)\n\n\(files.joined(separator: "\n\n"))"
  }

  private static var introduction: String {
    let (board, owner) = (SettingsFile.board.rawValue, SettingsFile.owner.rawValue)
    return [
      "# Settings",
      """
      Layby reads two text files, `\(board)` and `\(owner)`. A line in them is `[section]`, or `key = value`, or a \
      comment behind a `#`. What a file does not say has its default, so a file holds only what is to differ.
      """,
      """
      A value stands as it is. It needs double quotes when it is empty, begins or ends with a blank, begins with a quote, \
      or has a `#` behind a blank: `welcome = "Hit #1 here"`. Within quotes `\\"` is a quote and `\\\\` a backslash.
      """,
      """
      `layby config --board FILE --owner FILE` checks both, and `layby config sound.max_volume` or `layby config sound` \
      explains one setting or one section. The player reads the files when it starts.
      """,
      """
      Each section ends with an example of all its settings. An example shows how a value is written: it is accepted, \
      and differs from the default. It is no advice, and nobody needs all of them.
      """,
      "`layby manual settings` prints this page from the program's own table. Do not change it by hand.",
    ].map(wrapped).joined(separator: "\n\n")
  }

  private static func wrapped(_ text: String) -> String { wrapped(text, behind: "") }

  private static func text(
    ofSection section: String, of file: SettingsFile, in table: SettingsTable
  ) -> String {
    let entries = table.entries(of: file, section: section)
    let items = Family.families(of: entries).map(text).joined(separator: "\n")
    let example = entries.map { SettingsText.line($0.name.key, $0.example) }.joined(separator: "\n")
    return """
      ### [\(section)]

      \(wrapped(table.help(ofSection: section, of: file)))

      \(items)

      ```
      [\(section)]
      \(example)
      ```
      """
  }

  private static func text(of family: Family) -> String {
    let names = family.keys.map { "`\($0)`" }.joined(separator: ", ")
    let initial = family.initial.isEmpty ? "empty" : "`\(family.initial)`"
    return wrapped("\(names): \(family.help) Expected: \(family.expected). Default: \(initial).", behind: "- ")
  }

  /// Settings of which the same can be said, such as the lines of all buttons.
  private struct Family {
    var keys: [String]
    var help: String
    let expected: String
    let initial: String

    static func families(of entries: [SettingEntry]) -> [Family] {
      var families: [Family] = []
      var generals: [String] = []
      for entry in entries {
        let help = general(entry.help, without: entry.name.key)
        let place = families.indices.first { place in
          generals[place] == help && families[place].expected == entry.expected
            && families[place].initial == entry.initial
        }
        if let place {
          families[place].keys.append(entry.name.key)
          families[place].help = help
        } else {
          let (own, name) = (entry.help, entry.name.key)
          families.append(Family(keys: [name], help: own, expected: entry.expected, initial: entry.initial))
          generals.append(help)
        }
      }
      return families
    }

    /// `the button "play"` is `the button of that name`.
    private static func general(_ help: String, without key: String) -> String {
      let parts = help.split(separator: "\"", omittingEmptySubsequences: false)
      return parts.enumerated().map { place, part in
        place.isMultiple(of: 2) ? String(part) : part == key ? "of that name" : "\"\(part)\""
      }.joined()
    }
  }

  private static func wrapped(_ text: String, behind start: String) -> String {
    var lines: [String] = []
    var line = start
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: start.count)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [line]).joined(separator: "\n")
  }
}
