import Glibc
import Library
import Remote
import Runtime
import Services

/// What people must know of the program beside its verbs: how it ends, which files and variables it reads. The manual
/// page and `layby help all` list it from here.
enum ManualTables {
  struct Row: Sendable {
    let name: String
    let help: String

    init(_ name: String, _ help: String) { (self.name, self.help) = (name, help) }
  }

  /// All that people use.
  static let verbs = ProgramVerb.all.filter { $0.audience != .units }.map(\.verb) + Verb.all

  static let exitCodes =
    ([
      (EX_OK, "It is done."),
      (1, "layby doctor: something is missing that the music needs."),
      (EX_USAGE, "The words of the command were not understood. Nothing was done."),
      (EX_DATAERR, "A file is damaged, of an unknown kind, or a settings file with mistakes."),
      (EX_UNAVAILABLE, "No player is running, or what was named is not there."),
      (EX_CANTCREAT, "There is no room for it, or it cannot be written."),
      (EX_TEMPFAIL, "It is busy, or failed for now. Later it may work."),
      (EX_NOPERM, "It is not allowed."),
      (EX_CONFIG, "There is a mistake in the board's file, so the player did not start."),
    ] as [(Int32, String)]).map { Row("\($0.0)", $0.1) }

  static let files: [Row] = {
    let (state, run) = (Settings()[.statePath], Settings()[.runPath])
    return [
      Row("board.conf", "What hardware there is; named by --board. On the image /etc/layby/board.conf."),
      Row(
        "layby.conf",
        "What the owner wants; named by --owner, else beside the board's file. On the image /data/layby.conf."),
      Row(
        "\(state)/", "The state folder, unless [paths] state or --state names another: queue, place, library, music."),
      Row(
        "\(OwnersFile.path(in: state))", "The owner's file as it was when it last had no mistake, for when it has one."),
      Row(
        "\(OwnersChoices.path(in: state))",
        "What was chosen on the panel. A choice counts until the owner's file says something else."),
      Row(
        "\(run)/control",
        "The control socket, unless [paths] run or --run names another folder. Each verb of a running player asks there."
      ),
      Row(DirectoryIndex.fileName, "In a folder of a web server: the list of its music, written by layby index."),
      Row(StickSetup.fileName, "On a USB stick: a network to join and a name, where [sticks] allow_setup is on."),
    ]
  }()

  static let environment = EnvironmentVariable.allCases.map { Row($0.rawValue, $0.help) }

  static var explanation: String {
    [("Exit codes:", exitCodes), ("Files:", files), ("Environment:", environment)].map { title, rows in
      ([title] + rows.map { "  " + padded($0.name, to: 34) + $0.help }).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}
