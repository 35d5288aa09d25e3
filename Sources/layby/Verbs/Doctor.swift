import Canvas
import Glibc
import Hardware
import Rights
import Runtime

/// `layby doctor`: what this machine can and cannot do, in plain
/// words. 0 when music can be played and heard, 1 when something needed is missing; a player need not run.
func doctor(_ arguments: [String]) -> Int32 {
  do throws(Fault) {
    return try examine(try Options(arguments, checkedFor: ProgramVerb.doctor))
  } catch {
    complain(error)
    return error.code.hasPrefix("C-") ? EX_CONFIG : exitCode(for: error)
  }
}

private func examine(_ options: Options) throws(Fault) -> Int32 {
  var settings = Settings()
  if let board = options.path("--board") {
    settings = try SettingsTable.all.load(board: board, owner: nil) { _ in nil }.settings
  }
  if let state = options.path("--state") { settings[.statePath] = state }
  var wishes = SurveyWishes(settings)
  let state = settings[.statePath]
  wishes.secrets = [OwnersFile.path(in: state), OwnersChoices.path(in: state)]
  if let owner = options.path("--owner") { wishes.secrets.insert(owner, at: 0) }

  let screen = currentScreen()
  let machine = MachineReader().read(wishes, date: Int64(time(nil)), screen: screen)
  let survey = Survey(of: machine, for: wishes)
  let findings = survey.findings + [keys(settings)]
  if options.has("--json") {
    print(SurveyReport.json(findings))
  } else {
    let isPlain = screen == nil || EnvironmentVariable.noColour.text != nil
    let report = SurveyReport(findings, width: min(screen?.columns ?? 100, 120), colours: !isPlain)
    for line in report.lines { print(line) }
  }
  return survey.isHeard ? 0 : 1
}

/// Who would keep the keys of sealed music, and what that is worth.
private func keys(_ settings: Settings) -> Finding {
  var standing = KeeperStanding(
    isBroker: false, hasTPM: settings.tpmAddress != nil,
    boundTo: settings[.boundTo].filter { path in path.withCString { access($0, R_OK) } == 0 })
  if let socket = settings[.keysBroker] {
    do throws(Fault) {
      standing = try KeysClient(at: socket, roots: [:]).standing
    } catch {
      return Finding(
        "keys", .missing, error.message,
        advice: "sealed music does not play without it, and it answers the player's user alone; see systemctl status"
          + " layby-keys")
    }
  }
  let isBound = standing.hasTPM || !standing.boundTo.isEmpty
  return Finding(
    "keys", standing.isBroker && isBound ? .works : .limited, "\(standing.binding); \(standing.place)",
    advice: isBound
      ? nil
      : "name files with numbers of this board in [rights] bound_to, or its TPM in [rights] tpm of the board's file")
}

private func currentScreen() -> Machine.Screen? {
  guard isatty(STDOUT_FILENO) == 1 else { return nil }
  let size = Terminal.measure(STDOUT_FILENO)
  var hasAllColours = false
  let colours = TerminalColours(
    colorTerm: EnvironmentVariable.colours.text, term: EnvironmentVariable.terminal.text)
  if case .full = colours { hasAllColours = true }
  return Machine.Screen(hasAllColours: hasAllColours, columns: size.width, rows: size.height)
}
