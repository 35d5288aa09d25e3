import Glibc

/// What the program reads from its environment, once for all rooms; the manual page lists it from here.
package enum EnvironmentVariable: String, CaseIterable, Sendable {
  case controlSocket = "LAYBY_SOCKET"
  case runtimeFolder = "XDG_RUNTIME_DIR"
  case programFolders = "PATH"
  case noColour = "NO_COLOR"
  case colours = "COLORTERM"
  case terminal = "TERM"
  case notifySocket = "NOTIFY_SOCKET"
  case watchdogInterval = "WATCHDOG_USEC"
  case watchdogProcess = "WATCHDOG_PID"
  case journal = "JOURNAL_STREAM"
  case timeZone = "TZ"

  package var text: String? { getenv(rawValue).map { String(cString: $0) } }

  package var help: String {
    switch self {
    case .controlSocket: "The control socket of the player to ask, unless --socket or --run says it."
    case .runtimeFolder:
      "When nobody says which socket, and /run/layby/control is not there: layby/control in this folder is asked."
    case .programFolders: "Where the programs that the player starts are looked for, such as espeak-ng."
    case .noColour: "When it is set, layby doctor writes without colours."
    case .colours: "truecolor or 24bit: the panel in a terminal has all colours, else 256 at most."
    case .terminal: "What the terminal can do, for the panel in it and for layby doctor."
    case .notifySocket: "Set by systemd: where the player says that it is ready and that it still runs."
    case .watchdogInterval: "Set by systemd: how often, in microseconds, the player has to say that it still runs."
    case .watchdogProcess: "Set by systemd: the process for which that interval is meant."
    case .journal: "Set by systemd: each line of the log begins with its level, as the journal wants it."
    case .timeZone: "The time zone of the panel's clock and of hours, where the setting zone of [clock] is system."
    }
  }
}
