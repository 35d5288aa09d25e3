import Runtime

/// What is wrong in a settings file: in which line, in which key, and what was expected.
extension PanelWords {
  func said(_ mistakes: SettingsMistakes, _ words: FaultWords) -> String {
    let more = mistakes.more > 0 ? [filled(words.more, "\(mistakes.more)")] : []
    return (mistakes.kept.map { said($0, words) } + more + [words.rest]).joined(separator: "\n")
  }

  private func said(_ mistake: SettingsMistake, _ words: FaultWords) -> String {
    let file = mistake.file.split(separator: "/").last.map(String.init) ?? mistake.file
    let place = filled(words.line, file, "\(mistake.line)", mistake.found)
    return "\(place)\(self[.colon])\(said(mistake.reason, words))"
  }

  private func said(_ reason: SettingsMistake.Reason, _ words: FaultWords) -> String {
    switch reason {
    case .tooLong: words.tooLong
    case .unreadable: words.unreadable
    case .beforeSections: words.beforeSections
    case .nameOfSource: words.nameOfSource
    case .unknownSection(_, let instead): joined(words.unknownSection, said(instead, words))
    case .unknownKey(_, _, let instead): joined(words.unknownKey, said(instead, words))
    case .twice(_, let first): filled(words.twice, "\(first)")
    case .value(let entry, let nearest):
      joined(expected(of: entry, words), nearest.map { filled(words.meant, $0) })
    }
  }

  private func said(_ instead: SettingsMistake.Instead, _ words: FaultWords) -> String {
    switch instead {
    case .belongsIn(let other): filled(words.belongsIn, other)
    case .among(_, let nearest?): filled(words.meant, nearest)
    case .among(let known, nil): filled(words.expected, listed(known))
    }
  }

  /// What a value of it is like. Where that takes a sentence, an example says it in every language.
  private func expected(of entry: SettingEntry, _ words: FaultWords) -> String {
    guard case .object(let form) = entry.form else { return words.wrong }
    if form["type"] == "whole", case .integer(let least)? = form["minimum"], case .integer(let most)? = form["maximum"]
    {
      guard case .text(let unit)? = form["unit"] else { return filled(words.range, "\(least)", "\(most)") }
      return filled(
        words.range, "\(least)", unit == "percent" ? percent("\(most)") : "\(most) \(settings.unit(unit))")
    }
    if form["type"] == "duration", case .text(let least)? = form["minimum"], case .text(let most)? = form["maximum"] {
      return filled(words.range, least, most)
    }
    if form["type"] == "choice" { return filled(words.expected, listed(entry.choices)) }
    return entry.isSecret || entry.example.isEmpty ? words.wrong : filled(words.suchAs, entry.example)
  }

  private func filled(_ phrase: String, _ names: String...) -> String { fill(phrase, names) ?? phrase }

  private func joined(_ parts: String?...) -> String { listed(parts.compactMap(\.self)) }
}
