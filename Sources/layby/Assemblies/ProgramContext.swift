import Panel
import Playback
import Runtime
import Supervisor

/// What every assembly is given: how the program was started, which settings count, who is told, and who keeps parts
/// running. It lives on the main loop and keeps nothing on the disk.
@MainLoop
struct ProgramContext {
  let options: RunOptions
  let chosen: ChosenSettings
  let outset: StartupDiagnosis
  let notices: NoticeBoard
  let questions: QuestionBoard
  let supervisor: Supervisor
  let watchdogs: WatchdogAssembly

  init(_ options: RunOptions, _ chosen: ChosenSettings, _ outset: StartupDiagnosis) {
    (self.options, self.chosen, self.outset) = (options, chosen, outset)
    (notices, questions, supervisor) = (NoticeBoard(), QuestionBoard(), Supervisor())
    watchdogs = WatchdogAssembly(chosen, notices, supervisor)
  }

  var settings: Settings { chosen.settings }

  // MARK: Folders

  var statePath: FilePath { options.stateFolder(settings) }
  var runFolder: FilePath { options.runFolder(settings) }

  /// Where fetched music is kept on the board's own disk.
  var mediaPath: FilePath { settings[.mediaPath] ?? statePath / "media" }

  /// Under this name the queue, playlists and the library know fetched music, whichever disk it is kept on.
  var keptPath: FilePath { statePath.absolute / "kept" }
}

extension Transport {
  /// For commands that nobody waits for. A command that cannot be saved is done all the same, and the panel has said so.
  func performAndLog(_ command: Player.Command) async {
    do throws(Fault) { try await perform(command) } catch {
      Log("layby").warning("not saved", ["reason": error.message])
    }
  }
}
