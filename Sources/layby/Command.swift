import Glibc
import PictureProcess
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
    case "--version", "version":
      print("layby \(version)")
      return EX_OK
    case "help", "--help", "-h": return try help(rest)
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

/// What the program does by itself, without a player that runs.
private struct ProgramVerb: Sendable {
  let name: String
  let usage: String
  let help: String
  let explanation: String
  let perform: @Sendable ([String]) throws(Fault) -> Int32

  init(
    _ name: String, _ usage: String, _ help: String, _ explanation: String,
    _ perform: @escaping @Sendable ([String]) throws(Fault) -> Int32
  ) {
    (self.name, self.usage, self.help, self.explanation, self.perform) = (name, usage, help, explanation, perform)
  }

  static func named(_ name: String) -> ProgramVerb? { all.first { $0.name == name } }

  /// Not for people: the units' own helpers.
  private static let helpers = (setup: "setup", stickPolicy: "stick-policy")
  var isShown: Bool { name != Self.helpers.setup && name != Self.helpers.stickPolicy }

  static let all = [
    ProgramVerb("run", "run --board FILE", "start the player", RunOptions.help, runSupervisor),
    ProgramVerb(
      "doctor", "doctor", "what this machine can and cannot do",
      """
      layby doctor [--json] [--board FILE] [--state DIR]

        --board FILE    what this board is to have, compared with what there is
        --state DIR     where the queue and the library are kept, instead of the board's [paths] state
        --json          the same for programs
      """, doctor),
    ProgramVerb(
      "config", "config", "check the settings, and explain them",
      """
      layby config [--board FILE] [--owner FILE] [--explain] [--json]

        --board FILE    a board's file to check; what is wrong in it ends with code 65
        --owner FILE    an owner's file, the same
        --explain       every setting, its default, its range and what a file sets; also what is done without any option
        --json          the same for programs
      """, showSettings),
    ProgramVerb(
      "index", "index FOLDER", "make a web server's folder a source",
      "layby index FOLDER\n\n  writes the list of the folder's music into it, as layby-index.json", makeIndex),
    ProgramVerb(helpers.setup, "setup", "", "layby setup --state DIR --network DIR --told DIR", takeSetup),
    ProgramVerb(
      helpers.stickPolicy, "stick-policy", "",
      "layby stick-policy --board FILE [--owner FILE] [--state DIR] [--told FILE]",
      tellStickPolicy),
  ]
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

private func help(_ words: [String]) throws(Fault) -> Int32 {
  guard let name = words.first else {
    print(helpText)
    return EX_OK
  }
  if name == "all" {
    print((Verb.all.map(\.explanation) + [Verb.commonExplanation]).joined(separator: "\n\n"))
  } else if let program = ProgramVerb.named(name) {
    print(program.explanation)
  } else if let verb = Verb.named(name) {
    print(verb.explanation + "\n\n" + Verb.commonExplanation)
  } else {
    throw unknown(name)
  }
  return EX_OK
}

private func unknown(_ name: String) -> Fault {
  Verb.unknown(name, code: "X-140", among: ProgramVerb.all.filter(\.isShown).map(\.name) + ["help", "version"])
}

/// It fits a screen of 80 columns and 24 lines; what one verb takes is told by `layby help VERB`.
private var helpText: String {
  let programs = ProgramVerb.all.filter(\.isShown).map { "  " + padded("layby " + $0.usage, to: 26) + $0.help }
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
