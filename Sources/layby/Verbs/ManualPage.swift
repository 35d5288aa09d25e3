import Remote

/// layby(1), in the language of man pages. It has no date, so that the same program always gives the same page.
enum ManualPage {
  static var page: String {
    let programs = ManualTables.verbs.filter { $0.group == nil }
    let groups = Verb.Group.allCases.map { group in
      ".SS \(capitalised(group.rawValue))\n" + Verb.all.filter { $0.group == group }.map(text).joined()
    }
    return """
      .\\" Printed by layby manual man.
      .TH LAYBY 1 "" "layby \(version)" "User Commands"
      .SH NAME
      layby \\- offline\\-first music for car head units and kiosks
      .SH SYNOPSIS
      \(programs.filter { $0.name == "run" }.map(synopsis).joined())\
      .br
      .B layby
      .I VERB
      [\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]
      .SH DESCRIPTION
      .B layby run
      starts the player.
      It reads the knob and the buttons, draws the panel, plays music without gaps, and keeps its queue and its place
      through power cuts.
      Most other verbs ask the player that runs, through its control socket.
      .PP
      A word in capitals stands for a value; ARGUMENTS below says which.
      What stands in brackets may be left out, a bar stands between words of which one is chosen, and dots follow what
      may be repeated.
      .SH COMMANDS
      These need no running player.
      \(programs.map(text).joined())\
      .SH VERBS OF A RUNNING PLAYER
      \(groups.joined())\
      .SH OPTIONS OF THESE VERBS
      Each of them takes these options, which may also stand before the verb.
      \(items(Verb.commonOptions.map { ($0.usage, sentence($0.help)) }))\
      .SH ARGUMENTS
      \(items(usedKinds.map { ($0.rawValue, sentence($0.expected)) }))\
      .SH EXIT STATUS
      \(items(ManualTables.exitCodes.map { ($0.name, $0.help) }))\
      .SH FILES
      \(items(ManualTables.files.map { ($0.name, $0.help) }))\
      .PP
      .B layby manual settings
      prints all settings of board.conf and layby.conf, with an example of each.
      .B layby config
      .I SETTING
      explains one.
      .SH ENVIRONMENT
      \(items(ManualTables.environment.map { ($0.name, $0.help) }))
      """
  }

  private static func synopsis(_ verb: Verb) -> String {
    verb.shownForms.map { ".B layby \(escaped(verb.wholeUsage(of: $0)))\n" }.joined()
  }

  private static func text(_ verb: Verb) -> String {
    let forms = verb.shownForms.map { ("layby \(verb.usage(of: $0))", sentence($0.help ?? verb.help)) }
    let options = verb.options.map { ($0.usage, sentence($0.help)) }
    let heading = ".PP\n.B \(escaped(verb.name)):\n\(escaped(verb.help)).\n"
    let inset = options.isEmpty ? "" : ".RS\n\(items(options)).RE\n"
    // What has one form and says the same of it needs no heading.
    let isPlain = verb.shownForms.count == 1 && (verb.shownForms[0].help ?? verb.help) == verb.help
    return (isPlain ? "" : heading) + items(forms) + inset
  }

  private static func items(_ rows: [(String, String)]) -> String {
    rows.map { term, help in ".TP\n.B \(escaped(term))\n\(escaped(help))\n" }.joined()
  }

  /// Those that a form or an option shows.
  private static var usedKinds: [ArgumentKind] {
    let shown = ManualTables.verbs.flatMap { verb in
      verb.shownForms.flatMap(\.kinds) + verb.allOptions.compactMap(\.value)
    }
    return ArgumentKind.allCases.filter(shown.contains).sorted { $0.rawValue < $1.rawValue }
  }

  private static func sentence(_ words: String) -> String {
    capitalised(words) + (words.hasSuffix(".") ? "" : ".")
  }

  private static func capitalised(_ words: String) -> String {
    // A word that is the program's own stays as it is typed.
    let first = words.prefix { $0 != " " }
    guard first.allSatisfy({ $0.isLetter || "'".contains($0) }) || first.hasSuffix(",") else { return words }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// What roff would take for its own: backslashes, hyphens that must stay what they are, and a line's first dot.
  private static func escaped(_ text: String) -> String {
    let plain = text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : $0 == "\"" ? "\\(dq" : String($0) }.joined()
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}
