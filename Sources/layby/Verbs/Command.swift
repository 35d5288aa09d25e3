import Glibc
import Pictures
import Remote
import Runtime

/// Which of the program's verbs the arguments name. Exit codes are those of sysexits.h.
func runCommand(_ arguments: [String]) -> Int32 {
  let rest = Array(arguments.dropFirst())
  do throws(Fault) {
    switch arguments.first {
    // Started by the player, for itself.
    case PictureServer.verb: return PictureServer.run(rest)
    case nil:
      print(helpText)
      return EX_USAGE
    case "--version": return try showVersion(rest)
    case "--help", "-h": return try help(rest)
    case .some(let first) where Verb.commonOptions.contains { $0.name == first }:
      return try askRunning(behind: arguments)
    case .some(let name):
      if let program = ProgramVerb.named(name) {
        guard !rest.contains("--help"), !rest.contains("-h") else { return try help([name]) }
        return try program.perform(rest)
      }
      guard let verb = Verb.named(name) else { throw unknown(name) }
      return try askRunning(verb, rest)
    }
  } catch {
    complain(error)
    return exitCode(for: error)
  }
}

let version = "0.1"

func showVersion(_ arguments: [String]) throws(Fault) -> Int32 {
  print("layby \(version)")
  return EX_OK
}

/// `layby --run DIR status`: options that all verbs take may stand before the verb.
private func askRunning(behind arguments: [String]) throws(Fault) -> Int32 {
  var rest = arguments[...]
  var options: [String] = []
  while let option = Verb.commonOptions.first(where: { $0.name == rest.first }) {
    let (taken, count) = (rest.prefix(option.value == nil ? 1 : 2), option.value == nil ? 1 : 2)
    options += taken
    rest = rest.dropFirst(count)
  }
  guard let name = rest.popFirst() else {
    throw Fault(
      .malformed, "X-140", "a verb is missing behind \(shownPlain(options[0])); layby help lists what there is")
  }
  guard let verb = Verb.named(name) else { throw unknown(name) }
  return try askRunning(verb, options + rest)
}

func help(_ words: [String]) throws(Fault) -> Int32 {
  guard let name = words.first else {
    print(helpText)
    return EX_OK
  }
  if name == "all" {
    print(
      (ManualTables.verbs.map(\.explanation) + [Verb.commonExplanation, ManualTables.explanation]).joined(
        separator: "\n\n"))
  } else if let program = ProgramVerb.named(name) {
    print(program.verb.explanation)
  } else if let verb = Verb.named(name) {
    print(verb.explanation + "\n\n" + Verb.commonExplanation)
  } else {
    throw unknown(name)
  }
  return EX_OK
}

private func unknown(_ name: String) -> Fault {
  Verb.unknown(name, code: "X-140", among: ProgramVerb.all.filter { $0.audience != .units }.map(\.verb.name))
}

/// It fits a screen of 80 columns and 24 lines; what one verb takes is told by `layby help VERB`.
private var helpText: String {
  let programs = ProgramVerb.all.filter { $0.audience == .everybody }.map(\.verb).map { verb in
    "  " + padded("layby " + (verb.forms.count == 1 ? verb.usage(of: verb.forms[0]) : verb.name), to: 26) + verb.help
  }
  let groups = Verb.Group.allCases.map { group in
    wrapped(Verb.all.filter { $0.group == group }.map(\.name), behind: "  " + padded(group.rawValue, to: 10))
  }
  return """
    Layby plays your music where the signal ends.

    \(programs.joined(separator: "\n"))

    With a player running, layby and one of:
    \(groups.joined(separator: "\n"))

    layby help VERB (or layby VERB --help) says what it takes, layby help all all of
    it. To begin with: layby queue add MUSIC, layby play, layby volume +5
    """
}

private func wrapped(_ words: [String], behind start: String) -> String {
  var lines = [start]
  for word in words {
    if lines[lines.count - 1].count + word.count > 79 { lines.append(padded("", to: start.count)) }
    lines[lines.count - 1] += word + " "
  }
  return lines.map { String($0.dropLast()) }.joined(separator: "\n")
}

func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(width - text.count, 1))
}

func complain(_ fault: Fault) {
  let plain = fault.description.split(separator: "\n").map { shownPlain(String($0)) }
  let line = Array("layby: \(plain.joined(separator: "\n"))\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}

func exitCode(for fault: Fault) -> Int32 {
  switch fault.kind {
  case .malformed: EX_USAGE
  case .unsupported, .damaged: EX_DATAERR
  case .missing: EX_UNAVAILABLE
  case .denied: EX_NOPERM
  case .full: EX_CANTCREAT
  case .busy, .passing: EX_TEMPFAIL
  }
}
