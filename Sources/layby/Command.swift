import Glibc
import PictureProcess
import Remote
import Runtime

/// Which of the program's verbs the arguments name. Exit codes are those of sysexits.h.
func runCommand(_ arguments: [String]) -> Int32 {
  let rest = Array(arguments.dropFirst())
  do throws(Fault) {
    switch arguments.first {
    case "run": return try runSupervisor(rest)
    case "config": return try showSettings(rest)
    case "doctor": return doctor(rest)
    case "setup": return try takeSetup(rest)
    case "stick-policy": return try tellStickPolicy(rest)
    case "index": return try makeIndex(rest)
    // Started by the player, for itself.
    case PictureServer.verb: return PictureServer.run(rest)
    case nil, "help", "--help", "-h":
      print(helpText)
      return arguments.isEmpty ? EX_USAGE : EX_OK
    case "--version", "version":
      print("layby \(version)")
      return EX_OK
    case .some(let verb):
      guard Verb.named(verb) != nil else {
        throw Fault(.malformed, "X-140", "there is no \"layby \(verb)\"; layby help lists what there is")
      }
      return try askRunning(verb, rest)
    }
  } catch {
    complain(error)
    return exitCode(for: error)
  }
}

let version = "0.1"

private var helpText: String {
  let verbs = Verb.all.map { "  " + padded("layby " + $0.usage, to: 54) + $0.help }
  return """
    Layby plays your music where the signal ends.

      layby run --board FILE      start the player (see layby run --help)
      layby doctor                what this machine can and cannot do
      layby config --explain      every setting, its default and its range
      layby index FOLDER          make a web server's folder a source of music

    With a player running (all take --json, and --socket PATH):
    \(verbs.joined(separator: "\n"))
    """
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
