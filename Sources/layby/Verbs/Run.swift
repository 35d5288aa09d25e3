import Glibc
import Hardware
import Runtime

/// `layby run`: the one process. The main loop is this thread; everything starts and ends on it.
func runSupervisor(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try RunOptions(arguments)
  // Its memory knows what the owner's files keep from others.
  #if DEBUG
    if getenv("LAYBY_OPEN_MEMORY") == nil { ClosedMemory.close() }
  #else
    ClosedMemory.close()
  #endif
  var reading: SettingsReading
  let outset: StartupDiagnosis
  let choices: Choices
  /// What the owner's file says, whether it counts or not.
  let owned: Settings
  do throws(Fault) {
    // The board's file alone first: whether the owner's is read at all depends on how the last starts ended.
    let board = try SettingsTable.all.load(board: options.board, owner: nil) { _ in nil }.settings
    DeviceEraser.look(at: board, state: options.stateFolder(board))
    outset = StartupDiagnosis(board, options)
    reading = try SettingsTable.all.load(board: options.board, owner: outset.isSafe ? nil : options.owner) { settings in
      OwnersFile.lastGood(in: options.stateFolder(settings))
    }
    var said = reading.settings
    if outset.isSafe {
      let known = OwnersFile.path(in: options.stateFolder(reading.settings))
      said = try SettingsTable.all.load(board: options.board, owner: known) { _ in nil }.settings
      reading = reading.asGuarded(as: said, in: .all)
    }
    owned = said
    choices = OwnersChoices.load(from: options.stateFolder(reading.settings))
  } catch {
    complain(error)
    return EX_CONFIG
  }
  // Before there is a second thread.
  ProcessTimeZone.use(choices.applied(to: reading.settings)[.timeZone])
  let counting = outset.isSafe ? choices.onlyGuarding() : choices
  LogBook.shared.show(upTo: counting.applied(to: reading.settings)[.logLevel])
  MainLoop.start {
    let code = await Program(options, reading, choices, outset, owned: owned).live()
    fflush(nil)
    // Not `exit`: other threads still run, and what must be kept is on the disk.
    _exit(code)
  }
  MainLoop.loop.run()
  return EX_OK
}
